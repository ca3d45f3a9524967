#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// A file that the user must provide: it is published elsewhere and is not part of the project.
struct DataFile {
  std::string name;       ///< path below the data folder: "t5/spiece.model"
  std::string published;  ///< where to get it, for error messages
  std::string option;     ///< the option that sets its path: "tokenizer.file"
};

/// Finds the file: at `given` (the option's value) if not empty, else `name` below the folder in RFS_DATA, else `name`
/// below `data` in the working folder. If it is missing, throws an Error that says which file, where it is published
/// and which option sets its path.
std::filesystem::path find_data_file(const DataFile& file, const std::string& given);

}  // namespace rfs
