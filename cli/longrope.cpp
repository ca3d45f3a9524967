#include "rfs/run/longrope.h"

#include <cmath>
#include <memory>

#include "print.h"
#include "rfs/core/words.h"
#include "rfs/run/trained.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string run;
  LongRopeRequest request;
  int64_t seed = 1;
};

}  // namespace

void add_longrope(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("longrope", "Search LongRoPE's factors, which extend a language model's context");
  auto arguments = std::make_shared<Arguments>();
  FactorSearch& search = arguments->request.search;
  verb.add_option("RUN", arguments->run, "the folder of a trained language model with RoPE").required();
  verb.add_option("--factor", search.extension, "length of the inputs over the trained length")
      .real_range(1.01, 1e4)
      .show_default();
  verb.add_option("--rounds", search.rounds, "rounds of the search, of 32 evaluations each")
      .range(0, 100'000)
      .show_default();
  verb.add_option("--texts", arguments->request.texts, "training documents on which the loss is measured")
      .range(1, 100'000)
      .show_default();
  verb.add_option("--seed", arguments->seed, "seed of the search").range(0, int64_t{1} << 40).show_default();
  verb.callback([arguments, &context, &status] {
    LongRopeRequest& request = arguments->request;
    request.search.seed = static_cast<uint64_t>(arguments->seed);
    const Run run = trained_run(arguments->run, "LongRoPE's factors are searched");
    const auto found = find_longrope_factors(run, request, context);
    if (!found) {
      status = exit_stopped;
      return;
    }
    print("Perplexity of {} training texts of {} tokens:\n", found->texts, found->tokens);
    for (const auto& [name, loss] : found->scalings) print("  {:<10} {:.4g}\n", name, std::exp(loss));
    print("Factors  {}\n", found->file.string());
    print("Next: rfs eval {} --as longrope --settings {}\n", shell_word(arguments->run),
          shell_word(found->file.string()));
  });
}

}  // namespace rfs
