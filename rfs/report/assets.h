#pragma once

namespace rfs {

/// The files in rfs/report/assets, embedded when the library is built (cmake/embed.cmake).
extern const char* const page_css;
extern const char* const attention_js;
extern const char* const chart_js;
extern const char* const watch_js;

}  // namespace rfs
