// A spring on a weighted sum of small displacements of several bodies against a reference body: one compliant row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tactus::rt {

/// A body whose displacement against the reference body counts.
struct ModeSpringPartSpec {
  std::string body;
  Vector3d reference_point = Vector3d::Zero();  ///< on the reference body, m
  Vector3d point = Vector3d::Zero();            ///< on the part, m
  Vector3d translation = Vector3d::Zero();      ///< weights of the displacement, axes of the reference body
  Vector3d rotation = Vector3d::Zero();         ///< weights of the rotation, axes of the reference body

  static Fields fields();
};

/// Force on s: -(stiffness (s - s_0) + damping ds/dt), with s_0 of the declared state. s is the sum over the parts of
/// translation . (displacement of `point` from `reference_point`) + rotation . (sine of the angle times the axis). s
/// depends on the relative poses alone, so that the forces on all bodies are in balance.
struct ModeSpringSpec {
  std::string body;
  std::vector<ModeSpringPartSpec> parts;  ///< 1 to kMaxModeSpringParts
  double stiffness = 0;
  double damping = 0;

  static constexpr const char* kName = "mode_spring";
  static constexpr const char* kTitle = "mode spring";
  static constexpr std::uint8_t kNumber = 27;
  static Fields fields();
};

inline constexpr std::size_t kMaxModeSpringParts = 7;

void check(const ModeSpringSpec& spec, const FindingPlace& at);
void build(const ModeSpringSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
