#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/corpus/archive.h"

namespace rfs {

void unpack(Bytes&, const std::string& name, const std::function<bool(const std::string&, Bytes&)>&) {
  throw Error(
      rfs::format("{}: archives and compressed files are off: this program was built without libarchive "
                  "(libarchive-dev); unpack the file, or build again",
                  name));
}

}  // namespace rfs
