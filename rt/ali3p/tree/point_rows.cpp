#include "rt/ali3p/tree/point_rows.h"

#include "rt/ali3p/tree/front.h"
#include "rt/math/lane_transpose.h"
#include "rt/mechanics/lane_ends.h"
#include "rt/model/model.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace tactus::rt {

namespace {

constexpr int kLanes = PrimitiveLanes::kLanes;

void setLane(const Vector3d& from, int lane, LaneVector& to) {
  for (int k = 0; k < 3; ++k) to[k].set(lane, from[k]);
}

/// Whether the rows of a joint that is a node of the plan are a rigid point and dot-1 rows.
bool isOfPointAndNormals(const Model& model, const PlanNode& node) {
  if (node.kind != NodeKind::kJoint || node.joint_count != 1) return false;
  const Joint& joint = model.joints[static_cast<std::size_t>(node.element)];
  if (joint.law != LawKind::kRigid || joint.coupler >= 0 || joint.pair_count > 0 || joint.primitive_count == 0)
    return false;
  const Primitive* p = model.primitives.data() + joint.first_primitive;
  return p->kind == PrimitiveKind::kPoint && std::all_of(p + 1, p + joint.primitive_count, [](const Primitive& of) {
           return of.kind == PrimitiveKind::kDot1;
         });
}

/// A joint, and the node by which it is eliminated.
struct PlannedJoint {
  const PlanNode* node;
  int joint;  ///< of the Model, or -1: none of a point and normals

  PlannedJoint(const Model& model, const PlanNode& of)
      : node(&of),
        joint(of.carrier >= 0                  ? of.carrier
              : isOfPointAndNormals(model, of) ? of.element
                                               : -1) {}

  bool isNode() const noexcept { return node->carrier < 0; }
  int normals() const noexcept { return (isNode() ? node->size : node->rows) - 3; }
};

/// The constants of one joint.
void setJoint(const Model& model, const PlannedJoint& from, int lane, PointJoints& to) {
  const Joint& joint = model.joints[static_cast<std::size_t>(from.joint)];
  const auto at = static_cast<std::size_t>(lane);
  const Primitive* p = model.primitives.data() + joint.first_primitive;
  to.body_1[at] = p->body_1;
  to.body_2[at] = p->body_2;
  to.row[at] = joint.first_row;
  to.sign.set(lane, from.isNode() || p->body_1 == from.node->element ? 1.0 : -1.0);
  to.moves_1.set(lane, p->body_1 == kGround ? 0.0 : 1.0);
  to.moves_2.set(lane, p->body_2 == kGround ? 0.0 : 1.0);
  setLane(p->s_1, lane, to.s_1);
  setLane(p->s_2, lane, to.s_2);
  for (int i = 0; i < to.normals; ++i) {
    setLane(p[1 + i].a_1, lane, to.a_1[i]);
    setLane(p[1 + i].a_2, lane, to.a_2[i]);
  }
}

TACTUS_INLINE LaneVector cross(const LaneVector& a, const LaneVector& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
TACTUS_INLINE LaneScalar dot(const LaneVector& a, const LaneVector& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Two vectors of four bodies that follow each other in their motions.
struct LaneMotions {
  LaneVector linear, angular;

  TACTUS_INLINE LaneMotions(const PrimitiveLanes::Indices& body, const BodyMotion* motions, int offset) noexcept {
    LaneScalar n[6];
    gatherMotion(body, motions, offset, n);
    linear = {n[0], n[1], n[2]};
    angular = {n[3], n[4], n[5]};
  }
};
constexpr int kRatesAt = 12, kAccelerationsAt = 18;  ///< in BodyMotion, see gatherMotion()

/// H times two motions: f(k, value) for each row k.
template <class F>
TACTUS_INLINE void forEachProduct(const PointJoints& joints, const BodyMotion* motions, int offset, F&& f) noexcept {
  const LaneMotions on_1(joints.body_1, motions, offset), on_2(joints.body_2, motions, offset);
  const LaneVector point =
      on_1.linear + cross(on_1.angular, joints.arm_1) - on_2.linear - cross(on_2.angular, joints.arm_2);
  for (int k = 0; k < 3; ++k) f(k, point[k]);
  const LaneVector turn = on_1.angular - on_2.angular;
  for (int i = 0; i < joints.normals; ++i) f(3 + i, dot(joints.normal[i], turn));
}

/// Adds Sign times six numbers of each lane to those of its body; one lane after the other: some may have the same
/// body.
template <int Sign>
TACTUS_INLINE void addToBodies(const LaneVector& force, const LaneVector& torque, const PrimitiveLanes::Indices& body,
                               const PointJoints& joints, double* of_bodies) noexcept {
  LaneScalar::Vector first[4] = {force[0].vector(), force[1].vector(), force[2].vector(), torque[0].vector()};
  LaneScalar::Vector last[4] = {torque[1].vector(), torque[2].vector(), torque[1].vector(), torque[2].vector()};
  transpose(first);
  transpose(last);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int index = body[static_cast<std::size_t>(lane)];
    if (index == kGround || !joints.has(lane)) continue;
    double* to = of_bodies + 6 * index;
    const __m128d two = _mm256_castpd256_pd128(last[lane]);
    if constexpr (Sign > 0) {
      store(load(to) + Quad(first[lane]), to);
      _mm_storeu_pd(to + 4, _mm_loadu_pd(to + 4) + two);
    } else {
      store(load(to) - Quad(first[lane]), to);
      _mm_storeu_pd(to + 4, _mm_loadu_pd(to + 4) - two);
    }
  }
}

TACTUS_INLINE void addMatrix(const LaneMatrix& k, const PrimitiveLanes::Indices& body, const PointJoints& joints,
                             Matrix3d* stiffness) noexcept {
  const LaneScalar* n = k.data();
  LaneScalar::Vector first[4] = {n[0].vector(), n[1].vector(), n[2].vector(), n[3].vector()};
  LaneScalar::Vector second[4] = {n[4].vector(), n[5].vector(), n[6].vector(), n[7].vector()};
  transpose(first);
  transpose(second);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int index = body[static_cast<std::size_t>(lane)];
    if (index == kGround || !joints.has(lane)) continue;
    double* to = stiffness[index].data();
    store(load(to) + Quad(first[lane]), to);
    store(load(to + 4) + Quad(second[lane]), to + 4);
    to[8] += n[8][lane];
  }
}

/// The sum over the lanes that have a joint, in their order.
TACTUS_INLINE double sumOfLanes(const LaneScalar& values, const PointJoints& joints) noexcept {
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += joints.has(lane) ? values[lane] : 0.0;
  return sum;
}

}  // namespace

PointRows::PointRows(const Model& model, const Plan& plan, const std::vector<unsigned char>& has_joint)
    : place_(model.joints.size(), -1) {
  std::vector<std::array<int, kLanes>> members;  // of each group, by lane
  const auto begin = [&](const PlannedJoint& joint) {
    PointJoints joints{};
    joints.normals = joint.normals();
    joints.part = joint.node->part;
    joints.are_nodes = joint.isNode();
    for (int lane = 0; lane < kLanes; ++lane) setJoint(model, joint, lane, joints);
    joints_.push_back(joints);
    members.push_back({-1, -1, -1, -1});
    return joints_.size() - 1;
  };
  const auto take = [&](const PlannedJoint& joint, std::size_t group, int lane) {
    setJoint(model, joint, lane, joints_[group]);
    joints_[group].filled |= 1 << lane;
    members[group][static_cast<std::size_t>(lane)] = joint.joint;
  };
  const auto nodeIn = [&plan](const PlanBatch& batch, int lane) -> const PlanNode& {
    return plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
  };
  struct Open {
    std::size_t group;
    int next;  ///< free lane
  };
  std::map<std::array<int, 3>, Open> open;  // groups of joints that stand alone
  for (const PlanBatch& batch : plan.batches) {
    if (batch.alone()) {
      const PlannedJoint joint(model, nodeIn(batch, 0));
      if (joint.joint < 0) continue;
      Open& last = open.try_emplace({joint.normals(), joint.node->part, joint.isNode()}, Open{0, kLanes}).first->second;
      if (last.next == kLanes) last = {begin(joint), 0};
      take(joint, last.group, last.next++);
      continue;
    }
    // Joints of as many rows may be of other kinds.
    std::optional<std::size_t> group;
    for (int lane = 0; lane < kLanes; ++lane) {
      const PlannedJoint joint(model, nodeIn(batch, lane));
      if (!batch.has(lane) || joint.joint < 0) continue;
      if (!group) group = begin(joint);
      take(joint, *group, lane);
    }
  }
  // What shares lanes stays together: the order of sums over the rows of a body is then the same in every share.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto& of = members[i];
    if (std::none_of(of.begin(), of.end(),
                     [&](int joint) { return joint >= 0 && has_joint[static_cast<std::size_t>(joint)] != 0; }))
      continue;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (of[lane] >= 0) place_[static_cast<std::size_t>(of[lane])] = static_cast<int>(kLanes * kept + lane);
    joints_[kept++] = joints_[i];
  }
  joints_.erase(joints_.begin() + static_cast<std::ptrdiff_t>(kept), joints_.end());
}

std::vector<bool> PointRows::joints(const Model& model, const Plan& plan) {
  std::vector<bool> among(model.joints.size(), false);
  for (const PlanNode& node : plan.nodes)
    if (const int joint = PlannedJoint(model, node).joint; joint >= 0) among[static_cast<std::size_t>(joint)] = true;
  return among;
}

void PointRows::evaluate(const BodyMotion* motions, double* phi) noexcept {
  for (PointJoints& joints : joints_) {
    const LanePlace on_1(joints.body_1, motions), on_2(joints.body_2, motions);
    joints.arm_1 = on_1.rotated(joints.s_1);
    joints.arm_2 = on_2.rotated(joints.s_2);
    const LaneVector d = distanceOfPoints<LaneScalar>(on_1.r(), joints.arm_1, on_2.r(), joints.arm_2);
    for (int k = 0; k < 3; ++k) storeValue(joints.row, k, -d[k], phi);
    for (int i = 0; i < joints.normals; ++i) {
      const LaneVector a_1 = on_1.rotated(joints.a_1[i]), a_2 = on_2.rotated(joints.a_2[i]);
      joints.turned_1[i] = a_1;
      joints.turned_2[i] = a_2;
      joints.normal[i] = cross(a_1, a_2);
      storeValue(joints.row, 3 + i, dot(a_1, a_2), phi);
    }
  }
}

void PointRows::squares(const double* phi, double* of_parts) const noexcept {
  for (const PointJoints& joints : joints_) {
    LaneScalar squares(0.0);
    for (int k = 0; k < 3 + joints.normals; ++k) {
      const LaneScalar value = loadValue(joints.row, k, phi);
      squares += value * value;
    }
    of_parts[joints.part] += sumOfLanes(squares, joints);
  }
}

void PointRows::evaluateGamma(const BodyMotion* motions, double* gamma) const noexcept {
  for (const PointJoints& joints : joints_) {
    const LaneRates on_1(joints.body_1, motions), on_2(joints.body_2, motions);
    const LaneVector c = centripetalDifference<LaneScalar>(on_1.omega, joints.arm_1, on_2.omega, joints.arm_2);
    for (int k = 0; k < 3; ++k) storeValue(joints.row, k, c[k], gamma);
    for (int i = 0; i < joints.normals; ++i)
      storeValue(joints.row, 3 + i,
                 -dotRate2<LaneScalar>(on_1.omega, on_2.omega, joints.turned_1[i], joints.turned_2[i]), gamma);
  }
}

void PointRows::addGeometricStiffness(const double* lambda, Matrix3d* stiffness) const noexcept {
  for (const PointJoints& joints : joints_) {
    const auto multiplier = [&](int k) noexcept { return loadValue(joints.row, k, lambda); };
    const LaneVector force(multiplier(0), multiplier(1), multiplier(2));
    LaneMatrix on_1 = rotationalStiffness<LaneScalar>(joints.arm_1, force);
    LaneMatrix on_2 = rotationalStiffness<LaneScalar>(joints.arm_2, -force);
    for (int i = 0; i < joints.normals; ++i) {
      const LaneScalar of_row = multiplier(3 + i);
      on_1 += rotationalStiffness<LaneScalar>(joints.turned_1[i], joints.turned_2[i] * of_row);
      on_2 += rotationalStiffness<LaneScalar>(joints.turned_2[i], joints.turned_1[i] * of_row);
    }
    addMatrix(on_1, joints.body_1, joints, stiffness);
    addMatrix(on_2, joints.body_2, joints, stiffness);
  }
}

void PointRows::subtractReactions(const double* lambda, double* right_sides) const noexcept {
  for (const PointJoints& joints : joints_) {
    const auto multiplier = [&](int k) noexcept { return loadValue(joints.row, k, lambda); };
    const LaneVector force(multiplier(0), multiplier(1), multiplier(2));
    LaneVector torque_1 = cross(joints.arm_1, force), torque_2 = cross(joints.arm_2, force);
    for (int i = 0; i < joints.normals; ++i) {
      const LaneVector torque = joints.normal[i] * multiplier(3 + i);
      torque_1 += torque;
      torque_2 += torque;
    }
    addToBodies<-1>(force, torque_1, joints.body_1, joints, right_sides);
    addToBodies<1>(force, torque_2, joints.body_2, joints, right_sides);
  }
}

void PointRows::rates(const BodyMotion* motions, double* rates, double* of_parts) const noexcept {
  for (const PointJoints& joints : joints_) {
    LaneScalar squares(0.0);
    forEachProduct(joints, motions, kRatesAt, [&](int k, const LaneScalar& value) noexcept {
      storeValue(joints.row, k, value, rates);
      squares += value * value;
    });
    of_parts[joints.part] += sumOfLanes(squares, joints);
  }
}

void PointRows::accelerationsLeft(const BodyMotion* motions, const double* gamma, double* left) const noexcept {
  for (const PointJoints& joints : joints_)
    forEachProduct(joints, motions, kAccelerationsAt, [&](int k, const LaneScalar& value) noexcept {
      storeValue(joints.row, k, loadValue(joints.row, k, gamma) - value, left);
    });
}

void PointRows::violation(const BodyMotion* motions, const double* gamma, double* of_parts) const noexcept {
  for (const PointJoints& joints : joints_) {
    LaneScalar squares(0.0);
    forEachProduct(joints, motions, kAccelerationsAt, [&](int k, const LaneScalar& value) noexcept {
      const LaneScalar rest = loadValue(joints.row, k, gamma) - value;
      squares += rest * rest;
    });
    of_parts[joints.part] += sumOfLanes(squares, joints);
  }
}

void PointRows::writeJacobian(RowJacobian* jacobian) const noexcept {
  const LaneScalar none(0.0);
  const LaneVector nothing(none, none, none);
  for (const PointJoints& joints : joints_) {
    if (!joints.are_nodes) continue;
    const auto store = [&](int k, const SideOfRow<LaneScalar>& side_1, const SideOfRow<LaneScalar>& side_2) noexcept {
      double* rows[kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane] = jacobian[joints.row[lane] + k].h[0];
      storeRow(rows, side_1, side_2);
    };
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k)
      store(k, pointSide<LaneScalar>(k, joints.moves_1, joints.arm_1),
            pointSide<LaneScalar>(k, -joints.moves_2, joints.arm_2));
    for (int i = 0; i < joints.normals; ++i)
      store(3 + i, {nothing, joints.moves_1 * joints.normal[i]}, {nothing, -joints.moves_2 * joints.normal[i]});
  }
}

CarriedArms<double> PointRows::armsOf(int joint) const noexcept {
  const int place = place_[static_cast<std::size_t>(joint)], lane = place % kLanes;
  const PointJoints& joints = joints_[static_cast<std::size_t>(place / kLanes)];
  CarriedArms<double> arms;
  arms.sign = joints.sign[lane];
  const LaneVector &own = arms.sign > 0 ? joints.arm_1 : joints.arm_2,
                   &other = arms.sign > 0 ? joints.arm_2 : joints.arm_1;
  for (int k = 0; k < 3; ++k) {
    arms.own[k] = own[k][lane];
    arms.other[k] = other[k][lane];
    for (int i = 0; i < joints.normals; ++i) arms.normal[i][k] = arms.sign * joints.normal[i][k][lane];
  }
  return arms;
}

CarriedArms<LaneScalar> PointRows::armsOfBatch(int first_joint) const noexcept {
  const PointJoints& joints = joints_[static_cast<std::size_t>(place_[static_cast<std::size_t>(first_joint)] / kLanes)];
  CarriedArms<LaneScalar> arms;
  arms.sign = joints.sign;
  for (int k = 0; k < 3; ++k) {
    arms.own[k] = whereBelow(joints.sign, 0.0, joints.arm_2[k], joints.arm_1[k]);
    arms.other[k] = whereBelow(joints.sign, 0.0, joints.arm_1[k], joints.arm_2[k]);
    for (int i = 0; i < joints.normals; ++i) arms.normal[i][k] = joints.sign * joints.normal[i][k];
  }
  return arms;
}

}  // namespace tactus::rt
