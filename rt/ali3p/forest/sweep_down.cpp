#include "rt/ali3p/forest/sweep_down.h"

#include "rt/ali3p/forest/lanes.h"
#include "rt/ali3p/forest/sums.h"

namespace tactus::rt {

namespace {

template <Level solved, Level next>
void descend(const ForestContext& context, const ForestPart& part, ForestTotals& totals) noexcept {
  ForestSums sums;
  sums.clear();
  for (const int g : part.groups) {
    const auto at = static_cast<std::size_t>(g);
    const ForestLinks& links = part.share.links[at];
    withFreedomsOf(part.forest.groups[at].freedoms, [&]<int Freedoms>() noexcept {
      descendAndEvaluate<Freedoms, solved, next>(context, part.elements[at], links.carriers, links.as<Freedoms>(),
                                                 sums);
    });
  }
  takeMotion(sums, totals);
}

}  // namespace

void descendGroups(const ForestContext& context, const ForestPart& part, Level solved, Level next,
                   ForestTotals& totals) noexcept {
  constexpr Level kR = Level::kPosition, kV = Level::kVelocity, kA = Level::kAcceleration;
  if (solved == kR && next == kR) return descend<kR, kR>(context, part, totals);
  if (solved == kR && next == kV) return descend<kR, kV>(context, part, totals);
  if (solved == kR) return descend<kR, kA>(context, part, totals);
  if (solved == kA) return descend<kA, kA>(context, part, totals);
  if (next == kV) return descend<kV, kV>(context, part, totals);
  descend<kV, kA>(context, part, totals);
}

}  // namespace tactus::rt
