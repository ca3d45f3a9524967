// How to use the library: load the model of a run, and let it answer a test question of its task, token by token.

#include <rfs/rfs.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

int main(int count, char** arguments) try {
  if (count != 2) throw rfs::Error("usage: load_model RUN");
  const std::filesystem::path path = std::filesystem::path(arguments[1]) / "model.safetensors";

  // The file has the weights and the run's settings. The settings give the task, the tokenizer and the positions.
  const rfs::StoredModel model = rfs::load_model(path);
  const rfs::RunSettings settings = rfs::stored_run_settings(model.settings, path.string());
  const auto data = std::make_shared<const rfs::RunData>(settings);
  const rfs::PositionTracks tracks = rfs::run_tracks(settings, data);

  const rfs::Examples examples = data->examples(rfs::Split::test);
  const std::span<const int32_t> question = examples.row(0).first(static_cast<size_t>(examples.answer(0)));

  // Positions are planned for the whole input: the question and the longest answer to wait for.
  const int64_t input = static_cast<int64_t>(examples.row(0).size());
  const rfs::Decoding::Start start{question,
                                   tracks.infer(*settings.train.seed, 0, model.trained_length, input, input, question)};
  rfs::Decoding decoding(*model.decoder, std::span(&start, 1));
  std::vector<int32_t> answer;
  while (true) {
    answer.push_back(static_cast<int32_t>(decoding.logits()[0].argmax().item<int64_t>()));
    if (answer.back() == data->tokenizer->end()) break;
    if (static_cast<int64_t>(question.size() + answer.size()) == input) break;
    decoding.step(std::span(&answer.back(), 1));
  }
  std::printf("question %s\nanswer  %s\n", data->tokenizer->decode(question).c_str(),
              data->tokenizer->decode(answer).c_str());
} catch (const rfs::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
