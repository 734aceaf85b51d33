#include "rt/mechanics/section_lanes.h"

#include "rt/mechanics/lane_ends.h"

namespace tactus::rt {

namespace {

using Quad = LaneScalar;
using QuadVector = LaneVector;

}  // namespace

[[gnu::flatten]] void evaluateSections(const PrimitiveLanes& group, const BodyMotion* motions, double* phi,
                                       RowJacobian* jacobian) noexcept {
  const OwnEnds e(group, motions);
  const SectionRows<Quad> rows(e.sections(), {e.on_1.r(), e.on_1.R()}, {e.on_2.r(), e.on_2.R()});
  const auto z = rows.pair.value();
  const auto H = rows.jacobian();
  const auto side = [&](int row, int first, const Quad& moves) noexcept -> SideOfRow<Quad> {
    return {moves * QuadVector(H(row, first), H(row, first + 1), H(row, first + 2)),
            moves * QuadVector(H(row, first + 3), H(row, first + 4), H(row, first + 5))};
  };
  for (int row = 0; row < 6; ++row) {
    storeValue(group, row, z[row], phi);
    storeRow(group, row, side(row, 0, group.moves_1), side(row, 6, group.moves_2), jacobian);
  }
}

[[gnu::flatten]] void evaluateSectionGammas(const PrimitiveLanes& group, const BodyMotion* motions,
                                            double* gamma) noexcept {
  const OwnEnds e(group, motions);
  const LaneEndRates rates(group, motions);
  const auto of_rows = sectionGamma<Quad>(e.sections(), {e.on_1.r(), e.on_1.R()}, {e.on_2.r(), e.on_2.R()},
                                          rates.on_1.v, rates.on_1.omega, rates.on_2.v, rates.on_2.omega);
  for (int row = 0; row < 6; ++row) storeValue(group, row, of_rows[row], gamma);
}

[[gnu::flatten]] void evaluateSectionValues(const PrimitiveLanes& group, const BodyMotion* motions,
                                            double* phi) noexcept {
  const OwnEnds e(group, motions);
  const SectionRows<Quad> rows(e.sections(), {e.on_1.r(), e.on_1.R()}, {e.on_2.r(), e.on_2.R()});
  const auto z = rows.pair.value();
  for (int row = 0; row < 6; ++row) storeValue(group, row, z[row], phi);
}

}  // namespace tactus::rt
