// One body that spins: what the tests of rotation share.
#pragma once

#include "rt/ali3p/tree/trapezoid.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/mechanisms.h"

namespace tactus::tests {

/// One free body, no gravity.
inline rt::ModelSpec spinningBody(const rt::Vector3d& inertia, const rt::Vector3d& omega) {
  rt::ModelSpec spec;
  spec.name = "spinning";
  spec.gravity = rt::Vector3d::Zero();
  spec.bodies.push_back(makeBody("top", rt::Vector3d::Zero()));
  spec.bodies.back().inertia = inertia.asDiagonal();
  spec.bodies.back().angular_velocity = omega;
  return spec;
}

/// Turns the only body of the iterate.
inline void turn(const rt::Vector3d& by, TreeProblem& problem) {
  std::fill(problem.ws.unknowns.values.begin(), problem.ws.unknowns.values.end(), 0.0);
  for (int k = 0; k < 3; ++k) problem.ws.unknowns.values[static_cast<std::size_t>(3 + k)] = by[k];
  rt::applyIncrement(problem.model, problem.dt, problem.ws.unknowns, problem.ws.iterate);
}

/// Central differences of what `value` finds in the iterate, column by column of the body's rotation.
template <class Value>
rt::Matrix3d differenceQuotient(const TreeProblem& at, double h, Value&& value) {
  rt::Matrix3d derivative;
  for (int k = 0; k < 3; ++k) {
    rt::Vector3d found[2];
    for (int side = 0; side < 2; ++side) {
      TreeProblem problem(at.model, at.plan, at.dt);
      problem.ws.iterate.motions = at.ws.iterate.motions;
      problem.ws.iterate.rotations = at.ws.iterate.rotations;
      turn((side == 0 ? h : -h) * rt::Vector3d::Unit(k), problem);
      found[side] = value(problem);
    }
    derivative.col(k) = (found[0] - found[1]) / (2 * h);
  }
  return derivative;
}

}  // namespace tactus::tests
