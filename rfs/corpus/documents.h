#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/corpus/bytes.h"
#include "rfs/corpus/manifest.h"

namespace rfs {

/// The reader's position: a source, a file in its outermost archive, a document in that file.
struct Place {
  int64_t source = 0, entry = 0, document = 0;
  bool operator==(const Place&) const = default;
};

/// A document as found in the sources. `name` says where: FILE[/FILE IN IT][:NUMBER].
struct SourceDocument {
  std::string name;
  std::string text;  ///< the text or, for JSON lines, the line
  bool json = false;
  Place after;  ///< where to resume after this document
};

/// The ways to split files into documents, for messages and help.
const std::vector<std::string>& document_kinds();

/// Reads the documents of a plan's sources in order. Files may be plain, compressed (gzip, xz, zstd), tar archives, or
/// nested combinations; the first bytes of a file decide what it is.
class DocumentReader {
 public:
  static constexpr size_t largest = size_t{1} << 28;  ///< maximum document size in bytes

  /// `packed_seen` counts the bytes read from source files.
  DocumentReader(const CorpusPlan& plan, std::atomic<int64_t>& packed_seen) : plan_(plan), seen_(packed_seen) {}

  /// Passes each document from `from` on to `take`, until that returns false. Throws Error for a broken archive or a
  /// document that is too large.
  void read(const Place& from, const std::function<bool(SourceDocument&&)>& take);

 private:
  bool packed(Bytes& bytes, const std::string& name, int depth);
  bool texts(Bytes& bytes, const std::string& name);
  bool append_line(Bytes& bytes, const std::string& name, std::string& to) const;
  void append_all(Bytes& bytes, const std::string& name, std::string& to) const;
  void keep_within_largest(const std::string& text, const std::string& name) const;
  bool found(const std::string& name, std::string&& text, bool json, int64_t number);

  const CorpusPlan& plan_;
  std::atomic<int64_t>& seen_;
  Place from_, place_;
  std::function<bool(SourceDocument&&)> take_;
};

/// The text in a line of a JSON lines file. Throws Error (without a place) if the line has no such text.
std::string json_text(std::string_view line, const std::string& field);

/// The index of the first byte that is not valid UTF-8, or npos.
size_t broken_utf8(std::string_view text);

}  // namespace rfs
