#include "rfs/records/policies.h"

#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/records/record_file.h"

namespace rfs {
using Json = nlohmann::ordered_json;

void write_policies(const std::filesystem::path& file, const PolicyRecord& record) {
  Json parts = Json::array();
  for (const auto& part : record.parts) {
    parts.push_back({{"policy", part.policy},
                     {"begin", part.begin},
                     {"end", part.end},
                     {"tokens", part.tokens},
                     {"agree", part.agree},
                     {"passes", part.passes},
                     {"loss", part.loss},
                     {"seconds", part.seconds}});
  }
  const Json json = {{"texts", record.texts},
                     {"trained_length", record.trained_length},
                     {"parts", parts},
                     {"settings", record.settings},
                     {"provenance", record.provenance}};
  write_file(file, json.dump(1) + "\n");
}

PolicyRecord read_policies(const std::filesystem::path& file) {
  PolicyRecord record;
  read_record(file, [&](const std::string& text) {
    const Json json = Json::parse(text);
    json.at("texts").get_to(record.texts);
    json.at("trained_length").get_to(record.trained_length);
    for (const auto& one : json.at("parts")) {
      auto& part = record.parts.emplace_back();
      one.at("policy").get_to(part.policy);
      one.at("begin").get_to(part.begin);
      one.at("end").get_to(part.end);
      one.at("tokens").get_to(part.tokens);
      one.at("agree").get_to(part.agree);
      one.at("passes").get_to(part.passes);
      one.at("loss").get_to(part.loss);
      one.at("seconds").get_to(part.seconds);
      require_counts(file.string(), {{"begin", part.begin},
                                     {"end", part.end},
                                     {"tokens", part.tokens},
                                     {"agree", part.agree},
                                     {"passes", part.passes}});
    }
    require_counts(file.string(), {{"texts", record.texts}, {"trained_length", record.trained_length}});
    json.at("settings").get_to(record.settings);
    json.at("provenance").get_to(record.provenance);
  });
  return record;
}

}  // namespace rfs
