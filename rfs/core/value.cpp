#include "rfs/core/value.h"

#include "rfs/core/format.h"

namespace rfs {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += rfs::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string Value::text() const {
  struct Print {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(int64_t i) const { return rfs::format("{}", i); }
    std::string operator()(double d) const {
      std::string s = rfs::format("{}", d);
      return s.find_first_of(".en") == std::string::npos ? s + ".0" : s;
    }
    std::string operator()(const std::string& s) const { return quoted(s); }
    std::string operator()(const List& list) const {
      std::string s = "[";
      for (const auto& value : list) s += (s.size() > 1 ? ", " : "") + value.text();
      return s + "]";
    }
  };
  return std::visit(Print{}, data);
}

}  // namespace rfs
