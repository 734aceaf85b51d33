#include "server/record/crc32.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace tactus::server {

namespace {

// Table k advances the checksum of a byte by k further bytes, so that four bytes take four look-ups and no chain.
using Tables = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr Tables makeTables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xEDB88320u : 0u);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr Tables kTables = makeTables();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 4; left -= 4, p += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, p, 4);
    crc ^= word;
    crc =
        kTables[3][crc & 0xff] ^ kTables[2][(crc >> 8) & 0xff] ^ kTables[1][(crc >> 16) & 0xff] ^ kTables[0][crc >> 24];
  }
  for (; left > 0; --left, ++p) crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(*p)) & 0xff];
  return ~crc;
}

}  // namespace tactus::server
