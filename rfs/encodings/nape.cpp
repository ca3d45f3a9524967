#include <array>
#include <string_view>

#include "rfs/encodings/alibi_slopes.h"
#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

enum class Slopes { alibi, harmonic };
constexpr auto enum_names(Slopes) {
  return std::array<std::string_view, 2>{"alibi", "harmonic"};
}

/// NAPE (used with ASEntmax, Vasylenko et al. 2025): ALiBi in the first half of the heads, no positions in the others.
/// `harmonic` are the slopes of the authors' experiments: 1, 1/2, 1/3, ...
class Nape : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<Slopes> slopes{this, "slopes", Slopes::alibi,
                         "slopes of the first half of the heads: ALiBi's, or 1, 1/2, 1/3, ..."};
  };
  explicit Nape(const Options& options) : options_(options) {}

  std::vector<double> slopes(int64_t heads) const override {
    auto slopes = first_half((heads + 1) / 2);
    slopes.resize(static_cast<size_t>(heads), 0.0);
    return slopes;
  }

 private:
  std::vector<double> first_half(int64_t heads) const {
    switch (*options_.slopes) {
      case Slopes::alibi:
        return alibi_slopes(heads);
      case Slopes::harmonic:
        break;
    }
    std::vector<double> slopes;
    for (int64_t h = 1; h <= heads; ++h) slopes.push_back(1.0 / static_cast<double>(h));
    return slopes;
  }

  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Nape>("half of the heads ALiBi, half without positions");

}  // namespace
}  // namespace rfs
