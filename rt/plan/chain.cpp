#include "rt/plan/chain.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/model.h"

#include <Eigen/LU>

#include <algorithm>

namespace tactus::rt {

namespace {

constexpr int kShortChain = 32;      ///< fewer bodies: eight segments would not pay for their interfaces
constexpr int kBodiesOfEight = 256;  ///< bodies for each further eight segments: long enough to hide the interfaces
constexpr int kMaxSegments = 64;

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

int segmentsFor(int bodies) {
  if (bodies < kShortChain) return 4;
  int segments = 8;
  while (segments < kMaxSegments && 8 * bodies >= 2 * kBodiesOfEight * segments) segments *= 2;
  return segments;
}

/// Principal axes and moments.
void setInertia(const Matrix3d& inertia, ChainElement& element) {
  element.moments = inertia.diagonal();
  if (inertia.isDiagonal(0)) return;
  const SymmetricEigen3 principal = symmetricEigen3(inertia);
  Matrix3d axes = principal.vectors;
  if (axes.determinant() < 0) axes.col(0) *= -1;
  const Eigen::Quaterniond turn(axes);
  element.moments = principal.values;
  element.axes = normalized(Vector4d(turn.w(), turn.x(), turn.y(), turn.z()));
}

void setBody(const Model& model, int body, int left, int right, ChainElement& element) {
  element.body = body;
  element.mass = model.bodies[static_cast<std::size_t>(body)].mass;
  setInertia(model.bodies[static_cast<std::size_t>(body)].inertia, element);
  const Matrix3d to_principal = rotationMatrix(element.axes).transpose();
  if (left >= 0) element.s_left = to_principal * pointOn(model, left, body);
  if (right >= 0) element.s_right = to_principal * pointOn(model, right, body);
  for (const BodyDrag& drag : model.drags) {
    if (drag.body != body) continue;
    element.drag_linear += drag.linear;
    element.drag_angular += drag.angular;
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
  chain.has_drags = !model.drags.empty();
  chain.segments = segmentsFor(n);
  const int needed = n + (right_on_ground ? 1 : 0);  // a joint to ground needs an element beyond it
  chain.stations = (needed + chain.segments - 1) / chain.segments;
  chain.elements.resize(static_cast<std::size_t>(chain.segments * chain.stations));
  if (line->joints.front() >= 0) chain.left_ground = pointOn(model, line->joints.front(), kGround);

  std::vector<int> station_of_body(model.bodies.size());
  for (int at = 0; at < chain.segments * chain.stations; ++at) {
    ChainElement& element = chain.elements[static_cast<std::size_t>(at)];
    const int left = at <= n ? line->joints[static_cast<std::size_t>(at)] : -1;
    const int right = at < n ? line->joints[static_cast<std::size_t>(at + 1)] : -1;
    const int body = at < n ? line->bodies[static_cast<std::size_t>(at)] : kGround;
    if (at < n) {
      setBody(model, body, left, right, element);
      chain.has_rotated_axes = chain.has_rotated_axes || element.axes != Vector4d::UnitX();
      station_of_body[static_cast<std::size_t>(body)] = at;
    } else if (at == n && left >= 0) {
      element.s_left = pointOn(model, left, kGround);
    }
    if (at % chain.stations == 0) {
      const int left_body = at == 0 || at > n ? kGround : line->bodies[static_cast<std::size_t>(at - 1)];
      chain.interfaces.push_back({left >= 0, rowOf(model, left), left < 0 ? 1.0 : signOf(model, left, left_body)});
    }
    if ((at + 1) % chain.stations != 0 && right >= 0) {
      element.joined = true;
      element.row = rowOf(model, right);
      element.sign = signOf(model, right, body);
    }
  }

  for (int i = 0; i < model.actuatorCount(); ++i) {
    const Actuator& actuator = model.actuators[static_cast<std::size_t>(i)];
    if (actuator.kind != ActuatorKind::kBodyForce && actuator.kind != ActuatorKind::kBodyTorque) return std::nullopt;
    const int at = station_of_body[static_cast<std::size_t>(actuator.target)];
    const Matrix3d to_principal = rotationMatrix(chain.elements[static_cast<std::size_t>(at)].axes).transpose();
    ChainActuator& to = chain.actuators.emplace_back();
    to = {i,
          actuator.target,
          at / chain.stations,
          at % chain.stations,
          actuator.kind == ActuatorKind::kBodyForce,
          actuator.frame,
          actuator.direction,
          {0, 0, 0}};
    if (to.frame == Frame::kBody) to.direction = to_principal * actuator.direction;
    if (to.is_force) to.point = to_principal * actuator.point;
  }
  return chain;
}

}  // namespace tactus::rt
