#include "rfs/report/mistakes.h"

#include <algorithm>
#include <map>
#include <set>

#include "rfs/core/format.h"
#include "rfs/report/table.h"

namespace rfs {

std::vector<DecodedLength> decoded_lengths(const Series& series) {
  std::map<int64_t, std::vector<EvalRecord::Decoded>> seeds;
  for (const auto& eval : series.evals) {
    for (const auto& bin : eval.lengths) {
      if (bin.decoded && bin.decoded->samples > 0) seeds[bin.length].push_back(*bin.decoded);
    }
  }
  std::vector<DecodedLength> lengths;
  for (const auto& [length, all] : seeds) {
    DecodedLength mean{length};
    for (const auto& one : all) {
      mean.token_accuracy += one.token_accuracy / static_cast<double>(all.size());
      mean.similarity += (1 - one.edit_distance) / static_cast<double>(all.size());
      mean.samples += one.samples;
    }
    lengths.push_back(mean);
  }
  return lengths;
}

bool any_decoded(const std::vector<Series>& series) {
  return std::any_of(series.begin(), series.end(), [](const Series& s) { return !decoded_lengths(s).empty(); });
}

std::vector<std::vector<std::string>> mistake_rows(const std::vector<Series>& series) {
  struct Counts {
    int64_t decoded = 0, wrong = 0;
    std::map<std::string, int64_t> kinds;
  };
  std::vector<Counts> counts;
  std::set<std::string> kinds;
  for (const auto& one : series) {
    Counts& sum = counts.emplace_back();
    for (const auto& eval : one.evals) {
      for (const auto& bin : eval.lengths) {
        if (bin.trained || !bin.decoded) continue;
        sum.decoded += bin.decoded->samples;
        for (const auto& [kind, count] : bin.decoded->mistakes) {
          sum.kinds[kind] += count;
          sum.wrong += count;
          kinds.insert(kind);
        }
      }
    }
  }
  std::vector<std::vector<std::string>> rows = {{"model", "wrong"}};
  for (std::string kind : kinds) {
    std::replace(kind.begin(), kind.end(), '_', ' ');
    rows[0].push_back(kind);
  }
  for (size_t i = 0; i < series.size(); ++i) {
    if (counts[i].decoded == 0) continue;
    auto& row = rows.emplace_back();
    row = {series[i].name, rfs::format("{} of {}", counts[i].wrong, counts[i].decoded)};
    for (const auto& kind : kinds) {
      const auto wrong = static_cast<double>(counts[i].wrong);
      row.push_back(counts[i].wrong == 0 ? "-" : share_text(static_cast<double>(counts[i].kinds[kind]) / wrong));
    }
  }
  return rows;
}

std::string mistake_table(const std::vector<Series>& series) {
  if (!any_decoded(series)) return "";
  return "Wrong answers on untrained lengths, by their first mistake\n\n" + aligned(mistake_rows(series));
}

}  // namespace rfs
