// ChainLanes for one width. Included where that width is compiled: lanes_4.cpp, lanes_8.cpp.
#pragma once

#include "rt/ali3p/chain/sweep_down.h"
#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/chain/sweep_up.h"
#include "rt/math/lane_transpose.h"

#include <algorithm>
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
    for (LanePlace<W>& place : places_) {
      place.has_bodies = *std::min_element(place.body, place.body + W) >= 0;
      place.has_rows = *std::min_element(place.row, place.row + W) >= 0;
    }
    loads_ = ChainLoads<W>(model, chain, places_);
  }

  int width() const noexcept override { return W; }

  void load(const ChainContext& context, int group, const State& from, const ChainTop& top) noexcept override {
    loads_.takeInput(group, context.input);
    ChainEvaluation<Level::kPosition, Level::kVelocity, W> evaluation(context, group, loads_, top);
    for (int k = positions_ - 1; k >= 0; --k) {
      const LanePlace<W>& place = places(group)[k];
      LaneSlot<W>& s = slots(group)[k];
      loadBody(place, context.chain.is_turned, from, s, s.posture);
      loadMultipliers(place, from, s);
      turnArms(place, s, s.posture);
      s.omega = s.posture.R * s.posture.omega_b;
      s.alpha = s.posture.R * s.posture.alpha_b;
      evaluation.at(k, place, s.posture, s);
    }
    evaluation.publish();
  }

  void predict(const ChainContext& context, int group, const State& from, const ChainTop& top) noexcept override {
    const double dt = context.dt;
    const bool is_turned = context.chain.is_turned;
    loads_.takeInput(group, context.input);
    ChainEvaluation<Level::kPosition, Level::kPosition, W> evaluation(context, group, loads_, top);
    loadMultipliers(places(group)[positions_ - 1], from, slots(group)[positions_ - 1]);
    for (int k = positions_ - 1; k >= 0; --k) {
      const LanePlace<W>& place = places(group)[k];
      LaneSlot<W>& s = slots(group)[k];
      // The residual of a body looks at the multipliers of the joint at its left.
      if (k > 0) loadMultipliers(places(group)[k - 1], from, slots(group)[k - 1]);
      Posture<W> posture;
      loadBody(place, is_turned, from, s, posture);
      // With this r, the rule gives v + dt a and leaves a as it was.
      s.r += dt * s.v + 0.5 * dt * dt * s.a;
      s.v += 0.5 * dt * s.a;
      const LaneVector4<W> pd = rateOf(s.p, posture.omega_b);
      const LaneVector4<W> pdd = secondRateOf(s.p, posture.omega_b, posture.alpha_b);
      s.start.p = s.p;
      s.start.spin = pd + pd;
      s.start.drift = (8 / dt) * pd + (pdd + pdd);
      s.p = predictedOrientation(dt, s.start.p, pd, pdd);
      followOrientation(place, dt, s, posture);
      turnTangent(place, posture, s);
      evaluation.at(k, place, posture, s);
    }
    evaluation.publish();
  }

  void sweepUp(const ChainContext& context, int group, Tangent tangent, bool with_bodies, double leak,
               const ChainTop& top) noexcept override {
    const bool is_tried = tangent == Tangent::kTried;
    if (tangent == Tangent::kMoved) turnTangents(group);
    if (tangent == Tangent::kMoved || tangent == Tangent::kPredicted)
      with_bodies ? mergeSegments<true, true, W>(context, group, places(group), slots(group), leak, is_tried, top)
                  : mergeSegments<true, false, W>(context, group, places(group), slots(group), leak, is_tried, top);
    else
      with_bodies ? mergeSegments<false, true, W>(context, group, places(group), slots(group), leak, is_tried, top)
                  : mergeSegments<false, false, W>(context, group, places(group), slots(group), leak, is_tried, top);
  }

  void restoreGaps(int group) noexcept override {
    for (int k = 0; k + 1 < positions_; ++k) slots(group)[k].beta = slots(group)[k].gap;
  }

  void sweepDown(const ChainContext& context, int group, Level solved, Level next,
                 const ChainTop& top) noexcept override {
    constexpr Level kR = Level::kPosition, kV = Level::kVelocity, kA = Level::kAcceleration;
    if (solved == kR && next == kR) return descend<kR, kR>(context, group, top);
    if (solved == kR && next == kV) return descend<kR, kV>(context, group, top);
    if (solved == kR) return descend<kR, kA>(context, group, top);
    if (next == kV) return descend<kV, kV>(context, group, top);
    descend<kV, kA>(context, group, top);
  }

  void finish(const ChainContext& context, int group, const ChainTop& top, State& to) noexcept override {
    ChainDescent<Level::kAcceleration, W> descent(context, group, top);
    ChainEvaluation<Level::kAcceleration, Level::kNone, W> evaluation(context, group, loads_, top);
    Lanes<W> drag_power(0);
    for (int k = positions_ - 1; k >= 0; --k) {
      const LanePlace<W>& place = places(group)[k];
      LaneSlot<W>& s = slots(group)[k];
      descent.at(k, s);
      evaluation.at(k, place, s.posture, s);
      if (context.chain.has_drags)
        drag_power += place.drag_linear * s.v.squaredNorm() + place.drag_angular * s.omega.squaredNorm();
      storeSlot(place, context.chain.is_turned, s, to);
    }
    descent.publish();
    evaluation.publish();
    drag_power.to(context.ws.chain.segmentsFor(top).at(kDragPower, group * W));
  }

  Motion motionAt(int segment, int position) const noexcept override {
    const LaneSlot<W>& s = slots_[at(segment, position)];
    const int lane = segment % W;
    return {laneOf<W>(s.p, lane), laneOf<W>(s.r, lane), laneOf<W>(s.v, lane), laneOf<W>(s.omega, lane)};
  }

 private:
  std::size_t at(int segment, int position) const noexcept {
    return static_cast<std::size_t>(segment / W * positions_ + position);
  }
  const LanePlace<W>* places(int group) const noexcept { return places_.data() + group * positions_; }
  LaneSlot<W>* slots(int group) noexcept { return slots_.data() + group * positions_; }

  template <Level solved, Level next>
  void descend(const ChainContext& context, int group, const ChainTop& top) noexcept {
    solveSegments<solved, next, W>(context, group, places(group), slots(group), loads_, top);
  }

  void turnTangents(int group) noexcept {
    for (int k = 0; k < positions_; ++k) {
      LaneSlot<W>& s = slots(group)[k];
      Posture<W> posture;
      turnArms(places(group)[k], s, posture);
      turnTangent(places(group)[k], posture, s);
    }
  }

  static void setPlace(const Model& model, const ChainPlace& from, LanePlace<W>& to, int lane) {
    const bool real = from.body >= 0;
    to.body[lane] = from.body < 0 ? -1 : kBodyStride * from.body;
    to.row[lane] = from.row;
    to.sign.set(lane, from.sign);
    to.joined.set(lane, from.joined ? 1 : 0);
    to.movable.set(lane, real ? 1 : 0);
    to.mass.set(lane, real ? model.bodies[static_cast<std::size_t>(from.body)].mass : 1.0);
    setLane<W>(to.moments, lane, from.moments);
    setLane<W>(to.axes, lane, from.axes);
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
  /// Where the numbers of each lane stand; `otherwise` where it has none.
  template <class Number>
  TACTUS_INLINE static void pointInto(Number* values, const int (&offsets)[W], bool is_complete, Number* otherwise,
                                      Number* (&to)[W]) noexcept {
    if (is_complete) {
      for (int lane = 0; lane < W; ++lane) to[lane] = values + offsets[lane];
    } else {
      for (int lane = 0; lane < W; ++lane) to[lane] = offsets[lane] < 0 ? otherwise : values + offsets[lane];
    }
  }

  TACTUS_INLINE static void loadBody(const LanePlace<W>& place, bool is_turned, const State& from, LaneSlot<W>& s,
                                     Posture<W>& posture) noexcept {
    static constexpr double kAtRest[kBodyStride] = {0, 0, 0, 1};
    const double* values = from.values().data();
    const double* body[W];
    pointInto(values, place.body, place.has_bodies, kAtRest, body);
    BodyNumbers numbers;
    gather(body, numbers.values);
    numbers.take(kOffsetR, s.r);
    numbers.take(kOffsetP, s.p);
    numbers.take(kOffsetV, s.v);
    numbers.take(kOffsetOmega, posture.omega_b);
    numbers.take(kOffsetA, s.a);
    numbers.take(kOffsetAlpha, posture.alpha_b);
    if (!is_turned) return;
    const LaneMatrix3<W> to_principal = rotationMatrix(place.axes).transpose();
    s.p = product(s.p, place.axes);
    posture.omega_b = (to_principal * posture.omega_b).eval();
    posture.alpha_b = (to_principal * posture.alpha_b).eval();
  }

  TACTUS_INLINE static void loadMultipliers(const LanePlace<W>& place, const State& from, LaneSlot<W>& s) noexcept {
    static constexpr double kNone[4] = {0, 0, 0, 0};
    const double* lambda = from.values().data() + from.layout().lambda();
    const double* rows[W];
    pointInto(lambda, place.row, place.has_rows, kNone, rows);
    Lanes<W> values[3];
    gatherThree(rows, values);  // behind the multipliers State has more numbers
    for (int k = 0; k < 3; ++k) s.lambda[k] = place.sign * values[k];
  }

  TACTUS_INLINE static void storeSlot(const LanePlace<W>& place, bool is_turned, const LaneSlot<W>& s,
                                      State& to) noexcept {
    LaneVector4<W> p = s.p;
    LaneVector3<W> omega = s.posture.omega_b, alpha = s.posture.R.transpose() * s.alpha;
    if (is_turned) {
      const LaneMatrix3<W> from_principal = rotationMatrix(place.axes);
      p = product(p, LaneVector4<W>(place.axes[0], -place.axes[1], -place.axes[2], -place.axes[3]));
      omega = (from_principal * omega).eval();
      alpha = (from_principal * alpha).eval();
    }
    const LaneVector3<W> lambda = place.sign * s.lambda;
    double* values = to.values().data();
    double* lambdas = values + to.layout().lambda();
    double nowhere[kBodyStride];  // where there is no body, or no joint
    double* body[W];
    double* row[W];
    pointInto(values, place.body, place.has_bodies, nowhere, body);
    pointInto(lambdas, place.row, place.has_rows, nowhere, row);
    BodyNumbers numbers;
    numbers.put(kOffsetR, s.r);
    numbers.put(kOffsetP, p);
    numbers.put(kOffsetV, s.v);
    numbers.put(kOffsetOmega, omega);
    numbers.put(kOffsetA, s.a);
    numbers.put(kOffsetAlpha, alpha);
    scatter(numbers.values, body);
    const Lanes<W> multipliers[3] = {lambda[0], lambda[1], lambda[2]};
    scatterThree(multipliers, row);
  }

  int positions_;
  std::vector<LanePlace<W>> places_;  ///< constants: [group][position]
  std::vector<LaneSlot<W>> slots_;    ///< the same, scratch
  ChainLoads<W> loads_;               ///< of actuators, with the input of the step
};

}  // namespace tactus::rt
