#include "rfs/tasks/examples_file.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/mapped_file.h"

namespace rfs {
namespace {

constexpr char magic[8] = {'R', 'F', 'S', 'D', 'A', 'T', 'A', '1'};

template <class T>
void write_array(std::ostream& out, std::span<const T> values) {
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

}  // namespace

void write_examples(const std::filesystem::path& path, const ExamplesFile& file) {
  const Examples& examples = file.examples;
  const nlohmann::json header = {{"rows", examples.size()},
                                 {"tokens", examples.tokens().size()},
                                 {"vocabulary", file.vocabulary},
                                 {"tokenizer", file.tokenizer},
                                 {"samples", file.samples}};
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  write_file(path, [&](std::ostream& out) {
    const uint64_t size = text.size();
    out.write(magic, sizeof magic);
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out << text;
    write_array(out, examples.offsets());
    write_array(out, examples.answers());
    write_array(out, examples.lengths());
    write_array(out, examples.tokens());
  });
}

ExamplesFile map_examples(const std::filesystem::path& path) {
  const MappedFile mapped(path);
  const auto& bytes = mapped.owner();
  const size_t size = mapped.bytes().size();
  const auto fail = [&](const std::string& got) {
    return Error(rfs::format("{}: not a data file written by rfs data make: {}", path.string(), got));
  };
  uint64_t header_size = 0;
  constexpr size_t start = sizeof magic + sizeof header_size;
  if (size < start || std::memcmp(bytes.get(), magic, sizeof magic) != 0) throw fail("unknown format");
  std::memcpy(&header_size, bytes.get() + sizeof magic, sizeof header_size);
  if (header_size % 8 != 0 || header_size > size - start) throw fail("its header is longer than the file");
  const auto header = nlohmann::json::parse(
      std::string_view(reinterpret_cast<const char*>(bytes.get()) + start, header_size), nullptr, false);
  uint64_t rows = 0, tokens = 0;
  ExamplesFile file;
  try {
    rows = header.at("rows").get<uint64_t>();
    tokens = header.at("tokens").get<uint64_t>();
    file.vocabulary = header.at("vocabulary").get<int64_t>();
    file.tokenizer = header.at("tokenizer").get<std::string>();
    file.samples = header.at("samples").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    throw fail("its header lacks rows, tokens, vocabulary, tokenizer or samples");
  }
  const size_t left = size - start - header_size;
  if (rows > left / 24 || tokens > left / 4 || (3 * rows + 1) * 8 + tokens * 4 != left) {
    throw fail(rfs::format("{} bytes of data for {} rows with {} tokens", left, rows, tokens));
  }
  const auto* numbers = reinterpret_cast<const int64_t*>(bytes.get() + start + header_size);
  const std::span offsets(numbers, rows + 1), answers(numbers + rows + 1, rows), lengths(numbers + 2 * rows + 1, rows);
  const std::span ids(reinterpret_cast<const int32_t*>(numbers + 3 * rows + 1), tokens);
  if (offsets[0] != 0 || offsets[rows] != static_cast<int64_t>(tokens)) throw fail("its rows do not cover its tokens");
  for (size_t i = 0; i < rows; ++i) {
    const int64_t count = offsets[i + 1] - offsets[i];
    if (offsets[i + 1] < offsets[i] || count > static_cast<int64_t>(tokens) || answers[i] < 1 || answers[i] >= count) {
      throw fail(rfs::format("row {} has {} tokens and its answer begins at {}", i, count, answers[i]));
    }
  }
  for (const int32_t id : ids) {
    if (id < 0 || id >= file.vocabulary)
      throw fail(rfs::format("id {} is outside the vocabulary of {}", id, file.vocabulary));
  }
  file.examples = Examples(bytes, ids, offsets, answers, lengths);
  return file;
}

std::optional<int32_t> end_of(const Examples& examples, const std::filesystem::path& path) {
  if (examples.size() == 0) return std::nullopt;
  const int32_t end = examples.row(0).back();
  for (int64_t i = 1; i < examples.size(); ++i) {
    if (const int32_t other = examples.row(i).back(); other != end) {
      throw Error(rfs::format("{}: all answers must end with the same id, got {} in row 0 and {} in row {}",
                              path.string(), end, other, i));
    }
  }
  return end;
}

}  // namespace rfs
