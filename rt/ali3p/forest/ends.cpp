// The ends of a step: from State into the groups, and back.
#include "rt/ali3p/forest/lanes.h"
#include "rt/ali3p/forest/sums.h"
#include "rt/ali3p/forest/sweep_down.h"
#include "rt/math/lane_transpose.h"

namespace tactus::rt {

namespace {

constexpr int kLanes = ForestGroup::kLanes;

/// Calls f.template operator()<Freedoms>(element, links) for each group, carriers first.
template <class F>
TACTUS_INLINE void forEachGroup(const ForestPart& part, F&& f) noexcept {
  for (const int g : part.groups) {
    const auto at = static_cast<std::size_t>(g);
    const ForestLinks& links = part.share.links[at];
    withFreedomsOf(part.forest.groups[at].freedoms,
                   [&]<int Freedoms>() noexcept { f.template operator()<Freedoms>(part.elements[at], links); });
  }
}

template <int Size>
TACTUS_INLINE void take(const LaneScalar* from, Eigen::Matrix<LaneScalar, Size, 1>& to) noexcept {
  for (int k = 0; k < Size; ++k) to[k] = from[k];
}
template <int Size>
TACTUS_INLINE void put(const Eigen::Matrix<LaneScalar, Size, 1>& from, LaneScalar* to) noexcept {
  for (int k = 0; k < Size; ++k) to[k] = from[k];
}

/// Motions and multipliers as they are in State.
template <int Freedoms>
TACTUS_INLINE void load(const ForestElement& element, const State& from, ForestNode<Freedoms>& node) noexcept {
  const double* values = from.values().data();
  const double* rows[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) rows[lane] = values + element.body[lane];
  LaneScalar n[kBodyStride];
  gather(rows, n);
  ForestBody& b = node.body;
  take(n + kOffsetR, b.r);
  take(n + kOffsetP, b.p);
  take(n + kOffsetV, b.v);
  take(n + kOffsetOmega, b.omega_b);
  take(n + kOffsetA, b.a);
  take(n + kOffsetAlpha, b.alpha_b);
  if constexpr (Freedoms != kFreeBody) {
    auto& joint = node.joint;
    const double* lambda = values + from.layout().lambda();
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = lambda + element.row[lane];
    LaneScalar multipliers[3 + ForestJoint<Freedoms>::kNormals];
    if constexpr (ForestJoint<Freedoms>::kNormals == 0)
      gatherThree(rows, multipliers);  // behind the multipliers State has more numbers
    else
      gather(rows, multipliers);
    for (int k = 0; k < 3; ++k) joint.force[k] = element.sign * multipliers[k];
    for (int i = 0; i < joint.kNormals; ++i) joint.multipliers[i] = multipliers[3 + i];
  }
}

template <int Freedoms>
TACTUS_INLINE void store(const ForestElement& element, const ForestNode<Freedoms>& node, State& to) noexcept {
  double* values = to.values().data();
  double nowhere[kBodyStride];  // of a lane that repeats another one
  double* rows[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    rows[lane] = element.counts[lane] > 0 ? values + element.body[lane] : nowhere;
  const ForestBody& b = node.body;
  LaneScalar n[kBodyStride];
  put(b.r, n + kOffsetR);
  put(b.p, n + kOffsetP);
  put(b.v, n + kOffsetV);
  put(b.omega_b, n + kOffsetOmega);
  put(b.a, n + kOffsetA);
  put(b.alpha_b, n + kOffsetAlpha);
  scatter(n, rows);
  if constexpr (Freedoms != kFreeBody) {
    const auto& joint = node.joint;
    double* lambda = values + to.layout().lambda();
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = element.counts[lane] > 0 ? lambda + element.row[lane] : nowhere;
    LaneScalar multipliers[3 + ForestJoint<Freedoms>::kNormals];
    for (int k = 0; k < 3; ++k) multipliers[k] = element.sign * joint.force[k];
    for (int i = 0; i < joint.kNormals; ++i) multipliers[3 + i] = joint.multipliers[i];
    if constexpr (ForestJoint<Freedoms>::kNormals == 0)
      scatterThree(multipliers, rows);
    else
      scatter(multipliers, rows);
  }
}

TACTUS_INLINE void storeMotion(const ForestElement& element, const LaneScalar (&n)[kForestMotion],
                               BodyMotion* motions) noexcept {
  static_assert(sizeof(BodyMotion) == kForestMotion * sizeof(double));
  double nowhere[kForestMotion];
  double* rows[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    rows[lane] =
        element.counts[lane] > 0 ? reinterpret_cast<double*>(motions + element.body[lane] / kBodyStride) : nowhere;
  scatter(n, rows);
}

/// The motion of a body as numbers, velocities complete.
TACTUS_INLINE void readMotion(const ForestContext& context, const ForestBody& b, bool is_moving,
                              LaneScalar (&n)[kForestMotion]) noexcept {
  put(b.r, n);
  for (int k = 0; k < 9; ++k) n[3 + k] = b.R.data()[k];
  put(is_moving ? LaneVector(b.v + 0.5 * context.dt * b.a) : b.v, n + 12);
  put(is_moving ? LaneVector(b.R * b.omega_b) : b.omega, n + 15);
  put(b.a, n + 18);
  put(is_moving ? LaneVector(b.R * b.alpha_b) : b.alpha, n + 21);
}

}  // namespace

void loadGroups(const ForestContext& context, const ForestPart& part, const State& from,
                ForestTotals& totals) noexcept {
  ForestSums sums;
  sums.clear();
  forEachGroup(part, [&]<int Freedoms>(const ForestElement& element, const ForestLinks& links) noexcept {
    ForestNode<Freedoms>& node = links.as<Freedoms>();
    load(element, from, node);
    ForestBody& b = node.body;
    b.R = rotationMatrix(b.p);
    b.omega = b.R * b.omega_b;
    b.alpha = b.R * b.alpha_b;
    evaluate<Freedoms, Level::kPosition, Level::kVelocity>(context, element, links.carriers, node, sums);
  });
  takeMotion(sums, totals);
}

void predictGroups(const ForestContext& context, const ForestPart& part, const State& from,
                   ForestTotals& totals) noexcept {
  const double dt = context.dt;
  ForestSums sums;
  sums.clear();
  forEachGroup(part, [&]<int Freedoms>(const ForestElement& element, const ForestLinks& links) noexcept {
    ForestNode<Freedoms>& node = links.as<Freedoms>();
    load(element, from, node);
    ForestBody& b = node.body;
    // ali3p (5); v is kept less (dt/2) a
    b.r += dt * b.v + 0.5 * dt * dt * b.a;
    b.v += 0.5 * dt * b.a;
    const LaneParameters pd = rateOf(b.p, b.omega_b), pdd = secondRateOf(b.p, b.omega_b, b.alpha_b);
    b.p_start = b.p;
    b.spin = pd + pd;
    b.drift = (8 / dt) * pd + (pdd + pdd);
    b.p = predictedOrientation(dt, b.p_start, pd, pdd);
    updateOrientation(dt, b);
    evaluate<Freedoms, Level::kPosition, Level::kPosition>(context, element, links.carriers, node, sums);
  });
  takeMotion(sums, totals);
}

void finishGroups(const ForestContext& context, const ForestPart& part, State* to, BodyMotion* motions,
                  ForestTotals& totals) noexcept {
  ForestSums sums;
  sums.clear();
  forEachGroup(part, [&]<int Freedoms>(const ForestElement& element, const ForestLinks& links) noexcept {
    ForestNode<Freedoms>& node = links.as<Freedoms>();
    descendAndEvaluate<Freedoms, Level::kAcceleration, Level::kNone>(context, element, links.carriers, node, sums);
    if (to) store(element, node, *to);
    if (!motions) return;
    LaneScalar n[kForestMotion];
    readMotion(context, node.body, false, n);
    storeMotion(element, n, motions);
  });
  takeMotion(sums, totals);
}

void storeMotions(const ForestContext& context, const ForestPart& part, bool is_moving, BodyMotion* motions) noexcept {
  for (const int g : part.groups) {
    const auto at = static_cast<std::size_t>(g);
    LaneScalar n[kForestMotion];
    readMotion(context, part.share.links[at].body(), is_moving, n);
    storeMotion(part.elements[at], n, motions);
  }
}

void addLoads(const ForestPart& part, double factor, const Load* loads) noexcept {
  static_assert(sizeof(Load) == 6 * sizeof(double));
  for (const int g : part.groups) {
    const auto at = static_cast<std::size_t>(g);
    const double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = reinterpret_cast<const double*>(loads + part.elements[at].body[lane] / kBodyStride);
    LaneScalar n[6];
    gather(rows, n);
    ForestBody& b = part.share.links[at].body();
    b.load = b.load + LaneScalar(factor) * LaneTwist{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  }
}

}  // namespace tactus::rt
