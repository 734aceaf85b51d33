#include "rt/model/elements/modal_body.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/modal_parts.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/check_fields.h"
#include "rt/model/directions.h"
#include "rt/model/expand.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tactus::rt {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kMaxParts = kMaxModeSpringParts;
/// Of a matrix from a file: relative to its largest number.
constexpr double kFileDigits = 1e-9;
/// Of what a rigid motion may cost, and of how far the mass may be from that of a rigid body, both relative: a program
/// that condenses a body leaves six digits.
constexpr double kRigid = 1e-5;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixXd matrixOf(const std::vector<double>& numbers, std::size_t rows, std::size_t columns) {
  return Eigen::Map<const RowMajor>(numbers.data(), static_cast<Index>(rows), static_cast<Index>(columns));
}

CraigBampton craigBampton(const ModalBodySpec& spec) {
  const std::size_t at_interfaces = 6 * spec.interfaces.size(), modes = spec.mode_stiffness.size();
  CraigBampton body;
  for (const ModalInterfaceSpec& interface : spec.interfaces) body.points.push_back(interface.point);
  body.stiffness = matrixOf(spec.stiffness, at_interfaces, at_interfaces);
  body.mass = matrixOf(spec.mass, at_interfaces, at_interfaces);
  body.mode_stiffness = Eigen::Map<const Eigen::VectorXd>(spec.mode_stiffness.data(), static_cast<Index>(modes));
  body.coupling = matrixOf(spec.coupling, at_interfaces, modes);
  return body;
}

std::vector<InterfaceMass> interfaceMasses(const ModalBodySpec& spec) {
  std::vector<InterfaceMass> masses;
  for (const ModalInterfaceSpec& interface : spec.interfaces) masses.push_back({interface.mass, interface.inertia});
  return masses;
}

bool isName(const std::string& name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

/// Eigenvalues of a symmetric matrix at unit diagonal: numbers of different units compare. A diagonal below zero stays.
Eigen::VectorXd scaledEigenvalues(const MatrixXd& m, const Eigen::VectorXd& diagonal) {
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(diagonal.size());
  for (Index i = 0; i < scale.size(); ++i)
    if (diagonal[i] > 0) scale[i] = 1 / std::sqrt(diagonal[i]);
  return symmetricEigenvalues(scale.asDiagonal() * m * scale.asDiagonal());
}

bool checkSize(const FindingPlace& at, const char* field, const std::vector<double>& numbers, std::size_t rows,
               std::size_t columns, const char* size) {
  if (numbers.size() == rows * columns) return true;
  at.error(field, std::to_string(numbers.size()) + " numbers",
           "must be " + std::to_string(rows * columns) + " numbers: " + size + " with " + std::to_string(rows / 6) +
               " interfaces",
           "row by row; see coupling for the order of the coordinates");
  return false;
}

bool checkSymmetric(const FindingPlace& at, const char* field, const MatrixXd& m) {
  Index row, column;
  const double worst = (m - m.transpose()).cwiseAbs().maxCoeff(&row, &column);
  if (worst <= kFileDigits * m.cwiseAbs().maxCoeff()) return true;
  at.error(field,
           printed(m(row, column)) + " in row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) +
               ", and " + printed(m(column, row)) + " in the mirrored place",
           "must be symmetric");
  return false;
}

/// Stiffness: nothing for rigid motions, and something for every other.
void checkStiffness(const CraigBampton& body, const FindingPlace& at) {
  const MatrixXd R = body.rigidMotions().topRows(body.mass.rows());
  const Eigen::VectorXd diagonal = body.stiffness.diagonal();
  const double size = body.stiffness.cwiseAbs().maxCoeff();
  if (body.points.size() == 1) {
    if (size > 0) at.error(".stiffness", printed(size), "must be zero with one interface: its motions are rigid");
    if (body.mode_stiffness.size() == 0)
      at.error(".mode_stiffness", "none", "must be given with one interface",
               "a body that does not bend is a rigid one");
    return;
  }
  const double cost = (body.stiffness * R).cwiseAbs().maxCoeff() / std::max(1.0, R.cwiseAbs().maxCoeff());
  if (cost > kRigid * size)
    at.error(".stiffness", "forces of " + printed(cost) + " for a rigid motion of size 1",
             "must be zero for rigid motions", "check points, axes and units: rotations are in rad, points in m");
  const Eigen::VectorXd values = scaledEigenvalues(body.stiffness, diagonal);
  if (values[0] < -kRigid)
    at.error(".stiffness", "an eigenvalue of " + printed(values[0]) + " at unit diagonal",
             "must be positive semidefinite: no deformation may release energy");
  else if (!(values[6] > kFileDigits))
    at.error(".stiffness", "a seventh eigenvalue of " + printed(values[6]) + " at unit diagonal",
             "must be above zero for all motions but the six rigid ones", "the interfaces must hang together");
}

/// Mass: definite, also without that of the interface bodies, and that of a rigid body in rigid motions.
void checkMass(const ModalBodySpec& spec, const CraigBampton& body, const FindingPlace& at) {
  const MatrixXd M = body.fullMass();
  const double lowest = scaledEigenvalues(M, M.diagonal())[0];
  if (!(lowest > kFileDigits))
    return at.error(".mass", "an eigenvalue of " + printed(lowest) + " at unit diagonal, with coupling",
                    "must be positive definite together with coupling",
                    "check the scaling of the modes: modal masses are 1");
  const MatrixXd rest = restMass(body, interfaceMasses(spec)), R = body.rigidMotions();
  const double left = scaledEigenvalues(rest, M.diagonal())[0];
  if (!(left > kFileDigits))
    return at.error(".interfaces", "a mass without the interface bodies with an eigenvalue of " + printed(left),
                    "must carry less: the mass that is left must be positive definite",
                    "give half of the mass and inertia of the node at the interface");
  const RigidMass rigid = rigidMass(R.transpose() * rest * R);
  if (!(rigid.deviation < kRigid))
    at.error(".mass", "a deviation of " + printed(rigid.deviation) + " from the mass of a rigid body",
             "must be that of a rigid body in rigid motions", "check points, axes and units");
}

void checkInterfaces(const ModalBodySpec& spec, const FindingPlace& at) {
  if (spec.interfaces.empty()) at.error(".interfaces", "none", "must hold at least one interface");
  const std::size_t parts = spec.interfaces.size() + static_cast<std::size_t>(spec.modes / 6);
  if (parts > kMaxParts)
    at.error(
        ".interfaces",
        std::to_string(spec.interfaces.size()) + " interfaces and " + std::to_string(spec.modes / 6) + " mode bodies",
        "must be at most " + std::to_string(kMaxParts) + " together", "leave out modes or interfaces");
  for (std::size_t i = 0; i < spec.interfaces.size(); ++i) {
    const ModalInterfaceSpec& interface = spec.interfaces[i];
    const FindingPlace of_interface = at.within('.' + element("interfaces", i));
    if (!isName(interface.name) || interface.name.compare(0, 4, "mode") == 0)
      of_interface.error(".name", printed(interface.name),
                         "must be a name: letters, digits and _, no digit first, not beginning with \"mode\"");
    for (std::size_t k = 0; k < i; ++k)
      if (spec.interfaces[k].name == interface.name)
        of_interface.error(".name", printed(interface.name), "must be unique within the modal body");
  }
}

/// Numbers that an expansion needs to be finite.
bool allFinite(const ModalBodySpec& spec) {
  const auto finite = [](const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  };
  return finite(spec.stiffness) && finite(spec.mass) && finite(spec.mode_stiffness) && finite(spec.coupling) &&
         std::all_of(spec.interfaces.begin(), spec.interfaces.end(), [](const ModalInterfaceSpec& interface) {
           return interface.point.allFinite() && std::isfinite(interface.mass) && interface.inertia.allFinite();
         });
}

/// Whether nothing is wrong with a modal body: what is has its findings.
bool canExpand(const ModalBodySpec& spec, const References& references) {
  FindingList findings;
  const FindingPlace at{"", references, findings};
  checkFields(spec, at);
  check(spec, at);
  const std::vector<Finding> all = findings.take();
  return std::none_of(all.begin(), all.end(), [](const Finding& f) { return f.severity == Severity::kError; });
}

/// A body that moves with the modal body as a rigid one.
/// @param point  its center, frame of the modal body
BodySpec bodyAt(const ModalBodySpec& spec, const Vector3d& point, double mass, const Matrix3d& inertia) {
  const Matrix3d R = rotationMatrix(unitVector(spec.orientation));
  BodySpec body;
  body.mass = mass;
  body.inertia = inertia;
  body.position = spec.position + R * point;
  body.orientation = spec.orientation;
  body.velocity = spec.velocity + R * spec.angular_velocity.cross(point);
  body.angular_velocity = spec.angular_velocity;
  return body;
}

/// The springs whose energy is that of the stiffness matrix, modal.md (10): K = L D L^T, a mode spring for each row of
/// L^T.
/// @param parts  with name and points; of interfaces, then of mode bodies
void addSprings(const std::string& mean, const std::vector<ModeSpringPartSpec>& parts, MatrixXd K, double damping_time,
                Expansion& expansion) {
  for (Index row = 0; row < K.rows(); ++row) {
    const double d = K(row, row);
    const Eigen::VectorXd weights = K.row(row).transpose() / d;
    K -= d * weights * weights.transpose();
    ModeSpringSpec spring{mean, {}, d, damping_time * d};
    for (std::size_t i = static_cast<std::size_t>(row) / 6; i < parts.size(); ++i) {
      ModeSpringPartSpec part = parts[i];
      for (Index k = 0; k < 6; ++k) {
        const Index column = static_cast<Index>(6 * i) + k;
        if (column >= row) (k < 3 ? part.translation[k] : part.rotation[k - 3]) = weights[column];
      }
      if (!part.translation.isZero(0) || !part.rotation.isZero(0)) spring.parts.push_back(part);
    }
    expansion.add(("mode_spring_" + std::to_string(row + 1)).c_str(), std::move(spring));
  }
}

}  // namespace

Fields ModalInterfaceSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ModalInterfaceSpec::name>("name", "Name of the interface.",
                                       {.rule = "unique within the modal body, not beginning with \"mode\""}),
      field<&ModalInterfaceSpec::point>("point", "Frame of the modal body.",
                                        {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&ModalInterfaceSpec::mass>("mass", "That the interface body carries, of the mass of the modal body.",
                                       {.unit = "kg", .range = Range::kPositive}),
      field<&ModalInterfaceSpec::inertia>(
          "inertia", "That the interface body carries, about its point, axes of the modal body.",
          {.unit = "kg m^2", .required = true, .rule = "as of a body; leaves a positive definite mass"}),
  };
  return kFields;
}

Fields ModalBodySpec::fields() {
  static constexpr Field kFields[] = {
      field<&ModalBodySpec::position>("position", "Origin of the frame of the body, world frame.",
                                      {.unit = "m", .range = Range::kFinite}),
      field<&ModalBodySpec::orientation>("orientation", "From the frame of the body to the world frame.",
                                         {.unit = "1", .range = Range::kUnitQuaternion}),
      field<&ModalBodySpec::velocity>("velocity", "Of the origin in the declared state, world frame.",
                                      {.unit = "m/s", .range = Range::kFinite}),
      field<&ModalBodySpec::angular_velocity>("angular_velocity", "In the declared state, frame of the body.",
                                              {.unit = "rad/s", .range = Range::kFinite}),
      field<&ModalBodySpec::interfaces>("interfaces", "Points to which joints and force elements attach.",
                                        {.rule = "1 to 7, with the mode bodies at most 7"}),
      field<&ModalBodySpec::stiffness>(
          "stiffness", "At the interfaces.",
          {.unit = "N/m, N, N m/rad",
           .range = Range::kFinite,
           .rule = "6n x 6n numbers, symmetric, zero for rigid motions and for them only"}),
      field<&ModalBodySpec::mass>("mass", "At the interfaces with the modes at rest.",
                                  {.unit = "kg, kg m, kg m^2",
                                   .range = Range::kFinite,
                                   .rule = "6n x 6n numbers, symmetric, with coupling positive definite"}),
      field<&ModalBodySpec::mode_stiffness>(
          "mode_stiffness", "Square of the angular frequency of each mode with fixed interfaces; its modal mass is 1.",
          {.unit = "rad^2/s^2", .range = Range::kPositive, .otherwise = "none"}),
      field<&ModalBodySpec::coupling>(
          "coupling", "Mass between interfaces and modes. Coordinates: displacement and rotation of each interface.",
          {.unit = "sqrt(kg), sqrt(kg) m", .range = Range::kFinite, .otherwise = "none", .rule = "6n x N numbers"}),
      field<&ModalBodySpec::modes>("modes", "Number of free modes that keep their mass.",
                                   {.unit = "1", .rule = "0, 6, 12, ...; at most 6n + N - 6"}),
      field<&ModalBodySpec::damping_time>("damping_time", "Damping divided by stiffness.",
                                          {.unit = "s", .range = Range::kNotNegative}),
  };
  return kFields;
}

void check(const ModalBodySpec& spec, const FindingPlace& at) {
  checkInterfaces(spec, at);
  const std::size_t at_interfaces = 6 * spec.interfaces.size(), modes = spec.mode_stiffness.size();
  const bool stiffness_fits = checkSize(at, ".stiffness", spec.stiffness, at_interfaces, at_interfaces, "6n x 6n");
  const bool mass_fits = checkSize(at, ".mass", spec.mass, at_interfaces, at_interfaces, "6n x 6n");
  const bool coupling_fits = checkSize(at, ".coupling", spec.coupling, at_interfaces, modes, "6n x N");
  const auto elastic = static_cast<std::ptrdiff_t>(at_interfaces + modes) - 6;
  if (spec.modes % 6 != 0 || spec.modes > elastic)
    at.error(".modes", std::to_string(spec.modes),
             "must be a multiple of 6, at most 6n + N - 6: " + std::to_string(std::max<std::ptrdiff_t>(elastic, 0)));
  if (!stiffness_fits || !mass_fits || !coupling_fits || spec.interfaces.empty() || !allFinite(spec)) return;

  const CraigBampton body = craigBampton(spec);
  if (checkSymmetric(at, ".stiffness", body.stiffness)) checkStiffness(body, at);
  if (checkSymmetric(at, ".mass", body.mass)) checkMass(spec, body, at);
}

void expand(const ModalBodySpec& spec, Expansion& expansion) {
  if (!canExpand(spec, expansion.references())) return;
  const ModalParts parts = modalParts(craigBampton(spec), interfaceMasses(spec), spec.modes);
  const RigidMass& mean = parts.mean;
  const double share_of_mean = 1 - parts.share * parts.mode_bodies;
  const std::string reference =
      expansion.add("", "", bodyAt(spec, mean.center, share_of_mean * mean.mass, share_of_mean * mean.inertia));

  const Vector3d none = Vector3d::Zero();
  std::vector<ModeSpringPartSpec> of_springs;
  for (std::size_t i = 0; i < spec.interfaces.size(); ++i) {
    const ModalInterfaceSpec& interface = spec.interfaces[i];
    const std::string field = '.' + element("interfaces", i);
    const std::string name = expansion.add(interface.name.c_str(), field.c_str(),
                                           bodyAt(spec, interface.point, interface.mass, interface.inertia));
    of_springs.push_back({name, interface.point - mean.center, none, none, none});
  }
  for (int k = 1; k <= parts.mode_bodies; ++k) {
    const std::string name =
        expansion.add(("modes_" + std::to_string(k)).c_str(), ".modes",
                      bodyAt(spec, mean.center, parts.share * mean.mass, parts.share * mean.inertia));
    of_springs.push_back({name, none, none, none, none});
  }
  addSprings(reference, of_springs, parts.stiffness, spec.damping_time, expansion);
}

}  // namespace tactus::rt
