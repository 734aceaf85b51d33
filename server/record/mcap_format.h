// MCAP: the numbers of the container format and its records as bytes. https://mcap.dev/spec, version 0.
//
// A file is magic, Header, Schema and Channel records, Metadata, Chunks each with its MessageIndex records, DataEnd,
// the summary (schemas, channels, Statistics, indexes, SummaryOffsets), Footer, magic. A record is an opcode byte, a
// 64-bit length and its content. Everything is little-endian.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

namespace tactus::server {

inline constexpr std::string_view kMcapMagic{"\x89MCAP0\r\n", 8};

/// Metadata of this name has the reason for which a recording has ended early, under this key.
inline constexpr std::string_view kMcapEndName = "tactus_end", kMcapEndReason = "ended_early";

enum class McapOpcode : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kStatistics = 0x0B,
  kMetadata = 0x0C,
  kMetadataIndex = 0x0D,
  kSummaryOffset = 0x0E,
  kDataEnd = 0x0F,
};

inline constexpr std::size_t kMcapRecordHead = 9;  ///< opcode and length

struct McapSchema {
  std::uint16_t id = 0;
  std::string name, encoding, data;
};

struct McapChannel {
  std::uint16_t id = 0, schema_id = 0;
  std::string topic, message_encoding;
  std::map<std::string, std::string> metadata;
};

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

/// Appends numbers, texts and tables to a string of bytes.
class McapBytes {
 public:
  explicit McapBytes(std::string& out) : out_(out) {}

  template <class Number>
  McapBytes& number(Number value) requires std::is_unsigned_v<Number> {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof bytes);
    return *this;
  }

  /// Appends a text after its 32-bit length.
  McapBytes& text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    out_.append(value);
    return *this;
  }

  McapBytes& table(const std::map<std::string, std::string>& entries) {
    std::string bytes;
    McapBytes inner(bytes);
    for (const auto& [key, value] : entries) inner.text(key).text(value);
    return text(bytes);
  }

 private:
  std::string& out_;
};

/// Appends a record: its head, then the content that `fill(McapBytes&)` appends.
template <class Fill>
void appendRecord(std::string& out, McapOpcode opcode, Fill&& fill) {
  const std::size_t begin = out.size();
  McapBytes bytes(out);
  bytes.number(static_cast<std::uint8_t>(opcode)).number(std::uint64_t{0});
  fill(bytes);
  const std::uint64_t length = out.size() - begin - kMcapRecordHead;
  std::memcpy(out.data() + begin + 1, &length, sizeof length);
}

/// Reads numbers and texts from the front of a string of bytes. Past the end it returns zeros and empty texts, and
/// good() is false.
class McapCursor {
 public:
  explicit McapCursor(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  Number number() requires std::is_unsigned_v<Number> {
    Number value{};
    const std::string_view bytes = take(sizeof value);
    if (good_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  std::string_view text() { return take(number<std::uint32_t>()); }
  std::string_view take(std::uint64_t count) {
    if (!good_ || count > left_.size()) {
      good_ = false;
      return {};
    }
    const std::string_view bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return bytes;
  }

  std::map<std::string, std::string> table() {
    McapCursor inner(text());
    std::map<std::string, std::string> entries;
    while (good_ && !inner.atEnd()) {
      std::string key(inner.text());
      entries.emplace(std::move(key), inner.text());
      good_ = good_ && inner.good();
    }
    return entries;
  }

  std::string_view left() const noexcept { return left_; }
  bool atEnd() const noexcept { return left_.empty(); }
  bool good() const noexcept { return good_; }

 private:
  std::string_view left_;
  bool good_ = true;
};

}  // namespace tactus::server
