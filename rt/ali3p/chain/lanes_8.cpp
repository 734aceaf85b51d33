#include "rt/ali3p/chain/lanes_of.h"

namespace tactus::rt {

std::unique_ptr<ChainLanes> makeEightLanes(const Model& model, const Chain& chain) {
  return std::make_unique<LanesOf<8>>(model, chain);
}

}  // namespace tactus::rt
