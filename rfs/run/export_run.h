#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace rfs {

/// What to write for other programs.
struct ExportRequest {
  std::string run;            ///< the only run at or below this folder
  std::filesystem::path out;  ///< the folder (hf) or file (gguf); must not exist yet
  std::string format = "hf";  ///< hf: a folder for transformers; gguf: a file for llama.cpp
  int64_t tokens = 1;         ///< maximum input length to plan for, if longer than the training length
};

/// What export_run wrote.
struct ExportedModel {
  std::string name;    ///< of the run
  std::string family;  ///< "Llama"
  int64_t parameters = 0;
  std::string scaling;         ///< of RoPE: none, linear, yarn or llama3; empty if positions are learned
  double factor = 1;           ///< of the scaling
  int64_t tokens = 0;          ///< the longest input that the positions are made for
  int64_t trained_length = 0;  ///< n_tr
  std::string no_tokenizer;    ///< why the tokenizer was not written; empty if it was
};

/// Writes a trained run for other programs. Throws Error if the format cannot express it.
ExportedModel export_run(const ExportRequest& request);

}  // namespace rfs
