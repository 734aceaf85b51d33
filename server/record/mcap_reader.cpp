#include "server/record/mcap_reader.h"

#include "rt/error.h"
#include "server/record/crc32.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tactus::server {

namespace {

constexpr std::size_t kMessageHead = 2 + 4 + 8 + 8;

bool takeMessage(McapCursor& cursor, McapMessage& message) {
  const auto opcode = cursor.number<std::uint8_t>();
  McapCursor content(cursor.take(cursor.number<std::uint64_t>()));
  if (!cursor.good() || opcode != static_cast<std::uint8_t>(McapOpcode::kMessage) ||
      content.left().size() < kMessageHead)
    return false;
  message.channel = content.number<std::uint16_t>();
  message.sequence = content.number<std::uint32_t>();
  message.log_time = content.number<std::uint64_t>();
  message.publish_time = content.number<std::uint64_t>();
  message.data = content.left();
  return true;
}

}  // namespace

McapReader::McapReader(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
  if (!file_) throw Error(path + ": cannot be opened: " + std::strerror(errno));
  size_ = static_cast<std::uint64_t>(file_.tellg());
  file_.seekg(0);
  std::string magic(kMcapMagic.size(), '\0');
  if (!file_.read(magic.data(), static_cast<std::streamsize>(magic.size())) || magic != kMcapMagic)
    throw Error(path + ": is not a recording: it is not an MCAP file");
  intact_ = magic.size();
  crc_ = crc32(magic);
}

bool McapReader::next(McapMessage& message) {
  for (;;) {
    if (!block_.empty()) {
      McapCursor cursor(block_);
      takeMessage(cursor, message);  // the block was checked as a whole
      block_ = cursor.left();
      return true;
    }
    if (ending_ != McapEnding::kOpen || !readRecord()) return false;
  }
}

bool McapReader::end(McapEnding ending, const std::string& problem) {
  ending_ = ending;
  problem_ = problem;
  return false;
}

bool McapReader::readRecord() {
  // The head of a record and its content, if the file is long enough for both.
  std::string head(kMcapRecordHead, '\0');
  if (size_ - intact_ < head.size()) return end(McapEnding::kCut, "ends in the middle of a record");
  file_.read(head.data(), static_cast<std::streamsize>(head.size()));
  McapCursor cursor(head);
  const auto opcode = cursor.number<std::uint8_t>();
  const auto length = cursor.number<std::uint64_t>();
  if (length > size_ - intact_ - head.size()) return end(McapEnding::kCut, "ends in the middle of a record");
  record_.resize(length);
  file_.read(record_.data(), static_cast<std::streamsize>(length));
  if (!file_) return end(McapEnding::kCut, "cannot be read further");

  const std::uint32_t crc_before = crc_;
  const std::uint64_t intact_before = intact_;
  crc_ = crc32(record_, crc32(head, crc_));
  intact_ += head.size() + length;
  if (static_cast<McapOpcode>(opcode) == McapOpcode::kDataEnd) {
    const auto expected = McapCursor(record_).number<std::uint32_t>();
    if (expected == 0 || expected == crc_before) return endOfFile();
    return end(McapEnding::kDamaged, "has blocks that do not match their common checksum");
  }
  if (takeRecord(static_cast<McapOpcode>(opcode))) return true;
  intact_ = intact_before;
  return false;
}

bool McapReader::takeRecord(McapOpcode opcode) {
  McapCursor cursor(record_);
  switch (opcode) {
    case McapOpcode::kSchema: {
      McapSchema schema;
      schema.id = cursor.number<std::uint16_t>();
      schema.name = cursor.text();
      schema.encoding = cursor.text();
      schema.data = cursor.text();
      schemas_[schema.id] = std::move(schema);
      break;
    }
    case McapOpcode::kChannel: {
      McapChannel channel;
      channel.id = cursor.number<std::uint16_t>();
      channel.schema_id = cursor.number<std::uint16_t>();
      channel.topic = cursor.text();
      channel.message_encoding = cursor.text();
      channel.metadata = cursor.table();
      channels_[channel.id] = std::move(channel);
      break;
    }
    case McapOpcode::kMetadata: {
      const std::string name(cursor.text());
      auto table = cursor.table();
      if (name == kMcapEndName)
        ended_early_ = std::move(table[std::string(kMcapEndReason)]);
      else
        metadata_ = std::move(table);
      break;
    }
    case McapOpcode::kChunk: return openBlock();
    case McapOpcode::kHeader:
    case McapOpcode::kMessageIndex: return true;
    default: return end(McapEnding::kDamaged, "has a record of an unexpected kind");
  }
  return cursor.good() || end(McapEnding::kDamaged, "has a record that is shorter than its content");
}

bool McapReader::openBlock() {
  McapCursor cursor(record_);
  const auto first = cursor.number<std::uint64_t>(), last = cursor.number<std::uint64_t>();
  const auto size = cursor.number<std::uint64_t>();
  const auto crc = cursor.number<std::uint32_t>();
  const std::string_view compression = cursor.text();
  const auto length = cursor.number<std::uint64_t>();
  if (cursor.good() && !compression.empty())
    return end(McapEnding::kDamaged, "has a block with compression, which Tactus does not write");
  if (!cursor.good() || size != length || length != cursor.left().size() || crc32(cursor.left()) != crc)
    return end(McapEnding::kDamaged, "has a block that does not match its checksum");
  block_ = cursor.left();
  if (checkBlock(first, last)) return true;
  block_ = {};
  return end(McapEnding::kDamaged, "has a block whose content does not match its head");
}

// Every message of the block is complete, and the times match those of the head, which no checksum covers.
bool McapReader::checkBlock(std::uint64_t first, std::uint64_t last) {
  McapCursor cursor(block_);
  McapMessage message;
  std::uint64_t earliest = ~std::uint64_t{0}, latest = 0;
  while (!cursor.atEnd()) {
    if (!takeMessage(cursor, message) || !channels_.contains(message.channel)) return false;
    earliest = std::min(earliest, message.log_time);
    latest = std::max(latest, message.log_time);
  }
  return earliest == first && latest == last;
}

// After the data: the summary, for readers that seek, and the footer.
bool McapReader::endOfFile() {
  std::string tail(size_ - intact_, '\0');
  file_.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  constexpr std::size_t kFooter = kMcapRecordHead + 20;
  if (!file_ || tail.size() < kFooter + kMcapMagic.size() || !tail.ends_with(kMcapMagic))
    return end(McapEnding::kCut, "ends in the middle of its summary");
  const std::size_t checked = tail.size() - kMcapMagic.size() - 4;
  McapCursor footer(std::string_view(tail).substr(checked, 4));
  if (const auto crc = footer.number<std::uint32_t>();
      crc != 0 && crc != crc32(std::string_view(tail).substr(0, checked)))
    return end(McapEnding::kDamaged, "has a summary that does not match its checksum");
  intact_ = size_;
  return end(McapEnding::kComplete, "");
}

}  // namespace tactus::server
