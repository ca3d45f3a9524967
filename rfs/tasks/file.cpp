#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/tasks/samples_file.h"

namespace rfs {
namespace {

/// Samples from a folder: train.jsonl, validation.jsonl, test.jsonl and data.json, as `rfs data make` and `rfs data
/// import` write them. If `rfs data make` also stored ids there, they are mapped instead of tokenizing again.
class File : public Task {
 public:
  struct Options : rfs::Options {
    Field<std::string> folder{this, "folder", "", "a folder written by rfs data make or rfs data import"};
  };
  explicit File(const Options& options) : folder_(*options.folder) {
    if (folder_.empty())
      throw Error("task.folder: not set; set it to a folder written by rfs data make or rfs data import");
  }

  Vocabulary vocabulary() const override {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder_, ignored)) {
      throw Error(rfs::format("task.folder: no folder '{}'; make it with rfs data import or rfs data make",
                              shortened(folder_.string())));
    }
    return read_vocabulary(folder_);
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    std::vector<Sample> samples;
    for (auto& entry : read_samples(file(split, ".jsonl"))) {
      samples.push_back(std::move(entry.sample));
    }
    return samples;
  }

  std::filesystem::path examples_file(Split split) const override { return file(split, ".bin"); }

  std::string data_hash() const override {
    std::string hashes;
    for (const Split split : {Split::train, Split::validation, Split::test}) {
      std::error_code ignored;
      if (std::filesystem::exists(file(split, ".jsonl"), ignored)) {
        hashes += std::string(split_name(split)) + " " + file_sha256(file(split, ".jsonl")) + " ";
      }
    }
    return hashes.empty() ? "" : Sha256().add(hashes).hex();
  }

 private:
  std::filesystem::path file(Split split, const std::string& ending) const {
    return folder_ / (split_name(split) + ending);
  }

  std::filesystem::path folder_;
};

const bool registered = Registry<Task>::add<File>("samples from a folder written by rfs data make or import");

}  // namespace
}  // namespace rfs
