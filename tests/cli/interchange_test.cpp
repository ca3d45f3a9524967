// `rfs export` and `rfs import`: runs survive a round trip, and refused runs write nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"
#include "rfs/core/files.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string small =
    "[task]\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 50\nvalidation_samples = 5\n"
    "test_samples = 5\nwords = 5\n[model]\npreset = 'gpt2'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\n"
    "feed_width = 16\n[train]\nsteps = 3\nbatch = 8\nlearning_rate = 1e-2\nwarmup = 1\nvalidate_every = 0\n";
const fs::path golden = fs::path(RFS_SOURCE) / "tests/golden";

Outcome done(const std::string& arguments, const Scratch& scratch) {
  const Outcome outcome = run_program(arguments, scratch.path());
  EXPECT_EQ(outcome.code, 0) << arguments << ": " << outcome.error;
  return outcome;
}

/// Expects exit code 2, one line with `says`, and no new file.
void expect_refused(const std::string& arguments, const Scratch& scratch, const std::string& says) {
  const auto listing = [&] {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  };
  const auto before = listing();
  const Outcome outcome = run_program(arguments, scratch.path());
  EXPECT_EQ(outcome.code, 2) << arguments;
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  EXPECT_NE(outcome.error.find(says), std::string::npos) << outcome.error;
  EXPECT_EQ(listing(), before) << arguments;
}

TEST(Interchange, BringsARunBackAsItWas) {
  const Scratch scratch;
  scratch.write("small.toml", small);
  done("train small.toml --out run", scratch);
  const auto trained = rfs::Run(scratch.path() / "run").train_record().trained_length;

  auto outcome = done("export run hf --format hf", scratch);
  EXPECT_NE(outcome.output.find("RoPE scaled linearly by"), std::string::npos) << outcome.output;
  auto config = Json::parse(scratch.read("hf/config.json"));
  EXPECT_EQ(config["rope_scaling"]["rope_type"], "linear");
  EXPECT_DOUBLE_EQ(config["rope_scaling"]["factor"], static_cast<double>(trained) / 1000);
  EXPECT_EQ(config["max_position_embeddings"], 2048) << "what lm-evaluation-harness takes for its max_length";
  EXPECT_EQ(config["rfs_planned_tokens"], trained);
  EXPECT_FALSE(scratch.has("hf/vocab.json")) << "no files of a tokenizer that others do not have";
  expect_refused("export run hf", scratch, "hf: already exists; choose another name");

  done("export run long --tokens 100", scratch);
  config = Json::parse(scratch.read("long/config.json"));
  EXPECT_DOUBLE_EQ(config["rope_scaling"]["factor"], 0.1);
  EXPECT_EQ(config["max_position_embeddings"], 2048);
  EXPECT_EQ(config["rfs_planned_tokens"], 100);
  done("export run longer --tokens 5000", scratch);
  EXPECT_EQ(Json::parse(scratch.read("longer/config.json"))["max_position_embeddings"], 5000);

  for (const std::string name : {"hf", "long"}) {
    done("import back-" + name + " " + name, scratch);
    EXPECT_EQ(scratch.read("back-" + name + "/settings.toml"), scratch.read("run/settings.toml"));
    EXPECT_EQ(scratch.read("back-" + name + "/model.safetensors"), scratch.read("run/model.safetensors"));
  }
  done("eval run", scratch);
  done("eval back-hf", scratch);
  const auto first = rfs::Run(scratch.path() / "run").eval_record(),
             second = rfs::Run(scratch.path() / "back-hf").eval_record();
  ASSERT_EQ(first.lengths.size(), second.lengths.size());
  for (size_t i = 0; i < first.lengths.size(); ++i) EXPECT_EQ(first.lengths[i].correct, second.lengths[i].correct);
  done("report back-hf", scratch);

  outcome = done("export run model.gguf --format gguf", scratch);
  EXPECT_TRUE(scratch.read("model.gguf").starts_with(std::string("GGUF\3\0\0\0", 8)));
  expect_refused("export run other.gguf", scratch, "other.gguf: hf writes a folder; add --format gguf for a GGUF file");
  expect_refused("export run model.gguf --format gguf", scratch, "model.gguf: already exists; choose another name");
}

TEST(Interchange, TakesForeignCheckpointsAndGivesThemBack) {
  const Scratch scratch;
  for (const std::string name : {"linear", "plain"}) {
    done("import " + name + " " + (golden / "neox" / name).string(), scratch);
    done("export " + name + " " + name + "-hf", scratch);
    done("import " + name + "-again " + name + "-hf", scratch);
    EXPECT_EQ(scratch.read(name + "/model.safetensors"), scratch.read(name + "-again/model.safetensors"));
    expect_refused("import " + name + " " + name + "-hf", scratch, name + ": already exists; choose another name");
  }
  EXPECT_FALSE(Json::parse(scratch.read("plain-hf/config.json")).contains("rope_scaling"));
}

/// A tokenizer like GPT-2's: byte characters, four merges and the end token.
void write_bpe(const Scratch& scratch) {
  Json encoder = Json::object();
  for (uint32_t byte = 0, next = 256; byte < 256; ++byte) {
    const bool itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    const uint32_t code = itself ? byte : next++;
    encoder[code < 0x80 ? std::string(1, static_cast<char>(code))
                        : std::string{static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))}] =
        byte;
  }
  for (const char* token : {"ab", "cd", "\u0120ab", "\u0120cd", "<|endoftext|>"}) {
    const size_t id = encoder.size();
    encoder[token] = id;
  }
  scratch.write("encoder.json", encoder.dump());
  scratch.write("vocab.bpe", "#version: 0.2\na b\nc d\n\u0120 ab\n\u0120 cd\n");
}

/// The file as `transformers` would save it: without the metadata of the run.
std::string without_metadata(const std::string& safetensors) {
  uint64_t size = 0;
  std::memcpy(&size, safetensors.data(), 8);
  auto header = Json::parse(safetensors.substr(8, size));
  header.erase("__metadata__");
  std::string text = header.dump();
  text.resize(size, ' ');
  return safetensors.substr(0, 8) + text + safetensors.substr(8 + size);
}

TEST(Interchange, CarriesTheTokenizerOfGpt2) {
  const Scratch scratch;
  scratch.write("small.toml", small);
  write_bpe(scratch);
  const std::string chosen =
      " --set tokenizer.use=gpt2 --set tokenizer.encoder=encoder.json --set tokenizer.merges=vocab.bpe";
  const Outcome trained = run_program("train small.toml --set task.words=2 --out run" + chosen, scratch.path());
  if (trained.error.find("unknown tokenizer.use 'gpt2'") != std::string::npos) GTEST_SKIP() << "built without PCRE2";
  ASSERT_EQ(trained.code, 0) << trained.error;
  done("export run hf", scratch);
  EXPECT_EQ(scratch.read("hf/vocab.json"), scratch.read("encoder.json"));
  EXPECT_EQ(scratch.read("hf/merges.txt"), scratch.read("vocab.bpe"));
  EXPECT_EQ(Json::parse(scratch.read("hf/tokenizer_config.json"))["eos_token"], "<|endoftext|>");
  EXPECT_EQ(Json::parse(scratch.read("hf/config.json"))["eos_token_id"], 260);

  scratch.write("hf/model.safetensors", without_metadata(scratch.read("hf/model.safetensors")));
  done("import back hf", scratch);
  EXPECT_NE(scratch.read("back/settings.toml").find("/hf/vocab.json"), std::string::npos);

  done("export run model.gguf --format gguf", scratch);
  const std::string file = scratch.read("model.gguf");
  for (const char* part : {"tokenizer.ggml.tokens", "\u0120cd", "c d", "\u0120 cd", "<|endoftext|>"}) {
    EXPECT_NE(file.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(file.find("#version"), std::string::npos);
}

TEST(Interchange, TakesEachFamilyAndGivesItBack) {
  const Scratch scratch;
  for (const std::string name : {"llama", "llama3", "llama-tied", "llama-yarn", "llama-linear", "mistral", "qwen2",
                                 "qwen2-window", "qwen3", "smollm3", "pythia", "gpt2"}) {
    const fs::path source = golden / "families" / name;
    done("import " + name + " " + source.string(), scratch);
    done("export " + name + " " + name + "-hf", scratch);
    EXPECT_EQ(Json::parse(scratch.read(name + "-hf/config.json"))["model_type"],
              Json::parse(read_file(source / "config.json"))["model_type"]);
    done("import " + name + "-again " + name + "-hf", scratch);
    EXPECT_EQ(scratch.read(name + "/settings.toml"), scratch.read(name + "-again/settings.toml")) << name;
    EXPECT_EQ(scratch.read(name + "/model.safetensors"), scratch.read(name + "-again/model.safetensors")) << name;
  }
  expect_refused("export mistral x.gguf --format gguf", scratch, "llama.cpp ignores the attention window of Mistral");
  expect_refused("import other " + (golden / "families/llama").string() + " --set layers.pattern=LG", scratch,
                 "--set layers.pattern: config.json defines the model");
}

/// A folder of the golden Llama with these keys in its config.json.
void write_llama(const Scratch& scratch, const std::string& name, const Json& keys) {
  fs::copy(golden / "families/llama", scratch.path() / name);
  auto config = Json::parse(scratch.read(name + "/config.json"));
  config.update(keys);
  scratch.write(name + "/config.json", config.dump());
}

TEST(Interchange, KeepsSpecialIdsAndStopsAtEachEnd) {
  const Scratch scratch;
  write_llama(scratch, "in", Json::object());
  done("import one in", scratch);
  const std::string generate = " --tokens 12 --prompt '5 6 7'";
  std::istringstream words(done("generate one" + generate, scratch).output);
  const std::vector<std::string> made{std::istream_iterator<std::string>(words), {}};
  ASSERT_EQ(made.size(), 12u);
  write_llama(scratch, "several-in", {{"eos_token_id", {3, 28, std::stoi(made[4])}}, {"pad_token_id", 4}});
  done("import several several-in", scratch);
  EXPECT_NE(scratch.read("several/settings.toml").find("\nmore_ends = [28, " + made[4] + "]\n"), std::string::npos);
  std::string expected;
  for (const auto& word : made) {
    if (word == made[4]) break;
    expected += (expected.empty() ? "" : " ") + word;
  }
  EXPECT_EQ(done("generate several" + generate, scratch).output, expected + "\n");
  scratch.write("prompts.txt", "5 6 7\n5 6 7\n");
  const auto batch = done("generate several --tokens 12 --prompts prompts.txt", scratch).output;
  EXPECT_EQ(Json::parse(batch.substr(0, batch.find('\n')))["text"], expected);

  done("export several out", scratch);
  const auto config = Json::parse(scratch.read("out/config.json"));
  EXPECT_EQ(config["bos_token_id"], 2);
  EXPECT_EQ(config["pad_token_id"], 4);
  EXPECT_EQ(config["eos_token_id"], Json({3, 28, std::stoi(made[4])}));
  EXPECT_EQ(Json::parse(scratch.read("out/generation_config.json"))["eos_token_id"], config["eos_token_id"]);
  scratch.write("out/model.safetensors", without_metadata(scratch.read("out/model.safetensors")));
  done("import back out", scratch);
  EXPECT_EQ(scratch.read("back/settings.toml"), scratch.read("several/settings.toml"));
}

// The commands of docs/extending.md.
TEST(Interchange, ImportedModelsAreEvaluatedOnACorpusAndExtended) {
  const Scratch scratch;
  write_llama(scratch, "SmolLM", Json::object());
  std::string text;
  for (int document = 0; document < 12; ++document) {
    for (int i = 0; i < 80; ++i) text += std::to_string(5 + (3 * i + document) % 20) + " ";
    text += "\n<|endoftext|>\n";
  }
  scratch.write("texts", text);
  scratch.write("extend.toml",
                "[positions]\nuse = 'random_float'\nrange = 32.0\n[task]\nuse = 'corpus'\nwindow = 16\n"
                "test_windows = 4\n[train]\nsteps = 3\nbatch = 2\nwarmup = 1\n");
  const std::string on_corpus = " --set task.use=corpus --set task.folder=corpus --set task.window=16";
  done("import runs/smol SmolLM", scratch);
  done(
      "corpus make corpus texts --validation 0.3 --set tokenizer.use=ids --set tokenizer.size=29 "
      "--set tokenizer.end=3",
      scratch);
  done("train extend.toml --from runs/smol --set task.folder=corpus --out runs/smol-rfs", scratch);
  auto outcome = done("eval runs/smol-rfs", scratch);
  EXPECT_NE(outcome.error.find("perplexity by tokens of the input"), std::string::npos) << outcome.error;
  done("export runs/smol-rfs out/smol-rfs --tokens 64", scratch);

  expect_refused("eval runs/smol", scratch,
                 "runs/smol: an imported model has no task; add --set task.use=corpus --set task.folder=FOLDER");
  outcome = done("eval runs/smol --set task.test_windows=4" + on_corpus, scratch);
  EXPECT_NE(outcome.error.find("perplexity by tokens of the input"), std::string::npos) << outcome.error;
  done("eval runs/smol --as rfs --set positions.use=random_float --set positions.range=32 --set task.test_windows=4" +
           on_corpus,
       scratch);
  const auto first = rfs::Run(scratch.path() / "runs/smol").eval_record(),
             second = rfs::Run(scratch.path() / "runs/smol").eval_record("rfs");
  ASSERT_FALSE(first.losses.empty());
  EXPECT_EQ(first.losses.size(), second.losses.size());
  EXPECT_NE(first.losses.back().loss, second.losses.back().loss);
  EXPECT_NE(first.settings.find("use = \"corpus\""), std::string::npos);
  EXPECT_NE(done("eval runs/smol --set task.test_windows=4" + on_corpus, scratch).error.find("already evaluated"),
            std::string::npos);
  done("report runs/smol", scratch);
  done("show runs/smol", scratch);

  expect_refused("eval runs/smol --set tokenizer.size=30" + on_corpus, scratch,
                 "--set tokenizer.size: evaluation cannot change what was trained");
  expect_refused("eval runs/smol-rfs --set task.window=8", scratch,
                 "--set task.window: runs/smol-rfs was trained on its own task; only imported runs can be evaluated on "
                 "another");
  // A task that was chosen at the import needs no --set.
  done("import runs/chosen SmolLM --set task.test_windows=4" + on_corpus, scratch);
  done("eval runs/chosen", scratch);
}

TEST(Interchange, CarriesATokenizerJson) {
  const Scratch scratch;
  fs::copy(golden / "families/llama", scratch.path() / "in");
  auto tokenizer = Json::parse(read_file(golden / "hf_tokenizers/llama3.json"));
  scratch.write("in/tokenizer.json", tokenizer.dump());
  const auto outcome = run_program("import run in", scratch.path());
  if (outcome.error.find("tokenizer") == std::string::npos) GTEST_SKIP() << "built without PCRE2";
  // The tokenizer has more ids than the model.
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("the tokenizer must have the model's 29 ids, got"), std::string::npos) << outcome.error;
  tokenizer["added_tokens"][0]["id"] = -1;
  scratch.write("in/tokenizer.json", tokenizer.dump());
  expect_refused("import run in", scratch, "tokenizer.json: added_tokens: 'id' must be an id from 0 to");
}

TEST(Interchange, GivesATokenizerJsonToLlamaCpp) {
  const Scratch scratch;
  auto tokenizer = Json::parse(read_file(golden / "hf_tokenizers/qwen2.json"));
  scratch.write("tokenizer.json", tokenizer.dump());
  std::string text;
  for (int document = 0; document < 12; ++document)
    text += "the number " + std::to_string(document) + "\n<|endoftext|>\n";
  scratch.write("text.txt", text);
  const std::string chosen =
      " --set tokenizer.use=hf --set tokenizer.file=tokenizer.json --set tokenizer.end=0 --set tokenizer.begin=321";
  const Outcome made = run_program("corpus make corpus text.txt --validation 0.3" + chosen, scratch.path());
  if (made.error.find("unknown tokenizer.use 'hf'") != std::string::npos) GTEST_SKIP() << "built without PCRE2";
  ASSERT_EQ(made.code, 0) << made.error;
  scratch.write("lm.toml",
                "[task]\nuse = 'corpus'\nfolder = 'corpus'\nwindow = 8\ntest_documents = 0\n[model]\npreset = 'gpt2'\n"
                "layers = 1\nwidth = 16\nheads = 2\nhead_width = 8\nfeed_width = 16\n[train]\nsteps = "
                "2\nbatch = 2\n"
                "warmup = 1\n");
  done("train lm.toml --out run" + chosen, scratch);
  auto outcome = done("export run model.gguf --format gguf", scratch);
  EXPECT_EQ(outcome.output.find("No tokenizer"), std::string::npos) << outcome.output;
  const std::string file = scratch.read("model.gguf");
  for (const char* part : {"tokenizer.ggml.pre", "qwen2", "<|im_end|>", "tokenizer.ggml.bos_token_id"}) {
    EXPECT_NE(file.find(part), std::string::npos) << part;
  }
  done("export run hf", scratch);
  EXPECT_EQ(Json::parse(scratch.read("hf/config.json"))["bos_token_id"], 321);
  // An import without our metadata takes the folder's tokenizer, and its corpus may have been made with the original.
  scratch.write("hf/model.safetensors", without_metadata(scratch.read("hf/model.safetensors")));
  done("import back hf", scratch);
  done("eval back --set task.use=corpus --set task.folder=corpus --set task.window=2 --set task.test_windows=2",
       scratch);

  tokenizer["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "\\s+";
  scratch.write("tokenizer.json", tokenizer.dump());
  outcome = done("export run other.gguf --format gguf", scratch);
  EXPECT_NE(outcome.output.find("\nNo tokenizer was exported: llama.cpp has none that splits texts like this "
                                "tokenizer.json; give the model ids\n"),
            std::string::npos)
      << outcome.output;
  tokenizer["added_tokens"][1]["id"] = 400;
  scratch.write("tokenizer.json", tokenizer.dump());
  expect_refused("export run x.gguf --format gguf", scratch,
                 "the tokenizer must have the model's 325 ids, got hf with 401");
}

TEST(Interchange, RefusesToExportWhatOthersCannotRun) {
  const Scratch scratch;
  scratch.write("small.toml", small);
  done("train small.toml --set encoding.use=[sinusoidal,alibi,none] --set train.steps=2 --out encodings", scratch);
  for (const std::string name : {"sinusoidal", "alibi", "none"}) {
    for (const char* format : {"hf", "gguf"}) {
      expect_refused("export encodings/" + name + " x --format " + format, scratch,
                     "encodings/" + name + ": encoding.use must be rope or learned for export, got " + name);
    }
  }
  done("train small.toml --set model.preset=[tiny,gpt2] --set train.steps=2 --out presets", scratch);
  expect_refused("export presets/tiny x", scratch, "presets/tiny: model.scale_scores must be true for export");
  expect_refused("export presets x", scratch, "presets: must be one run, got 2");

  const std::string source = (golden / "neox/linear").string();
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"--set positions.use=random_integer",
       "evenly spaced and not random at inference for export, as in linear RoPE "},
      {"--set positions.use=random_integer --set positions.inference=even", "got random_integer (range = 512, inf"},
      {"--set positions.distribution=beta --set positions.inference=quantile", "inference = \"quantile\","}};
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = "run" + std::to_string(i);
    done("import " + name + " " + source + " " + rows[i].first, scratch);
    expect_refused("export " + name + " x", scratch, rows[i].second);
  }
}

TEST(Interchange, RefusesWhatItCannotImport) {
  const Scratch scratch;
  const auto config = Json::parse(read_file(golden / "neox/linear/config.json"));
  struct Row {
    const char *key, *value, *says;
  };
  const std::vector<Row> rows = {
      {"model_type", "\"mamba\"", "config.json: unknown 'model_type' 'mamba'"},
      {"hidden_act", "\"relu\"", "'hidden_act' must be gelu, gelu_new"},
      {"num_hidden_layers", "3", "the tensor 'gpt_neox.layers.2.input_layernorm.weight' is missing"},
      {"vocab_size", "12", "'gpt_neox.embed_in.weight' must have shape [12, 24], as config.json says, got [11, 24]"},
      {"hidden_sizes", "24", "config.json: unknown key 'hidden_sizes' (did you mean 'hidden_size'?)"},
      {"rope_parameters", "{\"rope_type\": \"dynamic\", \"factor\": 2}",
       "'rope_type' must be default, linear, yarn or llama3"},
      {"num_hidden_layers", "1000000000000", "'num_hidden_layers' must be an integer from 1 to 1000"},
  };
  for (const auto& row : rows) {
    Json changed = config;
    changed[row.key] = Json::parse(row.value);
    scratch.write("in/config.json", changed.dump());
    scratch.write("in/model.safetensors", read_file(golden / "neox/linear/model.safetensors"));
    expect_refused("import run in", scratch, row.says);
  }
  scratch.write("in/config.json", config.dump());
  scratch.write("in/model.safetensors", std::string("PK\3\4\0\0\10\10", 8));
  expect_refused("import run in", scratch, "in/model.safetensors: must be safetensors, got a pickle, which could run");
  fs::remove(scratch.path() / "in/model.safetensors");
  scratch.write("in/pytorch_model.bin", "");
  expect_refused("import run in", scratch, "M.from_pretrained('in').save_pretrained('NEW')");
}

}  // namespace
}  // namespace rfs
