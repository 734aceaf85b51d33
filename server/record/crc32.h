// The CRC-32 of zlib, which MCAP uses, too.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace tactus::server {

/// Checksum of `bytes`. For a text in pieces, `before` is the checksum of the pieces before.
inline std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) noexcept {
  return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace tactus::server
