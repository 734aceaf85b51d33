// An element of a beam: six compliant rows between two sections.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

/// A two-node beam element between a section on body 1 and one on body 2. Axis 1 of a section runs along the beam, axes
/// 2 and 3 across it. Unloaded in the declared state. The strain is that of the helix through both sections, so that
/// states of constant strain are exact for any angle below a half turn.
/// @source the strain: rt/math/section_pair.h
struct BeamElementSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector4d orientation_1 = Vector4d(1, 0, 0, 0);  ///< of the section, in body 1 (world axes on ground)
  Vector4d orientation_2 = Vector4d(1, 0, 0, 0);
  double length = 0;  ///< along the axis of the beam, unloaded, m
  /// 6 x 6, symmetric, positive definite; rows: force along 1, 2, 3 (N), moment about 1, 2, 3 (N m)
  Eigen::MatrixXd stiffness;
  double damping_time = 0;  ///< damping over stiffness, s
  bool plain_shear = false;

  static constexpr const char* kName = "beam_element";
  static constexpr const char* kTitle = "beam element";
  static constexpr std::uint8_t kNumber = 26;
  static Fields fields();
};

/// Findings on the stiffness of a section: size, symmetry, and that every strain costs energy.
void checkSectionStiffness(const FindingPlace& at, const char* field, const Eigen::MatrixXd& stiffness);

/// Stiffness of an element, N/m, N and N m/rad, from that of its section: C/L with the flexibility of bending within
/// the element added to that of shear, so that a straight element is exact for loads at its ends.
/// @source residual bending flexibility: R. H. MacNeal, A simple quadrilateral shell element, Computers and Structures
/// 8
///         (1978), here with coupled bending
Eigen::Matrix<double, 6, 6> elementStiffness(const Eigen::Matrix<double, 6, 6>& section, double length,
                                             bool plain_shear);

void check(const BeamElementSpec& spec, const FindingPlace& at);
void build(const BeamElementSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
