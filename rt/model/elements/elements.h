// The one list of kinds of elements. A kind is added by its pair of files and by its line here: the variants of the
// description, the loops that check and build it, and the list of sources in CMake follow.
//
// The order of a variant is that of findings about kinds and of the index in it; new kinds go to the end.
#pragma once

#include "rt/model/elements/air_load.h"
#include "rt/model/elements/angular_velocity.h"
#include "rt/model/elements/anti_roll_bar.h"
#include "rt/model/elements/beam.h"
#include "rt/model/elements/beam_element.h"
#include "rt/model/elements/body.h"
#include "rt/model/elements/body_drag.h"
#include "rt/model/elements/body_force.h"
#include "rt/model/elements/body_torque.h"
#include "rt/model/elements/brake.h"
#include "rt/model/elements/bushing.h"
#include "rt/model/elements/constant_velocity.h"
#include "rt/model/elements/control.h"
#include "rt/model/elements/coupler.h"
#include "rt/model/elements/cylindrical.h"
#include "rt/model/elements/distance.h"
#include "rt/model/elements/dot1.h"
#include "rt/model/elements/dot2.h"
#include "rt/model/elements/drive_input.h"
#include "rt/model/elements/driven_angle.h"
#include "rt/model/elements/driven_distance.h"
#include "rt/model/elements/driven_travel.h"
#include "rt/model/elements/force_value.h"
#include "rt/model/elements/gear.h"
#include "rt/model/elements/harmonic.h"
#include "rt/model/elements/initial_condition.h"
#include "rt/model/elements/input_function.h"
#include "rt/model/elements/joint_angle.h"
#include "rt/model/elements/joint_friction.h"
#include "rt/model/elements/joint_rate.h"
#include "rt/model/elements/joint_reaction.h"
#include "rt/model/elements/joint_torque.h"
#include "rt/model/elements/joint_travel.h"
#include "rt/model/elements/modal_body.h"
#include "rt/model/elements/mode_spring.h"
#include "rt/model/elements/planar.h"
#include "rt/model/elements/point.h"
#include "rt/model/elements/point_motion.h"
#include "rt/model/elements/point_on_line.h"
#include "rt/model/elements/point_on_plane.h"
#include "rt/model/elements/polynomial.h"
#include "rt/model/elements/powertrain.h"
#include "rt/model/elements/prismatic.h"
#include "rt/model/elements/rack_and_pinion.h"
#include "rt/model/elements/revolute.h"
#include "rt/model/elements/road.h"
#include "rt/model/elements/rope.h"
#include "rt/model/elements/rotational_spring.h"
#include "rt/model/elements/screw.h"
#include "rt/model/elements/slip_tyre.h"
#include "rt/model/elements/specific_force.h"
#include "rt/model/elements/spherical.h"
#include "rt/model/elements/spring_input.h"
#include "rt/model/elements/strut.h"
#include "rt/model/elements/table.h"
#include "rt/model/elements/translational_spring.h"
#include "rt/model/elements/universal.h"
#include "rt/model/elements/vertical_tyre.h"
#include "rt/model/elements/weld.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace tactus::rt {

using JointKinds = std::variant<SphericalSpec, RevoluteSpec, DistanceSpec, Dot1Spec, Dot2Spec, PointSpec, UniversalSpec,
                                CylindricalSpec, PrismaticSpec, PlanarSpec, WeldSpec, PointOnLineSpec, PointOnPlaneSpec,
                                GearSpec, RackAndPinionSpec, ScrewSpec, CouplerSpec, ConstantVelocitySpec>;
using ForceKinds = std::variant<TranslationalSpringSpec, RotationalSpringSpec, BushingSpec, BodyDragSpec,
                                VerticalTyreSpec, AntiRollBarSpec, AirLoadSpec, SlipTyreSpec, JointFrictionSpec,
                                BrakeSpec, PowertrainSpec, RopeSpec, BeamElementSpec, ModeSpringSpec>;
using DriveTargets = std::variant<DrivenAngleSpec, DrivenDistanceSpec, DrivenTravelSpec>;
using DriveFunctions = std::variant<PolynomialSpec, HarmonicSpec, TableSpec, InputFunctionSpec>;
using ActuatorKinds =
    std::variant<JointTorqueSpec, BodyForceSpec, BodyTorqueSpec, DriveInputSpec, SpringInputSpec, ControlSpec>;
using SensorKinds = std::variant<JointAngleSpec, JointRateSpec, PointMotionSpec, AngularVelocitySpec, ForceValueSpec,
                                 JointTravelSpec, JointReactionSpec, SpecificForceSpec>;
using CompositeKinds = std::variant<StrutSpec, BeamSpec, ModalBodySpec>;

/// What adds a joint, and so rows, to a Model: joints, force elements between bodies, and targets of drives. The number
/// of each kind is part of the hash of a model: it stays.
enum class JointKind : std::uint8_t {
  kSpherical = SphericalSpec::kNumber,
  kRevolute = RevoluteSpec::kNumber,
  kDistance = DistanceSpec::kNumber,
  kDot1 = Dot1Spec::kNumber,
  kDot2 = Dot2Spec::kNumber,
  kPoint = PointSpec::kNumber,
  kUniversal = UniversalSpec::kNumber,
  kCylindrical = CylindricalSpec::kNumber,
  kPrismatic = PrismaticSpec::kNumber,
  kPlanar = PlanarSpec::kNumber,
  kWeld = WeldSpec::kNumber,
  kPointOnLine = PointOnLineSpec::kNumber,
  kPointOnPlane = PointOnPlaneSpec::kNumber,
  kGear = GearSpec::kNumber,
  kRackAndPinion = RackAndPinionSpec::kNumber,
  kScrew = ScrewSpec::kNumber,
  kCoupler = CouplerSpec::kNumber,
  // Force elements and drives are joints, too: rows between two bodies, with a law of their own.
  kTranslationalSpring = TranslationalSpringSpec::kNumber,
  kRotationalSpring = RotationalSpringSpec::kNumber,
  kBushing = BushingSpec::kNumber,
  kVerticalTyre = VerticalTyreSpec::kNumber,
  kBeamElement = BeamElementSpec::kNumber,
  kDrivenAngle = DrivenAngleSpec::kNumber,
  kDrivenDistance = DrivenDistanceSpec::kNumber,
  kDrivenTravel = DrivenTravelSpec::kNumber,
};
/// "rack and pinion"
const char* toString(JointKind kind) noexcept;

/// Constants of the elements that have some of their own: a list for each kind.
struct ElementLists {
  std::vector<BodyDrag> drags;
  std::vector<AntiRollBar> anti_roll_bars;
  std::vector<AirLoad> air_loads;
  std::vector<Road> roads;
  std::vector<Tyre> tyres;
  std::vector<SlipTyre> slip_tyres;
  std::vector<JointFriction> frictions;
  std::vector<Powertrain> powertrains;
  std::vector<Spring> springs;
  std::vector<std::string> slip_tyre_names, friction_names, powertrain_names;

  /// Visits each list, in the order of the hash of a model. The hash takes a list that came later only where it has
  /// elements, so that the hashes of older models stay: visit.later(list).
  template <typename Visit>
  void eachList(Visit&& visit) const {
    visit(drags);
    visit(anti_roll_bars);
    visit(air_loads);
    visit(roads);
    visit(tyres);
    visit(slip_tyres);
    visit(frictions);
    visit(powertrains);
    visit(springs);
  }
};

}  // namespace tactus::rt
