#include "rfs/report/attention.h"

#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/records/attention_record.h"
#include "rfs/report/html.h"
#include "rfs/report/style.h"

namespace rfs {
namespace fs = std::filesystem;

std::string attention_section(const std::vector<Series>& series, const fs::path& page_folder) {
  using Json = nlohmann::json;
  Json models = Json::array();
  for (size_t i = 0; i < series.size(); ++i) {
    const Run& run = series[i].runs.front();
    const fs::path file = run.file(attention_file);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    read_attention_record(file);  // checks it
    models.push_back({{"name", series[i].name},
                      {"colour", series_colour(i)},
                      {"href", relative_url(run.folder(), page_folder)},
                      {"record", Json::parse(read_file(file))}});
  }
  if (models.empty()) return "";
  return "<h2>Attention maps</h2><p>What a head looks at while the model writes one answer. A row of a map is a token "
         "that "
         "the model has read (query); a column is a token that it looks at (key). A stronger colour means more weight. "
         "Compare a trained length with one that was not trained: a head that finds the right word loses it if "
         "positions "
         "leave the range that it was trained on.</p>"
         "<div class='figure attention'>" +
         script_data(models.dump(-1, ' ', false, Json::error_handler_t::replace)) + "</div>";
}

}  // namespace rfs
