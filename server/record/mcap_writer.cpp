#include "server/record/mcap_writer.h"

#include "rt/error.h"
#include "server/record/crc32.h"

#include <algorithm>
#include <cstring>

namespace tactus::server {

namespace {

constexpr std::string_view kLibrary = "tactus";
constexpr std::string_view kMetadataName = "tactus";

void appendSchema(std::string& out, const McapSchema& schema) {
  appendRecord(out, McapOpcode::kSchema, [&](McapBytes& bytes) {
    bytes.number(schema.id).text(schema.name).text(schema.encoding).text(schema.data);
  });
}

void appendChannel(std::string& out, const McapChannel& channel) {
  appendRecord(out, McapOpcode::kChannel, [&](McapBytes& bytes) {
    bytes.number(channel.id)
        .number(channel.schema_id)
        .text(channel.topic)
        .text(channel.message_encoding)
        .table(channel.metadata);
  });
}

}  // namespace

void McapBlock::add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time, std::uint64_t publish_time,
                    std::string_view data) {
  index_[channel].emplace_back(log_time, records_.size());
  McapBytes bytes(records_);
  bytes.number(static_cast<std::uint8_t>(McapOpcode::kMessage))
      .number(std::uint64_t{2 + 4 + 8 + 8} + data.size())
      .number(channel)
      .number(sequence)
      .number(log_time)
      .number(publish_time);
  records_.append(data);
  ++messages_;
  first_time_ = std::min(first_time_, log_time);
  last_time_ = std::max(last_time_, log_time);
}

void McapBlock::trim() {
  records_.shrink_to_fit();
  for (auto& [channel, entries] : index_) entries.shrink_to_fit();
}

McapWriter::McapWriter(FileSink& file, std::string name, std::vector<McapSchema> schemas,
                       std::vector<McapChannel> channels, std::map<std::string, std::string> metadata)
    : file_(file),
      name_(std::move(name)),
      schemas_(std::move(schemas)),
      channels_(std::move(channels)),
      metadata_(std::move(metadata)) {
  buffer_ = kMcapMagic;
  appendRecord(buffer_, McapOpcode::kHeader, [](McapBytes& bytes) { bytes.text("").text(kLibrary); });
  for (const McapSchema& schema : schemas_) appendSchema(buffer_, schema);
  for (const McapChannel& channel : channels_) appendChannel(buffer_, channel);
  const std::uint64_t offset = buffer_.size();
  appendRecord(buffer_, McapOpcode::kMetadata, [&](McapBytes& bytes) { bytes.text(kMetadataName).table(metadata_); });
  metadata_index_.push_back({offset, buffer_.size() - offset, kMetadataName});
  put(buffer_);
  front_bytes_ = bytes_;
}

void McapWriter::put(std::string_view bytes) {
  if (const int error = file_.append(bytes)) {
    // A part of the bytes may be in the file: remove what follows the last whole block.
    file_.truncate(bytes_);
    throw Error(name_ + ": " + std::strerror(error));
  }
  bytes_ += bytes.size();
  crc_ = crc32(bytes, crc_);
}

void McapWriter::write(const McapBlock& block) {
  BlockEntry entry{block.first_time_, block.last_time_, bytes_, 0, 0, block.records_.size(), {}};
  buffer_.clear();
  appendRecord(buffer_, McapOpcode::kChunk, [&](McapBytes& bytes) {
    bytes.number(block.first_time_)
        .number(block.last_time_)
        .number(std::uint64_t{block.records_.size()})
        .number(crc32(block.records_))
        .text("")
        .number(std::uint64_t{block.records_.size()});
    buffer_.append(block.records_);
  });
  entry.length = buffer_.size();
  for (const auto& [channel, messages] : block.index_) {
    entry.index_offsets.emplace_back(channel, bytes_ + buffer_.size());
    appendRecord(buffer_, McapOpcode::kMessageIndex, [&, id = channel, &list = messages](McapBytes& bytes) {
      bytes.number(id).number(static_cast<std::uint32_t>(16 * list.size()));
      for (const auto& [time, offset] : list) bytes.number(time).number(offset);
    });
  }
  entry.index_length = buffer_.size() - entry.length;
  put(buffer_);

  // The block counts only now, after it was written.
  for (const auto& [channel, messages] : block.index_) counts_[channel] += messages.size();
  blocks_.push_back(std::move(entry));
}

// With the last records before it.
std::string McapWriter::dataEnd(std::string before) const {
  const std::uint32_t data_crc = crc32(before, crc_);
  appendRecord(before, McapOpcode::kDataEnd, [&](McapBytes& bytes) { bytes.number(data_crc); });
  return before;
}

void McapWriter::finish() {
  buffer_ = dataEnd();
  buffer_ += summary(bytes_ + buffer_.size());
  put(buffer_);
}

bool McapWriter::endEarly(const std::string& reason) noexcept {
  try {
    std::string last;
    appendRecord(last, McapOpcode::kMetadata, [&](McapBytes& bytes) {
      bytes.text(kMcapEndName).table({{std::string(kMcapEndReason), reason}});
    });
    metadata_index_.push_back({bytes_, last.size(), kMcapEndName});
    const std::string end = dataEnd(last);
    try {
      put(end + summary(bytes_ + end.size()));
      return true;
    } catch (const Error&) {
      // No room for the summary.
    }
    buffer_ = end;
    // A footer without the places of a summary and without its checksum.
    appendRecord(buffer_, McapOpcode::kFooter, [](McapBytes& bytes) {
      bytes.number(std::uint64_t{0}).number(std::uint64_t{0}).number(std::uint32_t{0});
    });
    buffer_ += kMcapMagic;
    put(buffer_);
    return true;
  } catch (const std::exception&) { return false; }
}

// The summary repeats the schemas and channels of the front, and has statistics and an index of each block.
std::uint64_t McapWriter::endBytes() const noexcept {
  constexpr std::uint64_t kFixed = 1024, kBlock = 80, kChannel = 10;  // with a reason for an early end
  return front_bytes_ + kFixed + (blocks_.size() + 2) * (kBlock + kChannel * channels_.size());
}

std::string McapWriter::summary(std::uint64_t start) const {
  std::string out, offsets;
  const auto group = [&](McapOpcode opcode, auto&& fill) {
    const std::uint64_t begin = out.size();
    fill();
    if (out.size() == begin) return;
    appendRecord(offsets, McapOpcode::kSummaryOffset, [&](McapBytes& bytes) {
      bytes.number(static_cast<std::uint8_t>(opcode)).number(start + begin).number(std::uint64_t{out.size() - begin});
    });
  };

  group(McapOpcode::kSchema, [&] {
    for (const McapSchema& schema : schemas_) appendSchema(out, schema);
  });
  group(McapOpcode::kChannel, [&] {
    for (const McapChannel& channel : channels_) appendChannel(out, channel);
  });
  group(McapOpcode::kStatistics, [&] {
    std::uint64_t messages = 0, first = blocks_.empty() ? 0 : std::numeric_limits<std::uint64_t>::max(), last = 0;
    for (const auto& [channel, count] : counts_) messages += count;
    for (const BlockEntry& block : blocks_) {
      first = std::min(first, block.first_time);
      last = std::max(last, block.last_time);
    }
    appendRecord(out, McapOpcode::kStatistics, [&](McapBytes& bytes) {
      bytes.number(messages)
          .number(static_cast<std::uint16_t>(schemas_.size()))
          .number(static_cast<std::uint32_t>(channels_.size()))
          .number(std::uint32_t{0})  // attachments
          .number(static_cast<std::uint32_t>(metadata_index_.size()))
          .number(static_cast<std::uint32_t>(blocks_.size()))
          .number(first)
          .number(last)
          .number(static_cast<std::uint32_t>(10 * counts_.size()));
      for (const auto& [channel, count] : counts_) bytes.number(channel).number(count);
    });
  });
  group(McapOpcode::kMetadataIndex, [&] {
    for (const MetadataEntry& entry : metadata_index_)
      appendRecord(out, McapOpcode::kMetadataIndex,
                   [&](McapBytes& bytes) { bytes.number(entry.offset).number(entry.length).text(entry.name); });
  });
  group(McapOpcode::kChunkIndex, [&] {
    for (const BlockEntry& block : blocks_) {
      appendRecord(out, McapOpcode::kChunkIndex, [&](McapBytes& bytes) {
        bytes.number(block.first_time).number(block.last_time).number(block.offset).number(block.length);
        bytes.number(static_cast<std::uint32_t>(10 * block.index_offsets.size()));
        for (const auto& [channel, offset] : block.index_offsets) bytes.number(channel).number(offset);
        bytes.number(block.index_length).text("").number(block.records_length).number(block.records_length);
      });
    }
  });

  // The checksum of the summary covers the footer up to itself.
  const std::uint64_t offsets_start = start + out.size();
  out += offsets;
  McapBytes(out)
      .number(static_cast<std::uint8_t>(McapOpcode::kFooter))
      .number(std::uint64_t{20})
      .number(start)
      .number(offsets_start);
  const std::uint32_t crc = crc32(out);
  McapBytes(out).number(crc);
  out += kMcapMagic;
  return out;
}

}  // namespace tactus::server
