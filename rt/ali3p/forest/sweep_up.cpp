#include "rt/ali3p/forest/sweep_up.h"

#include "rt/ali3p/forest/lanes.h"
#include "rt/ali3p/forest/sums.h"

namespace tactus::rt {

namespace {

template <bool factors, bool with_bodies>
void climb(const ForestContext& context, const ForestPart& part, bool is_moving, ForestSums& sums) noexcept {
  const ForestShare& share = part.share;
  for (auto g = part.groups.rbegin(); g != part.groups.rend(); ++g) {
    const auto at = static_cast<std::size_t>(*g);
    const ForestLinks& links = share.links[at];
    const ForestClimb of_group{share.children[share.side].data() + links.first_child, links.child_count,
                               share.added.empty() ? nullptr : &share.added[at], links.on_ground,
                               *links.passed[share.side]};
    withFreedomsOf(part.forest.groups[at].freedoms, [&]<int Freedoms>() noexcept {
      climbGroup<Freedoms, factors, with_bodies>(context, part.elements[at], of_group, is_moving, links.as<Freedoms>(),
                                                 sums);
    });
  }
}

}  // namespace

void climbGroups(const ForestContext& context, const ForestPart& part, Level level, bool factors,
                 ForestTotals& totals) noexcept {
  const bool with_bodies = level != Level::kVelocity, is_moving = level == Level::kPosition;
  ForestSums sums;
  sums.clear();
  if (factors)
    with_bodies ? climb<true, true>(context, part, is_moving, sums)
                : climb<true, false>(context, part, is_moving, sums);
  else
    with_bodies ? climb<false, true>(context, part, is_moving, sums)
                : climb<false, false>(context, part, is_moving, sums);
  if (factors) takeFactors(sums, totals);
}

}  // namespace tactus::rt
