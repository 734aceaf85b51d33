// McapReader: reads an MCAP file from front to back, block by block, and stops at the first damaged block.
#pragma once

#include "server/record/mcap_format.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

/// A message of a block. Valid until the next call of next().
struct McapMessage {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0, publish_time = 0;  ///< ns
  std::string_view data;
};

/// How a file ends.
enum class McapEnding : std::uint8_t {
  kOpen,      ///< not yet read to its end
  kComplete,  ///< ends with its summary
  kCut,       ///< ends in the middle of a record: the writer was killed, or the disk was full
  kDamaged,   ///< bytes do not match their checksum or the format
};

/// Reads uncompressed chunks only, as McapWriter writes them. Holds one block in memory.
class McapReader {
 public:
  /// Opens the file and reads up to the first block.
  /// @throws Error if the file cannot be opened or is not an MCAP file
  explicit McapReader(const std::string& path);

  /// The next message of the intact blocks. @returns false after the last one
  bool next(McapMessage& message);

  const std::map<std::uint16_t, McapSchema>& schemas() const noexcept { return schemas_; }
  const std::map<std::uint16_t, McapChannel>& channels() const noexcept { return channels_; }
  const std::map<std::string, std::string>& metadata() const noexcept { return metadata_; }

  /// Why the writer has ended the file early; empty if it has not.
  const std::string& endedEarly() const noexcept { return ended_early_; }

  McapEnding ending() const noexcept { return ending_; }
  const std::string& problem() const noexcept { return problem_; }  ///< one clause, unless kComplete
  std::uint64_t intactBytes() const noexcept { return intact_; }    ///< size up to the end of the last whole record

 private:
  bool readRecord();
  bool takeRecord(McapOpcode opcode);
  bool openBlock();
  bool checkBlock(std::uint64_t first, std::uint64_t last);
  bool endOfFile();
  bool end(McapEnding ending, const std::string& problem);

  std::ifstream file_;
  std::uint64_t size_ = 0, intact_ = 0;
  std::uint32_t crc_ = 0;
  std::string record_;      ///< content of the current record
  std::string_view block_;  ///< the unread part of the current block, within record_
  std::map<std::uint16_t, McapSchema> schemas_;
  std::map<std::uint16_t, McapChannel> channels_;
  std::map<std::string, std::string> metadata_;
  McapEnding ending_ = McapEnding::kOpen;
  std::string problem_, ended_early_;
};

}  // namespace tactus::server
