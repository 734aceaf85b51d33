// Vectors, poses, colors and times in the messages of Foxglove.
#pragma once

#include "foxglove/scene.pb.h"

#include <Eigen/Geometry>

#include <cstdint>

namespace tactus::server::scene {

inline constexpr const char* kWorld = "world";

/// @param list  three numbers of a model, or none
inline Eigen::Vector3d vectorOf(const google::protobuf::RepeatedField<double>& list,
                                const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero()) {
  return list.size() == 3 ? Eigen::Vector3d(list[0], list[1], list[2]) : otherwise;
}

/// Of a foxglove.Vector3 or Point3.
template <typename Message>
void set(Message& to, const Eigen::Vector3d& from) {
  to.set_x(from.x());
  to.set_y(from.y());
  to.set_z(from.z());
}

inline void set(foxglove::Quaternion& to, const Eigen::Quaterniond& from) {
  to.set_x(from.x());
  to.set_y(from.y());
  to.set_z(from.z());
  to.set_w(from.w());
}

inline void set(foxglove::Pose& to, const Eigen::Vector3d& position, const Eigen::Quaterniond& turn) {
  set(*to.mutable_position(), position);
  set(*to.mutable_orientation(), turn);
}

/// @param red, green, blue  0 to 1
inline void set(foxglove::Color& to, double red, double green, double blue) {
  to.set_r(red);
  to.set_g(green);
  to.set_b(blue);
  to.set_a(1);
}

/// @param ns  since 1970
inline void setTime(google::protobuf::Timestamp& time, std::uint64_t ns) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  time.set_seconds(static_cast<std::int64_t>(ns / kSecond));
  time.set_nanos(static_cast<std::int32_t>(ns % kSecond));
}

}  // namespace tactus::server::scene
