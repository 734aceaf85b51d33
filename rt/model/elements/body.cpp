#include "rt/model/elements/body.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/declared_pose.h"
#include "rt/model/directions.h"
#include "rt/model/rules.h"

#include <cmath>

namespace tactus::rt {
namespace {

// Rounding that a principal moment may carry, relative to the largest one: a thin rod or a plate given with
// ten digits must be valid.
constexpr double kInertiaRounding = 1e-9;

std::string printedInertia(const Matrix3d& j) {
  return "{xx: " + printed(j(0, 0)) + ", yy: " + printed(j(1, 1)) + ", zz: " + printed(j(2, 2)) +
         ", xy: " + printed(j(0, 1)) + ", xz: " + printed(j(0, 2)) + ", yz: " + printed(j(1, 2)) + "}";
}

}  // namespace

Fields BodySpec::fields() {
  static constexpr Field kFields[] = {
      field<&BodySpec::name>("name", "Name of the body.", {.rule = "unique among all named elements"}),
      field<&BodySpec::description>("description", "Free text."),
      field<&BodySpec::mass>("mass", "Mass.", {.unit = "kg", .range = Range::kPositive}),
      field<&BodySpec::inertia>("inertia", "Inertia tensor about the center of mass, body frame.",
                                {.unit = "kg m^2",
                                 .required = true,
                                 .rule = "positive definite, no principal moment above the sum of the other two"}),
      field<&BodySpec::position>("position", "Center of mass, world frame.", {.unit = "m", .range = Range::kFinite}),
      field<&BodySpec::orientation>("orientation", "From body frame to world frame.",
                                    {.unit = "1", .range = Range::kUnitQuaternion}),
      field<&BodySpec::velocity>("velocity", "Velocity of the center of mass, world frame.",
                                 {.unit = "m/s", .range = Range::kFinite}),
      field<&BodySpec::angular_velocity>("angular_velocity", "Angular velocity, body frame.",
                                         {.unit = "rad/s", .range = Range::kFinite}),
      field<&BodySpec::visuals>("visuals", "Shapes that pictures of the body show; they have no part in the motion.",
                                {.otherwise = "drawn from joints and inertia", .rule = "at most 256"}),
  };
  return kFields;
}

DeclaredPose::DeclaredPose(const BodySpec& body)
    : position(body.position), rotation(rotationMatrix(unitVector(body.orientation))) {}

void check(const BodySpec& body, const FindingPlace& at) {
  checkVisuals(body.visuals, at);
  const Matrix3d& inertia = body.inertia;
  if (!inertia.allFinite()) return at.error(".inertia", printedInertia(inertia), "must be finite numbers");
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > kInertiaRounding * scale)
    at.error(".inertia", printedInertia(inertia), "must be symmetric");
  const Vector3d moments = symmetricEigenvalues(inertia);
  if (!(moments[0] > 1e-12 * std::abs(moments[2])))  // round-off of a moment that is zero
    at.error(".inertia", printedInertia(inertia),
             "must be positive definite; its principal moments are " + printed(moments) + " kg m^2",
             "a body without extent needs a small moment about each axis");
  else if (moments[0] + moments[1] < moments[2] * (1 - kInertiaRounding))
    at.error(".inertia", printedInertia(inertia),
             "must obey the triangle inequality: no principal moment above the sum of the other two; they are " +
                 printed(moments) + " kg m^2",
             "the tensor is about the center of mass, with elements xy = -integral of x y dm");
}

}  // namespace tactus::rt
