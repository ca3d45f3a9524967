#include "rfs/report/html.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/report/assets.h"
#include "rfs/report/table.h"

namespace rfs {
namespace {

using View = std::string_view;

constexpr View space = " \t\r\n", letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:-_0123456789";

const std::set<View> elements = {"svg",  "title", "desc",     "defs",   "g",           "path",
                                 "use",  "rect",  "circle",   "filter", "feComposite", "feFlood",
                                 "text", "tspan", "clipPath", "line",   "polyline",    "polygon"};

std::string lower(View text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

/// True if an attribute only draws: no event, no link out of the page, no escape that could hide one.
bool harmless(View name, View value) {
  const std::string text = lower(value);
  const std::string key = lower(name);
  if (key.starts_with("on") || key == "style" || value.find_first_of("&\\<") != View::npos) return false;
  if (key.ends_with("href")) return value.starts_with('#');
  for (size_t at = 0; (at = text.find("url(", at)) != std::string::npos; ++at) {
    if (text.compare(at + 4, 1, "#") != 0) return false;
  }
  return true;
}

/// Reads one tag, after its '<', from the beginning of `rest`. Returns the part that gnuplot would not write, "" if
/// none.
std::string foreign_tag(View& rest) {
  const auto take = [&](View characters) {
    const View taken = rest.substr(0, std::min(rest.find_first_not_of(characters), rest.size()));
    rest.remove_prefix(taken.size());
    return taken;
  };
  const auto next = [&](char c) {
    const bool found = rest.starts_with(c);
    if (found) rest.remove_prefix(1);
    return found;
  };
  const bool closing = next('/');
  const View element = take(letters);
  if (element.empty()) return "an unknown tag";
  if (!elements.contains(element)) return rfs::format("<{}{}>", closing ? "/" : "", element);
  while (true) {
    const bool separated = !take(space).empty();
    if (next('>')) return "";
    if (!closing && next('/')) return next('>') ? "" : rfs::format("a broken <{}>", element);
    const View attribute = take(letters);
    take(space);  // gnuplot writes `fill = 'red'`
    if (closing || !separated || attribute.empty() || !next('=')) return rfs::format("a broken <{}>", element);
    take(space);
    const char quote = rest.empty() ? ' ' : rest.front();
    const size_t end = quote == '"' || quote == '\'' ? rest.find(quote, 1) : View::npos;
    if (end == View::npos) return rfs::format("a broken <{}>", element);
    if (!harmless(attribute, rest.substr(1, end - 1))) return rfs::format("{} in <{}>", attribute, element);
    rest.remove_prefix(end + 1);
  }
}

/// The <svg> element of a file without comments. Throws Error if it has anything that gnuplot does not write.
std::string own_svg(const std::string& text, const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& what) {
    throw Error(rfs::format("{}: not a figure drawn by rfs: it has {}; remove this file and draw the figure again",
                            file.string(), shortened(what)));
  };
  const size_t begin = text.find("<svg");
  if (begin == std::string::npos) refuse("no <svg>");
  std::string out;
  View rest = View(text).substr(begin);
  while (!rest.empty()) {
    const size_t tag = std::min(rest.find('<'), rest.size());
    out += rest.substr(0, tag);
    rest.remove_prefix(tag);
    if (rest.starts_with("<!--")) {
      const size_t end = rest.find("-->");
      if (end == View::npos) refuse("a broken comment");
      rest.remove_prefix(end + 3);
    } else if (!rest.empty()) {
      const View before = rest;
      rest.remove_prefix(1);
      if (const auto what = foreign_tag(rest); !what.empty()) refuse(what);
      out += before.substr(0, before.size() - rest.size());
    }
  }
  return out;
}

}  // namespace

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

std::string page_begin(const std::string& title, const std::string& connections) {
  return rfs::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:; connect-src {}; base-uri 'none'; form-action 'none'\">"
      "<link rel=icon href=data:,><title>{}</title><style>\n{}</style></head><body>\n",
      connections, escaped(title), page_css);
}

std::string page_end() {
  return rfs::format(
      "<noscript><p>The figures need JavaScript. Figures as images, and their data, are in the same "
      "folder.</p></noscript>\n<script>\n{}</script>\n<script>\n{}</script></body></html>\n",
      chart_js, attention_js);
}

std::string script_data(std::string json) {
  for (size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  return "<script type=application/json>" + json + "</script>";
}

std::string relative_url(const std::filesystem::path& folder, const std::filesystem::path& page_folder) {
  if (folder.empty() || page_folder.empty()) return "";
  const auto absolute = [](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  std::string url = "./";
  for (const char c : absolute(folder).lexically_relative(absolute(page_folder)).generic_string()) {
    const bool plain = c == '/' || (letters.find(c) != View::npos && c != ':') || c == '.';
    url += plain ? std::string(1, c) : rfs::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return url + '/';
}

std::string html_of(const std::string& markdown) {
  std::string html;
  bool table = false, head = false;
  for (const std::string_view one : split_lines(markdown)) {
    const std::string line(one);
    const bool row = line.starts_with('|');
    if (table && !row) html += "</table></div>";
    if (!table && row) html += "<div class=scroll><table>";
    head = row && !table;
    table = row;
    if (line.starts_with("### ")) {
      html += "<h4>" + escaped(line.substr(4)) + "</h4>";
    } else if (row && line.find_first_not_of("|-: ") == std::string::npos && !head) {
      continue;
    } else if (row) {
      html += "<tr>";
      std::string cell;
      for (size_t i = 1; i < line.size(); ++i) {
        const bool escaped_bar = line[i] == '|' && line[i - 1] == '\\';
        if (line[i] != '|' || escaped_bar) {
          cell += line[i];
          continue;
        }
        const auto first = cell.find_first_not_of(' ');
        const std::string text =
            first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1);
        html += (head ? "<th>" : "<td>") + escaped(cell_text(text)) + (head ? "</th>" : "</td>");
        cell.clear();
      }
      html += "</tr>";
    } else if (!line.empty()) {
      html += "<p>" + escaped(line) + "</p>";
    }
  }
  return html + (table ? "</table></div>" : "");
}

std::string inline_svg(const std::filesystem::path& file, const std::string& name) {
  std::string svg = own_svg(read_file(file), file);
  for (const std::string before : {"id=\"", "id='", "url(#", "href='#", "href=\"#"}) {
    for (size_t at = 0; (at = svg.find(before, at)) != std::string::npos;) {
      at += before.size();
      svg.insert(at, name + "-");
    }
  }
  return "<div class=figure>" + svg + "</div>";
}

}  // namespace rfs
