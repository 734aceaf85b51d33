// The directions of space, for models that are written as values.
#pragma once

#include <Eigen/Core>

namespace tactus::tests {

inline const Eigen::Vector3d kNone(0, 0, 0), kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

}  // namespace tactus::tests
