#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace rfs {

/// What is to be written for other programs.
struct ExportRequest {
  std::string run;            ///< the only run at or below this folder
  std::filesystem::path out;  ///< the folder (hf) or file (gguf); must not exist yet
  std::string format = "hf";  ///< hf: a folder in GPT-NeoX's layout; gguf: a file for llama.cpp
  int64_t tokens = 1;         ///< plan for inputs of this many tokens, where that is more than were trained
};

struct ExportedModel {
  std::string name;  ///< of the run
  int64_t parameters = 0;
  double factor = 1;           ///< linear RoPE scaling; 1 is plain RoPE
  int64_t tokens = 0;          ///< the longest input it is for
  int64_t trained_length = 0;  ///< n_tr
  std::string tokenizer;       ///< the run's
  bool has_tokenizer = false;  ///< other programs have it, and its files were written
};

/// Writes a trained run for other programs. Throws Error where the layout cannot express it.
ExportedModel export_run(const ExportRequest& request);

}  // namespace rfs
