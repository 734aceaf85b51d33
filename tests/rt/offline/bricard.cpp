#include "tests/rt/offline/bricard.h"

#include "tests/support/mechanisms.h"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace tactus::tests {

using rt::Matrix3d;
using rt::Vector3d;

rt::ModelSpec bricard() {
  // The corners, from the first pivot to the last, and the axes of the joints there.
  constexpr double pi = std::numbers::pi;
  const double c = std::cos(pi / 12), s = std::sin(pi / 12);
  const Vector3d corners[] = {{0, 0, 0},
                              {1, 0, 0},
                              {0.5, -2 * 0.11207193402100671, -2 * 0.418258151868904},
                              {0, -0.44828773608402683, -1.6730326074756159},
                              {-0.5, -2 * 0.11207193402100671, -2 * 0.418258151868904},
                              {-1, 0, 0}};
  rt::ModelSpec spec;
  spec.name = "bricard";
  spec.gravity = Vector3d(0, -kGravity, 0);
  Matrix3d R = Matrix3d::Identity();
  Matrix3d next;
  for (int i = 0; i < 5; ++i) {
    // Along the rod, and turned so that the joint before it is about its z.
    const Vector3d along = (corners[i + 1] - corners[i]).normalized();
    const Vector3d axis_before = i == 0 ? Vector3d::UnitZ() : Vector3d(R * Vector3d(0, i % 2 == 1 ? -c : c, s));
    next.col(0) = along;
    next.col(2) = axis_before;
    next.col(1) = axis_before.cross(along);
    R = next;
    rt::BodySpec rod =
        makeBody(numbered("link_", static_cast<std::size_t>(i + 1)), 0.5 * (corners[i] + corners[i + 1]));
    rod.inertia = Vector3d(0.005, 0.09, 0.09).asDiagonal();
    const Eigen::Quaterniond q(R);
    rod.orientation = rt::Vector4d(q.w(), q.x(), q.y(), q.z()).normalized();
    spec.bodies.push_back(rod);

    const Vector3d left(-0.5, 0, 0), right(0.5, 0, 0);
    const std::string before = i == 0 ? rt::kGroundName : numbered("link_", static_cast<std::size_t>(i));
    const Vector3d axis_in_before = i == 0 ? Vector3d::UnitZ() : Vector3d(0, i % 2 == 1 ? -c : c, s);
    spec.joints.push_back(makeJoint(
        numbered("joint_", static_cast<std::size_t>(i + 1)), before, rod.name,
        rt::RevoluteSpec{i == 0 ? Vector3d(Vector3d::Zero()) : right, left, axis_in_before, Vector3d::UnitZ(), 0}));
  }
  const Vector3d last_axis(0, -c, s);
  spec.joints.push_back(makeJoint("joint_6", "link_5", rt::kGroundName,
                                  rt::RevoluteSpec{{0.5, 0, 0}, {-1, 0, 0}, last_axis, R * last_axis, 0}));
  spec.assembly.position = 1e-6;
  return spec;
}

}  // namespace tactus::tests
