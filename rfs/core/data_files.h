#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// A file that a user brings: not part of the project, published elsewhere.
struct DataFile {
  std::string name;       ///< below a data folder: "t5/spiece.model"
  std::string published;  ///< where it is to be had, for the message
  std::string option;     ///< the option that names it: "tokenizer.file"
};

/// Where the file is: `given` (the option's value) if not empty, else `name` below the folder RFS_DATA names, else
/// below `data` in the working folder. Throws Error in one line that says which file, where it is published and which
/// option names it.
std::filesystem::path find_data_file(const DataFile& file, const std::string& given);

}  // namespace rfs
