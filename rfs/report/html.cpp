#include "rfs/report/html.h"

#include "rfs/core/files.h"

namespace rfs {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string inline_svg(const std::filesystem::path& file, const std::string& name) {
  std::string svg = read_file(file);
  if (const auto begin = svg.find("<svg"); begin != std::string::npos) svg = svg.substr(begin);
  for (const std::string before : {"id=\"", "id='", "url(#", "href='#", "href=\"#"}) {
    for (size_t at = 0; (at = svg.find(before, at)) != std::string::npos;) {
      at += before.size();
      svg.insert(at, name + "-");
    }
  }
  return "<div class=figure>" + svg + "</div>";
}

}  // namespace rfs
