#include "rfs/report/campaign.h"

#include <algorithm>
#include <tuple>

#include "rfs/report/result.h"

namespace rfs {

bool more_informative(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& one) {
    return std::tuple(!one.begun, one.seed, one.extra, one.seed == 0 ? 0.0 : -one.overlap, one.seconds);
  };
  return rank(a) < rank(b);
}

std::optional<size_t> next_candidate(const std::vector<Candidate>& candidates, double seconds_left, size_t started) {
  const auto best = std::min_element(candidates.begin(), candidates.end(), more_informative);
  if (best == candidates.end() || (started > 0 && best->seconds > seconds_left)) return std::nullopt;
  return static_cast<size_t>(best - candidates.begin());
}

std::map<PlanLine, double> overlaps(const std::vector<Plan>& plans, const std::filesystem::path& out) {
  struct Line {
    std::string method, training;
    Series::Mean mean;
  };
  std::map<std::string, std::vector<Line>> lines;  // by task
  for (const Plan& plan : plans) {
    for (const Result& result : read_results(plan, out)) {
      auto& of_task = lines[result.task];
      for (size_t i = 0; i < result.methods.size(); ++i) {
        const auto known = [&](const Line& line) { return line.method == result.methods[i]; };
        const auto mean = result.series[i].mean(false);
        if (!mean.any || std::any_of(of_task.begin(), of_task.end(), known)) continue;
        of_task.push_back({result.methods[i], plan.method(result.methods[i]).training, mean});
      }
    }
  }
  std::map<PlanLine, double> closest;
  for (const auto& [task, of_task] : lines) {
    for (const Line& line : of_task) {
      for (const Line& other : of_task) {
        if (other.method == line.method) continue;
        const double overlap = std::min(line.mean.high, other.mean.high) - std::max(line.mean.low, other.mean.low);
        const auto [it, inserted] = closest.emplace(PlanLine{task, line.training}, overlap);
        if (!inserted) it->second = std::max(it->second, overlap);
      }
    }
  }
  return closest;
}

void TimeEstimates::add(const PlanLine& line, double expected, double actual) {
  for (Sum* sum : {&all_, &trainings_[line.second], &lines_[line]}) {
    sum->expected += expected;
    sum->actual += actual;
  }
}

double TimeEstimates::seconds(const PlanLine& line, double expected) const {
  const auto corrected = [&](const Sum& sum) {
    return sum.expected > 0 ? expected * sum.actual / sum.expected : expected;
  };
  if (const auto it = lines_.find(line); it != lines_.end()) return corrected(it->second);
  if (const auto it = trainings_.find(line.second); it != trainings_.end()) return corrected(it->second);
  return corrected(all_);
}

}  // namespace rfs
