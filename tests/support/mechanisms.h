// Mechanisms for tests: published cases and regular families. Random ones are in random_mechanisms.h.
// Every initial state satisfies the constraints to round-off, in position and velocity.
#pragma once

#include "rt/model/model_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::tests {

/// Links of the published cases: 1 m, 1 kg, unit inertia; g = 9.81 m/s^2 along -y.
inline constexpr double kGravity = 9.81;

/// Bodies A and B, spherical joints joint_1 (ground, A) and joint_2 (A, B); A along x, B along z, at rest.
rt::ModelSpec doublePendulum();

/// The two readings of the published four-bar: crank 45 degrees below the horizontal with the second ground pivot
/// 1 m under the first, or 45 degrees above it with the pivot 1 m over the first.
enum class FourBarReading { kDown, kUp };

/// Bodies A (crank), B (coupler), C, at rest; revolute joints joint_1 ... joint_4 about z, three rows too many.
rt::ModelSpec fourBar(FourBarReading reading);

/// Bodies link_1 ... link_n along x from the origin, at rest; spherical joints joint_1 ... joint_n.
rt::ModelSpec chain(int n);

/// k parallelogram four-bars side by side: rods rod_0 ... rod_k on ground, couplers coupler_1 ... coupler_k, revolute
/// joints about z (3 k rows too many). The rods stand 30 degrees from the vertical and turn at 1 rad/s.
rt::ModelSpec ladder(int k);

/// A ring of n links in the xy plane that hangs at one point, at rest: bodies link_1 ... link_n, spherical joints hook,
/// joint_1 ... joint_n.
rt::ModelSpec ring(int n);

/// One free body spinning about an axis close to its middle principal axis.
rt::ModelSpec freeBody(double spin);

/// A wheel on a trailing arm under a carriage that slides along x at 10 m/s: tyre with slip on a road with heights,
/// brake, dry friction, powertrain. Inputs gas, pedal, ratio.
rt::ModelSpec rollingRig();

/// Several mechanisms in one model, with the gravity of the first; names get the prefix "m0_", "m1_", ...
rt::ModelSpec together(const std::vector<rt::ModelSpec>& parts);

/// The same mechanism with bodies and joints listed in another order.
rt::ModelSpec reordered(const rt::ModelSpec& spec, std::uint64_t seed);

/// "stem_7" from "stem_" and 7.
std::string numbered(const char* stem, std::size_t number);

/// A moving part of a mechanism under construction, and a joint.
rt::BodySpec makeBody(const std::string& name, const rt::Vector3d& position);
rt::JointSpec makeJoint(const std::string& name, const std::string& body_1, const std::string& body_2,
                        decltype(rt::JointSpec::kind) kind);

}  // namespace tactus::tests
