#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {

/// One JSON object of a benchmark's file, with access to fields by name. A field that is missing or has another type
/// throws an Error that names file, line and field.
class Record {
 public:
  /// `json` points to an object of the JSON library; its type stays out of this header.
  Record(std::string where, std::shared_ptr<const void> json) : where_(std::move(where)), json_(std::move(json)) {}

  bool has(const std::string& key) const;                        ///< true if it has this field
  bool has_object(const std::string& key) const;                 ///< true if the field is an object
  std::string text(const std::string& key) const;                ///< a string
  std::vector<std::string> texts(const std::string& key) const;  ///< a list of strings
  std::vector<std::vector<std::string>> lists_of_texts(const std::string& key) const;  ///< a list of such lists
  Record part(const std::string& key) const;                                           ///< an object
  std::vector<Record> parts(const std::string& key) const;                             ///< a list of objects
  /// A label as text: "2", "true", "B". Files write labels as integers, booleans or texts.
  std::string label(const std::string& key) const;

  /// The index of a label in `labels`. Throws Error if it is not one of them.
  size_t index_of(const std::string& key, const std::vector<std::string>& labels) const;

  /// "FILE:LINE: KEY must RULE, got GOT"
  Error fail(const std::string& key, const std::string& rule, const std::string& got) const;
  const std::string& where() const { return where_; }  ///< "FILE:LINE"

 private:
  std::string where_;
  std::shared_ptr<const void> json_;
};

/// The objects of a JSON lines file, or of a folder with one object per file (as RACE is published), sorted by name.
/// Throws Error if a record is not UTF-8 or not JSON, or if there are none.
std::vector<Record> read_records(const std::filesystem::path& path);

}  // namespace rfs
