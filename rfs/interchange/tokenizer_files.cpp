#include "rfs/interchange/tokenizer_files.h"

#include <nlohmann/json.hpp>

#include "rfs/core/data_files.h"
#include "rfs/core/files.h"
#include "rfs/core/split.h"

namespace rfs {

std::optional<Bpe> bpe_files(const Choice<Tokenizer>& tokenizer) {
  if (tokenizer.use != "gpt2") return std::nullopt;
  tokenizer.make();  // validates both files
  const auto content = [&](const std::string& option, const std::string& name) {
    for (const auto& entry : tokenizer.options->entries()) {
      if (entry.name != option) continue;
      const auto given = std::get<std::string>(tokenizer.options->value(entry).data);
      return read_file(find_data_file({name, "published with OpenAI's gpt-2", "tokenizer." + option}, given));
    }
    throw std::logic_error("no option " + option);
  };
  Bpe bpe{content("encoder", "gpt2/encoder.json"), content("merges", "gpt2/vocab.bpe"), {}, {}};
  const auto ids = nlohmann::json::parse(bpe.encoder);
  bpe.tokens.resize(ids.size());
  for (const auto& [token, id] : ids.items()) bpe.tokens.at(id.get<size_t>()) = token;
  for (std::string_view line : split_lines(bpe.merges)) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_version = bpe.merge_lines.empty() && line.starts_with("#version");
    if (!line.empty() && !is_version) bpe.merge_lines.emplace_back(line);
  }
  return bpe;
}

}  // namespace rfs
