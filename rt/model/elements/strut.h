// A strut: spring, damper and stops along the line between two points, also with a telescopic tube and rod of its own.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/elements/spring_law.h"

#include <optional>
#include <string>

namespace tactus::rt {

/// The tube or the rod of a strut: a slender body along the line between its ends.
struct StrutBodySpec {
  double mass = 0;                ///< kg
  double axial_inertia = 0;       ///< about the line, kg m^2
  double transverse_inertia = 0;  ///< about any axis across the line, kg m^2
  double offset = 0;              ///< of the center of mass from the end that is mounted, m

  static Fields fields();
};

/// Without tube and rod a translational spring. With them two bodies on a cylindrical joint, each held by a universal
/// joint, with the spring between the mounted ends: 12 constraint rows, which leave the bodies 1 and 2 all their
/// freedom.
struct StrutSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  double stiffness = 0;               ///< N/m
  double damping = 0;                 ///< N s/m
  std::optional<double> free_length;  ///< m; default: the distance in the declared state
  double preload = 0;                 ///< N, tension
  SpringLawSpec law = {};
  std::optional<StrutBodySpec> tube;  ///< on body 1
  std::optional<StrutBodySpec> rod;   ///< on body 2

  static constexpr const char* kName = "strut";
  static constexpr const char* kTitle = "strut";
  static Fields fields();
};

void check(const StrutSpec& spec, const FindingPlace& at);
/// One part, the spring, which has the name of the strut; with tube and rod spring, tube, rod, mount_1, mount_2 and
/// slide.
void expand(const StrutSpec& spec, Expansion& expansion);

}  // namespace tactus::rt
