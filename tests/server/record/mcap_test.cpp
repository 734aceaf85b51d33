// Covers: server/record/crc32.h, server/record/mcap_format.h, server/record/mcap_reader.cpp
// Covers: server/record/mcap_writer.cpp
#include "rt/error.h"
#include "server/record/crc32.h"
#include "server/record/mcap_reader.h"
#include "server/record/mcap_writer.h"
#include "tests/server/record/memory_disk.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

struct Said {
  std::uint16_t channel;
  std::uint32_t sequence;
  std::uint64_t log_time;
  std::string data;
  bool operator==(const Said& other) const = default;
};

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<Said> readAll(McapReader& reader) {
  std::vector<Said> all;
  McapMessage message;
  while (reader.next(message))
    all.push_back({message.channel, message.sequence, message.log_time, std::string(message.data)});
  return all;
}

/// Three blocks of two messages each. `ends` gets the length of the file after each of them.
std::vector<Said> writeSample(MemoryDisk& disk, std::vector<std::size_t>* ends = nullptr, bool finish = true) {
  const auto file = disk.file();
  McapWriter writer(*file, "sample", {{1, "S", "protobuf", "schema"}},
                    {{1, 1, "/a", "protobuf", {}}, {2, 1, "/b", "protobuf", {}}}, {{"key", "value"}});
  std::vector<Said> all;
  for (std::uint32_t block = 0; block < 3; ++block) {
    McapBlock messages;
    for (std::uint16_t channel = 1; channel <= 2; ++channel) {
      all.push_back({channel, block + 1, 1000 + 10 * block + channel, "message " + std::to_string(block)});
      messages.add(channel, block + 1, all.back().log_time, 7, all.back().data);
    }
    writer.write(messages);
    if (ends) ends->push_back(writer.bytes());
  }
  if (finish) writer.finish();
  return all;
}

std::string fromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

}  // namespace

TEST_CASE("a checksum has the value of zlib, for a whole text and for pieces of it", "[server][record]") {
  CHECK(crc32("123456789") == 0xCBF43926u);
  CHECK(crc32("") == 0);
  CHECK(crc32("6789", crc32("12345")) == 0xCBF43926u);
  CHECK(crc32("The quick brown fox jumps over the lazy dog") == 0x414FA339u);
}

// One schema, one channel, one metadata record, one block with one message, and the summary: every byte as the
// specification has it. Made by a script of its own with the checksums of zlib, and read by the MCAP library for
// JavaScript (@mcap/core 2.2).
const char* const kGolden =
    // clang-format off
    "894d434150300d0a"  // magic
    "010e000000000000000000000006000000746163747573"  // header
    "031800000000000000010001000000530800000070726f746f6275660100000078"  // schema
    "041a0000000000000001000100020000002f610800000070726f746f62756600000000"  // channel
    "0c1800000000000000060000007461637475730a000000010000006b0100000076"  // metadata
    "0649000000000000000500000000000000050000000000000021000000000000009b52faa10000000021000000000000"  // chunk
    "00051800000000000000010003000000050000000000000006000000000000006869"
    "07160000000000000001001000000005000000000000000000000000000000"  // message index
    "0f040000000000000022f2fc43"  // data end
    "031800000000000000010001000000530800000070726f746f6275660100000078"  // schema
    "041a0000000000000001000100020000002f610800000070726f746f62756600000000"  // channel
    "0b3800000000000000010000000000000001000100000000000000010000000100000005000000000000000500000000"  // statistics
    "0000000a00000001000100000000000000"
    "0d1a000000000000006300000000000000210000000000000006000000746163747573"  // metadata index
    "084a0000000000000005000000000000000500000000000000840000000000000052000000000000000a0000000100d6"  // chunk index
    "000000000000001f000000000000000000000021000000000000002100000000000000"
    "0e11000000000000000302010000000000002100000000000000"  // summary offset
    "0e11000000000000000423010000000000002300000000000000"  // summary offset
    "0e11000000000000000b46010000000000004100000000000000"  // summary offset
    "0e11000000000000000d87010000000000002300000000000000"  // summary offset
    "0e110000000000000008aa010000000000005300000000000000"  // summary offset
    "0214000000000000000201000000000000fd01000000000000d149d2bd"  // footer
    "894d434150300d0a";  // magic
// clang-format on

TEST_CASE("a recording has the bytes that the MCAP specification prescribes", "[server][record]") {
  MemoryDisk disk;
  const auto file = disk.file();
  McapWriter writer(*file, "golden", {{1, "S", "protobuf", "x"}}, {{1, 1, "/a", "protobuf", {}}}, {{"k", "v"}});
  McapBlock block;
  block.add(1, 3, 5, 6, "hi");
  writer.write(block);
  writer.finish();
  const std::string golden = fromHex(kGolden);
  REQUIRE(disk.bytes().size() == golden.size());
  CHECK(disk.bytes() == golden);
}

TEST_CASE("a reader returns the written messages, schemas, channels and metadata", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  const std::vector<Said> said = writeSample(disk);
  disk.save(folder.file("a.mcap"));
  McapReader reader(folder.file("a.mcap"));
  CHECK(readAll(reader) == said);
  CHECK(reader.ending() == McapEnding::kComplete);
  CHECK(reader.intactBytes() == disk.bytes().size());
  CHECK(reader.channels().at(2).topic == "/b");
  CHECK(reader.schemas().at(1).data == "schema");
  CHECK(reader.metadata().at("key") == "value");
}

TEST_CASE("a file that is cut at any byte is read up to its last whole block", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  std::vector<std::size_t> ends;
  const std::vector<Said> said = writeSample(disk, &ends);
  const std::string bytes = disk.bytes();
  for (std::size_t length = 8; length < bytes.size(); ++length) {
    write(folder.file("cut.mcap"), std::string_view(bytes).substr(0, length));
    McapReader reader(folder.file("cut.mcap"));
    const std::vector<Said> found = readAll(reader);
    INFO("cut to " << length << " of " << bytes.size());
    REQUIRE(reader.ending() == McapEnding::kCut);
    REQUIRE(reader.intactBytes() <= length);
    // A block counts when its messages are whole; its index is of no use to this reader.
    std::size_t least = 0;
    for (const std::size_t end : ends) least += end <= length ? 2 : 0;
    REQUIRE(found.size() >= least);
    REQUIRE(found.size() <= least + 2);
    REQUIRE(std::equal(found.begin(), found.end(), said.begin()));
  }
}

TEST_CASE("a reader detects every changed bit in the blocks and never returns a wrong message", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  std::vector<std::size_t> ends;
  const std::vector<Said> said = writeSample(disk, &ends);
  const std::string bytes = disk.bytes();
  for (std::size_t at = 8; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    write(folder.file("bad.mcap"), changed);
    McapReader reader(folder.file("bad.mcap"));
    const std::vector<Said> found = readAll(reader);
    INFO("byte " << at << " of " << bytes.size());
    REQUIRE(reader.ending() != McapEnding::kComplete);
    REQUIRE(found.size() <= said.size());
    REQUIRE(std::equal(found.begin(), found.end(), said.begin()));
  }
}

TEST_CASE("a file that is not MCAP is refused with the reason", "[server][record]") {
  const ScratchFolder folder;
  write(folder.file("text.mcap"), "not a recording");
  CHECK_THROWS_AS(McapReader(folder.file("text.mcap")), Error);
  CHECK_THROWS_AS(McapReader(folder.file("missing.mcap")), Error);
  write(folder.file("empty.mcap"), "");
  CHECK_THROWS_AS(McapReader(folder.file("empty.mcap")), Error);
}

TEST_CASE("on a full disk a file ends after its last whole block", "[server][record]") {
  MemoryDisk reference;
  std::vector<std::size_t> ends;
  writeSample(reference, &ends);
  for (std::size_t room = 0; room < reference.bytes().size(); room += 7) {
    MemoryDisk disk;
    disk.setRoom(room);
    CHECK_THROWS_AS(writeSample(disk), Error);
    std::size_t expected = 0;
    for (const std::size_t end : ends)
      if (end <= room) expected = end;
    INFO("room for " << room);
    // Either nothing, or the front of the file, or that and some blocks.
    if (expected > 0) REQUIRE(disk.bytes() == reference.bytes().substr(0, expected));
    REQUIRE(disk.bytes() == reference.bytes().substr(0, disk.bytes().size()));
  }
}
