#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {

/// One JSON object of a benchmark's file, asked for its fields by name. What is not there or of another type is an
/// Error that names file, line and field.
class Record {
 public:
  /// `json` is an object of the JSON library, which no header names.
  Record(std::string where, std::shared_ptr<const void> json) : where_(std::move(where)), json_(std::move(json)) {}

  bool has(const std::string& key) const;
  bool has_object(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<std::vector<std::string>> lists_of_texts(const std::string& key) const;
  Record part(const std::string& key) const;
  std::vector<Record> parts(const std::string& key) const;
  /// A label as files write it, an integer, a truth value or a text, as a text: "2", "true", "B".
  std::string label(const std::string& key) const;

  /// The place of a label among `labels`. Throws Error where it is not one of them.
  size_t place(const std::string& key, const std::vector<std::string>& labels) const;

  /// "FILE:LINE: KEY must RULE, got GOT"
  Error fail(const std::string& key, const std::string& rule, const std::string& got) const;
  const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::shared_ptr<const void> json_;
};

/// The objects of a file of JSON lines, or of a folder that has one object a file (RACE is published so), by name.
/// Throws Error for what is not UTF-8, not JSON, or empty.
std::vector<Record> read_records(const std::filesystem::path& path);

}  // namespace rfs
