#include "rfs/report/style.h"

#include <array>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

namespace rfs {

std::string task_title(const std::string& task) {
  static const std::map<std::string, std::string> titles = {
      {"copy", "Copy"}, {"copy2", "Copy2"},         {"reverse", "Reverse"}, {"addition", "Addition"},
      {"sort", "Sort"}, {"summation", "Summation"}, {"scan", "SCAN"},       {"long_addition", "Long addition"},
      {"mqar", "MQAR"}};
  const auto it = titles.find(task);
  return it == titles.end() ? task : it->second;
}

std::string method_key(const std::string& encoding, const std::string& positions) {
  static const std::map<std::string, std::string> names = {{"sequential", "simple"},
                                                           {"random_float", "rfs"},
                                                           {"interpolated", "interpolation"},
                                                           {"random_integer", "integers"}};
  if (encoding == "none") return encoding;
  const auto name = names.find(positions);
  return encoding + "-" + (name == names.end() ? positions : name->second);
}

static constexpr const char *solid = "1", *dashed = "(9,5)", *dotted = "(2,4)", *mixed = "(12,4,2,4)", *fine = "(5,3)";

/// The style of a method named ENCODING-POSITIONS-RULE: the dash shows its positions, the marker its rule. Returns
/// nothing for other names.
static std::optional<MethodStyle> composed_style(const std::string& method, size_t index) {
  static const std::map<std::string, std::string> encodings = {{"none", "NoPE"},
                                                               {"sinusoidal", "Sinusoidal"},
                                                               {"rope", "RoPE"},
                                                               {"full", "RoPE, all dims"},
                                                               {"prope", "p-RoPE"},
                                                               {"nope4", "NoPE in every 4th layer"},
                                                               {"clocks", "Window + global"},
                                                               {"fullclocks", "Window + global, all dims"},
                                                               {"local4", "Window of 4 + global"},
                                                               {"near4", "Window of 4 + global, all on floats"},
                                                               {"alibi", "ALiBi"},
                                                               {"nape", "NAPE"},
                                                               {"t5", "T5 bias"},
                                                               {"kerple", "KERPLE"},
                                                               {"fire", "FIRE"}};
  struct Part {
    std::string label;
    const char* dash;  // of positions
    int point;         // of attention rules
  };
  static const std::map<std::string, Part> parts = {{"simple", {"simple extension", dashed, 0}},
                                                    {"rfs", {"RFS", solid, 0}},
                                                    {"gamma", {"RFS, Gamma gaps", fine, 0}},
                                                    {"parts", {"RFS, sub-ranges", mixed, 0}},
                                                    {"none", {"NoPE in global layers", dotted, 0}},
                                                    {"pose", {"PoSE", mixed, 0}},
                                                    {"ntk", {"NTK in the test", fine, 0}},
                                                    {"dynamic_ntk", {"dynamic NTK in the test", dotted, 0}},
                                                    {"yarn", {"YaRN in the test", mixed, 0}},
                                                    {"shape", {"SHAPE", dotted, 0}},
                                                    {"cape", {"CAPE", fine, 0}},
                                                    {"ssmax", {"SSMax", nullptr, 5}},
                                                    {"offset", {"SSMax with offset", nullptr, 4}},
                                                    {"invariant", {"scale-invariant", nullptr, 9}},
                                                    {"asentmax", {"ASEntmax", nullptr, 13}}};
  std::istringstream words(method);
  std::string word;
  std::getline(words, word, '-');
  const auto encoding = encodings.find(word);
  if (encoding == encodings.end()) return std::nullopt;
  MethodStyle style{encoding->second, series_colour(index), solid, 7};
  while (std::getline(words, word, '-')) {
    const auto part = parts.find(word);
    if (part == parts.end()) return std::nullopt;
    style.label += ", " + part->second.label;
    if (part->second.dash) style.dash = part->second.dash;
    if (part->second.point > 0) style.point = part->second.point;
  }
  return style;
}

/// "100,000"
static std::string grouped(const std::string& digits) {
  std::string text = digits;
  for (size_t at = digits.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

/// The style of a method named baseBASE-LRANGE, powers of ten: the colour shows L, the dash the base.
static std::optional<MethodStyle> range_style(const std::string& method) {
  std::smatch parts;
  if (!std::regex_match(method, parts, std::regex("base(10+)-L(10+)"))) return std::nullopt;
  const std::string base = parts[1], range = parts[2];
  const char* dash = base.size() < 5 ? dotted : base.size() == 5 ? solid : dashed;
  return MethodStyle{"base " + grouped(base) + ", L = " + grouped(range), series_colour(range.size()), dash,
                     static_cast<int>(range.size()) + 2};
}

MethodStyle method_style(const std::string& method, size_t index) {
  // Point types: 1 plus, 2 cross, 4/5 square, 6/7 circle, 8/9 triangle, 10/11 triangle down, 12/13 diamond (open/full).
  static const std::map<std::string, MethodStyle> styles = {
      {"none", {"NoPE", "#000000", mixed, 2}},
      {"sinusoidal-simple", {"Sinusoidal, simple extension", "#e69f00", dashed, 4}},
      {"sinusoidal-rfs", {"Sinusoidal, RFS", "#c04a00", solid, 5}},
      {"sinusoidal-interpolation", {"Sinusoidal, interpolation", "#cc79a7", fine, 8}},
      {"sinusoidal-integers", {"Sinusoidal, random integers", "#7a7a7a", dotted, 12}},
      {"sinusoidal-rfs-current", {"Sinusoidal, RFS, n_in current", "#e69f00", fine, 4}},
      {"sinusoidal-rfs-window", {"Sinusoidal, RFS, window", "#7d3c98", dashed, 13}},
      {"sinusoidal-rfs-window-current", {"Sinusoidal, RFS, window, n_in current", "#7a7a7a", dotted, 12}},
      {"rope-simple", {"RoPE, simple extension", "#56b4e9", dashed, 6}},
      {"rope-rfs", {"RoPE, RFS", "#0062a0", solid, 7}},
      {"rope-interpolation", {"RoPE, interpolation", "#cc79a7", fine, 9}},
      {"rope-integers", {"RoPE, random integers", "#7a7a7a", dotted, 13}},
      {"rope-rfs-current", {"RoPE, RFS, n_in current", "#56b4e9", fine, 6}},
      {"rope-rfs-window", {"RoPE, RFS, window", "#7d3c98", dashed, 9}},
      {"rope-rfs-window-current", {"RoPE, RFS, window, n_in current", "#7a7a7a", dotted, 8}},
      {"rope-normal", {"N(0.5, 0.2)", "#e69f00", dashed, 4}},
      {"rope-beta", {"B(0.5, 0.5)", "#cc79a7", mixed, 12}},
      {"rope-normal-cdf", {"N(0.5, 0.2), cdf", "#c04a00", fine, 5}},
      {"rope-beta-cdf", {"B(0.5, 0.5), cdf", "#7d3c98", dotted, 13}},
      {"rope-rfs-10", {"L = 10", "#009e73", dashed, 9}},
      {"rope-rfs-100000", {"L = 100,000", "#7a7a7a", fine, 11}},
      {"alibi-simple", {"ALiBi, simple extension", "#66c2a5", dashed, 8}},
      {"alibi-rfs", {"ALiBi, RFS", "#00785a", solid, 9}},
  };
  if (const auto it = styles.find(method); it != styles.end()) return it->second;
  if (const auto style = range_style(method)) return *style;
  return composed_style(method, index).value_or(series_style(method, index));
}

MethodStyle series_style(const std::string& name, size_t index) {
  constexpr std::array<int, 6> points = {7, 4, 9, 12, 5, 6};
  constexpr std::array<const char*, 5> dashes = {solid, dashed, fine, mixed, dotted};
  return {name, series_colour(index), dashes[index % dashes.size()], points[index % points.size()]};
}

std::string series_colour(size_t index) {
  constexpr std::array<const char*, 8> colours = {"#d55e00", "#0072b2", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#8a7a00"};
  return colours[index % colours.size()];
}

}  // namespace rfs
