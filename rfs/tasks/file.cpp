#include "rfs/core/error.h"
#include "rfs/tasks/samples_file.h"

namespace rfs {
namespace {

/// Samples from a folder: train.jsonl, validation.jsonl, test.jsonl and data.json, as `rfs data make` and `rfs data
/// import` write them. Ids that `rfs data make` stored beside them are mapped instead of made again.
class File : public Task {
 public:
  struct Options : rfs::Options {
    Field<std::string> folder{this, "folder", "", "the folder of rfs data make or import"};
  };
  explicit File(const Options& options) : folder_(*options.folder) {
    if (folder_.empty()) throw Error("task.folder: must name a folder of rfs data make or import, got none");
  }

  Vocabulary vocabulary() const override { return read_vocabulary(folder_); }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    std::vector<Sample> samples;
    for (auto& entry : read_samples(folder_ / (split_name(split) + std::string(".jsonl")))) {
      samples.push_back(std::move(entry.sample));
    }
    return samples;
  }

  std::filesystem::path examples_file(Split split) const override {
    return folder_ / (split_name(split) + std::string(".bin"));
  }

 private:
  std::filesystem::path folder_;
};

const bool registered = Registry<Task>::add<File>("samples from a folder made by rfs data make or import");

}  // namespace
}  // namespace rfs
