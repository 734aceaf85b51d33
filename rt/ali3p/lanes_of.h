// ChainLanes for one width. Included where that width is compiled: chain_lanes_4.cpp, chain_lanes_8.cpp.
#pragma once

#include "rt/ali3p/chain_descent.h"
#include "rt/ali3p/chain_lanes.h"
#include "rt/ali3p/chain_merge.h"
#include "rt/math/lane_transpose.h"

#include <vector>

namespace tactus::rt {

template <int W>
class LanesOf final : public ChainLanes {
 public:
  LanesOf(const Model& model, const Chain& chain)
      : positions_(chain.positions),
        places_(static_cast<std::size_t>(chain.segments / W * chain.positions)),
        slots_(places_.size()) {
    for (int segment = 0; segment < chain.segments; ++segment)
      for (int position = 0; position < chain.positions; ++position)
        setPlace(model, chain.place(segment, position), places_[at(segment, position)], segment % W);
  }

  int width() const noexcept override { return W; }

  void load(const ChainContext& context, int group, const State& from, const ChainTop& top) noexcept override {
    ChainEvaluation<Level::kPosition, Level::kVelocity, W> evaluation(context, group, top);
    for (int k = positions_ - 1; k >= 0; --k) {
      const LanePlace<W>& place = places(group)[k];
      LaneSlot<W>& s = slots(group)[k];
      loadSlot(place, from, s);
      turnArms(place, s);
      turnRates(s);
      evaluation.at(k, place, s);
    }
  }

  void predict(const ChainContext& context, int group, const State& from, const ChainTop& top) noexcept override {
    const double dt = context.dt;
    ChainEvaluation<Level::kPosition, Level::kPosition, W> evaluation(context, group, top);
    loadSlot(places(group)[positions_ - 1], from, slots(group)[positions_ - 1]);
    for (int k = positions_ - 1; k >= 0; --k) {
      const LanePlace<W>& place = places(group)[k];
      LaneSlot<W>& s = slots(group)[k];
      // The residual of a body looks at the multipliers of the joint at its left.
      if (k > 0) loadSlot(places(group)[k - 1], from, slots(group)[k - 1]);
      // With this r, the rule gives v + dt a and leaves a as it was.
      s.r += dt * s.v + 0.5 * dt * dt * s.a;
      s.v += dt * s.a;
      s.p_prev = s.p;
      s.pd_prev = rateOf(s.p, s.omega_b);
      const LaneVector4<W> pdd = secondRateOf(s.p, s.omega_b, s.alpha_b);
      s.drift = (4 / dt) * s.pd_prev + pdd;
      s.p = predictedOrientation(dt, s.p_prev, s.pd_prev, pdd);
      followOrientation(place, dt, s);
      evaluation.at(k, place, s);
    }
  }

  void sweepUp(const ChainContext& context, int group, bool factor, bool with_bodies, double leak,
               const ChainTop& top) noexcept override {
    if (factor)
      with_bodies ? mergeSegments<true, true, W>(context, group, places(group), slots(group), leak, top)
                  : mergeSegments<true, false, W>(context, group, places(group), slots(group), leak, top);
    else
      with_bodies ? mergeSegments<false, true, W>(context, group, places(group), slots(group), leak, top)
                  : mergeSegments<false, false, W>(context, group, places(group), slots(group), leak, top);
  }

  void sweepDown(const ChainContext& context, int group, Level solved, Level next,
                 const ChainTop& top) noexcept override {
    constexpr Level kR = Level::kPosition, kV = Level::kVelocity, kA = Level::kAcceleration;
    if (solved == kR && next == kR) return descend<kR, kR>(context, group, top);
    if (solved == kR && next == kV) return descend<kR, kV>(context, group, top);
    if (solved == kR) return descend<kR, kA>(context, group, top);
    if (solved == kV && next == kV) return descend<kV, kV>(context, group, top);
    if (solved == kV) return descend<kV, kA>(context, group, top);
    descend<kA, Level::kNone>(context, group, top);
  }

  void store(const ChainContext& context, int group, State& to) noexcept override {
    Lanes<W> drag_power(0);
    for (int k = 0; k < positions_; ++k) {
      const LanePlace<W>& place = places(group)[k];
      const LaneSlot<W>& s = slots(group)[k];
      drag_power += place.drag_linear * s.v.squaredNorm() + place.drag_angular * s.omega.squaredNorm();
      storeSlot(place, s, to);
    }
    for (int lane = 0; lane < W; ++lane)
      context.ws.chain.segments[static_cast<std::size_t>(group * W + lane)].drag_power = drag_power[lane];
  }

  BodyMotion motionAt(int segment, int position) const noexcept override {
    const LaneSlot<W>& s = slots_[at(segment, position)];
    const int lane = segment % W;
    BodyMotion m;
    m.r = laneOf<W>(s.r, lane);
    m.v = laneOf<W>(s.v, lane);
    m.a = laneOf<W>(s.a, lane);
    m.omega_w = laneOf<W>(s.omega, lane);
    m.alpha_w = laneOf<W>(s.alpha, lane);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) m.R(r, c) = s.R(r, c)[lane];
    return m;
  }

  void addLoad(int segment, int position, const Load& load, double factor) noexcept override {
    LaneSlot<W>& s = slots_[at(segment, position)];
    const int lane = segment % W;
    setLane<W>(s.force, lane, laneOf<W>(s.force, lane) + factor * load.force);
    setLane<W>(s.torque, lane, laneOf<W>(s.torque, lane) + factor * load.torque);
  }

 private:
  std::size_t at(int segment, int position) const noexcept {
    return static_cast<std::size_t>(segment / W * positions_ + position);
  }
  const LanePlace<W>* places(int group) const noexcept { return places_.data() + group * positions_; }
  LaneSlot<W>* slots(int group) noexcept { return slots_.data() + group * positions_; }

  template <Level solved, Level next>
  void descend(const ChainContext& context, int group, const ChainTop& top) noexcept {
    solveSegments<solved, next, W>(context, group, places(group), slots(group), top);
  }

  static void setPlace(const Model& model, const ChainPlace& from, LanePlace<W>& to, int lane) {
    const bool real = from.body >= 0;
    const Body none{1, Matrix3d::Identity()};  // anything that can be inverted
    const Body& body = real ? model.bodies[static_cast<std::size_t>(from.body)] : none;
    to.body[lane] = from.body;
    to.row[lane] = from.row;
    to.sign.set(lane, from.sign);
    to.joined.set(lane, from.joined ? 1 : 0);
    to.movable.set(lane, real ? 1 : 0);
    to.mass.set(lane, body.mass);
    setLane<W>(to.inertia, lane, body.inertia);
    setLane<W>(to.s_left, lane, from.s_left);
    setLane<W>(to.s_right, lane, from.s_right);
    to.drag_linear.set(lane, from.drag_linear);
    to.drag_angular.set(lane, from.drag_angular);
  }

  /// The motion of a body as State keeps it: one number after the other.
  struct BodyNumbers {
    Lanes<W> values[kBodyStride];

    template <int Size>
    TACTUS_INLINE void take(int offset, Eigen::Matrix<Lanes<W>, Size, 1>& to) const noexcept {
      for (int k = 0; k < Size; ++k) to[k] = values[offset + k];
    }
    template <int Size>
    TACTUS_INLINE void put(int offset, const Eigen::Matrix<Lanes<W>, Size, 1>& from) noexcept {
      for (int k = 0; k < Size; ++k) values[offset + k] = from[k];
    }
  };
  /// Numbers that go in pairs; what is left goes alone.
  static constexpr int kPaired = kBodyStride / 2 * 2;

  TACTUS_INLINE static void loadSlot(const LanePlace<W>& place, const State& from, LaneSlot<W>& s) noexcept {
    static constexpr double kAtRest[kBodyStride] = {0, 0, 0, 1};
    const double* values = from.values().data();
    const double* lambda = values + from.layout().lambda();
    const double* body[W];
    const double* row[W];
    for (int lane = 0; lane < W; ++lane) {
      body[lane] = place.body[lane] < 0 ? kAtRest : values + kBodyStride * place.body[lane];
      row[lane] = place.row[lane] < 0 ? kAtRest : lambda + place.row[lane];
    }
    BodyNumbers numbers;
    for (int k = 0; k < kPaired; k += 2) gatherPair(body, k, numbers.values[k], numbers.values[k + 1]);
    for (int k = kPaired; k < kBodyStride; ++k) numbers.values[k] = alone(body, k);
    numbers.take(kOffsetR, s.r);
    numbers.take(kOffsetP, s.p);
    numbers.take(kOffsetV, s.v);
    numbers.take(kOffsetOmega, s.omega_b);
    numbers.take(kOffsetA, s.a);
    numbers.take(kOffsetAlpha, s.alpha_b);
    gatherPair(row, 0, s.lambda[0], s.lambda[1]);
    s.lambda[2] = alone(row, 2);
    s.lambda *= place.sign;
  }

  TACTUS_INLINE static Lanes<W> alone(const double* const (&rows)[W], int at) noexcept {
    Lanes<W> lanes;
    for (int lane = 0; lane < W; ++lane) lanes.set(lane, rows[lane][at]);
    return lanes;
  }

  TACTUS_INLINE static void storeSlot(const LanePlace<W>& place, const LaneSlot<W>& s, State& to) noexcept {
    const LaneVector3<W> omega = s.R.transpose() * s.omega, alpha = s.R.transpose() * s.alpha;
    const LaneVector3<W> lambda = place.sign * s.lambda;
    double* values = to.values().data();
    double* lambdas = values + to.layout().lambda();
    double nowhere[kBodyStride];  // where there is no body, or no joint
    double* body[W];
    double* row[W];
    for (int lane = 0; lane < W; ++lane) {
      body[lane] = place.body[lane] < 0 ? nowhere : values + kBodyStride * place.body[lane];
      row[lane] = place.row[lane] < 0 ? nowhere : lambdas + place.row[lane];
    }
    BodyNumbers numbers;
    numbers.put(kOffsetR, s.r);
    numbers.put(kOffsetP, s.p);
    numbers.put(kOffsetV, s.v);
    numbers.put(kOffsetOmega, omega);
    numbers.put(kOffsetA, s.a);
    numbers.put(kOffsetAlpha, alpha);
    for (int k = 0; k < kPaired; k += 2) scatterPair(numbers.values[k], numbers.values[k + 1], body, k);
    scatterPair(lambda[0], lambda[1], row, 0);
    for (int lane = 0; lane < W; ++lane) {
      for (int k = kPaired; k < kBodyStride; ++k) body[lane][k] = numbers.values[k][lane];
      row[lane][2] = lambda[2][lane];
    }
  }

  int positions_;
  std::vector<LanePlace<W>> places_;  ///< constants: [group][position]
  std::vector<LaneSlot<W>> slots_;    ///< the same, scratch
};

}  // namespace tactus::rt
