#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/corpus/archive.h"

namespace rfs {

void unpack(Bytes&, const std::string& name, const std::function<bool(const std::string&, Bytes&)>&) {
  throw Error(
      rfs::format("{}: cannot read archives and compressed files: this program was built without libarchive; unpack "
                  "the file, or install libarchive-dev and rebuild",
                  name));
}

}  // namespace rfs
