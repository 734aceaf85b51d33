// CRC-32 (the one of zlib, PNG and MCAP: polynomial 0xEDB88320, reflected).
#pragma once

#include <cstdint>
#include <string_view>

namespace tactus::server {

/// Checksum of `bytes`. Of a text in pieces: give the checksum of what came before as `before`.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace tactus::server
