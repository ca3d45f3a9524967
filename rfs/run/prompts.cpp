#include "rfs/run/prompts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/split.h"
#include "rfs/core/words.h"
#include "rfs/run/measuring.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What the texts depend on: a stopped request can only be resumed with the same.
std::string identity(const Generation& generation, const GenerateOptions& options,
                     const std::vector<std::string>& prompts) {
  std::string all = generation.identity();
  for (const auto& entry : options.entries()) all += rfs::format("{} = {}\n", entry.name, options.value(entry).text());
  for (const std::string& prompt : prompts) all += dumped(prompt) + "\n";
  return dumped({{"rfs generate", Sha256().add(all).hex()}});
}

/// The lines of finished batches, in a file beside the result. Its first line says what they belong to.
class FinishedLines {
 public:
  /// Starts the file, or continues the one that is there. Throws Error if that belongs to another request.
  FinishedLines(const fs::path& out, const std::string& belongs) : out_(out), part_(out.string() + ".part") {
    std::error_code ignored;
    if (fs::exists(out_, ignored)) {
      throw Error(rfs::format("--out {}: already exists; choose another name or remove it", out.string()));
    }
    if (!fs::exists(part_, ignored)) {
      write_file(part_, belongs + "\n");
      return;
    }
    const std::string text = read_file(part_);
    const auto lines = split_lines(text);
    if (lines.empty() || lines.front() != belongs) {
      throw Error(
          rfs::format("{}: belongs to other prompts, options or weights; run the same command again, or remove it",
                      part_.string()));
    }
    lines_.assign(lines.begin() + 1, lines.end());
  }

  size_t count() const { return lines_.size(); }
  void add(const std::vector<std::string>& batch) {
    append_file(part_, join(batch, "\n") + "\n");
    lines_.insert(lines_.end(), batch.begin(), batch.end());
  }
  void finish() const {
    write_file(out_, join(lines_, "\n") + "\n");
    std::error_code ignored;
    fs::remove(part_, ignored);
  }

 private:
  fs::path out_, part_;
  std::vector<std::string> lines_;
};

std::string line_of(size_t number, const std::string& prompt, const GeneratedText& text) {
  return dumped({{"number", number + 1},
                 {"prompt", prompt},
                 {"text", text.text},
                 {"prompt_tokens", text.prompt_tokens},
                 {"tokens", text.tokens}});
}

}  // namespace

std::vector<std::string> read_prompts(const fs::path& file) {
  const std::string text = read_file(file);
  std::vector<std::string> prompts;
  size_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (first_broken_byte(line)) {
      throw Error(rfs::format("{}:{}: not valid UTF-8; convert the file to UTF-8", file.string(), number));
    }
    if (file.extension() != ".jsonl") {
      prompts.emplace_back(line);
      continue;
    }
    const auto json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("prompt") || !json["prompt"].is_string()) {
      throw Error(rfs::format("{}:{}: not of the form {{\"prompt\": text}}", file.string(), number));
    }
    prompts.push_back(json["prompt"].get<std::string>());
  }
  if (prompts.empty()) throw Error(rfs::format("{}: no prompts found in this file", file.string()));
  return prompts;
}

bool generate_prompts(const Generation& generation, const GenerateOptions& options, const PromptsRequest& request,
                      const RunContext& context, const std::function<bool(const std::string&)>& show) {
  const auto prompts = read_prompts(request.file);
  std::optional<FinishedLines> finished;
  if (!request.out.empty()) {
    if (const fs::path folder = fs::path(request.out).parent_path(); !folder.empty()) require_writable(folder);
    finished.emplace(request.out, identity(generation, options, prompts));
  }
  size_t done = finished ? finished->count() : 0;
  const size_t all = prompts.size();
  const Measuring measuring(Measurement::comparison, generation.run().name(), context);
  const auto progress = [&](int64_t ended) {
    context.events->measuring_progress("prompts", static_cast<int64_t>(done) + ended, static_cast<int64_t>(all));
  };
  while (done < all) {
    const size_t count = std::min(static_cast<size_t>(request.batch), all - done);
    const auto batch = std::span(prompts).subspan(done, count);
    const auto texts = generation.generate(options, batch, done, context, progress);
    if (texts.empty()) return false;
    std::vector<std::string> lines;
    for (size_t i = 0; i < count; ++i) lines.push_back(line_of(done + i, batch[i], texts[i]));
    if (finished) {
      finished->add(lines);
    } else {
      for (const std::string& line : lines) {
        if (!show(line)) return true;
      }
    }
    done += count;
  }
  if (finished) finished->finish();
  context.events->measured(
      rfs::format("continued {} prompts{}", all, request.out.empty() ? "" : "; texts in " + request.out));
  return true;
}

}  // namespace rfs
