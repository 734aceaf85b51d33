#include "rt/ali3p/chain/workspace.h"

#include "rt/ali3p/chain/lanes.h"
#include "rt/model/model.h"

namespace tactus::rt {

ChainWorkspace::ChainWorkspace() = default;
ChainWorkspace::ChainWorkspace(ChainWorkspace&&) noexcept = default;
ChainWorkspace& ChainWorkspace::operator=(ChainWorkspace&&) noexcept = default;
ChainWorkspace::~ChainWorkspace() = default;

ChainWorkspace::ChainWorkspace(const Model& model, const Chain& chain, int width, int threads)
    : buffers{{kSegmentRows, chain.segments}, {kSegmentRows, chain.segments}},
      systems(static_cast<std::size_t>(threads)),
      lanes(makeChainLanes(chain, width)),
      motions(model.bodies.size()) {
  for (InterfaceSystem& system : systems) {
    system.blocks.resize(chain.interfaces.size() + 1);
    system.rows = SegmentRows(kInterfaceRows, chain.segments);
    for (int i = 0; i < chain.segments; ++i)
      *system.rows.at(kJoined, i) = chain.interfaces[static_cast<std::size_t>(i)].joined;
  }
  for (SegmentRows& segments : buffers) segments.setVector(kEndsRight, -1, chain.left_ground);
}

}  // namespace tactus::rt
