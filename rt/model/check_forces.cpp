// Rules on force elements and drives.
#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace tactus::rt::rules {
namespace {

constexpr std::size_t kMaxCoefficients = 8;
constexpr std::size_t kMaxObstacles = 64;    ///< of a road: every tyre looks at all of them in each tick
constexpr std::size_t kMaxTableRows = 1024;  ///< the spline is solved densely, once

/// Two ends of an element that acts between bodies, or between a body and ground.
void checkEnds(const std::string& path, const std::string& body_1, const std::string& body_2,
               const References& references, FindingList& out) {
  references.requireBody(path + ".body_1", body_1, true, out);
  references.requireBody(path + ".body_2", body_2, true, out);
  if (body_1 == body_2 && !body_1.empty()) out.error(path + ".body_2", printed(body_2), "must differ from body_1");
}

void checkSpring(const std::string& path, double stiffness, double damping, double preload, const SpringLawSpec& law,
                 FindingList& out) {
  requireNotNegative(path + ".stiffness", stiffness, out);
  requireNotNegative(path + ".damping", damping, out);
  requireFinite(path + ".preload", preload, out);
  checkSpringLaw(path, law, stiffness, damping, out);
  const bool resists = law.stiffness_curve || law.damping_curve || law.minimum_stop || law.maximum_stop;
  if (stiffness == 0 && damping == 0 && !resists)
    out.error(path + ".stiffness", "0", "must be above zero where damping is zero", "a constant force is an actuator");
}

/// A square matrix of 3 or 6 rows, symmetric, no eigenvalue below zero.
bool checkMatrix(const std::string& path, const Eigen::MatrixXd& m, FindingList& out) {
  if (m.rows() != m.cols() || (m.rows() != 3 && m.rows() != 6)) {
    out.error(path, std::to_string(m.size()) + " numbers", "must be 3, 6, 9 or 36 numbers",
              "a diagonal of 3 or 6, or a full matrix row by row");
    return false;
  }
  if (!m.allFinite()) {
    out.error(path, "a value that is not finite", "must hold finite numbers");
    return false;
  }
  const double size = m.cwiseAbs().maxCoeff();
  if ((m - m.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size) {
    out.error(path, "a matrix that is not symmetric", "must be symmetric");
    return false;
  }
  const double lowest = m.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
  if (lowest < -1e-9 * size) {
    out.error(path, "an eigenvalue of " + printed(lowest), "must have no eigenvalue below zero");
    return false;
  }
  return true;
}

struct ForceRules {
  const std::string& path;
  const References& references;
  FindingList& out;

  void operator()(const TranslationalSpringSpec& s) const {
    const std::string at = path + ".translational_spring";
    checkEnds(at, s.body_1, s.body_2, references, out);
    requireFinite(at + ".point_1", s.point_1, out);
    requireFinite(at + ".point_2", s.point_2, out);
    checkSpring(at, s.stiffness, s.damping, s.preload, s.law, out);
    if (s.free_length) requirePositive(at + ".free_length", *s.free_length, out);
    if (!s.point_1.allFinite() || !s.point_2.allFinite()) return;
    const auto apart = references.declaredDistance(s.body_1, s.point_1, s.body_2, s.point_2);
    if (apart && !(*apart > kNearestPoints))
      out.error(at, "points " + printed(*apart) + " m apart", "must have its points apart in the declared state",
                "use a bushing for points that coincide");
  }
  void operator()(const RotationalSpringSpec& s) const {
    const std::string at = path + ".rotational_spring";
    references.requireAngle(at + ".joint", s.joint, out);
    checkSpring(at, s.stiffness, s.damping, s.preload, s.law, out);
    requireFinite(at + ".free_angle", s.free_angle, out);
  }
  void operator()(const BushingSpec& s) const {
    const std::string at = path + ".bushing";
    checkEnds(at, s.body_1, s.body_2, references, out);
    requireFinite(at + ".point_1", s.point_1, out);
    requireFinite(at + ".point_2", s.point_2, out);
    requireUnitQuaternion(at + ".orientation", s.orientation, out);
    const bool stiffness = checkMatrix(at + ".stiffness", s.stiffness, out);
    const bool damping = checkMatrix(at + ".damping", s.damping, out);
    if (!stiffness || !damping) return;
    if (s.stiffness.rows() != s.damping.rows()) {
      out.error(at + ".damping", std::to_string(s.damping.rows()) + " rows",
                "must have as many rows as stiffness: " + std::to_string(s.stiffness.rows()));
      return;
    }
    if (s.stiffness.isZero(0) && s.damping.isZero(0))
      out.error(at + ".stiffness", "zero", "must not be zero where damping is zero");
    // What resists a direction at all must do so definitely, or the row would be infinitely soft.
    const Eigen::MatrixXd both = s.stiffness + s.damping;
    const double size = both.cwiseAbs().maxCoeff();
    const auto values = both.selfadjointView<Eigen::Lower>().eigenvalues();
    int soft = 0, empty = 0;
    for (Eigen::Index i = 0; i < both.rows(); ++i) {
      soft += values[i] <= 1e-12 * size;
      empty += s.stiffness.row(i).isZero(0) && s.damping.row(i).isZero(0);
    }
    if (soft > empty)
      out.error(at + ".stiffness", "a matrix of lower rank",
                "must, with the damping, resist every direction in which it has an entry");
  }
  void operator()(const BodyDragSpec& s) const {
    const std::string at = path + ".body_drag";
    references.requireBody(at + ".body", s.body, false, out);
    requireNotNegative(at + ".linear", s.linear, out);
    requireNotNegative(at + ".angular", s.angular, out);
  }
  void operator()(const AntiRollBarSpec& s) const {
    const std::string at = path + ".anti_roll_bar";
    references.requireAngle(at + ".joint_1", s.joint_1, out);
    references.requireAngle(at + ".joint_2", s.joint_2, out);
    if (s.joint_1 == s.joint_2 && !s.joint_1.empty())
      out.error(at + ".joint_2", printed(s.joint_2), "must differ from joint_1");
    requireNotNegative(at + ".stiffness", s.stiffness, out);
    requireNotNegative(at + ".damping", s.damping, out);
    if (requireFinite(at + ".ratio", s.ratio, out) && s.ratio == 0)
      out.error(at + ".ratio", "0", "must not be zero", "a spring about one joint is a rotational_spring");
    if (s.free_twist) requireFinite(at + ".free_twist", *s.free_twist, out);
  }
  void operator()(const AirLoadSpec& s) const {
    const std::string at = path + ".air_load";
    references.requireBody(at + ".body", s.body, false, out);
    requireFinite(at + ".point", s.point, out);
    requirePositive(at + ".area", s.area, out);
    requirePositive(at + ".density", s.density, out);
    requireNotNegative(at + ".drag", s.drag, out);
    requireFinite(at + ".lift", s.lift, out);
    requireFinite(at + ".wind", s.wind, out);
    if (s.lift != 0) requireDirection(at + ".up", s.up, out);
    requireNotNegative(at + ".side", s.side, out);
    if (s.side != 0) requireDirection(at + ".across", s.across, out);
  }
  void operator()(const VerticalTyreSpec& s) const {
    const std::string at = path + ".vertical_tyre";
    references.requireRoad(at + ".road", s.road, out);
    references.requireBody(at + ".body", s.body, false, out);
    requireFinite(at + ".centre", s.centre, out);
    requirePositive(at + ".radius", s.radius, out);
    requirePositive(at + ".stiffness", s.stiffness, out);
    requireNotNegative(at + ".damping", s.damping, out);
  }
  template <class Other>
  void operator()(const Other&) const {}  // checkVehicleForce() has seen to it
};

struct DriveTargetRules {
  const std::string& path;
  const References& references;
  FindingList& out;

  void operator()(const DrivenAngleSpec& s) const { references.requireAngle(path + ".angle.joint", s.joint, out); }
  void operator()(const DrivenTravelSpec& s) const { references.requireTravel(path + ".travel.joint", s.joint, out); }
  void operator()(const DrivenDistanceSpec& s) const {
    const std::string at = path + ".distance";
    checkEnds(at, s.body_1, s.body_2, references, out);
    requireFinite(at + ".point_1", s.point_1, out);
    requireFinite(at + ".point_2", s.point_2, out);
    if (!s.point_1.allFinite() || !s.point_2.allFinite()) return;
    const auto apart = references.declaredDistance(s.body_1, s.point_1, s.body_2, s.point_2);
    if (apart && !(*apart > kNearestPoints))
      out.error(at, "points " + printed(*apart) + " m apart", "must have its points apart in the declared state");
  }
};

struct DriveFunctionRules {
  const std::string& path;
  FindingList& out;

  void operator()(const PolynomialSpec& s) const {
    const std::string at = path + ".polynomial.coefficients";
    if (s.coefficients.empty() || s.coefficients.size() > kMaxCoefficients)
      out.error(at, std::to_string(s.coefficients.size()) + " numbers", "must be 1 to 8 numbers");
    for (std::size_t i = 0; i < s.coefficients.size(); ++i)
      requireFinite(element(at.c_str(), i), s.coefficients[i], out);
  }
  void operator()(const HarmonicSpec& s) const {
    requireFinite(path + ".harmonic.offset", s.offset, out);
    requireFinite(path + ".harmonic.amplitude", s.amplitude, out);
    requireFinite(path + ".harmonic.angular_frequency", s.angular_frequency, out);
    requireFinite(path + ".harmonic.phase", s.phase, out);
  }
  void operator()(const TableSpec& s) const {
    const std::string times = path + ".table.times", values = path + ".table.values";
    if (s.times.size() < 2 || s.times.size() > kMaxTableRows)
      out.error(times, std::to_string(s.times.size()) + " numbers", "must be 2 to 1024 numbers");
    if (s.values.size() != s.times.size())
      out.error(values, std::to_string(s.values.size()) + " numbers",
                "must be as many as times: " + std::to_string(s.times.size()));
    for (std::size_t i = 0; i < s.values.size(); ++i) requireFinite(element(values.c_str(), i), s.values[i], out);
    for (std::size_t i = 0; i < s.times.size(); ++i) {
      if (!requireFinite(element(times.c_str(), i), s.times[i], out)) return;
      if (i > 0 && !(s.times[i] > s.times[i - 1])) {
        out.error(element(times.c_str(), i), printed(s.times[i]), "must be above the one before");
        return;
      }
    }
  }
  void operator()(const InputFunctionSpec&) const {}
};

}  // namespace

void checkForce(const std::string& path, const ForceSpec& force, const References& references, FindingList& out) {
  if (!checkVehicleForce(path, force, references, out)) std::visit(ForceRules{path, references, out}, force.kind);
}

void checkRoad(const std::string& path, const RoadSpec& road, FindingList& out) {
  constexpr double kParallel = 0.999;
  requireFinite(path + ".origin", road.origin, out);
  requireDirection(path + ".up", road.up, out);
  requireDirection(path + ".along", road.along, out);
  const double product = road.up.norm() * road.along.norm();
  if (product > 0 && std::isfinite(product) && std::abs(road.up.dot(road.along)) > kParallel * product)
    out.error(path + ".along", printed(road.along), "must not run along up");
  if (road.half_cylinders.size() > kMaxObstacles)
    out.error(path + ".half_cylinders", std::to_string(road.half_cylinders.size()) + " elements",
              "must be at most " + std::to_string(kMaxObstacles));
  for (std::size_t i = 0; i < road.half_cylinders.size(); ++i) {
    const std::string at = element((path + ".half_cylinders").c_str(), i);
    requireFinite(at + ".position", road.half_cylinders[i].position, out);
    requirePositive(at + ".radius", road.half_cylinders[i].radius, out);
  }
  requirePositive(path + ".friction", road.friction, out);
  if (road.heights) checkSurfaceGrid(path + ".heights", *road.heights, out);
  if (road.frictions) {
    checkSurfaceGrid(path + ".frictions", *road.frictions, out);
    for (std::size_t i = 0; i < road.frictions->values.size(); ++i)
      if (road.frictions->values[i] < 0)
        return out.error(element((path + ".frictions.values").c_str(), i), printed(road.frictions->values[i]),
                         "must not be below zero");
  }
}

void checkDrive(const std::string& path, const DriveSpec& drive, const References& references, FindingList& out) {
  std::visit(DriveTargetRules{path, references, out}, drive.target);
  std::visit(DriveFunctionRules{path, out}, drive.function);
}

void checkDriveInputs(const ModelSpec& spec, FindingList& out) {
  for (std::size_t d = 0; d < spec.drives.size(); ++d) {
    const bool takes_input = std::holds_alternative<InputFunctionSpec>(spec.drives[d].function);
    int first[3] = {-1, -1, -1};
    for (std::size_t a = 0; a < spec.actuators.size(); ++a) {
      const auto* input = std::get_if<DriveInputSpec>(&spec.actuators[a].kind);
      if (input == nullptr || input->drive != spec.drives[d].name) continue;
      const std::string path = element("actuators", a) + ".drive_input";
      int& seen = first[static_cast<int>(input->quantity)];
      if (!takes_input)
        out.error(path + ".drive", printed(input->drive), "must be a drive whose function is an input");
      else if (seen >= 0)
        out.error(path + ".quantity", printed(spec.actuators[a].name), "must be the only one of its quantity",
                  element("actuators", static_cast<std::size_t>(seen)) + " gives it already");
      seen = static_cast<int>(a);
    }
    if (takes_input && first[0] < 0)
      out.error(element("drives", d) + ".input", "no actuator", "must have an actuator that gives its value",
                "an actuator with drive_input: {drive: \"" + spec.drives[d].name + "\"}");
  }
}

}  // namespace tactus::rt::rules
