// A bushing between two bodies: three or six rows of finite compliance.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

/// Three or six rows. Rows 0 to 2 are the displacement of point 2 from point 1 along the axes of a frame fixed in body
/// 1; they are zero where the points coincide. Rows 3 to 5 are the rotation of body 2 about these axes, the sine of the
/// angle times the axis of rotation; they are zero in the declared state.
struct BushingSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector4d orientation = Vector4d(1, 0, 0, 0);  ///< of the frame, in body 1 (world axes on ground)
  /// 3 x 3 or 6 x 6, symmetric; N/m, N, N m/rad and their rates. Empty: zero, of the size of the other one.
  Eigen::MatrixXd stiffness, damping;

  static constexpr const char* kName = "bushing";
  static constexpr const char* kTitle = "bushing";
  static constexpr std::uint8_t kNumber = 19;
  static Fields fields();

  /// Whether a row, from 0, has an entry in either matrix. Rows without any would be infinitely soft: they are left
  /// out.
  bool resists(Eigen::Index row) const;
  /// Rows of the larger matrix.
  Eigen::Index rows() const noexcept;
};

void check(const BushingSpec& spec, const FindingPlace& at);
void build(const BushingSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
