#include "rfs/corpus/make.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/temporary.h"
#include "rfs/corpus/corpus.h"
#include "rfs/corpus/encoder.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

constexpr size_t reasons_kept = 100;

/// One split during the build: finished shards on disk, and the documents of the next one.
class Writer {
 public:
  Writer(fs::path folder, std::string split, const CorpusPlan& plan, std::vector<Manifest::Shard>& shards)
      : folder_(std::move(folder)), split_(std::move(split)), plan_(plan), shards_(shards) {}

  /// Returns true if this finished a shard.
  bool add(std::span<const int32_t> ids) {
    if (ids_.empty()) ids_.reserve(static_cast<size_t>(std::min<int64_t>(plan_.shard_tokens, 1 << 26) + (1 << 16)));
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    ends_.push_back(std::ssize(ids_));
    if (std::ssize(ids_) < plan_.shard_tokens) return false;
    finish();
    return true;
  }

  /// Writes the documents collected so far as the next shard, finished or not.
  std::string write() const { return write_shard(folder_ / name(), plan_.tokenizer.width(), ends_, ids_); }

  void finish() {
    if (ends_.empty()) return;
    shards_.push_back({name(), std::ssize(ids_), std::ssize(ends_), write()});
    ends_.clear();
    ids_.clear();
  }

  /// Reloads the first documents of an unfinished shard. A newer version of that shard starts with the same documents.
  void take(int64_t documents) {
    if (documents == 0) return;
    const Shard shard(folder_ / name());
    if (documents > shard.documents()) {
      throw Error(rfs::format("{}: cannot resume: {} documents expected, {} found; remove the folder to start again",
                              shard.path().string(), documents, shard.documents()));
    }
    ends_.assign(shard.ends().begin(), shard.ends().begin() + documents);
    ids_.resize(static_cast<size_t>(ends_.back()));
    shard.read(0, ids_);
  }

  int64_t documents() const { return std::ssize(ends_); }
  int64_t tokens() const { return std::ssize(ids_); }

 private:
  std::string name() const { return rfs::format("{}-{:05}.tokens", split_, shards_.size()); }

  fs::path folder_;
  std::string split_;
  const CorpusPlan& plan_;
  std::vector<Manifest::Shard>& shards_;
  std::vector<int64_t> ends_;
  std::vector<int32_t> ids_;
};

int64_t sum(const std::vector<Manifest::Shard>& shards, int64_t Manifest::Shard::*member) {
  int64_t all = 0;
  for (const auto& shard : shards) all += shard.*member;
  return all;
}

/// Throws Error if a finished shard is missing or damaged.
void require_shards(const fs::path& folder, const Manifest& manifest) {
  try {
    for (const auto* shards : {&manifest.train, &manifest.validation}) {
      for (const auto& shard : *shards) open_shard(folder, shard, manifest.plan.tokenizer.width());
    }
  } catch (const Error& error) {
    throw Error(rfs::format("{}; remove the folder to start again", error.what()));
  }
}

class Making {
 public:
  Making(const fs::path& folder, const CorpusPlan& plan, const CorpusWork& work)
      : folder_(folder),
        work_(work),
        train_(folder, "train", manifest_.plan, manifest_.train),
        validation_(folder, "validation", manifest_.plan, manifest_.validation) {
    manifest_.plan = plan;
    if (!resume()) save();
  }

  bool run(const Tokenizer& tokenizer) {
    work_.progress(progress(0));
    DocumentEncoder encoder(manifest_.plan, tokenizer, place_, work_.threads);
    while (!encoder.ended()) {
      if (work_.stopped()) {
        save();
        return false;
      }
      for (const auto& document : encoder.next()) add(document);
      work_.progress(progress(encoder.packed_read()));
    }
    return true;
  }

  bool nothing_kept() const { return kept_ == 0; }

  Manifest finish() {
    if (progress(0).documents == 0) {
      throw Error(rfs::format("{}: no documents found in the sources ({} empty, {} broken{})", folder_.string(),
                              manifest_.empty, manifest_.broken,
                              manifest_.broken > 0 ? ": " + manifest_.reasons.front() : ""));
    }
    train_.finish();
    validation_.finish();
    const auto& tokenizer = manifest_.plan.tokenizer;
    Sha256 hash;
    hash.add(rfs::format("{} {} {}", tokenizer.hash, tokenizer.vocabulary, tokenizer.end));
    for (const auto& shard : manifest_.train) hash.add(" train " + shard.sha256);
    for (const auto& shard : manifest_.validation) hash.add(" validation " + shard.sha256);
    manifest_.hash = hash.hex();
    manifest_.provenance = work_.provenance;
    manifest_.write(folder_);
    fs::remove(folder_ / Manifest::progress_name);
    return manifest_;
  }

 private:
  void add(const EncodedDocument& document) {
    place_ = document.after;
    if (document.ids.empty()) {
      if (document.broken.empty()) {
        ++manifest_.empty;
        return;
      }
      ++manifest_.broken;
      if (manifest_.reasons.size() < reasons_kept) manifest_.reasons.push_back(document.broken);
      work_.broken(document.broken);
      return;
    }
    manifest_.bytes += document.bytes;
    if ((document.validation ? validation_ : train_).add(document.ids)) save();
  }

  /// Saves the state. If the process is killed in here, the previous state remains valid, because shards only grow.
  void save() {
    if (train_.documents() > 0) train_.write();
    if (validation_.documents() > 0) validation_.write();
    const nlohmann::json state = {{"manifest", manifest_.text()},
                                  {"place", {place_.source, place_.entry, place_.document}},
                                  {"train", train_.documents()},
                                  {"validation", validation_.documents()}};
    write_file(folder_ / Manifest::progress_name, state.dump(1) + '\n');
    kept_ = progress(0).documents;
  }

  bool resume() {
    const fs::path path = folder_ / Manifest::progress_name;
    if (!fs::exists(path)) return false;
    const auto state = nlohmann::json::parse(read_file(path), nullptr, false);
    try {
      const CorpusPlan plan = manifest_.plan;
      manifest_ = Manifest::parse(state.at("manifest").get<std::string>(), path);
      if (manifest_.plan != plan) {
        throw Error(
            rfs::format("{}: a build can only be resumed with its original settings (the same files, tokenizer and "
                        "options); remove the folder to start again",
                        folder_.string()));
      }
      require_shards(folder_, manifest_);
      const auto place = state.at("place").get<std::array<int64_t, 3>>();
      place_ = {place[0], place[1], place[2]};
      train_.take(state.at("train").get<int64_t>());
      validation_.take(state.at("validation").get<int64_t>());
      kept_ = progress(0).documents;
      return true;
    } catch (const nlohmann::json::exception&) {
      throw Error(rfs::format("{}: this file is damaged; remove the folder to start again", path.string()));
    }
  }

  CorpusProgress progress(int64_t packed) const {
    CorpusProgress now{packed, 0, manifest_.bytes, train_.documents() + validation_.documents(),
                       train_.tokens() + validation_.tokens()};
    for (const auto& source : manifest_.plan.sources) now.packed_all += source.bytes;
    for (const auto* shards : {&manifest_.train, &manifest_.validation}) {
      now.documents += sum(*shards, &Manifest::Shard::documents);
      now.tokens += sum(*shards, &Manifest::Shard::tokens);
    }
    return now;
  }

  fs::path folder_;
  const CorpusWork& work_;
  Manifest manifest_;
  Place place_;
  int64_t kept_ = 0;  // number of documents on disk
  Writer train_, validation_;
};

}  // namespace

std::optional<Manifest> make_corpus(const fs::path& folder, const CorpusPlan& plan, const Tokenizer& tokenizer,
                                    const CorpusWork& work) {
  std::error_code ignored;
  if (fs::exists(folder / Manifest::file_name, ignored)) {
    auto manifest = Manifest::read(folder);
    if (manifest.plan == plan) {
      require_shards(folder, manifest);
      fs::remove(folder / Manifest::progress_name, ignored);
      return manifest;
    }
    throw Error(rfs::format("{}: already holds another corpus (other files, tokenizer or options); choose a new folder",
                            folder.string()));
  }
  if (!fs::exists(folder / Manifest::progress_name, ignored) && fs::exists(folder, ignored) &&
      (!fs::is_directory(folder, ignored) || !first_entry(folder).empty())) {
    throw Error(rfs::format("{}: already exists and is not a corpus; choose another folder", folder.string()));
  }
  try {
    require_writable(folder);
    Making making(folder, plan, work);
    try {
      if (!making.run(tokenizer)) return {};
      return making.finish();
    } catch (...) {
      if (making.nothing_kept()) fs::remove(folder / Manifest::progress_name, ignored);
      throw;
    }
  } catch (...) {
    fs::remove(folder, ignored);  // only removes it if it is empty
    throw;
  }
}

}  // namespace rfs
