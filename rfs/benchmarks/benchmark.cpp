#include "rfs/benchmarks/benchmark.h"

#include "rfs/core/format.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace fs = std::filesystem;

fs::path benchmark_file(const Benchmark& benchmark, const std::string& name, const std::string& given,
                        const fs::path& data) {
  if (!given.empty()) {
    if (fs::exists(given)) return given;
    throw Error(rfs::format("{}.file: no file '{}'; set it to the path of {}'s file", name, shortened(given),
                            benchmark.title()));
  }
  for (const auto& file : benchmark.files()) {
    if (fs::exists(data / file)) return data / file;
  }
  if (!fs::is_directory(data)) {
    throw Error(rfs::format("{}: no such folder; set the folder of the benchmark files with --data", data.string()));
  }
  throw Error(rfs::format("{}: found no {} ({}); add one of these files or set its path with --set {}.file=FILE",
                          data.string(), join(benchmark.files(), " or "), benchmark.published(), name));
}

std::vector<Document> read_documents(const Benchmark& benchmark, const fs::path& file) {
  std::vector<Document> documents;
  const auto records = read_records(file);
  for (size_t first = 0, end = 0; first < records.size(); first = end) {
    end = first + 1;
    while (end < records.size() && benchmark.continues(records[end], records[end - 1])) ++end;
    const Record& record = records[first];
    const Document document = benchmark.joined({&records[first], &records[first] + (end - first)});
    for (const auto& context : document.contexts) {
      if (stripped(context).empty()) throw record.fail("the context", "contain text", "only white space");
    }
    if (document.choices.size() < 2) {
      throw record.fail("the list of choices", "have two or more", std::to_string(document.choices.size()));
    }
    for (const auto& choice : document.choices) {
      if (choice.empty()) throw record.fail("a choice", "contain text", "none");
    }
    documents.push_back(document);
  }
  return documents;
}

std::vector<std::string> numbers(size_t count) {
  std::vector<std::string> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace rfs
