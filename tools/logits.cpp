// Writes the logits of rows of ids: `rfs_logits RUN IN OUT`. IN has one row per line, with spaces between ids. The n_in
// of a row is its length. OUT is a safetensors file with one tensor [ids, vocabulary] per row, named by its number.
// tools/check_hf and tools/check_gguf compare them with other programs.

#include <cstdio>
#include <sstream>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/registry.h"
#include "rfs/model/store.h"
#include "rfs/positions/indexing.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: rfs_logits RUN IN OUT\n", stderr);
    return 2;
  }
  try {
    const torch::NoGradGuard no_gradient;
    const auto model = rfs::load_model(std::filesystem::path(argv[1]) / "model.safetensors");
    const auto settings = rfs::Settings::from_text(model.settings, argv[1]);
    const auto indexing = rfs::Choice<rfs::PositionIndexing>::read(settings.find("positions"), "random_float").make();
    rfs::TensorFile out;
    std::istringstream lines(rfs::read_file(argv[2]));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::vector<int32_t> ids;
      for (int32_t id; words >> id;) ids.push_back(id);
      std::vector<float> positions(ids.size());
      rfs::Stream stream(1, "inference positions");
      indexing->infer(stream, model.trained_length, static_cast<int64_t>(ids.size()), positions);
      const std::vector<rfs::Row> rows = {{ids, ids}};
      const auto batch = rfs::pack(rows, positions);
      out.tensors.emplace_back(std::to_string(out.tensors.size()), model.decoder->target_logits(batch));
    }
    rfs::write_tensors(argv[3], out);
    return 0;
  } catch (const std::exception& error) {
    std::fputs(rfs::format("rfs_logits: {}\n", error.what()).c_str(), stderr);
    return 2;
  }
}
