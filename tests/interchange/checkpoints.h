#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/interchange/checkpoint_settings.h"
#include "rfs/interchange/hf.h"
#include "rfs/model/store.h"

namespace rfs {

inline const std::filesystem::path golden = std::filesystem::path(RFS_SOURCE) / "tests/golden";

inline ModelSettings settings_of(const Checkpoint& checkpoint) {
  Settings settings;
  add_settings(settings, checkpoint.config, "test", true);
  return ModelSettings::read(settings);
}

inline Decoder decoder_of(const Checkpoint& checkpoint) {
  Decoder decoder(settings_of(checkpoint).spec(checkpoint.config.vocabulary, checkpoint.config.tokens));
  copy_weights(checkpoint, decoder);
  return decoder;
}

/// A test with an empty folder.
class Folder : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(path); }
  void TearDown() override { std::filesystem::remove_all(path); }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("rfs_interchange_test_" + std::to_string(getpid()));
};

}  // namespace rfs
