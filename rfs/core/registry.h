#pragma once

#include <functional>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/options.h"

namespace rfs {

/// Maps names to implementations. An implementation is one .cpp file; its last statement registers it under the file's
/// stem:
///
///   const bool registered = Registry<PositionIndexing>::add<Sequential>("0, 1, 2, ... as in most Transformers");
///
/// `Impl` has a nested `Options` and is constructed from one. `Interface::family` is the settings table that selects
/// it.
template <class Interface>
class Registry {
 public:
  /// One implementation.
  struct Entry {
    std::string name;
    std::string summary;
    std::function<std::unique_ptr<Options>()> options;
    std::function<std::unique_ptr<Interface>(const Options&)> make;
  };
  /// Registers Impl. The default of `where` is the calling file.
  template <class Impl>
  static bool add(std::string summary, std::source_location where = std::source_location::current()) {
    std::string name = where.file_name();
    name = name.substr(name.find_last_of('/') + 1);
    name = name.substr(0, name.find('.'));
    entries()[name] = {name, std::move(summary), [] { return std::make_unique<typename Impl::Options>(); },
                       [](const Options& options) {
                         return std::make_unique<Impl>(static_cast<const typename Impl::Options&>(options));
                       }};
    return true;
  }
  /// The registered names, sorted.
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries()) names.push_back(name);
    return names;
  }

  /// Throws an Error that lists the known names; `where` says where the name was written.
  static const Entry& find(const std::string& name, std::string_view where) {
    const auto it = entries().find(name);
    if (it == entries().end()) {
      throw Error(std::string(where) + ": " + unknown(std::string(Interface::family) + ".use", name, names()));
    }
    return it->second;
  }

 private:
  static std::map<std::string, Entry>& entries() {
    static std::map<std::string, Entry> all;
    return all;
  }
};

/// The implementation that a settings table selects, with its options. Runs record it and build their parts from it.
template <class Interface>
struct Choice {
  std::string use;
  std::string origin;
  std::shared_ptr<Options> options;

  /// Reads `use` (or takes `fallback` if absent) and the options of `table`, which may be null.
  static Choice read(const Table* table, const std::string& fallback) {
    Choice choice{fallback, "default", nullptr};
    const Value* use = table ? table->find("use") : nullptr;
    if (use) {
      const auto* name = std::get_if<std::string>(&use->data);
      if (!name) throw Error(use->origin + ": " + table->name + ".use must be a string, got " + shortened(use->text()));
      choice.use = *name;
      choice.origin = use->origin;
    }
    choice.options = Registry<Interface>::find(choice.use, choice.origin).options();
    if (table) choice.options->read(*table, "use");
    return choice;
  }
  /// The implementation, with these options.
  std::unique_ptr<Interface> make() const { return Registry<Interface>::find(use, origin).make(*options); }
};

}  // namespace rfs
