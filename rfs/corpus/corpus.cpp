#include "rfs/corpus/corpus.h"

#include <algorithm>
#include <stdexcept>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace fs = std::filesystem;

void Corpus::Part::read(int64_t first, std::span<int32_t> to) const {
  if (first < 0 || first > tokens_ || static_cast<int64_t>(to.size()) > tokens_ - first) {
    throw std::out_of_range(rfs::format("Corpus: tokens {} .. {} of {}", first, first + std::ssize(to), tokens_));
  }
  if (to.empty()) return;
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), first,
                                [](int64_t at, const Piece& one) { return at < one.first_token; });
  for (--piece; !to.empty(); ++piece) {
    const int64_t begin = first - piece->first_token;
    const auto some = to.first(static_cast<size_t>(std::min(piece->shard.tokens() - begin, std::ssize(to))));
    piece->shard.read(begin, some);
    for (const int32_t id : some) {
      if (id < 0 || id >= vocabulary_) {
        throw Error(rfs::format("{}: ids must be below {}, got {}; the file is damaged", piece->shard.path().string(),
                                vocabulary_, id));
      }
    }
    first += std::ssize(some);
    to = to.subspan(some.size());
  }
}

std::pair<int64_t, int64_t> Corpus::Part::document(int64_t index) const {
  if (index < 0 || index >= documents_) {
    throw std::out_of_range(rfs::format("Corpus: document {} of {}", index, documents_));
  }
  const auto piece = std::prev(std::upper_bound(pieces_.begin(), pieces_.end(), index,
                                                [](int64_t at, const Piece& one) { return at < one.first_document; }));
  const auto at = static_cast<size_t>(index - piece->first_document);
  const auto ends = piece->shard.ends();
  return {piece->first_token + (at == 0 ? 0 : ends[at - 1]), piece->first_token + ends[at]};
}

std::pair<int64_t, int64_t> Corpus::Part::longest() const {
  std::pair<int64_t, int64_t> longest;
  for (const Piece& piece : pieces_) {
    int64_t begin = 0;
    for (const int64_t end : piece.shard.ends()) {
      if (end - begin > longest.second - longest.first) longest = {piece.first_token + begin, piece.first_token + end};
      begin = end;
    }
  }
  return longest;
}

Shard open_shard(const fs::path& folder, const Manifest::Shard& record, int64_t width) {
  Shard shard(folder / record.file);
  if (shard.tokens() != record.tokens || shard.documents() != record.documents || shard.width() != width) {
    throw Error(rfs::format(
        "{}: damaged: the manifest says {} documents, {} tokens, {} bytes per token; the file has {}, {}, {}",
        shard.path().string(), record.documents, record.tokens, width, shard.documents(), shard.tokens(),
        shard.width()));
  }
  return shard;
}

Corpus::Corpus(const fs::path& folder) : folder_(folder), manifest_(Manifest::read(folder)) {
  const auto open = [&](const std::vector<Manifest::Shard>& records, Part& part) {
    part.vocabulary_ = vocabulary();
    for (const auto& record : records) {
      part.pieces_.push_back(
          {open_shard(folder, record, manifest_.plan.tokenizer.width()), part.tokens_, part.documents_});
      part.tokens_ += record.tokens;
      part.documents_ += record.documents;
    }
  };
  open(manifest_.train, train_);
  open(manifest_.validation, validation_);
}

void Corpus::require(const Tokenizer& tokenizer) const {
  if (tokenizer.takes_any_ids()) {
    if (tokenizer.size() >= vocabulary() && tokenizer.end() == end()) return;
    throw Error(
        rfs::format("{}: has {} ids and ends documents with id {}, but tokenizer.size is {} and tokenizer.end is {}; "
                    "add --set tokenizer.size={} --set tokenizer.end={}",
                    folder_.string(), vocabulary(), end(), tokenizer.size(), tokenizer.end(), vocabulary(), end()));
  }
  // A model can have more ids than its tokenizer; those have no text.
  const auto has_text = [&](int32_t id) { return !tokenizer.decode(std::span(&id, 1)).empty(); };
  bool same = tokenizer.size() >= vocabulary() && tokenizer.end() == end();
  for (auto id = static_cast<int32_t>(vocabulary()); same && id < tokenizer.size(); ++id) same = !has_text(id);
  if (same && CorpusTokenizer::hash_of(tokenizer, vocabulary()) == manifest_.plan.tokenizer.hash) return;
  std::string settings = tokenizer_settings();
  std::replace(settings.begin(), settings.end(), '\n', ' ');
  throw Error(
      rfs::format("{}: made with another tokenizer ({} ids, end {}; {}), this one has {} ids, end {}; use the corpus's "
                  "tokenizer, or make the corpus with this one",
                  folder_.string(), vocabulary(), end(), settings, tokenizer.size(), tokenizer.end()));
}

void Corpus::check() const {
  const auto compare = [](const Part& part, const std::vector<Manifest::Shard>& records) {
    for (size_t i = 0; i < records.size(); ++i) {
      const Shard& shard = part.pieces_[i].shard;
      if (shard.sha256() != records[i].sha256) {
        throw Error(rfs::format("{}: damaged: its SHA-256 is not {} as in the manifest", shard.path().string(),
                                records[i].sha256));
      }
    }
  };
  compare(train_, manifest_.train);
  compare(validation_, manifest_.validation);
}

}  // namespace rfs
