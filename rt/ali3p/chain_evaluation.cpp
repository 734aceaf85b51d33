#include "rt/ali3p/chain_evaluation.h"

namespace tactus::rt {

namespace {

/// `Size` numbers of State of each lane's body, or `rest` where there is none.
template <int Size>
void loadBodies(const double* const (&from)[kLanes], int offset, Eigen::Matrix<Lanes, Size, 1>& to) noexcept {
  for (int k = 0; k < Size; ++k)
    to[k] = Lanes(from[0][offset + k], from[1][offset + k], from[2][offset + k], from[3][offset + k]);
}

/// A body at rest at the origin, as State has it.
constexpr double kAtRest[kBodyStride] = {0, 0, 0, 1};

}  // namespace

void loadLanes(const ChainContext& context, int group, const State& from) noexcept {
  const ChainPlace* places = context.chain.group(group);
  ChainSlot* slots = context.slots(group);
  const StateView state = from.view();
  constexpr double none[3] = {0, 0, 0};
  for (int k = 0; k < context.chain.positions; ++k) {
    const ChainPlace& place = places[k];
    ChainSlot& s = slots[k];
    const double* body[kLanes];
    const double* row[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      body[lane] = place.body[lane] < 0 ? kAtRest : state.values() + kBodyStride * place.body[lane];
      row[lane] = place.row[lane] < 0 ? none : state.lambda() + place.row[lane];
    }
    loadBodies(body, kOffsetR, s.r);
    loadBodies(body, kOffsetP, s.p);
    loadBodies(body, kOffsetV, s.v);
    loadBodies(body, kOffsetOmega, s.omega);
    loadBodies(body, kOffsetA, s.a);
    loadBodies(body, kOffsetAlpha, s.alpha);
    loadBodies(row, 0, s.lambda);
    s.lambda *= Lanes(place.sign[0], place.sign[1], place.sign[2], place.sign[3]);
  }
}

void storeLanes(const ChainContext& context, int group, State& to) noexcept {
  const ChainPlace* places = context.chain.group(group);
  const ChainSlot* slots = context.slots(group);
  double* values = to.values().data();
  Lanes drag_power(0);
  for (int k = 0; k < context.chain.positions; ++k) {
    const ChainPlace& place = places[k];
    const ChainSlot& s = slots[k];
    drag_power += place.drag_linear * s.v.squaredNorm() + place.drag_angular * s.omega.squaredNorm();
    const LaneVector3 omega = s.R.transpose() * s.omega, alpha = s.R.transpose() * s.alpha;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (place.row[lane] >= 0)
        for (int i = 0; i < 3; ++i) to.lambda()[place.row[lane] + i] = place.sign[lane] * s.lambda[i][lane];
      if (place.body[lane] < 0) continue;
      double* body = values + kBodyStride * place.body[lane];
      for (int i = 0; i < 4; ++i) body[kOffsetP + i] = s.p[i][lane];
      for (int i = 0; i < 3; ++i) {
        body[kOffsetR + i] = s.r[i][lane];
        body[kOffsetV + i] = s.v[i][lane];
        body[kOffsetOmega + i] = omega[i][lane];
        body[kOffsetA + i] = s.a[i][lane];
        body[kOffsetAlpha + i] = alpha[i][lane];
      }
    }
  }
  context.ws.chain.totals[static_cast<std::size_t>(group)].drag_power = sum(drag_power);
}

LaneVector3 cutMultipliers(const ChainTop& top, int group, int offset) noexcept {
  LaneVector3 lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto cut = static_cast<std::size_t>(group * kLanes + lane + offset);
    for (int k = 0; k < 3; ++k) lanes[k].set(lane, cut < top.cuts.size() ? top.cuts[cut].lambda[k] : 0.0);
  }
  return lanes;
}

void publishEnds(ChainSegment* segments, int level, const LaneVector3& left, const LaneVector3& right) noexcept {
  for (int lane = 0; lane < kLanes; ++lane)
    for (int k = 0; k < 3; ++k) {
      segments[lane].left[level][k] = left[k][lane];
      segments[lane].right[level][k] = right[k][lane];
    }
}

}  // namespace tactus::rt
