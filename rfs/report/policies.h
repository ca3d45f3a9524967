#pragma once

#include <filesystem>
#include <string>

#include "rfs/records/policies.h"
#include "rfs/report/panels.h"

namespace rfs {

/// By length: the share of next tokens that agree with `current`, the perplexity of the texts, and milliseconds per
/// token.
PanelFigure agreement_figure(const PolicyRecord& record);
PanelFigure perplexity_figure(const PolicyRecord& record);
PanelFigure speed_figure(const PolicyRecord& record);

/// One row per policy and length range, as aligned Markdown.
std::string policies_table(const PolicyRecord& record);

/// Writes agreement.*, perplexity.* and speed.* (svg, png, pdf, gp, dat) and table.md into `folder`.
void write_policies_report(const PolicyRecord& record, const std::filesystem::path& folder);

}  // namespace rfs
