// Names of the kinds of joints, as people read them.
#include "rt/model/model.h"

namespace tactus::rt {

const char* toString(JointKind kind) noexcept {
  switch (kind) {
    case JointKind::kSpherical: return "spherical";
    case JointKind::kRevolute: return "revolute";
    case JointKind::kDistance: return "distance";
    case JointKind::kDot1: return "dot1";
    case JointKind::kDot2: return "dot2";
    case JointKind::kPoint: return "point";
    case JointKind::kUniversal: return "universal";
    case JointKind::kCylindrical: return "cylindrical";
    case JointKind::kPrismatic: return "prismatic";
    case JointKind::kPlanar: return "planar";
    case JointKind::kWeld: return "weld";
    case JointKind::kPointOnLine: return "point on line";
    case JointKind::kPointOnPlane: return "point on plane";
    case JointKind::kGear: return "gear";
    case JointKind::kRackAndPinion: return "rack and pinion";
    case JointKind::kScrew: return "screw";
    case JointKind::kCoupler: return "coupler";
    case JointKind::kTranslationalSpring: return "translational spring";
    case JointKind::kRotationalSpring: return "rotational spring";
    case JointKind::kBushing: return "bushing";
    case JointKind::kVerticalTyre: return "vertical tyre";
    case JointKind::kDrivenAngle: return "driven angle";
    case JointKind::kDrivenDistance: return "driven distance";
    case JointKind::kDrivenTravel: return "driven travel";
  }
  return "unknown";
}

}  // namespace tactus::rt
