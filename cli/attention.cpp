#include "rfs/run/attention.h"

#include <memory>

#include "print.h"
#include "rfs/core/words.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string folder;
  std::vector<int64_t> lengths;
};

}  // namespace

void add_attention(Command& app, const RunContext& context, int& status) {
  Command verb =
      app.add_subcommand("attention", "Write what each head of small models looks at, for the page of rfs report");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folder, "a run's folder, or a folder of runs").required();
  verb.add_option("--lengths", arguments->lengths,
                  "lengths of the samples: 10,15 (default: the longest trained length and one half longer)")
      .comma_separated()
      .one_value();
  verb.callback([arguments, &context, &status] {
    for (const Run& run : find_runs(arguments->folder)) {
      context.events->note(run.name(), write_attention(run, arguments->lengths, context));
      if (context.stopped()) {
        status = exit_stopped;
        return;
      }
    }
    print("Next: rfs report {}\n", shell_word(arguments->folder));
  });
}

}  // namespace rfs
