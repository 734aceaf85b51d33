// Seeded random numbers that are the same with every standard library.
#pragma once

#include <Eigen/Dense>

#include <cstdint>
#include <random>

namespace tactus::tests {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high);
  int index(int count);  ///< 0 ... count - 1
  Eigen::Vector3d inBox(double half_side);
  Eigen::Vector3d unitVector();
  Eigen::Vector3d unitAcross(const Eigen::Vector3d& axis);  ///< unit, normal to `axis`
  Eigen::Vector4d orientation();                            ///< unit Euler parameters, scalar first

  /// An inertia tensor with off-diagonals: a body of some size, its principal axes turned at random. It satisfies the
  /// triangle inequality with a margin, and its moments differ by up to a factor of about 4.
  Eigen::Matrix3d inertia(double mass, double size);

 private:
  std::mt19937_64 engine_;
};

}  // namespace tactus::tests
