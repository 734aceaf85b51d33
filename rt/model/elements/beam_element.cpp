#include "rt/model/elements/beam_element.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/lu.h"
#include "rt/math/section_pair.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tactus::rt {

Fields BeamElementSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BeamElementSpec::body_1>("body_1", "Name of a body, or \"ground\".", {.refers = Refers::kBodyOrGround}),
      field<&BeamElementSpec::body_2>("body_2", "Name of another body, or \"ground\".",
                                      {.refers = Refers::kBodyOrGround, .rule = "not body_1"}),
      field<&BeamElementSpec::point_1>(
          "point_1", "Point of the axis on body 1.",
          {.unit = "m", .range = Range::kFinite, .required = true, .rule = "apart from point_2 in the declared state"}),
      field<&BeamElementSpec::point_2>("point_2", "Point of the axis on body 2.",
                                       {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&BeamElementSpec::orientation_1>(
          "orientation_1", "From the frame of the section to the frame of body 1, on \"ground\" to the world frame.",
          {.unit = "1", .range = Range::kUnitQuaternion}),
      field<&BeamElementSpec::orientation_2>(
          "orientation_2", "From the frame of the section to the frame of body 2, on \"ground\" to the world frame.",
          {.unit = "1", .range = Range::kUnitQuaternion, .rule = "within 90 degrees of section 1 when declared"}),
      field<&BeamElementSpec::length>("length", "Length along the axis without load.",
                                      {.unit = "m", .range = Range::kPositive}),
      field<&BeamElementSpec::stiffness>(
          "stiffness",
          "Of the section: 6 numbers are EA, GA of shear along 2 and 3, GJ, EI about 2 and 3; 36 a full matrix, row by "
          "row.",
          {.unit = "N, N m^2, N m", .rule = "symmetric, positive definite"}),
      field<&BeamElementSpec::damping_time>("damping_time", "Damping divided by stiffness.",
                                            {.unit = "s", .range = Range::kNotNegative}),
      field<&BeamElementSpec::plain_shear>("plain_shear",
                                           "Whether to leave out the flexibility of bending within the element."),
  };
  return kFields;
}

void checkSectionStiffness(const FindingPlace& at, const char* field, const Eigen::MatrixXd& stiffness) {
  if (stiffness.rows() != 6 || stiffness.cols() != 6)
    return at.error(field, std::to_string(stiffness.size()) + " numbers", "must be 6 or 36 numbers",
                    "EA, GA_2, GA_3, GJ, EI_2, EI_3, or the full matrix row by row");
  if (!stiffness.allFinite()) return at.error(field, "a value that is not finite", "must hold finite numbers");
  const double size = stiffness.cwiseAbs().maxCoeff();
  if ((stiffness - stiffness.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size)  // what the last digits of a file leave
    return at.error(field, "a matrix that is not symmetric", "must be symmetric");
  // Of the matrix with a unit diagonal: N and N m^2 do not compare.
  const Eigen::VectorXd diagonal = stiffness.diagonal();
  if (diagonal.minCoeff() <= 0)
    return at.error(field, printed(diagonal.minCoeff()) + " on the diagonal", "must be above zero on the diagonal",
                    "a section resists every strain; a soft direction needs a small stiffness");
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  const double lowest = symmetricEigenvalues(scale.asDiagonal() * stiffness * scale.asDiagonal()).minCoeff();
  if (lowest <= 1e-12)  // round-off of the eigenvalues
    at.error(field, "an eigenvalue of " + printed(lowest) + " at unit diagonal",
             "must be positive definite: every strain must cost energy");
}

Eigen::Matrix<double, 6, 6> elementStiffness(const Eigen::Matrix<double, 6, 6>& section, double length,
                                             bool plain_shear) {
  Eigen::Matrix<double, 6, 6> S = LuFactors(section).inverse();
  if (!plain_shear) {
    const double share = length * length / 12;
    S(1, 1) += share * S(5, 5);
    S(2, 2) += share * S(4, 4);
    S(1, 2) -= share * S(4, 5);
    S(2, 1) -= share * S(5, 4);
  }
  const Eigen::Matrix<double, 6, 6> K = LuFactors(S).inverse() / length;
  return 0.5 * (K + K.transpose());
}

namespace {

/// A section in the declared state.
SectionPose<double> declaredSection(const DeclaredPose& pose, const Vector3d& point, const Vector4d& orientation) {
  return {pose.toWorld(point), pose.rotation * rotationMatrix(unitVector(orientation))};
}

}  // namespace

void check(const BeamElementSpec& spec, const FindingPlace& at) {
  requireTwoBodies(at, spec.body_1, spec.body_2);
  requireApart(at, spec.body_1, spec.point_1, spec.body_2, spec.point_2, "an element needs a length");
  checkSectionStiffness(at, ".stiffness", spec.stiffness);
  const auto pose_1 = at.references.declaredPose(spec.body_1), pose_2 = at.references.declaredPose(spec.body_2);
  if (!pose_1 || !pose_2) return;
  const auto s_1 = declaredSection(*pose_1, spec.point_1, spec.orientation_1);
  const auto s_2 = declaredSection(*pose_2, spec.point_2, spec.orientation_2);
  // The trace of a rotation is 1 + 2 cos(angle).
  const double cosine = ((s_1.Q.transpose() * s_2.Q).trace() - 1) / 2;
  if (cosine < 0)
    at.error(".orientation_2", printed(std::acos(std::max(cosine, -1.0))) + " rad from section 1",
             "must be within 1.57 rad of section 1 in the declared state", "use more elements");
}

void build(const BeamElementSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  JointBuilder joint(JointKind{BeamElementSpec::kNumber}, builder.body(spec.body_1), builder.body(spec.body_2),
                     builder);
  joint.setPoints(spec.point_1, spec.point_2);
  const Matrix3d f_1 = rotationMatrix(unitVector(spec.orientation_1)),
                 f_2 = rotationMatrix(unitVector(spec.orientation_2));
  Primitive& section = joint.add(PrimitiveKind::kSection, spec.point_1, spec.point_2, f_1.col(0), f_2.col(0));
  section.b_1 = f_1.col(1);
  section.b_2 = f_2.col(1);

  CompliantLaw law;
  law.rows = 6;
  law.K = elementStiffness(spec.stiffness, spec.length, spec.plain_shear);
  law.C = spec.damping_time * law.K;
  law.rest = SectionPair<double>(declaredSection(joint.pose1(), spec.point_1, spec.orientation_1),
                                 declaredSection(joint.pose2(), spec.point_2, spec.orientation_2))
                 .value();
  joint.setCompliant(law);
  joint.finish(force.name, force.description);
}

}  // namespace tactus::rt
