#include "rfs/attention/attention_rule.h"

namespace rfs {
namespace {

class Softmax : public AttentionRule {
 public:
  using Options = NoOptions;
  explicit Softmax(const Options&) {}
};

const bool registered = Registry<AttentionRule>::add<Softmax>("softmax of the scores, as in most Transformers");

}  // namespace
}  // namespace rfs
