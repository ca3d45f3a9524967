#include "rfs/run/reference.h"

#include "rfs/core/format.h"
#include "rfs/run/settings.h"
#include "rfs/run/tables.h"

namespace rfs {
namespace {

std::string in_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

/// Keys, defaults, meanings and rules.
std::string options_table(const Options& options) {
  if (options.entries().empty()) return "It has no keys.\n";
  std::string table = "| key | default | meaning | must |\n| --- | --- | --- | --- |\n";
  for (const auto& entry : options.entries()) {
    table += rfs::format("| `{}` | `{}` | {} | {} |\n", entry.name, in_cell(options.value(entry).text()),
                         in_cell(entry.help), in_cell(entry.words));
  }
  return table;
}

template <class Interface>
std::string choices(const std::string& table) {
  std::string page;
  for (const auto& name : Registry<Interface>::names()) {
    const auto& entry = Registry<Interface>::find(name, table);
    page += rfs::format("\n### {}.use = \"{}\"\n\n{}{}.\n\n{}", table, name, entry.summary,
                        name == default_use(table) ? " (the default)" : "", options_table(*entry.options()));
  }
  return page;
}

}  // namespace

std::string settings_reference() {
  std::string page =
      "# Settings\n\n"
      "Every table and key of a settings file. `rfs docs settings` prints this page; `rfs show FILE` prints the "
      "resolved values\n"
      "of a file. `--set table.key=value` changes a key on the command line. A list in place of a single value is a "
      "sweep.\n";
  const auto family = [&](const std::string& table, const std::string& what, const std::string& members) {
    page += rfs::format("\n## [{}]\n\n{}\n{}", table, what, members);
  };
  const auto plain = [&](const std::string& table, const std::string& what) {
    page += rfs::format("\n## [{}]\n\n{}\n\n{}", table, what, options_table(*table_options(table, "", table)));
  };
  family("positions", "How tokens are numbered.", choices<PositionIndexing>("positions"));
  family("encoding", "How the model sees positions.", choices<PositionEncoding>("encoding"));
  family("attention", "How scores become attention weights.", choices<AttentionRule>("attention"));
  plain("layers", "Kinds of layers; [models.md](models.md) explains them.");
  family("task", "What is learned.", choices<Task>("task"));
  family("tokenizer", "How text becomes ids.", choices<Tokenizer>("tokenizer"));
  plain("model", "The Transformer.");
  family("optimizer", "How a gradient becomes an update.", choices<OptimizerRule>("optimizer"));
  plain("train", "Training.");
  plain("eval", "Evaluation.");
  return page;
}

}  // namespace rfs
