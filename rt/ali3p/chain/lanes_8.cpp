#include "rt/ali3p/chain/lanes_of.h"

namespace tactus::rt {

std::unique_ptr<ChainLanes> makeEightLanes(const Chain& chain) {
#ifdef __clang__  // see lanes.cpp
  return makeFourLanes(chain);
#else
  using EightLanes = LanesOf<8>;
  return std::make_unique<EightLanes>(chain);
#endif
}

}  // namespace tactus::rt
