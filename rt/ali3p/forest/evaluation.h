// What a solve along the groups of a forest needs to begin: arms of the joints, values of their rows, right sides of
// the bodies.
#pragma once

#include "rt/ali3p/forest/layout.h"
#include "rt/ali3p/level.h"
#include "rt/ali3p/trapezoidal_rule.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/mass_matrix.h"

namespace tactus::rt {

/// Constants of one step.
struct ForestContext {
  LaneVector gravity;  ///< world, m/s^2
  LaneScalar square;   ///< of the typical size of the mechanism, m^2
  double dt;           ///< length of the step, s
  double scale;        ///< dt^2 / 4
  double least_gain;   ///< leastInertiaGain()
};

/// Sums over the groups of a part, lane by lane.
struct ForestSums {
  LaneScalar squares[3];  ///< of the rows, by level
  LaneScalar increment;   ///< largest of a body, squared; rotations with the length of the mechanism
  LaneScalar least;       ///< pivot of all bodies, or the independence of the normals of a joint
  LaneScalar gain;        ///< largest inertiaGain() in the tangent
  double limited;         ///< bodies whose geometric stiffness was limited

  TACTUS_INLINE void clear() noexcept {
    for (LaneScalar& of_level : squares) of_level = LaneScalar(0);
    increment = gain = LaneScalar(0);
    least = LaneScalar(1);
    limited = 0;
  }
};

/// The rows of the joints of a group after its bodies have moved at level `moved`, before a solve at level `next`. The
/// carriers have moved.
template <int Freedoms, Level moved, Level next>
class ForestRows {
  using Joint = ForestJoint<Freedoms>;
  static constexpr Level kR = Level::kPosition, kV = Level::kVelocity, kA = Level::kAcceleration;
  static constexpr bool needs(Level level) noexcept { return isEvaluated(level, moved, next); }

 public:
  TACTUS_INLINE static void evaluate(const ForestElement& element, const LanePlaces& carriers,
                                     ForestNode<Freedoms>& node, ForestSums& sums) noexcept {
    const ForestBody& b = node.body;
    Joint& joint = node.joint;
    if constexpr (needs(kR)) {
      LaneScalar on[kForestPlaceNumbers];
      carriers.read(0, on);
      const auto turned = [&](const LaneVector& s) noexcept {
        LaneVector to;
        for (int k = 0; k < 3; ++k) to[k] = on[3 + k] * s[0] + on[6 + k] * s[1] + on[9 + k] * s[2];
        return to;
      };
      joint.own_arm = b.R * element.own_point;
      joint.carrier_arm = turned(element.carrier_point);
      LaneScalar values[Joint::kDirections];
      for (int i = 0; i < Joint::kNormals; ++i) {
        joint.own_direction[i] = b.R * element.own_direction[i];
        joint.carrier_direction[i] = turned(element.carrier_direction[i]);
        values[i] = joint.own_direction[i].dot(joint.carrier_direction[i]);
      }
      take<kR>(element, LaneVector(b.r + joint.own_arm - LaneVector(on[0], on[1], on[2]) - joint.carrier_arm), values,
               joint, sums);
    }
    if constexpr (needs(kV) || needs(kA)) {
      LaneScalar on[12];
      if constexpr (needs(kA)) {
        carriers.read(12, on);
      } else {
        LaneScalar rates[6];
        carriers.read(12, rates);
        std::copy_n(rates, 6, on);
      }
      const LaneVector v(on[0], on[1], on[2]), omega(on[3], on[4], on[5]);
      LaneVector normals[Joint::kDirections];
      for (int i = 0; i < Joint::kNormals; ++i) normals[i] = joint.own_direction[i].cross(joint.carrier_direction[i]);
      LaneScalar values[Joint::kDirections];
      if constexpr (needs(kV)) {
        const LaneVector turn = b.omega - omega;
        for (int i = 0; i < Joint::kNormals; ++i) values[i] = normals[i].dot(turn);
        take<kV>(element, LaneVector(b.v + b.omega.cross(joint.own_arm) - v - omega.cross(joint.carrier_arm)), values,
                 joint, sums);
      }
      if constexpr (needs(kA)) {
        const LaneVector a(on[6], on[7], on[8]), alpha(on[9], on[10], on[11]);
        const LaneVector turn = b.alpha - alpha;
        for (int i = 0; i < Joint::kNormals; ++i)
          values[i] = normals[i].dot(turn) +
                      dotRate2<LaneScalar>(b.omega, omega, joint.own_direction[i], joint.carrier_direction[i]);
        take<kA>(element,
                 LaneVector(b.a + b.alpha.cross(joint.own_arm) + centripetal(b.omega, joint.own_arm) - a -
                            alpha.cross(joint.carrier_arm) - centripetal(omega, joint.carrier_arm)),
                 values, joint, sums);
      }
    }
  }

 private:
  template <Level level>
  TACTUS_INLINE static void take(const ForestElement& element, const LaneVector& point,
                                 const LaneScalar (&values)[Joint::kDirections], Joint& joint,
                                 ForestSums& sums) noexcept {
    LaneScalar square = point.squaredNorm();
    for (int i = 0; i < Joint::kNormals; ++i) square += values[i] * values[i];
    sums.squares[indexOf(level)] += element.counts * square;
    if constexpr (level == next) {
      joint.c_point = -point;  // ali3p (15), (21), (22)
      for (int i = 0; i < Joint::kNormals; ++i) joint.c[i] = -values[i];
    }
  }
};

/// Minus the residual of the equations of motion, without the loads of actuators and force elements: of the bodies of a
/// group, and what its joints load the carriers with.
/// @param factor  of all of it: dt^2/4 before a solve for the positions, else 1
template <int Freedoms>
TACTUS_INLINE void formRightSide(const ForestContext& context, const ForestElement& element, const LaneScalar& factor,
                                 ForestNode<Freedoms>& node) noexcept {
  ForestBody& b = node.body;
  // ali3p (7), (8)
  LaneVector force = -(element.mass * (b.a - context.gravity));
  LaneVector torque = -inertiaTorque(element.inertia, b.R, b.omega_b, b.alpha_b);
  if constexpr (Freedoms != kFreeBody) {
    const ForestJoint<Freedoms>& joint = node.joint;
    LaneVector turning = LaneVector::Constant(LaneScalar(0));
    for (int i = 0; i < joint.kNormals; ++i)
      turning += joint.own_direction[i].cross(joint.carrier_direction[i]) * joint.multipliers[i];
    force -= joint.force;
    torque -= joint.own_arm.cross(joint.force) + turning;
    const LaneVector on_carrier = joint.carrier_arm.cross(joint.force) + turning;
    b.reaction = factor * LaneTwist{threeOf(joint.force), threeOf(on_carrier)};
  }
  b.load = factor * LaneTwist{threeOf(force), threeOf(torque)};
}

/// Rotation matrix, and the rates in body axes, from the orientation by the trapezoidal rule.
TACTUS_INLINE void updateOrientation(double dt, ForestBody& b) noexcept {
  const LaneParameters dp = b.p - b.p_start;
  b.R = rotationMatrix(b.p);
  b.omega_b = trapezoidalOmega(2.0 / dt, b.p, dp, b.spin);
  b.alpha_b = trapezoidalAlpha(2.0 / dt, b.p, dp, b.drift);
}

/// What the levels of velocity and acceleration need, once the positions are solved.
TACTUS_INLINE void finishPositions(double dt, ForestBody& b) noexcept {
  b.v += 0.5 * dt * b.a;
  b.omega = b.R * b.omega_b;
  b.alpha = b.R * b.alpha_b;
}

/// What follows once the bodies of a group have moved at level `moved`: rows, right sides.
template <int Freedoms, Level moved, Level next>
TACTUS_INLINE void evaluate(const ForestContext& context, const ForestElement& element, const LanePlaces& carriers,
                            ForestNode<Freedoms>& node, ForestSums& sums) noexcept {
  if constexpr (Freedoms != kFreeBody) ForestRows<Freedoms, moved, next>::evaluate(element, carriers, node, sums);
  if constexpr (next == Level::kPosition || next == Level::kAcceleration)
    formRightSide<Freedoms>(context, element, LaneScalar(next == Level::kPosition ? context.scale : 1.0), node);
}

}  // namespace tactus::rt
