#pragma once

#include <filesystem>
#include <string>

#include "rfs/records/policies.h"
#include "rfs/report/panels.h"

namespace rfs {

/// By length: the share of next tokens that are those of `current`, the perplexity of the texts, milliseconds a token.
PanelFigure agreement_figure(const PolicyRecord& record);
PanelFigure perplexity_figure(const PolicyRecord& record);
PanelFigure speed_figure(const PolicyRecord& record);

/// A row a policy and part, as aligned Markdown.
std::string policies_table(const PolicyRecord& record);

/// Writes agreement.*, perplexity.* and speed.* (svg, png, pdf, gp, dat) and table.md into `folder`.
void write_policies_report(const PolicyRecord& record, const std::filesystem::path& folder);

}  // namespace rfs
