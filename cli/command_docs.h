#pragma once

#include <string>

#include "command.h"

namespace rfs {

/// Markdown, one section per command.
std::string commands_reference(const CommandText& program);
std::string man_page(const CommandText& program);
/// Scripts that complete verbs, options and file names.
std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

}  // namespace rfs
