#include "rt/model/elements/bushing.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <algorithm>

namespace tactus::rt {
namespace {

/// A matrix, or zero of so many rows if it is empty.
Eigen::MatrixXd filled(const Eigen::MatrixXd& m, Eigen::Index rows) {
  return m.size() == 0 ? Eigen::MatrixXd::Zero(rows, rows) : m;
}

/// Eigenvalues of a symmetric matrix, rising, at unit diagonal: N/m and N m/rad do not compare. A diagonal that is
/// round-off beside the others of its unit, or zero, is not made one.
/// @param m  of 3 or 6 rows, no entry of its diagonal below zero
Eigen::VectorXd scaledEigenvalues(const Eigen::MatrixXd& m) {
  constexpr double kRoundOff = 1e-12;
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(m.rows());
  for (Eigen::Index first = 0; first < m.rows(); first += 3) {
    const Vector3d diagonal = m.diagonal().segment<3>(first);
    if (const double size = diagonal.maxCoeff(); size > 0)
      scale.segment<3>(first) = diagonal.cwiseMax(kRoundOff * size).cwiseSqrt().cwiseInverse();
  }
  return symmetricEigenvalues(scale.asDiagonal() * m * scale.asDiagonal());
}

/// A square matrix of 3 or 6 rows, symmetric, positive semidefinite.
bool checkMatrix(const FindingPlace& at, const char* field, const Eigen::MatrixXd& m) {
  if (m.rows() != m.cols() || (m.rows() != 3 && m.rows() != 6)) {
    at.error(field, std::to_string(m.size()) + " numbers", "must be 3, 6, 9 or 36 numbers",
             "a diagonal of 3 or 6, or a full matrix row by row");
    return false;
  }
  if (!m.allFinite()) {
    at.error(field, "a value that is not finite", "must hold finite numbers");
    return false;
  }
  const double size = m.cwiseAbs().maxCoeff();
  if ((m - m.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size) {  // what the last digits of a file leave
    at.error(field, "a matrix that is not symmetric", "must be symmetric");
    return false;
  }
  if (const double lowest = m.diagonal().minCoeff(); lowest < 0) {
    at.error(field, printed(lowest) + " on the diagonal", "must not be below zero on the diagonal",
             "a negative stiffness pushes a body away, and a negative damping drives it");
    return false;
  }
  const double lowest = scaledEigenvalues(m)[0];
  if (lowest < -1e-9) {  // round-off of a semidefinite matrix with ten digits
    at.error(field, "an eigenvalue of " + printed(lowest) + " at unit diagonal",
             "must be positive semidefinite: it must have no eigenvalue below zero");
    return false;
  }
  return true;
}

}  // namespace

Fields BushingSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BushingSpec::body_1>("body_1", "Name of a body, or \"ground\".", {.refers = Refers::kBodyOrGround}),
      field<&BushingSpec::body_2>("body_2", "Name of another body, or \"ground\".",
                                  {.refers = Refers::kBodyOrGround, .rule = "not body_1"}),
      field<&BushingSpec::point_1>("point_1", "Point on body 1.",
                                   {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&BushingSpec::point_2>("point_2", "Point on body 2.",
                                   {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&BushingSpec::orientation>(
          "orientation", "From the frame of the bushing to the frame of body 1, on \"ground\" to the world frame.",
          {.unit = "1", .range = Range::kUnitQuaternion}),
      field<&BushingSpec::stiffness>(
          "stiffness",
          "3 or 6 numbers are a diagonal matrix, 9 or 36 a full one, row by row. With 3 or 9 the bushing does not "
          "resist rotation.",
          {.unit = "N/m, N m/rad, N", .rule = "symmetric, positive semidefinite, not zero where damping is zero"}),
      field<&BushingSpec::damping>("damping", "Matrix of the rates, of the size of the stiffness.",
                                   {.unit = "N s/m, N m s/rad, N s", .otherwise = "none", .rule = "as stiffness"}),
  };
  return kFields;
}

Eigen::Index BushingSpec::rows() const noexcept {
  return std::max(stiffness.rows(), damping.rows());
}

bool BushingSpec::resists(Eigen::Index row) const {
  const auto has = [row](const Eigen::MatrixXd& m) { return row < m.rows() && !m.row(row).isZero(0); };
  return has(stiffness) || has(damping);
}

void check(const BushingSpec& spec, const FindingPlace& at) {
  requireTwoBodies(at, spec.body_1, spec.body_2);
  const Eigen::Index rows = spec.rows() == 0 ? 3 : spec.rows();
  const Eigen::MatrixXd stiffness = filled(spec.stiffness, rows), damping = filled(spec.damping, rows);
  const bool stiffness_fits = checkMatrix(at, ".stiffness", stiffness);
  const bool damping_fits = checkMatrix(at, ".damping", damping);
  if (!stiffness_fits || !damping_fits) return;
  if (stiffness.rows() != damping.rows())
    return at.error(".damping", std::to_string(damping.rows()) + " rows",
                    "must have as many rows as stiffness: " + std::to_string(stiffness.rows()));
  if (stiffness.isZero(0) && damping.isZero(0))
    at.error(".stiffness", "zero", "must not be zero where damping is zero");
  // What resists a direction at all must do so definitely, or the row would be infinitely soft.
  const Eigen::MatrixXd both = stiffness + damping;
  const Eigen::VectorXd values = scaledEigenvalues(both);
  int soft = 0, empty = 0;
  for (Eigen::Index i = 0; i < both.rows(); ++i) {
    soft += values[i] <= 1e-12;  // round-off of the eigenvalues
    empty += !spec.resists(i);
  }
  if (soft > empty)
    at.error(".stiffness", "a matrix of lower rank",
             "must, with the damping, resist every direction in which it has an entry");
}

void build(const BushingSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  JointBuilder joint(JointKind::kBushing, builder.body(spec.body_1), builder.body(spec.body_2), builder);
  joint.setPoints(spec.point_1, spec.point_2);
  const Matrix3d f = rotationMatrix(unitVector(spec.orientation));
  const Matrix3d g = joint.pose2().rotation.transpose() * joint.pose1().rotation * f;
  CompliantLaw law;
  for (int row = 0; row < static_cast<int>(spec.rows()); ++row) {
    if (!spec.resists(row)) continue;
    law.axes[static_cast<std::size_t>(law.rows++)] = row;
    if (row < 3) {
      joint.keepInPlane(f.col(row));
      continue;
    }
    const int next = (row - 2) % 3, last = (row - 1) % 3;
    Primitive& twist = joint.add(PrimitiveKind::kTwist, Vector3d::Zero(), Vector3d::Zero(), f.col(last), g.col(next));
    twist.b_1 = f.col(next);
    twist.b_2 = g.col(last);
  }
  const Eigen::MatrixXd stiffness = filled(spec.stiffness, spec.rows()), damping = filled(spec.damping, spec.rows());
  for (int r = 0; r < law.rows; ++r)
    for (int c = 0; c < law.rows; ++c) {
      law.K(r, c) = stiffness(law.axes[static_cast<std::size_t>(r)], law.axes[static_cast<std::size_t>(c)]);
      law.C(r, c) = damping(law.axes[static_cast<std::size_t>(r)], law.axes[static_cast<std::size_t>(c)]);
    }
  joint.setCompliant(law);
  joint.finish(force.name, force.description);
}

}  // namespace tactus::rt
