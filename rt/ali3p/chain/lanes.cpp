#include "rt/ali3p/chain/lanes.h"

#include "rt/error.h"

namespace tactus::rt {

namespace {

// clang refuses vectors of 64 bytes in matrices that Eigen aligns to 32.
bool hasWideVectors() noexcept {
#ifdef __clang__
  return false;
#else
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
}

}  // namespace

int widestLanes(const Chain& chain) noexcept {
  return chain.segments % 8 == 0 && hasWideVectors() ? 8 : 4;
}

std::unique_ptr<ChainLanes> makeChainLanes(const Chain& chain, int width) {
  if (width == 4) return makeFourLanes(chain);
  if (width != 8 || chain.segments % 8 != 0 || !hasWideVectors())
    throw Error("a chain of " + std::to_string(chain.segments) + " segments cannot run in " + std::to_string(width) +
                " lanes on this machine");
  return makeEightLanes(chain);
}

}  // namespace tactus::rt
