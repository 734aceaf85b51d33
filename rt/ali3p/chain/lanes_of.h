// ChainLanes for one width. Included where that width is compiled: lanes_4.cpp, lanes_8.cpp.
#pragma once

#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/chain/sweep_down.h"
#include "rt/ali3p/chain/sweep_up.h"
#include "rt/ali3p/inertia_gain.h"
#include "rt/math/lane_transpose.h"

#include <algorithm>
#include <vector>

namespace tactus::rt {

template <int W>
class LanesOf final : public ChainLanes {
 public:
  explicit LanesOf(const Chain& chain)
      : stations_(chain.stations),
        elements_(static_cast<std::size_t>(chain.segments / W * chain.stations)),
        iterates_(elements_.size()) {
    for (int segment = 0; segment < chain.segments; ++segment)
      for (int station = 0; station < chain.stations; ++station)
        setElement(chain.element(segment, station), elements_[at(segment, station)], segment % W);
    for (LaneElement<W>& element : elements_) {
      element.has_bodies = *std::min_element(element.body, element.body + W) >= 0;
      element.has_rows = *std::min_element(element.row, element.row + W) >= 0;
    }
    loads_ = ChainLoads<W>(chain, elements_);
  }

  int width() const noexcept override { return W; }

  void load(const ChainContext& context, int lane_group, const State& from,
            const InterfaceSystem& interfaces) noexcept override {
    loads_.takeInput(lane_group, context.input);
    ChainEvaluation<Level::kPosition, Level::kVelocity, W> evaluation(context, lane_group, loads_, interfaces);
    for (int k = stations_ - 1; k >= 0; --k) {
      const LaneElement<W>& element = elements(lane_group)[k];
      LaneIterate<W>& s = iterates(lane_group)[k];
      loadBody(element, context.chain.has_rotated_axes, from, s, s.posture);
      loadMultipliers(element, from, s);
      rotateArms(element, s, s.posture);
      s.omega = s.posture.R * s.posture.omega_b;
      s.alpha = s.posture.R * s.posture.alpha_b;
      evaluation.at(k, element, s.posture, s);
    }
    evaluation.publish();
  }

  void predict(const ChainContext& context, int lane_group, const State& from,
               const InterfaceSystem& interfaces) noexcept override {
    const double dt = context.dt;
    const bool has_rotated_axes = context.chain.has_rotated_axes;
    loads_.takeInput(lane_group, context.input);
    ChainEvaluation<Level::kPosition, Level::kPosition, W> evaluation(context, lane_group, loads_, interfaces);
    Lanes<W> largest_gain(0);
    loadMultipliers(elements(lane_group)[stations_ - 1], from, iterates(lane_group)[stations_ - 1]);
    for (int k = stations_ - 1; k >= 0; --k) {
      const LaneElement<W>& element = elements(lane_group)[k];
      LaneIterate<W>& s = iterates(lane_group)[k];
      // The residual of a body looks at the multipliers of the joint at its left.
      if (k > 0) loadMultipliers(elements(lane_group)[k - 1], from, iterates(lane_group)[k - 1]);
      Posture<W> posture;
      loadBody(element, has_rotated_axes, from, s, posture);
      // ali3p (5); v is kept less (dt/2) a
      s.r += dt * s.v + 0.5 * dt * dt * s.a;
      s.v += 0.5 * dt * s.a;
      const LaneVector4<W> pd = rateOf(s.p, posture.omega_b);
      const LaneVector4<W> pdd = secondRateOf(s.p, posture.omega_b, posture.alpha_b);
      s.start.p = s.p;
      s.start.spin = pd + pd;
      s.start.drift = (8 / dt) * pd + (pdd + pdd);
      s.p = predictedOrientation(dt, s.start.p, pd, pdd);
      updateOrientation(element, dt, s, posture);
      const Lanes<W> gain = inertiaGain<Lanes<W>>(dt, context.least_gain, s.p, s.start.p, s.start.drift);
      rotateTangent(element, posture, gain, s);
      largest_gain = worst(gain, largest_gain);
      evaluation.at(k, element, posture, s);
    }
    evaluation.publish();
    putGain(context, interfaces, lane_group, largest_gain);
  }

  void sweepUp(const ChainContext& context, int lane_group, TangentUse tangent, bool with_bodies, double leak,
               const InterfaceSystem& interfaces) noexcept override {
    const bool is_tried = tangent == TangentUse::kTried;
    if (tangent == TangentUse::kMoved) rotateTangents<true>(context, interfaces, lane_group);
    if (tangent == TangentUse::kPlaced) rotateTangents<false>(context, interfaces, lane_group);
    if (tangent == TangentUse::kPredicted || tangent == TangentUse::kMoved || tangent == TangentUse::kPlaced)
      with_bodies ? sweepSegmentsUp<true, true, W>(context, lane_group, elements(lane_group), iterates(lane_group),
                                                   leak, is_tried, interfaces)
                  : sweepSegmentsUp<true, false, W>(context, lane_group, elements(lane_group), iterates(lane_group),
                                                    leak, is_tried, interfaces);
    else
      with_bodies ? sweepSegmentsUp<false, true, W>(context, lane_group, elements(lane_group), iterates(lane_group),
                                                    leak, is_tried, interfaces)
                  : sweepSegmentsUp<false, false, W>(context, lane_group, elements(lane_group), iterates(lane_group),
                                                     leak, is_tried, interfaces);
  }

  void restoreBeta(int lane_group) noexcept override {
    for (int k = 0; k + 1 < stations_; ++k) iterates(lane_group)[k].beta = iterates(lane_group)[k].own_beta;
  }

  void sweepDown(const ChainContext& context, int lane_group, Level solved, Level next,
                 const InterfaceSystem& interfaces) noexcept override {
    constexpr Level kR = Level::kPosition, kV = Level::kVelocity, kA = Level::kAcceleration;
    if (solved == kR && next == kR) return descend<kR, kR>(context, lane_group, interfaces);
    if (solved == kR && next == kV) return descend<kR, kV>(context, lane_group, interfaces);
    if (solved == kR) return descend<kR, kA>(context, lane_group, interfaces);
    if (solved == kA) return descend<kA, kA>(context, lane_group, interfaces);
    if (next == kV) return descend<kV, kV>(context, lane_group, interfaces);
    descend<kV, kA>(context, lane_group, interfaces);
  }

  void finish(const ChainContext& context, int lane_group, const InterfaceSystem& interfaces,
              State& to) noexcept override {
    SweepDown<Level::kAcceleration, W> descent(context, lane_group, interfaces);
    ChainEvaluation<Level::kAcceleration, Level::kNone, W> evaluation(context, lane_group, loads_, interfaces);
    Lanes<W> drag_power(0);
    for (int k = stations_ - 1; k >= 0; --k) {
      const LaneElement<W>& element = elements(lane_group)[k];
      LaneIterate<W>& s = iterates(lane_group)[k];
      descent.at(k, s);
      evaluation.at(k, element, s.posture, s);
      if (context.chain.has_drags)
        drag_power += element.drag_linear * s.v.squaredNorm() + element.drag_angular * s.omega.squaredNorm();
      storeIterate(element, context.chain.has_rotated_axes, s, to);
    }
    descent.publish();
    evaluation.publish();
    drag_power.to(context.ws.segmentsFor(interfaces).at(kDragPower, lane_group * W));
  }

  Motion motionAt(int segment, int station) const noexcept override {
    const LaneIterate<W>& s = iterates_[at(segment, station)];
    const int lane = segment % W;
    return {laneOf<W>(s.p, lane), laneOf<W>(s.r, lane), laneOf<W>(s.v, lane), laneOf<W>(s.omega, lane)};
  }

 private:
  std::size_t at(int segment, int station) const noexcept {
    return static_cast<std::size_t>(segment / W * stations_ + station);
  }
  const LaneElement<W>* elements(int lane_group) const noexcept { return elements_.data() + lane_group * stations_; }
  LaneIterate<W>* iterates(int lane_group) noexcept { return iterates_.data() + lane_group * stations_; }

  template <Level solved, Level next>
  void descend(const ChainContext& context, int lane_group, const InterfaceSystem& interfaces) noexcept {
    sweepSegmentsDown<solved, next, W>(context, lane_group, elements(lane_group), iterates(lane_group), loads_,
                                       interfaces);
  }

  /// @tparam with_gain  while the positions are being solved
  template <bool with_gain>
  void rotateTangents(const ChainContext& context, const InterfaceSystem& interfaces, int lane_group) noexcept {
    Lanes<W> largest_gain(0);
    for (int k = 0; k < stations_; ++k) {
      LaneIterate<W>& s = iterates(lane_group)[k];
      Posture<W> posture;
      rotateArms(elements(lane_group)[k], s, posture);
      Lanes<W> gain(0);
      if constexpr (with_gain)
        gain = inertiaGain<Lanes<W>>(context.dt, context.least_gain, s.p, s.start.p, s.start.drift);
      rotateTangent(elements(lane_group)[k], posture, gain, s);
      largest_gain = worst(gain, largest_gain);
    }
    putGain(context, interfaces, lane_group, largest_gain);
  }

  static void putGain(const ChainContext& context, const InterfaceSystem& interfaces, int lane_group,
                      const Lanes<W>& largest) noexcept {
    largest.to(context.ws.segmentsFor(interfaces).at(kInertiaGain, lane_group * W));
  }

  static void setElement(const ChainElement& from, LaneElement<W>& to, int lane) {
    const bool real = from.body >= 0;
    to.body[lane] = from.body < 0 ? -1 : kBodyStride * from.body;
    to.row[lane] = from.row;
    to.sign.set(lane, from.sign);
    to.joined.set(lane, from.joined ? 1 : 0);
    to.movable.set(lane, real ? 1 : 0);
    to.mass.set(lane, from.mass);
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
  /// Where the numbers of each lane stand; `otherwise` for lanes without any.
  template <class Number>
  TACTUS_INLINE static void pointInto(Number* values, const int (&offsets)[W], bool is_complete, Number* otherwise,
                                      Number* (&to)[W]) noexcept {
    if (is_complete) {
      for (int lane = 0; lane < W; ++lane) to[lane] = values + offsets[lane];
    } else {
      for (int lane = 0; lane < W; ++lane) to[lane] = offsets[lane] < 0 ? otherwise : values + offsets[lane];
    }
  }

  TACTUS_INLINE static void loadBody(const LaneElement<W>& element, bool has_rotated_axes, const State& from,
                                     LaneIterate<W>& s, Posture<W>& posture) noexcept {
    static constexpr double kAtRest[kBodyStride] = {0, 0, 0, 1};
    const double* values = from.values().data();
    const double* body[W];
    pointInto(values, element.body, element.has_bodies, kAtRest, body);
    BodyNumbers numbers;
    gather(body, numbers.values);
    numbers.take(kOffsetR, s.r);
    numbers.take(kOffsetP, s.p);
    numbers.take(kOffsetV, s.v);
    numbers.take(kOffsetOmega, posture.omega_b);
    numbers.take(kOffsetA, s.a);
    numbers.take(kOffsetAlpha, posture.alpha_b);
    if (!has_rotated_axes) return;
    const LaneMatrix3<W> to_principal = rotationMatrix(element.axes).transpose();
    s.p = product(s.p, element.axes);
    posture.omega_b = (to_principal * posture.omega_b).eval();
    posture.alpha_b = (to_principal * posture.alpha_b).eval();
  }

  TACTUS_INLINE static void loadMultipliers(const LaneElement<W>& element, const State& from,
                                            LaneIterate<W>& s) noexcept {
    static constexpr double kNone[4] = {0, 0, 0, 0};
    const double* lambda = from.values().data() + from.layout().lambda();
    const double* rows[W];
    pointInto(lambda, element.row, element.has_rows, kNone, rows);
    Lanes<W> values[3];
    gatherThree(rows, values);  // behind the multipliers State has more numbers
    for (int k = 0; k < 3; ++k) s.lambda[k] = element.sign * values[k];
  }

  TACTUS_INLINE static void storeIterate(const LaneElement<W>& element, bool has_rotated_axes, const LaneIterate<W>& s,
                                         State& to) noexcept {
    LaneVector4<W> p = s.p;
    LaneVector3<W> omega = s.posture.omega_b, alpha = s.posture.R.transpose() * s.alpha;
    if (has_rotated_axes) {
      const LaneMatrix3<W> from_principal = rotationMatrix(element.axes);
      p = product(p, LaneVector4<W>(element.axes[0], -element.axes[1], -element.axes[2], -element.axes[3]));
      omega = (from_principal * omega).eval();
      alpha = (from_principal * alpha).eval();
    }
    const LaneVector3<W> lambda = element.sign * s.lambda;
    double* values = to.values().data();
    double* lambdas = values + to.layout().lambda();
    double nowhere[kBodyStride];  // where there is no body, or no joint
    double* body[W];
    double* row[W];
    pointInto(values, element.body, element.has_bodies, nowhere, body);
    pointInto(lambdas, element.row, element.has_rows, nowhere, row);
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

  int stations_;
  std::vector<LaneElement<W>> elements_;  ///< constants: [lane group][station]
  std::vector<LaneIterate<W>> iterates_;  ///< scratch: [lane group][station]
  ChainLoads<W> loads_;                   ///< of actuators, with the input of the step
};

}  // namespace tactus::rt
