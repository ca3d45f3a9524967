#include "rfs/report/arena.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "rfs/records/run.h"
#include "rfs/report/result.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

double share_of(const EvalRecord::Length& length) {
  return static_cast<double>(length.correct) / static_cast<double>(length.total);
}

/// The variance of a share by sampling alone; a little above 0 even if all answers were alike.
double sampling_variance(const ArenaScore& score) {
  const auto n = static_cast<double>(score.total);
  const double share = (static_cast<double>(score.correct) + 1) / (n + 2);
  return share * (1 - share) / n;
}

/// The mean of shares with a 95 % interval: Wilson's for one seed; for several Student's, with at least the noise of
/// the samples.
ArenaMean mean_of(const std::vector<ArenaScore>& scores) {
  ArenaMean result;
  const auto n = static_cast<double>(scores.size());
  for (const auto& score : scores) result.mean += score.share / n;
  if (scores.size() == 1) {
    result.interval = wilson(scores[0].correct, scores[0].total);
    return result;
  }
  double squares = 0, sampling = 0;
  for (const auto& score : scores) {
    squares += std::pow(score.share - result.mean, 2);
    sampling += sampling_variance(score);
  }
  const double half = student_quantile(n - 1) * std::max(std::sqrt(squares / (n - 1) / n), std::sqrt(sampling) / n);
  result.interval = {std::max(0.0, result.mean - half), std::min(1.0, result.mean + half)};
  return result;
}

void add_run(ArenaCell& cell, std::map<int64_t, std::vector<ArenaScore>>& curve, const Run& run, const Method& method) {
  ArenaScore longer;
  int lengths = 0;
  const auto add_point = [&](const EvalRecord::Length& l) {
    curve[l.length].push_back({l.correct, l.total, share_of(l)});
  };
  const auto extend = [](std::pair<int64_t, int64_t>& span, int64_t length) {
    span = {span.first == 0 ? length : std::min(span.first, length), std::max(span.second, length)};
  };
  const auto main = run.eval_record(method.record);
  for (const auto& l : main.lengths) {
    if (l.total == 0) continue;
    add_point(l);
    extend(l.trained ? cell.trained : cell.tested, l.length);
    if (l.trained) continue;
    longer.correct += l.correct;
    longer.total += l.total;
    longer.share += share_of(l);
    ++lengths;
  }
  if (lengths == 0) return;
  longer.share /= lengths;
  cell.longer[run.name()] = longer;
  cell.furthest = std::max(cell.furthest, cell.tested.second);
  if (!run.evaluated(long_record_of(method))) return;
  const EvalRecord::Length* last = nullptr;
  const auto record = run.eval_record(long_record_of(method));
  for (const auto& l : record.lengths) {
    if (l.total == 0 || l.trained) continue;
    if (l.length > cell.tested.second) add_point(l);
    if (!last || l.length > last->length) last = &l;
  }
  if (!last) return;
  cell.longest[run.name()] = {last->correct, last->total, share_of(*last)};
  cell.furthest = std::max(cell.furthest, last->length);
}

/// The p-value of one pair of binomial shares.
double p_of_pair(const ArenaScore& a, const ArenaScore& b) {
  const auto n = static_cast<double>(a.total), m = static_cast<double>(b.total);
  const double pooled = static_cast<double>(a.correct + b.correct) / (n + m);
  const double variance = pooled * (1 - pooled) * (1 / n + 1 / m);
  return variance > 0 ? normal_p((a.share - b.share) / std::sqrt(variance)) : 1;
}

using Pairs = std::vector<std::pair<ArenaScore, ArenaScore>>;

double mean_difference(const Pairs& pairs) {
  double sum = 0;
  for (const auto& [a, b] : pairs) sum += a.share - b.share;
  return sum / static_cast<double>(pairs.size());
}

/// The variance of a method's differences between pairs, of which there are at least two.
double variance_of(const Pairs& pairs) {
  const double mean = mean_difference(pairs);
  double squares = 0;
  for (const auto& [a, b] : pairs) squares += std::pow(a.share - b.share - mean, 2);
  return squares / static_cast<double>(pairs.size() - 1);
}

/// How much seeds change a difference, as far as many methods tell.
struct SeedNoise {
  double variance = 0, degrees = 0;  ///< 0 degrees: not known
};

/// The typical variance of methods with several seeds: their median, which one unstable method does not change. A
/// sample variance with d degrees of freedom has its median at about (1 - 2 / 9d)^3 of the true one.
SeedNoise seed_noise(const std::vector<Pairs>& methods) {
  constexpr size_t enough = 5;
  std::vector<double> variances;
  SeedNoise noise;
  for (const auto& pairs : methods) {
    if (pairs.size() < 2) continue;
    const auto degrees = static_cast<double>(pairs.size() - 1);
    variances.push_back(variance_of(pairs) / std::pow(1 - 2 / (9 * degrees), 3));
    noise.degrees += degrees;
  }
  if (variances.size() < enough) return {};
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::nth_element(variances.begin(), middle, variances.end());
  noise.variance = *middle;
  return noise;
}

Difference difference_of(const std::string& method, const Pairs& pairs, const SeedNoise& noise) {
  Difference d{method, mean_difference(pairs), 1, 1, pairs.size(), pairs.size() > 1 || noise.degrees > 0};
  if (!d.seeds_known) {
    d.p = p_of_pair(pairs[0].first, pairs[0].second);
    return d;
  }
  const auto n = static_cast<double>(pairs.size());
  double sampling = 0;
  for (const auto& [a, b] : pairs) sampling += sampling_variance(a) + sampling_variance(b);
  const double variance = std::max(noise.variance, pairs.size() > 1 ? variance_of(pairs) : 0.0);
  d.p = student_p(d.difference / std::sqrt(std::max(variance / n, sampling / (n * n))), std::max(noise.degrees, n - 1));
  return d;
}

}  // namespace

const std::map<std::string, ArenaScore>& ArenaCell::scores(ArenaMeasure measure) const {
  switch (measure) {
    case ArenaMeasure::longer:
      return longer;
    case ArenaMeasure::longest:
      return longest;
  }
  return longer;
}

const ArenaCell* Arena::find(const std::string& task, const std::string& method) const {
  const auto it = std::find_if(cells.begin(), cells.end(),
                               [&](const ArenaCell& cell) { return cell.task == task && cell.method == method; });
  return it == cells.end() ? nullptr : &*it;
}

Arena read_arena(const Plan& plan, const fs::path& out) {
  Arena arena;
  const auto names = plan.method_names();
  arena.baseline = names.front();
  std::set<std::string> tasks, methods;
  for (const auto& task : plan.tasks) {
    for (const auto& name : names) {
      const Method& method = plan.method(name);
      ArenaCell cell;
      cell.task = task;
      cell.method = name;
      std::map<int64_t, std::vector<ArenaScore>> curve;
      for (const Run& run : seeds_of_training(plan, task, method.training, out)) {
        if (run.trained() && run.evaluated(method.record)) add_run(cell, curve, run, method);
      }
      if (cell.longer.empty()) continue;
      for (const auto& [length, scores] : curve) {
        const auto mean = mean_of(scores);
        int64_t samples = 0;
        for (const auto& score : scores) samples += score.total;
        cell.curve.push_back({static_cast<double>(length), mean.mean, mean.interval.low, mean.interval.high, samples});
      }
      tasks.insert(task);
      methods.insert(name);
      arena.cells.push_back(std::move(cell));
    }
  }
  std::copy_if(plan.tasks.begin(), plan.tasks.end(), std::back_inserter(arena.tasks),
               [&](const auto& task) { return tasks.contains(task); });
  std::copy_if(names.begin(), names.end(), std::back_inserter(arena.methods),
               [&](const auto& name) { return methods.contains(name); });
  return arena;
}

std::optional<ArenaMean> arena_mean(const ArenaCell& cell, ArenaMeasure measure) {
  std::vector<ArenaScore> scores;
  for (const auto& [seed, score] : cell.scores(measure)) scores.push_back(score);
  if (scores.empty()) return std::nullopt;
  return mean_of(scores);
}

std::vector<Difference> differences(const Arena& arena, const std::string& task, ArenaMeasure measure) {
  std::vector<std::string> methods;
  std::vector<Pairs> all;
  for (const auto& method : arena.methods) {
    if (method == arena.baseline) continue;
    Pairs pairs;
    std::set<std::string> shared_tasks;
    for (const auto& one : arena.tasks) {
      if (!task.empty() && one != task) continue;
      const ArenaCell *mine = arena.find(one, method), *base = arena.find(one, arena.baseline);
      if (!mine || !base) continue;
      for (const auto& [seed, score] : mine->scores(measure)) {
        const auto other = base->scores(measure).find(seed);
        if (other == base->scores(measure).end()) continue;
        pairs.emplace_back(score, other->second);
        shared_tasks.insert(one);
      }
    }
    if (pairs.empty() || (task.empty() && shared_tasks.size() < 2)) continue;
    methods.push_back(method);
    all.push_back(std::move(pairs));
  }
  const SeedNoise noise = task.empty() ? SeedNoise{} : seed_noise(all);  // tasks differ by more than seeds
  std::vector<Difference> found;
  for (size_t i = 0; i < all.size(); ++i) found.push_back(difference_of(methods[i], all[i], noise));
  std::vector<double> p_values;
  for (const auto& d : found) p_values.push_back(d.p);
  const auto corrected = holm(p_values);
  for (size_t i = 0; i < found.size(); ++i) found[i].level = corrected[i];
  return found;
}

}  // namespace rfs
