#include "rt/ali3p/chain/lanes_of.h"

namespace tactus::rt {

std::unique_ptr<ChainLanes> makeEightLanes(const Chain& chain) {
  return std::make_unique<LanesOf<8>>(chain);
}

}  // namespace tactus::rt
