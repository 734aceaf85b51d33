// Credit: how many frames of a stream may be unacknowledged.
#pragma once

#include <cstdint>

namespace tactus::server {

inline constexpr std::uint32_t kDefaultCreditWindow = 8;
inline constexpr std::uint32_t kMaxCreditWindow = 4096;

/// The window of a stream: `requested`, or kDefaultCreditWindow if that is zero.
/// @throws RequestError kLimitExceeded
std::uint32_t creditWindow(std::uint32_t requested);

}  // namespace tactus::server
