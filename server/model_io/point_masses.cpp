#include "server/model_io/attached_vectors.h"
#include "server/model_io/parameter_target.h"
#include "server/model_io/resolve.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace tactus::server {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Inertia of a point of mass about the origin.
Matrix3d inertiaOf(double mass, const Vector3d& at) {
  return mass * (at.squaredNorm() * Matrix3d::Identity() - at * at.transpose());
}

/// Whether points can be added to the mass and inertia of a body. To others they are not: the rules find what is wrong
/// with them, which a sum would hide.
bool canTakePoints(const v1::Body& body) {
  const v1::Inertia& J = body.inertia();
  for (const double number : {body.mass(), J.xx(), J.yy(), J.zz()})
    if (!(number >= 0 && std::isfinite(number))) return false;
  return std::isfinite(J.xy()) && std::isfinite(J.xz()) && std::isfinite(J.yz());
}

/// Whether the points of a body are points of mass; a finding for each that is none.
bool check(const v1::Body& body, const std::string& path, rt::FindingList& out) {
  bool good = true;
  for (int i = 0; i < body.point_masses_size(); ++i) {
    const v1::PointMass& point = body.point_masses(i);
    const std::string at = path + '.' + rt::element("point_masses", static_cast<std::size_t>(i));
    if (!(point.mass() > 0 && std::isfinite(point.mass()))) {
      out.error(at + ".mass", rt::printed(point.mass()), "must be finite and above zero");
      good = false;
    }
    if (!point.point().empty() && point.point_size() != 3) {
      out.error(at + ".point", std::to_string(point.point_size()) + " numbers", "must be a list of three numbers");
      good = false;
    }
  }
  return good;
}

/// Adds the points of a body. @returns its new center of mass, in its old frame
Vector3d addPoints(v1::Body& body) {
  double mass = body.mass();
  Vector3d moment = Vector3d::Zero();
  for (const v1::PointMass& point : body.point_masses()) {
    mass += point.mass();
    moment += point.mass() * vectorOf(point.point());
  }
  const Vector3d center = moment / mass;
  Matrix3d J = inertiaOf(body.mass(), -center);
  for (const v1::PointMass& point : body.point_masses()) J += inertiaOf(point.mass(), vectorOf(point.point()) - center);
  v1::Inertia& inertia = *body.mutable_inertia();
  inertia.set_xx(inertia.xx() + J(0, 0));
  inertia.set_yy(inertia.yy() + J(1, 1));
  inertia.set_zz(inertia.zz() + J(2, 2));
  inertia.set_xy(inertia.xy() + J(0, 1));
  inertia.set_xz(inertia.xz() + J(0, 2));
  inertia.set_yz(inertia.yz() + J(1, 2));
  body.set_mass(mass);
  return center;
}

/// Moves the origin of a state of a body, with its velocity. What is no vector stays: the rules find it.
template <typename State>
void moveOrigin(State& state, const v1::Body& declared, const Vector3d& center, bool keeps_declared) {
  const auto& orientation =
      state.orientation().empty() && keeps_declared ? declared.orientation() : state.orientation();
  const Eigen::Quaterniond turn = quaternionOf(orientation);
  const bool is_given = !state.position().empty();
  if (isVectorOrNone(state.position()) && (is_given || !keeps_declared || !state.orientation().empty())) {
    // A position that is left out stays the declared one, of the old origin: it has moved by the declared turn.
    const Vector3d old = is_given || !keeps_declared
                             ? vectorOf(state.position())
                             : vectorOf(declared.position()) - quaternionOf(declared.orientation()) * center;
    setVector(old + turn * center, *state.mutable_position());
  }
  if (!isVectorOrNone(state.velocity()) || keeps_declared) return;  // later: moveVelocities()
  const Vector3d more = turn * vectorOf(state.angular_velocity()).cross(center);
  if (state.velocity().empty() && more.isZero(0)) return;  // none stays none: rates of joints may give it
  setVector(vectorOf(state.velocity()) + more, *state.mutable_velocity());
}

/// A parameter sets a number as the file has it. A point that points of mass move is another number in the model.
template <typename EachMoved>
void refuseMovedTargets(const v1::Model& model, const EachMoved& each_moved, rt::FindingList& out) {
  if (model.parameters().empty()) return;
  v1::Model probe = model;
  each_moved(probe, [](Numbers& numbers, VectorKind, const Vector3d&) {
    for (double& number : numbers) number = std::numeric_limits<double>::quiet_NaN();
  });
  for (int i = 0; i < model.parameters_size(); ++i)
    for (int k = 0; k < model.parameters(i).targets_size(); ++k)
      if (const std::string& target = model.parameters(i).targets(k); isUnknownIn(probe, model, target))
        out.error(rt::element("parameters", static_cast<std::size_t>(i)) + '.' +
                      rt::element("targets", static_cast<std::size_t>(k)),
                  rt::printed(target), "must not be a coordinate on a body with point_masses, which move its origin",
                  "give the mass and inertia of the body in place of its point_masses");
}

}  // namespace

std::set<std::string> moveVelocities(const v1::Model& model, v1::InitialCondition& condition,
                                     const MovedOrigins& moved) {
  std::set<std::string> names;
  if (moved.origins.empty()) return names;
  for (v1::BodyState& state : *condition.mutable_bodies()) {
    const auto found = moved.origins.find(state.body());
    const bool is_given = !state.velocity().empty();
    const bool turns = !state.angular_velocity().empty() || !state.orientation().empty();
    if (found == moved.origins.end() || !(is_given || turns)) continue;
    const v1::Body& declared = model.bodies(found->second.body);
    if (!isVectorOrNone(state.velocity()) || !isVectorOrNone(declared.velocity())) continue;
    const auto fromOld = [&](const Numbers& orientation, const Numbers& spin) -> Vector3d {
      return quaternionOf(orientation) * vectorOf(spin).cross(found->second.center);
    };
    const auto& orientation = state.orientation().empty() ? declared.orientation() : state.orientation();
    const auto& spin = state.angular_velocity().empty() ? declared.angular_velocity() : state.angular_velocity();
    // The declared velocity is that of the new origin.
    const Vector3d old =
        is_given ? vectorOf(state.velocity())
                 : vectorOf(declared.velocity()) - fromOld(declared.orientation(), declared.angular_velocity());
    setVector(old + fromOld(orientation, spin), *state.mutable_velocity());
    if (!is_given) names.insert(state.body());
  }
  return names;
}

MovedOrigins resolvePointMasses(v1::Model& model, rt::FindingList& out) {
  MovedOrigins moved;
  for (int i = 0; i < model.bodies_size(); ++i) {
    v1::Body& body = *model.mutable_bodies(i);
    if (body.point_masses().empty()) continue;
    if (check(body, rt::element("bodies", static_cast<std::size_t>(i)), out) && canTakePoints(body)) {
      const Vector3d center = addPoints(body);
      if (!center.isZero(0)) moved.origins.emplace(body.name(), MovedOrigins::Origin{center, i});
    }
    body.clear_point_masses();
  }
  if (moved.origins.empty()) return moved;
  for (v1::Body& body : *model.mutable_bodies())
    if (const auto found = moved.origins.find(body.name()); found != moved.origins.end()) {
      if (body.velocity().empty()) moved.moved_velocities.insert(body.name());
      moveOrigin(body, body, found->second.center, false);
    }
  for (v1::InitialCondition& condition : *model.mutable_initial_conditions())
    for (v1::BodyState& state : *condition.mutable_bodies())
      if (const auto found = moved.origins.find(state.body()); found != moved.origins.end())
        moveOrigin(state, model.bodies(found->second.body), found->second.center, true);
  const auto eachMoved = [&moved](v1::Model& of, auto&& change) {
    eachAttached(of, [&](const std::string& body, Numbers& numbers, VectorKind kind) {
      const auto found = moved.origins.find(body);
      if (found != moved.origins.end() && kind != VectorKind::kDirection && kind != VectorKind::kOrientation)
        change(numbers, kind, found->second.center);
    });
  };
  refuseMovedTargets(model, eachMoved, out);
  eachMoved(model, [](Numbers& numbers, VectorKind kind, const Vector3d& center) {
    transform(numbers, kind, {-center, Eigen::Quaterniond::Identity()});
  });
  return moved;
}

}  // namespace tactus::server
