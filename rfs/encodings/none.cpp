#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// NoPE: the causal mask is the only trace of order.
class None : public PositionEncoding {
 public:
  using Options = NoOptions;
  explicit None(const Options&) {}
};

const bool registered = Registry<PositionEncoding>::add<None>("NoPE: positions are not shown to the network");

}  // namespace
}  // namespace rfs
