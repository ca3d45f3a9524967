#include "rfs/web/watch.h"

#include <memory>

#include "print.h"
#include "rfs/core/format.h"
#include "rfs/web/server.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string folder = "runs";
  int64_t port = 8765;
};

void watch(const Arguments& arguments, const RunContext& context) {
  const std::filesystem::path folder = arguments.folder;
  RunWatch runs(folder);
  LocalServer server(static_cast<uint16_t>(arguments.port),
                     {{"/", {"text/html", [&] { return watch_page(folder); }}},
                      {"/state.json", {"application/json", [&] { return runs.state(); }}}});
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) say("{}: no such folder yet; waiting for it\n", folder.string());
  print("Watching {} on http://127.0.0.1:{}/ (Ctrl-C ends)\n", folder.string(), server.port());
  flush_output();
  server.serve(context.stopped);
}

}  // namespace

void add_watch(Command& app, const RunContext& context, int&) {
  Command verb = app.add_subcommand("watch", "Show the runs in training on a local web page that refreshes itself");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUNS", arguments->folder, "a folder of runs; it may appear later").show_default();
  verb.add_option("--port", arguments->port, "port on 127.0.0.1; 0 for any free one").show_default().range(0, 65535);
  verb.callback([arguments, &context] { watch(*arguments, context); });
}

}  // namespace rfs
