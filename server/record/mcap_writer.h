// McapWriter: writes an MCAP file block by block. A block is an uncompressed chunk with its CRC-32, so a
// written block stays readable whatever happens later.
#pragma once

#include "server/record/file_sink.h"
#include "server/record/mcap_format.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::server {

/// Messages that are written to the disk together.
class McapBlock {
 public:
  /// @param log_time, publish_time  ns
  void add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time, std::uint64_t publish_time,
           std::string_view data);

  bool empty() const noexcept { return records_.empty(); }
  /// In memory and, nearly, in the file: the messages with their index.
  std::size_t bytes() const noexcept { return records_.size() + kIndexBytes * messages_; }

  /// Gives memory back that no message uses.
  void trim();

  static constexpr std::size_t kIndexBytes = 16;  ///< of a message: log time and offset

 private:
  friend class McapWriter;
  using Entries = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  ///< log time, offset in the records

  std::string records_;
  std::size_t messages_ = 0;
  std::map<std::uint16_t, Entries> index_;
  std::uint64_t first_time_ = std::numeric_limits<std::uint64_t>::max(), last_time_ = 0;
};

/// For one thread at a time. Every member that writes throws Error with the reason if the write fails. The file is then
/// truncated to its last whole block, and nothing more can be written.
class McapWriter {
 public:
  /// Starts the file: header, schemas, channels, metadata.
  /// @param name  name of the file for error messages
  McapWriter(FileSink& file, std::string name, std::vector<McapSchema> schemas, std::vector<McapChannel> channels,
             std::map<std::string, std::string> metadata);

  void write(const McapBlock& block);

  /// Ends the file with its summary. Nothing can be written afterwards.
  void finish();

  /// Ends the file early, and writes the reason into it: with its summary, or without it if the disk has no room for
  /// it.
  /// @returns false if the disk takes nothing; the blocks before stay readable
  bool endEarly(const std::string& reason) noexcept;

  /// Bytes that finish() writes at most, after one more block.
  std::uint64_t endBytes() const noexcept;

  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  struct BlockEntry {
    std::uint64_t first_time, last_time, offset, length, index_length, records_length;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> index_offsets;
  };

  void put(std::string_view bytes);
  std::string summary(std::uint64_t start) const;
  std::string dataEnd(std::string before = {}) const;

  FileSink& file_;
  const std::string name_;
  const std::vector<McapSchema> schemas_;
  const std::vector<McapChannel> channels_;
  const std::map<std::string, std::string> metadata_;

  std::string buffer_;
  std::uint64_t bytes_ = 0, front_bytes_ = 0;
  std::uint32_t crc_ = 0;  ///< over everything up to the end of the data
  struct MetadataEntry {
    std::uint64_t offset, length;
    std::string_view name;
  };
  std::vector<MetadataEntry> metadata_index_;
  std::vector<BlockEntry> blocks_;
  std::map<std::uint16_t, std::uint64_t> counts_;  ///< messages of each channel
};

}  // namespace tactus::server
