// A valid model with nearly every field of the format, in both syntaxes.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace tactus::server::test {

/// proto/example.json: what the reference of the format takes its examples from.
inline const std::string kFullJson = [] {
  std::ifstream file(std::string(TACTUS_SOURCE_DIR) + "/proto/example.json");
  return std::string(std::istreambuf_iterator<char>(file), {});
}();

inline constexpr const char* kFullText = R"(# The same in text form.
name: "everything"
description: "One of each: \"quoted\", " 'caf\303\251'
gravity: [0.5, -9.81, 1e-3]
bodies {
  name: "arm" description: "first", mass: 1.5f;
  inertia: { xx: 1 yy: 1.25 zz: 1.125 xy: .1 xz: -0.05 yz: 0.025 }
  position: 0.5 position: 0.25 position: -1
  orientation: [0.6, 0, 0, 0.8]
  velocity: [0.1, 0.2, 0.3]
  angular_velocity: [-1, 2, 3.5]
}
bodies < name: "rod" mass: 2. inertia < xx: 1 yy: 1 zz: 1 > position: [3, 0, 0]
  visuals { name: "shaft" orientation: [0.6, 0, 0.8, 0] color: [0.8, 0.25, 0.125] capsule { radius: 0.05 length: 1 } }
  visuals { position: [0, 0, 0.5] opacity: 0.5 box { sides: [0.25, 0.5, 0.125] } }
  visuals { sphere { radius: 0.125 } }
  visuals { cylinder { radius: 0.25 length: 0.5 } }
  visuals { tube { outer_radius: 0.25 inner_radius: 0.125 length: 0.5 } }
  visuals { prism { outline: [0, 0, 1, 0, 0, 1] length: 0.25 } }
  visuals { mesh { hash: "2d7988300571cae1" scale: 0.5 } } >
meshes { hash: "2d7988300571cae1" format: "obj" content: "diAwIDAgMAp2IDEgMCAwCnYgMCAxIDAKZiAxIDIgMwo=" }
joints: [
  { name: "ball" description: "d" body_1: "ground" body_2: "arm"
    spherical { point_1: [0.1, 0.2, 0.3] point_2: [0, 0, 0] } },
  { name: "hinge" body_1: "arm" body_2: "rod"
    revolute { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] axis_2: [0, 0, 2] initial_angle: 0.5 } }
]
joints { name: "rope" body_1: "arm" body_2: "rod" distance { point_1: [0, 0, 0] point_2: [0, 1, 0] length: 2.75 } }
joints { name: "square" body_1: "arm" body_2: "rod" dot1 { axis_1: [1, 0, 0] axis_2: [0, 1, 0] } }
joints { name: "plane" body_1: "arm" body_2: "rod" dot2 { axis_1: [1, 0, 0] point_1: [0, 0, 1] point_2: [0, 1, 0] } }
joints { name: "pin" body_1: "rod" body_2: "ground" point { point_1: [1, 1, 1] point_2: [2, 2, 2] } }
joints { name: "cross" body_1: "arm" body_2: "rod"
  universal { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] axis_2: [0, 2, 0] } }
joints { name: "tube" body_1: "arm" body_2: "rod"
  cylindrical { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] axis_2: [0, 0, 3] initial_angle: 0.25 } }
joints { name: "rail" body_1: "arm" body_2: "rod"
  prismatic { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] axis_2: [0, 0, 4] } }
joints { name: "table" body_1: "arm" body_2: "rod"
  planar { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] axis_2: [0, 0, 5] initial_angle: -0.25 } }
joints { name: "seam" body_1: "arm" body_2: "rod" weld { point_1: [0, 0, 1] point_2: [1, 0, 0] } }
joints { name: "wire" body_1: "arm" body_2: "rod"
  point_on_line { axis_1: [0, 0, 6] point_1: [0, 0, 1] point_2: [1, 0, 0] } }
joints { name: "floor" body_1: "arm" body_2: "rod"
  point_on_plane { axis_1: [0, 0, 7] point_1: [0, 0, 1] point_2: [1, 0, 0] } }
joints { name: "ring" body_1: "arm" body_2: "ground"
  gear { point_1: [0, 0, 0] point_2: [1.5, 0.25, 0] axis_1: [0, 0, 2] radius_1: 0.5 radius_2: 1.5 internal: true } }
joints { name: "teeth" body_1: "arm" body_2: "rod"
  rack_and_pinion { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] direction_1: [0, 2, 0] radius: 0.125 } }
joints { name: "thread" body_1: "arm" body_2: "rod"
  screw { point_1: [0, 0, 1] point_2: [1, 0, 0] axis_1: [0, 0, 1] axis_2: [0, 0, 8] pitch: -0.25 } }
joints { name: "train" coupler { coordinates { joint: "hinge" ratio: 2 }
  coordinates { joint: "tube" ratio: -0.5 along_axis: true } coordinates { joint: "table" ratio: 1 } } }
forces { name: "spring" description: "f"
  translational_spring { body_1: "arm" body_2: "rod" point_1: [0, 0, 0] point_2: [0, 1, 0] stiffness: 1000 damping: 2
                         free_length: 0.5 preload: -3 } }
forces { name: "torsion" rotational_spring { joint: "hinge" stiffness: 7 damping: 0.5 free_angle: 0.25 preload: 1 } }
forces { name: "strut"
  translational_spring { body_1: "arm" body_2: "rod" point_1: [0, 0, 0] point_2: [0, 1, 0]
    stiffness_curve { x: [-1, 0, 2] y: [-3, 0, 7] } damping_curve { x: [-1, 0, 1] y: [-2, 0, 0.5] }
    minimum_stop { position: 0.125 stiffness: 100 exponent: 1.5 damping: 3 }
    maximum_stop { position: 0.75 stiffness: 200 exponent: 2 damping: 4 } } }
forces { name: "strap" translational_spring { body_1: "arm" body_2: "rod" point_1: [0, 0, 0] point_2: [0, 2, 0]
  stiffness: 50 free_length: 0.5 only: SPRING_SIDE_PULL } }
forces { name: "detent"
  rotational_spring { joint: "table"
    stiffness_curve { x: [-1, 0, 2] y: [-3, 0, 7] } damping_curve { x: [-1, 0, 1] y: [-2, 0, 0.5] }
    minimum_stop { position: -0.125 stiffness: 100 exponent: 1.5 damping: 3 }
    maximum_stop { position: 0.75 stiffness: 200 exponent: 2 damping: 4 } } }
forces { name: "latch" rotational_spring { joint: "table" stiffness: 50 only: SPRING_SIDE_PUSH } }
forces { name: "bush" bushing { body_1: "arm" body_2: "ground" point_1: [0, 0, 0] point_2: [0, 1, 0]
  orientation: [0.6, 0, 0, 0.8] stiffness: [1, 2, 3, 4, 5, 6] damping: [0.5, 0.5, 0.5, 0.25, 0.25, 0.25] } }
forces { name: "air" body_drag { body: "rod" linear: 0.125 angular: 0.0625 } }
forces { name: "bar" anti_roll_bar { joint_1: "hinge" joint_2: "table" stiffness: 900 damping: 3 ratio: -1 free_twist: 0.125 } }
forces { name: "gust" air_load { body: "rod" point: [0, 0.5, 0] area: 2.25 density: 1.25 drag: 0.5 lift: -0.25
  up: [0, 2, 0] wind: [3, 0, 1] side: 0.75 across: [1, 0, 0] } }
forces { name: "wheel"
  vertical_tyre { road: "street" body: "rod" centre: [0, 0.25, 0] radius: 0.5 stiffness: 2e5 damping: 300 } }
forces { name: "tread" slip_tyre { road: "field" body: "rod" centre: [0, 0.25, 0] axis: [0, 2, 0]
  radius: 0.5 rolling_radius: 0.375 stiffness: 2e5 damping: 300 nominal_load: 4000
  longitudinal_relaxation: 0.25 lateral_relaxation: 0.5 rolling_resistance: 0.0125 standstill_damping: 500
  mirrored: true brush { longitudinal_stiffness: 8e4 cornering_stiffness: 6e4 friction: 0.875
  load_exponent: 0.75 contact_half_length: 0.0625 } } }
forces { name: "slick" slip_tyre { road: "field" body: "rod" axis: [0, 1, 0] radius: 0.5 stiffness: 2e5
  nominal_load: 4000 longitudinal_relaxation: 0.25 lateral_relaxation: 0.5
  magic_formula { coefficients { name: "PCX1" value: 1.5 } coefficients { name: "PCY1" value: 1.25 }
  coefficients { name: "PDX1" value: 1 } coefficients { name: "PDY1" value: 1 } coefficients { name: "PKX1" value: 20 }
  coefficients { name: "PKY1" value: -20 } coefficients { name: "PKY2" value: 1.5 } } } }
forces { name: "bald" slip_tyre { road: "field" body: "rod" axis: [0, 1, 0] radius: 0.5 stiffness: 2e5 nominal_load: 4000
  linear { longitudinal_stiffness: 8e4 cornering_stiffness: 6e4 camber_stiffness: 2000 longitudinal_friction: 1.125
    lateral_friction: 0.875 pneumatic_trail: 0.03125 } } }
forces { name: "rust" joint_friction { joint: "rail" limit: 5 elastic: 0.125 along_axis: true } }
forces { name: "disc" brake { joint: "hinge" torque: 100 elastic: 0.0625 } }
forces { name: "engine" powertrain { carrier: "arm" joints: "hinge" speeds: [0, 100, 200]
  full_torque: [10, 20, 5] zero_torque: [0, -1, -2] final_ratio: 3.5 efficiency: 0.875 } }
forces { name: "hoist" rope { points { body: "ground" point: [0, 4, 0] } points { body: "arm" point: [0, 0.5, 0] }
  points { body: "ground" point: [1, 4, 0] } points { body: "rod" point: [0, 1, 0] }
  stiffness: 5e4 damping: 250 free_length: 12.5 } }
roads { name: "street" description: "p" origin: [0, 0, -5] up: [0, 0, 2] along: [1, 0, 0.5]
  half_cylinders { position: 3 radius: 0.0625 } }
roads { name: "field" up: [0, 0, 1] along: [1, 0, 0] friction: 0.75
  heights { along: -1 across: 2 spacing: 0.5 columns: 3 values: [0, 0.125, 0.25, 0, 0.125, 0.5] }
  frictions { along: 1 across: -2 spacing: 4 columns: 2 values: [1, 0.5, 0.25, 0] } }
drives { name: "crank" description: "r" angle { joint: "hinge" } polynomial { coefficients: [0.5, 1] } }
drives { name: "swing" angle { joint: "tube" }
  harmonic { offset: 0.5 amplitude: 0.25 angular_frequency: 3 phase: 0.75 } }
drives { name: "cam" angle { joint: "table" } table { times: [0, 1, 2.5] values: [0, 1, 0.5] } }
drives { name: "feed" travel { joint: "rail" } polynomial { coefficients: [0.125] } }
drives { name: "led" distance { body_1: "arm" body_2: "rod" point_1: [0, 0, 0] point_2: [0, 1, 0] } input {} }
actuators { name: "motor" description: "m" minimum: -3 maximum: 4 initial: 0.5 safe: -1 on_loss { action: LOSS_ACTION_EXTRAPOLATE ramp_time: 0.25 extrapolate_ticks: 5 then: LOSS_ACTION_RAMP } joint_torque { joint: "hinge" } }
actuators { name: "push" group: "bench" body_force { body: "rod" point: [0, 0, 1] direction: [1, 2, 3] frame: FRAME_BODY } }
actuators { name: "twist" body_torque { body: "rod" direction: [0, 1, 0] frame: FRAME_WORLD } }
actuators { name: "follow" drive_input { drive: "led" quantity: DRIVE_QUANTITY_VALUE } }
actuators { name: "pedal" minimum: 0 control { elements: "disc" quantity: CONTROL_QUANTITY_BRAKE } }
actuators { name: "gas" control { elements: "engine" quantity: CONTROL_QUANTITY_THROTTLE } }
actuators { name: "rack" initial: 0.5 spring_input { spring: "strut" quantity: SPRING_QUANTITY_FREE_LENGTH scale: -0.5 offset: 1.25 } }
actuators { name: "press" spring_input { spring: "bush" quantity: SPRING_QUANTITY_PRELOAD axis: 4 } }
actuators { name: "shift" control { elements: "engine" quantity: CONTROL_QUANTITY_RATIO } }
sensors { name: "angle" description: "s" joint_angle { joint: "hinge" } }
sensors { name: "rate" joint_rate { joint: "hinge" } }
sensors { name: "height" point_position { body: "arm" point: [1, 0, 0] direction: [0, 1, 0] frame: 1 } }
sensors { name: "speed" point_velocity { body: "arm" direction: [0, 1, 0] frame: FRAME_BODY } }
sensors { name: "shake" point_acceleration { body: "arm" direction: [0, 0, 1] frame: FRAME_WORLD } }
sensors { name: "gyro" angular_velocity { body: "rod" direction: [0, 0, 1] frame: FRAME_BODY } }
sensors { name: "tension" force_value { force: "spring" } }
sensors { name: "slip" joint_travel { joint: "rail" rate: true } }
sensors { name: "bearing" joint_reaction { joint: "hinge" torque: true direction: [0, 1, 0] frame: FRAME_BODY } }
sensors { name: "head" specific_force { body: "rod" point: [0, 0.5, 0] direction: [0, 0, 1] frame: FRAME_BODY } }
initial_conditions {
  name: "thrown" description: "t"
  bodies { body: "arm" position: [1, 2, 3] orientation: [0, 1, 0, 0] velocity: [4, 5, 6] angular_velocity: [7, 8, 9] }
  bodies { body: "rod" velocity: [1, 1, 1] }
}
assembly { position: 0.02 velocity: 0.3 }
solver { period: 0.002 iterations: 4 relative_compliance: 1e-8 third_order: true fourth_order: true gyroscopic_tangent: true }
parameters { name: "rate" description: "n" unit: "N/m" minimum: 10 maximum: 2000 targets: "forces.spring.stiffness" }
)";

}  // namespace tactus::server::test
