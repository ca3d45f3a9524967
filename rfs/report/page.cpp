#include "rfs/report/page.h"

#include <algorithm>
#include <set>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/report/attention.h"
#include "rfs/report/chart.h"
#include "rfs/report/depth_map.h"
#include "rfs/report/figure.h"
#include "rfs/report/html.h"
#include "rfs/report/mistakes.h"
#include "rfs/report/perplexity.h"
#include "rfs/report/style.h"
#include "rfs/report/table.h"

namespace rfs {
namespace {

std::string chart(const PanelFigure& figure, const std::filesystem::path& folder) {
  return chart_html(figure.title, {{figure.y_label, figure}}, folder);
}

std::string range(const std::vector<Series>& series, bool trained) {
  const Span span = length_span(series, trained);
  return span.any ? rfs::format("{} to {}", span.first, span.last) : "none";
}

std::string number_word(size_t number) {
  static const std::vector<std::string> words = {"No",   "One", "Two",   "Three", "Four",
                                                 "Five", "Six", "Seven", "Eight", "Nine"};
  return number < words.size() ? words[number] : rfs::format("{}", number);
}

std::string introduction(const std::vector<Series>& series) {
  return rfs::format(
      "<p class=lead>{} learned the task <b>{}</b> on lengths {} and never saw longer inputs. "
      "This page shows how often {} entire answer is correct on lengths {}, without further training.</p>",
      series.size() == 1 ? "A Transformer" : number_word(series.size()) + " Transformers",
      escaped(series.front().setting("task.use")), range(series, true), series.size() == 1 ? "its" : "their",
      range(series, false));
}

std::string cards(const std::vector<Series>& series) {
  std::string html = "<div class=cards>";
  for (size_t i = 0; i < series.size(); ++i) {
    html += rfs::format(
        "<div class=card style='border-color:{}'><div class=name>{}</div><div class=big>{}</div>"
        "<div class=small>correct on untrained lengths<br>{} on trained lengths</div></div>",
        series_colour(i), escaped(series[i].name), share_text(series[i].mean(false)), share_text(series[i].mean(true)));
  }
  return html + "</div>";
}

std::string heat_table(const std::vector<Series>& series) {
  std::set<int64_t> lengths, trained;
  for (const auto& one : series) {
    for (const auto& length : one.lengths) {
      lengths.insert(length.length);
      if (length.trained) trained.insert(length.length);
    }
  }
  std::string html = "<div class=scroll><table class=heat><tr><th>length</th>";
  for (const int64_t length : lengths)
    html += rfs::format("<th{}>{}</th>", trained.contains(length) ? " class=seen" : "", length);
  html += "</tr>";
  for (const auto& one : series) {
    html += rfs::format("<tr><th>{}</th>", escaped(one.name));
    for (const int64_t length : lengths) {
      const auto it =
          std::find_if(one.lengths.begin(), one.lengths.end(), [&](const auto& l) { return l.length == length; });
      if (it == one.lengths.end()) {
        html += "<td></td>";
      } else {
        html +=
            rfs::format("<td style='background:hsl({:.0f} 70% 82%)' title='{} samples, {} to {}'>{}</td>",
                        120 * it->share, it->samples, share_text(it->low), share_text(it->high), share_text(it->share));
      }
    }
    html += "</tr>";
  }
  return html +
         "</table></div><p class=small>Grey lengths are trained lengths. Hover over a cell for its samples and "
         "interval (95 %, or lowest to highest seed).</p>";
}

/// The heat map of length by depth, which was drawn before.
std::string depths(const std::vector<Series>& series, const std::filesystem::path& folder) {
  if (depth_map(series).rows.empty()) return "";
  return "<h2>Exact match by length and depth</h2><div class=figure>" + inline_svg(folder / "depth.svg", "depth") +
         "</div>";
}

std::string mistakes(const std::vector<Series>& series, const std::filesystem::path& folder) {
  if (!any_decoded(series)) return "";
  std::string html = "<h2>Kinds of mistakes</h2>" + chart(errors_figure(series), folder) + "<div class=scroll><table>";
  for (const auto& row : mistake_rows(series)) {
    html += "<tr>";
    for (const auto& cell : row) html += "<td>" + escaped(cell) + "</td>";
    html += "</tr>";
  }
  return html +
         "</table></div><p class=small>Wrong answers on untrained lengths by their first mistake, as a share of all "
         "wrong answers.</p>";
}

/// The words of `given`. Words that differ from `expected` at the same index, and missing words, are marked.
std::string marked(const std::string& given, const std::string& expected) {
  const auto words = split_words(given), wanted = split_words(expected);
  std::string html;
  for (size_t i = 0; i < std::max(words.size(), wanted.size()); ++i) {
    const std::string word = i < words.size() ? escaped(std::string(words[i])) : "·";
    const bool right = i < words.size() && i < wanted.size() && words[i] == wanted[i];
    html += (html.empty() ? "" : " ") + (right ? word : "<mark>" + word + "</mark>");
  }
  return html;
}

std::string answers(const std::vector<Series>& series) {
  std::string html;
  for (size_t i = 0; i < series.size(); ++i) {
    const auto& all = series[i].evals.front().answers;
    if (all.empty()) continue;
    html += rfs::format(
        "<h3 style='color:{}'>{}</h3><div class=scroll><table class=answers><tr><th>length</th><th></th>"
        "<th>expected</th><th>given</th></tr>",
        series_colour(i), escaped(series[i].name));
    // The page shows a few lengths spread over the range; eval.json has all of them.
    std::set<int64_t> lengths;
    for (const auto& answer : all) lengths.insert(answer.length);
    const std::vector<int64_t> sorted(lengths.begin(), lengths.end());
    std::set<int64_t> shown;
    for (size_t k = 0; k < 7; ++k) shown.insert(sorted[k * (sorted.size() - 1) / 6]);
    for (const auto& answer : all) {
      if (shown.erase(answer.length) == 0) continue;
      html += rfs::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", answer.length,
                          answer.right ? "✓" : "✗", escaped(answer.expected), marked(answer.given, answer.expected));
    }
    html += "</table></div>";
  }
  return html;
}

/// The positions of a few rows as dots on a line, which illustrates the method.
std::string strips(const std::vector<Series>& series) {
  std::string html;
  for (size_t i = 0; i < series.size(); ++i) {
    const auto& rows = series[i].evals.front().strips;
    if (rows.empty()) continue;
    double bottom = 0, top = 1;
    for (const auto& row : rows) {
      for (const float p : row.positions) {
        bottom = std::min(bottom, static_cast<double>(p));
        top = std::max(top, static_cast<double>(p));
      }
    }
    constexpr double left = 210, width = 600, height = 26;
    html += rfs::format("<h3 style='color:{}'>{}</h3><div class=figure><svg viewBox='0 0 860 {:.0f}' class=strips>",
                        series_colour(i), escaped(series[i].name), height * static_cast<double>(rows.size()) + 22);
    for (size_t r = 0; r < rows.size(); ++r) {
      const double y = height * static_cast<double>(r) + 14;
      html += rfs::format(
          "<text x='{:.0f}' y='{:.0f}' text-anchor=end>{}</text><line x1='{:.0f}' x2='{:.0f}' y1='{:.0f}' "
          "y2='{:.0f}'/>",
          left - 12, y + 4, escaped(rows[r].label), left, left + width, y, y);
      for (const float p : rows[r].positions) {
        html += rfs::format("<circle cx='{:.1f}' cy='{:.0f}' r='3.2' fill='{}'/>",
                            left + width * (static_cast<double>(p) - bottom) / (top - bottom), y, series_colour(i));
      }
    }
    const double y = height * static_cast<double>(rows.size()) + 12;
    html += rfs::format(
        "<text x='{:.0f}' y='{:.0f}'>{:.6g}</text><text x='{:.0f}' y='{:.0f}' "
        "text-anchor=end>{:.6g}</text></svg></div>",
        left, y, bottom, left + width, y, top);
  }
  return html.empty()
             ? html
             : "<h2>Token positions</h2><p>Each dot is a token at its position. "
               "A model can fail on longer inputs if they have positions, or distances between positions, that "
               "did not occur in training.</p>" +
                   html;
}

std::string provenance_section(const std::vector<Series>& series) {
  std::string html = "<h2>Provenance</h2>";
  for (const auto& one : series) {
    const auto& train = one.trains.front();
    html += rfs::format(
        "<details><summary>{}: {} parameters, {} steps, {:.0f} s of training, {:.0f} s of evaluation</summary><table>",
        escaped(one.name), train.parameters, train.steps, train.seconds, one.evals.front().seconds);
    for (const auto& [key, value] : train.provenance) {
      html += rfs::format("<tr><td>{}</td><td>{}</td></tr>", escaped(key), escaped(value));
    }
    html += "</table><pre>" + escaped(one.evals.front().settings) + "</pre></details>";
  }
  return html;
}

std::string loss_section(const std::vector<Series>& series, const std::filesystem::path& folder) {
  const auto loss = loss_figure(series);
  return loss.panels.empty() ? "" : "<h2>Training loss</h2>" + chart(loss, folder);
}

constexpr const char* last_words =
    "<p class=small>Drawn by rfs. The same figures for print are in the same folder, with their data and gnuplot "
    "scripts; edit and rerun the scripts to restyle them.</p>";

}  // namespace

std::string html_page(const std::vector<Series>& series, const std::filesystem::path& folder) {
  std::string html = page_begin("rfs: exact match by length");
  html += "<h1>Length generalization</h1>" + introduction(series) + cards(series);
  html += chart(accuracy_figure(series), folder);
  html += "<h2>Exact match by length</h2>" + heat_table(series) + depths(series, folder);
  html += mistakes(series, folder);
  html += "<h2>Sample answers</h2><p>The first sample of some lengths, decoded greedily. Wrong words are marked.</p>" +
          answers(series);
  html += strips(series);
  html += attention_section(series, folder);
  return html + loss_section(series, folder) + provenance_section(series) + last_words + page_end();
}

std::string perplexity_page(const std::vector<Series>& series, const std::filesystem::path& folder) {
  return page_begin("rfs: perplexity by input length") +
         "<h1>Length generalization of language models</h1><p class=lead>How well language models predict held-out "
         "documents, on inputs up to and beyond their training length. Lower is better.</p>" +
         chart(perplexity_figure(series), folder) + html_of(perplexity_file(series)) + loss_section(series, folder) +
         provenance_section(series) + last_words + page_end();
}

}  // namespace rfs
