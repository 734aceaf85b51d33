// Rules on bodies and on the states in which they start.
#include "rt/model/rules.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <unordered_set>

namespace tactus::rt::rules {
namespace {

// Rounding that a principal moment may carry, relative to the largest one: a thin rod or a plate given with
// ten digits must pass.
constexpr double kInertiaRounding = 1e-9;

std::string printedInertia(const Matrix3d& j) {
  return "{xx: " + printed(j(0, 0)) + ", yy: " + printed(j(1, 1)) + ", zz: " + printed(j(2, 2)) +
         ", xy: " + printed(j(0, 1)) + ", xz: " + printed(j(0, 2)) + ", yz: " + printed(j(1, 2)) + "}";
}

void checkInertiaSymmetry(const std::string& path, const Matrix3d& inertia, FindingList& out) {
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > kInertiaRounding * scale)
    out.error(path, printedInertia(inertia), "must be symmetric");
}

/// Principal moments in ascending order.
Vector3d principalMoments(const Matrix3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

/// @returns false if no mass distribution of three dimensions has these moments
bool checkInertiaPositive(const std::string& path, const Matrix3d& inertia, const Vector3d& moments, FindingList& out) {
  if (moments[0] > 1e-12 * std::abs(moments[2])) return true;
  out.error(path, printedInertia(inertia),
            "must be positive definite; its principal moments are " + printed(moments) + " kg m^2",
            "a body without extent needs a small moment about each axis");
  return false;
}

void checkInertiaTriangle(const std::string& path, const Matrix3d& inertia, const Vector3d& moments, FindingList& out) {
  if (moments[0] + moments[1] >= moments[2] * (1 - kInertiaRounding)) return;
  out.error(path, printedInertia(inertia),
            "must obey the triangle inequality: no principal moment above the sum of the other two; they are " +
                printed(moments) + " kg m^2",
            "the tensor is about the centre of mass, with elements xy = -integral of x y dm");
}

void checkInertia(const std::string& path, const Matrix3d& inertia, FindingList& out) {
  if (!inertia.allFinite()) {
    out.error(path, printedInertia(inertia), "must be finite numbers");
    return;
  }
  checkInertiaSymmetry(path, inertia, out);
  const Vector3d moments = principalMoments(inertia);
  if (checkInertiaPositive(path, inertia, moments, out)) checkInertiaTriangle(path, inertia, moments, out);
}

/// A body that is listed twice would have two states.
void checkListedOnce(const std::string& path, const std::string& name, std::unordered_set<std::string>& listed,
                     FindingList& out) {
  if (!listed.insert(name).second) out.error(path, printed(name), "must be listed once in an initial condition");
}

}  // namespace

void checkBody(const std::string& path, const BodySpec& body, FindingList& out) {
  requirePositive(path + ".mass", body.mass, out);
  checkInertia(path + ".inertia", body.inertia, out);
  requireFinite(path + ".position", body.position, out);
  requireUnitQuaternion(path + ".orientation", body.orientation, out);
  requireFinite(path + ".velocity", body.velocity, out);
  requireFinite(path + ".angular_velocity", body.angular_velocity, out);
}

void checkInitialCondition(const std::string& path, const InitialConditionSpec& condition, const References& references,
                           FindingList& out) {
  std::unordered_set<std::string> listed;
  for (std::size_t i = 0; i < condition.bodies.size(); ++i) {
    const BodyStateSpec& state = condition.bodies[i];
    const std::string at = path + '.' + element("bodies", i);
    references.requireBody(at + ".body", state.body, false, out);
    checkListedOnce(at + ".body", state.body, listed, out);
    if (state.position) requireFinite(at + ".position", *state.position, out);
    if (state.orientation) requireUnitQuaternion(at + ".orientation", *state.orientation, out);
    if (state.velocity) requireFinite(at + ".velocity", *state.velocity, out);
    if (state.angular_velocity) requireFinite(at + ".angular_velocity", *state.angular_velocity, out);
  }
}

}  // namespace tactus::rt::rules
