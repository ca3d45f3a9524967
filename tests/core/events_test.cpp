// Event files, read back by a separate parser that was written from the format's description only.

#include "rfs/core/events.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <map>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// Removes `count` bytes from the front and returns them.
std::string take(std::string_view& bytes, size_t count) {
  if (count > bytes.size()) throw std::out_of_range("cut off");
  const std::string front(bytes.substr(0, count));
  bytes.remove_prefix(count);
  return front;
}

template <class T>
T as(const std::string& bytes) {
  T value;
  EXPECT_EQ(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

uint64_t take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(take(bytes, 1)[0]);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

/// The fields of a message by number; a varint is stored as eight bytes.
std::map<uint64_t, std::string> fields(std::string_view message) {
  std::map<uint64_t, std::string> fields;
  while (!message.empty()) {
    const uint64_t key = take_varint(message);
    std::string& value = fields[key >> 3];
    switch (key & 7) {
      case 0: {
        const uint64_t number = take_varint(message);
        value.assign(reinterpret_cast<const char*>(&number), sizeof number);
        break;
      }
      case 1:
        value = take(message, 8);
        break;
      case 2:
        value = take(message, take_varint(message));
        break;
      case 5:
        value = take(message, 4);
        break;
      default:
        throw std::out_of_range("wire type");
    }
  }
  return fields;
}

/// CRC-32C, computed bit by bit, with the mask of TFRecord.
uint32_t masked_crc(std::string_view bytes) {
  uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const uint32_t low = (crc ^ (static_cast<uint32_t>(static_cast<uint8_t>(byte)) >> bit)) & 1;
      crc = (crc >> 1) ^ (low != 0 ? 0x82F63B78u : 0);
    }
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

std::vector<std::map<uint64_t, std::string>> events(const fs::path& path) {
  const std::string content = read_file(path);
  std::string_view rest = content;
  std::vector<std::map<uint64_t, std::string>> events;
  while (!rest.empty()) {
    const std::string size = take(rest, 8);
    EXPECT_EQ(as<uint32_t>(take(rest, 4)), masked_crc(size));
    const std::string data = take(rest, as<uint64_t>(size));
    EXPECT_EQ(as<uint32_t>(take(rest, 4)), masked_crc(data));
    events.push_back(fields(data));
  }
  return events;
}

class Events : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_events_test_" + std::to_string(getpid()));
  void TearDown() override { fs::remove_all(folder); }
};

// Values from RFC 3720, B.4, and the usual check value.
TEST(Crc32c, HasItsKnownValues) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43u);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(crc32c(rising), 0x46DD794Eu);
}

TEST_F(Events, ComeBackAsTheyWere) {
  const std::vector<double> values = {0.5, -1e30, 0, std::numeric_limits<double>::infinity()};
  const std::vector<int64_t> steps = {0, 1, 300, int64_t{1} << 40};
  const std::string long_tag(300, 't');
  const EventFile file(folder);
  for (size_t i = 0; i < values.size(); ++i) file.add(steps[i], i == 2 ? long_tag : "loss", values[i]);
  EXPECT_TRUE(file.path().filename().string().starts_with("events.out.tfevents."));
  EXPECT_TRUE(file.path().filename().string().ends_with("." + std::to_string(getpid()) + ".rfs"));
  auto all = events(file.path());
  ASSERT_EQ(all.size(), 1 + values.size());
  EXPECT_EQ(all[0][3], "brain.Event:2");
  for (size_t i = 0; i < values.size(); ++i) {
    auto& event = all[i + 1];
    EXPECT_NEAR(as<double>(event[1]), static_cast<double>(std::time(nullptr)), 100);
    EXPECT_EQ(as<int64_t>(event[2]), steps[i]);
    auto value = fields(fields(event[5])[1]);
    EXPECT_EQ(value[1], i == 2 ? long_tag : "loss");
    EXPECT_EQ(as<float>(value[2]), static_cast<float>(values[i]));
  }
}

TEST_F(Events, OfAResumedRunBeginALaterFileWithItsFirstStep) {
  const EventFile first(folder), second(folder, 41), third(folder, 50);
  second.add(41, "loss", 1);
  EXPECT_LT(first.path(), second.path());
  EXPECT_LT(second.path(), third.path());
  EXPECT_EQ(events(first.path()).size(), 1u);
  auto all = events(second.path());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0][3], "brain.Event:2");
  EXPECT_EQ(as<int64_t>(all[1][2]), 41);
  EXPECT_EQ(as<uint64_t>(fields(all[1][7])[1]), 1u);
}

TEST_F(Events, FailuresNameTheFile) {
  write_file(folder / "file", "");
  try {
    const EventFile file(folder / "file");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find((folder / "file").string()), std::string::npos) << error.what();
  }
  EXPECT_THROW(append_file("/dev/full", "x"), Error);
}

}  // namespace
}  // namespace rfs
