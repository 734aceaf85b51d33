#include "rt/state/state.h"

#include <cstdio>
#include <cstring>

namespace tactus::rt {

namespace {

constexpr std::uint64_t kFnvOffset = 14695981039346656037ULL;
constexpr std::uint64_t kFnvPrime = 1099511628211ULL;

std::uint64_t fold(std::uint64_t hash, const void* bytes, std::size_t count) noexcept {
  const auto* p = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ p[i]) * kFnvPrime;
  return hash;
}

}  // namespace

std::uint64_t hashState(const State& state) noexcept {
  return hashState(state.tick, state.values());
}

std::uint64_t hashState(std::int64_t tick, std::span<const double> values) noexcept {
  const std::uint64_t hash = fold(kFnvOffset, &tick, sizeof tick);
  return fold(hash, values.data(), values.size_bytes());
}

std::string formatHash(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace tactus::rt
