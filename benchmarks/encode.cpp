// Encodes strings and measures the time: `rfs_encode TOKENIZER IN OUT [threads]`. TOKENIZER is a name, or the path of a
// tokenizer.json. In IN, each string follows its length
// (uint32). OUT has the ids in the same form (uint32 count, int32 ids). Prints one line of JSON. tools/check_tokenizers
// uses it.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/text/tokenizer.h"

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: rfs_encode TOKENIZER IN OUT [threads]\n", stderr);
    return 2;
  }
  try {
    const std::string name = argv[1];
    rfs::Table table("tokenizer");
    if (name.ends_with(".json")) table.set("file", rfs::Value{name, "argument"});
    const auto tokenizer = rfs::Choice<rfs::Tokenizer>::read(&table, name.ends_with(".json") ? "hf" : name).make();
    const std::string content = rfs::read_file(argv[2]);
    const size_t threads = argc > 4 ? std::stoul(argv[4]) : 1;
    std::vector<std::string_view> strings;
    for (size_t at = 0; at + 4 <= content.size();) {
      uint32_t size = 0;
      std::memcpy(&size, content.data() + at, 4);
      strings.push_back(std::string_view(content).substr(at + 4, size));
      at += 4 + size;
    }
    std::vector<std::vector<int32_t>> ids(strings.size());
    std::atomic<size_t> next = 0;
    const auto begin = std::chrono::steady_clock::now();
    const auto work = [&] {
      for (size_t i; (i = next++) < strings.size();) ids[i] = tokenizer->encode(strings[i]);
    };
    std::vector<std::thread> pool;
    for (size_t i = 1; i < threads; ++i) pool.emplace_back(work);
    work();
    for (auto& thread : pool) thread.join();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    rfs::write_file(argv[3], [&](std::ostream& out) {
      for (const auto& row : ids) {
        const auto count = static_cast<uint32_t>(row.size());
        out.write(reinterpret_cast<const char*>(&count), 4);
        out.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(4 * row.size()));
      }
    });
    std::fputs(rfs::format("{{\"strings\": {}, \"bytes\": {}, \"seconds\": {:.4f}, \"threads\": {}}}\n", strings.size(),
                           content.size() - 4 * strings.size(), seconds, threads)
                   .c_str(),
               stdout);
  } catch (const std::exception& error) {
    std::fputs(rfs::format("rfs_encode: {}\n", error.what()).c_str(), stderr);
    return 2;
  }
}
