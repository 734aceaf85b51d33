// Motions of bodies that satisfy no constraint, and the distance of two lists of numbers: for tests of rows in lanes.
#pragma once

#include "rt/math/euler_parameters.h"
#include "rt/math/worst.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace tactus::tests {

/// Poses and velocities that satisfy nothing.
inline std::vector<rt::BodyMotion> anyMotions(const rt::Model& model, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&]() -> rt::Vector3d { return rt::Vector3d(normal(random), normal(random), normal(random)); };
  std::vector<rt::BodyMotion> motions(model.bodies.size());
  for (rt::BodyMotion& m : motions) {
    m.r = draw();
    m.R = rt::rotationMatrix(rt::Vector4d(normal(random), normal(random), normal(random), 1).normalized());
    m.v = draw();
    m.omega_w = draw();
  }
  return motions;
}

/// Largest difference of two numbers at the same place.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = rt::worst(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace tactus::tests
