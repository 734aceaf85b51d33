#include "rt/plan/chain.h"

#include <algorithm>

namespace tactus::rt {

namespace {

constexpr int kBodiesOfGroup = 128;  ///< a group more from twice as many on: long enough to hide what cuts cost
constexpr int kMostGroups = 8;

/// The joints of each body; none if the mechanism cannot be a chain.
std::optional<std::vector<std::vector<int>>> jointsOfBodies(const Model& model) {
  std::vector<std::vector<int>> joints(model.bodies.size());
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (joint.kind != JointKind::kSpherical || joint.law != LawKind::kRigid) return std::nullopt;
    for (int body : {joint.body_1, joint.body_2})
      if (body != kGround) joints[static_cast<std::size_t>(body)].push_back(j);
  }
  const auto fits = [](const std::vector<int>& of) { return of.size() == 1 || of.size() == 2; };
  if (model.bodyCount() < 2 || !std::all_of(joints.begin(), joints.end(), fits)) return std::nullopt;
  return joints;
}

struct Line {
  std::vector<int> bodies;
  std::vector<int> joints;  ///< joints[i] at the left of bodies[i]; one more for the right end; -1 where it is free
};

/// Follows the joints from an end of the line.
std::optional<Line> followLine(const Model& model, const std::vector<std::vector<int>>& joints) {
  const auto otherBody = [&](int joint, int body) {
    const Joint& j = model.joints[static_cast<std::size_t>(joint)];
    return j.body_1 == body ? j.body_2 : j.body_1;
  };
  const auto toGround = [&](int body) {
    for (int joint : joints[static_cast<std::size_t>(body)])
      if (otherBody(joint, body) == kGround) return joint;
    return -1;
  };
  // Begin at an end on ground, if there is one.
  int first = -1;
  for (int b = model.bodyCount() - 1; b >= 0; --b)
    if (toGround(b) >= 0) first = b;
  for (int b = model.bodyCount() - 1; b >= 0 && first < 0; --b)
    if (joints[static_cast<std::size_t>(b)].size() == 1) first = b;
  if (first < 0) return std::nullopt;

  Line line;
  int left = toGround(first);
  for (int body = first; body != kGround;) {
    line.bodies.push_back(body);
    line.joints.push_back(left);
    int right = -1;
    for (int joint : joints[static_cast<std::size_t>(body)])
      if (joint != left) right = joint;
    left = right;
    body = right < 0 ? kGround : otherBody(right, body);
    if (static_cast<int>(line.bodies.size()) > model.bodyCount()) return std::nullopt;
  }
  line.joints.push_back(left);
  // More than one line, or a body that hangs on ground by both of its joints.
  if (static_cast<int>(line.bodies.size()) != model.bodyCount()) return std::nullopt;
  return line;
}

/// The point of a joint on a body, or on ground.
Vector3d pointOn(const Model& model, int joint, int body) {
  const Joint& j = model.joints[static_cast<std::size_t>(joint)];
  const Primitive& p = model.primitives[static_cast<std::size_t>(j.first_primitive)];
  return j.body_1 == body ? p.s_1 : p.s_2;
}

/// 1 if the body of the joint that stands at its left is its first one, else -1.
double signOf(const Model& model, int joint, int left_body) {
  return model.joints[static_cast<std::size_t>(joint)].body_1 == left_body ? 1.0 : -1.0;
}

int groupsFor(int bodies) {
  int groups = 1;
  while (groups < kMostGroups && bodies >= 2 * kBodiesOfGroup * groups) groups *= 2;
  return groups;
}

/// A place as it is without a body: it stays at the origin, whatever pulls.
ChainPlace emptyPlace() {
  ChainPlace place;
  place.mass = Lanes(1);
  place.inertia = Symmetric3<Lanes>::diagonal(Lanes(1));
  place.s_left.setConstant(Lanes(0));
  place.s_right.setConstant(Lanes(0));
  place.drag_linear = place.drag_angular = place.movable = place.joined = Lanes(0);
  std::fill_n(place.body, kLanes, -1);
  std::fill_n(place.row, kLanes, -1);
  std::fill_n(place.sign, kLanes, 1.0);
  return place;
}

void setVector(LaneVector3& lanes, int lane, const Vector3d& value) {
  for (int k = 0; k < 3; ++k) lanes[k].set(lane, value[k]);
}

void setBody(const Model& model, int body, int left, int right, ChainPlace& place, int lane) {
  const Body& b = model.bodies[static_cast<std::size_t>(body)];
  const Matrix3d& J = b.inertia;
  place.body[lane] = body;
  place.movable.set(lane, 1);
  place.mass.set(lane, b.mass);
  place.inertia.xx.set(lane, J(0, 0));
  place.inertia.yx.set(lane, J(1, 0));
  place.inertia.zx.set(lane, J(2, 0));
  place.inertia.yy.set(lane, J(1, 1));
  place.inertia.zy.set(lane, J(2, 1));
  place.inertia.zz.set(lane, J(2, 2));
  if (left >= 0) setVector(place.s_left, lane, pointOn(model, left, body));
  if (right >= 0) setVector(place.s_right, lane, pointOn(model, right, body));
  for (const BodyDrag& drag : model.drags)
    if (drag.body == body) {
      place.drag_linear.set(lane, place.drag_linear[lane] + drag.linear);
      place.drag_angular.set(lane, place.drag_angular[lane] + drag.angular);
    }
}

int rowOf(const Model& model, int joint) {
  return joint < 0 ? -1 : model.joints[static_cast<std::size_t>(joint)].first_row;
}

}  // namespace

std::optional<Chain> findChain(const Model& model) {
  const auto joints = jointsOfBodies(model);
  if (!joints) return std::nullopt;
  const auto line = followLine(model, *joints);
  if (!line) return std::nullopt;

  Chain chain;
  const int n = model.bodyCount();
  const bool right_on_ground = line->joints.back() >= 0;
  chain.groups = groupsFor(n);
  const int places = n + (right_on_ground ? 1 : 0);  // a joint to ground needs a place beyond it
  chain.positions = (places + chain.segments() - 1) / chain.segments();
  chain.places.assign(static_cast<std::size_t>(chain.groups * chain.positions), emptyPlace());
  chain.left_ground =
      line->joints.front() < 0 ? Vector3d::Zero().eval() : pointOn(model, line->joints.front(), kGround);

  std::vector<int> place_of_body(model.bodies.size());
  for (int at = 0; at < chain.segments() * chain.positions; ++at) {
    const int segment = at / chain.positions, position = at % chain.positions, lane = segment % kLanes;
    ChainPlace& place = chain.places[static_cast<std::size_t>(segment / kLanes * chain.positions + position)];
    const int left = at <= n ? line->joints[static_cast<std::size_t>(at)] : -1;
    const int right = at < n ? line->joints[static_cast<std::size_t>(at + 1)] : -1;
    const int body = at < n ? line->bodies[static_cast<std::size_t>(at)] : kGround;
    if (at < n) {
      setBody(model, body, left, right, place, lane);
      place_of_body[static_cast<std::size_t>(body)] = at;
    } else if (at == n && left >= 0) {
      setVector(place.s_left, lane, pointOn(model, left, kGround));
    }
    if (position == 0) {
      const int left_body = at == 0 || at > n ? kGround : line->bodies[static_cast<std::size_t>(at - 1)];
      chain.cuts.push_back({left >= 0, rowOf(model, left), left < 0 ? 1.0 : signOf(model, left, left_body)});
    }
    if (position + 1 < chain.positions && right >= 0) {
      place.joined.set(lane, 1);
      place.row[lane] = rowOf(model, right);
      place.sign[lane] = signOf(model, right, body);
    }
  }

  for (int i = 0; i < model.actuatorCount(); ++i) {
    const Actuator& actuator = model.actuators[static_cast<std::size_t>(i)];
    if (actuator.kind != ActuatorKind::kBodyForce && actuator.kind != ActuatorKind::kBodyTorque) return std::nullopt;
    const int at = place_of_body[static_cast<std::size_t>(actuator.target)], segment = at / chain.positions;
    chain.actuators.push_back({i, actuator.target, segment / kLanes, at % chain.positions, segment % kLanes});
  }
  return chain;
}

}  // namespace tactus::rt
