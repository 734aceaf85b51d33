// State: all that decides the next tick. Save it, restore it: same bits.
// One flat array of doubles, so that copying, hashing and publishing it are one pass.
//
//   body i      r (3, world, m)  p (4, scalar first)  v (3, world, m/s)  omega (3, body, rad/s)
//               a (3, world, m/s^2)  alpha (3, body, rad/s^2)                        19 i ... 19 i + 18
//   rows        lambda: multiplier of each constraint row, N or N m; second-order value of the last step
//   displ.      angle of each joint that has one, rad, unwrapped
//   internal    internal states of elements, kept from tick to tick: see SlipTyre and JointFriction in model/elements
//   input       value of each actuator at the end of the last step, N or N m
//   work        done since tick 0 by actuators, drives, wind, moving roads and changes of a spring's free length, J;
//               power of these at the end of the last step, W; energy dissipated since tick 0, J; power dissipated at
//               the end of the last step, W
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tactus::rt {

using Eigen::Vector3d;
using Eigen::Vector4d;

struct Model;

inline constexpr int kBodyStride = 19;
inline constexpr int kOffsetR = 0, kOffsetP = 3, kOffsetV = 7, kOffsetOmega = 10, kOffsetA = 13, kOffsetAlpha = 16;

using Vec3Map = Eigen::Map<Vector3d>;
using Vec4Map = Eigen::Map<Vector4d>;
using ConstVec3Map = Eigen::Map<const Vector3d>;
using ConstVec4Map = Eigen::Map<const Vector4d>;

/// Where each part of the flat array begins.
struct StateLayout {
  int bodies = 0, rows = 0, displacements = 0, internal_states = 0, actuators = 0;

  StateLayout() = default;
  explicit StateLayout(const Model& model) noexcept;

  int lambda() const noexcept { return kBodyStride * bodies; }
  int jointDisplacements() const noexcept { return lambda() + rows; }
  int internalStates() const noexcept { return jointDisplacements() + displacements; }
  int input() const noexcept { return internalStates() + internal_states; }
  int workInput() const noexcept { return input() + actuators; }
  int powerInput() const noexcept { return workInput() + 1; }
  int workDissipated() const noexcept { return workInput() + 2; }
  int powerDissipated() const noexcept { return workInput() + 3; }
  int size() const noexcept { return workInput() + 4; }
};

/// Read access to a flat array laid out as above; does not own it.
class StateView {
 public:
  StateView(const StateLayout& layout, const double* values) noexcept : layout_(layout), values_(values) {}

  ConstVec3Map r(int i) const noexcept { return ConstVec3Map(values_ + kBodyStride * i + kOffsetR); }
  ConstVec4Map p(int i) const noexcept { return ConstVec4Map(values_ + kBodyStride * i + kOffsetP); }
  ConstVec3Map v(int i) const noexcept { return ConstVec3Map(values_ + kBodyStride * i + kOffsetV); }
  ConstVec3Map omega(int i) const noexcept { return ConstVec3Map(values_ + kBodyStride * i + kOffsetOmega); }
  ConstVec3Map a(int i) const noexcept { return ConstVec3Map(values_ + kBodyStride * i + kOffsetA); }
  ConstVec3Map alpha(int i) const noexcept { return ConstVec3Map(values_ + kBodyStride * i + kOffsetAlpha); }
  const double* lambda() const noexcept { return values_ + layout_.lambda(); }
  const double* jointDisplacements() const noexcept { return values_ + layout_.jointDisplacements(); }
  const double* internalStates() const noexcept { return values_ + layout_.internalStates(); }
  const double* input() const noexcept { return values_ + layout_.input(); }
  double workInput() const noexcept { return values_[layout_.workInput()]; }
  double powerInput() const noexcept { return values_[layout_.powerInput()]; }
  double workDissipated() const noexcept { return values_[layout_.workDissipated()]; }
  double powerDissipated() const noexcept { return values_[layout_.powerDissipated()]; }
  const StateLayout& layout() const noexcept { return layout_; }
  const double* values() const noexcept { return values_; }

 private:
  StateLayout layout_;
  const double* values_;
};

class State {
 public:
  State() = default;
  explicit State(const Model& model) : layout_(model), values_(static_cast<std::size_t>(layout_.size()), 0.0) {
    for (int i = 0; i < layout_.bodies; ++i) p(i)[0] = 1.0;
  }

  std::int64_t tick = 0;

  Vec3Map r(int i) noexcept { return Vec3Map(at(i, kOffsetR)); }
  Vec4Map p(int i) noexcept { return Vec4Map(at(i, kOffsetP)); }
  Vec3Map v(int i) noexcept { return Vec3Map(at(i, kOffsetV)); }
  Vec3Map omega(int i) noexcept { return Vec3Map(at(i, kOffsetOmega)); }
  Vec3Map a(int i) noexcept { return Vec3Map(at(i, kOffsetA)); }
  Vec3Map alpha(int i) noexcept { return Vec3Map(at(i, kOffsetAlpha)); }
  double* lambda() noexcept { return values_.data() + layout_.lambda(); }
  double* jointDisplacements() noexcept { return values_.data() + layout_.jointDisplacements(); }
  double* internalStates() noexcept { return values_.data() + layout_.internalStates(); }
  double* input() noexcept { return values_.data() + layout_.input(); }
  double& workInput() noexcept { return values_[static_cast<std::size_t>(layout_.workInput())]; }
  double& powerInput() noexcept { return values_[static_cast<std::size_t>(layout_.powerInput())]; }
  double& workDissipated() noexcept { return values_[static_cast<std::size_t>(layout_.workDissipated())]; }
  double& powerDissipated() noexcept { return values_[static_cast<std::size_t>(layout_.powerDissipated())]; }

  StateView view() const noexcept { return StateView(layout_, values_.data()); }
  const StateLayout& layout() const noexcept { return layout_; }
  std::vector<double>& values() noexcept { return values_; }
  const std::vector<double>& values() const noexcept { return values_; }

 private:
  double* at(int i, int offset) noexcept { return values_.data() + kBodyStride * i + offset; }

  StateLayout layout_;
  std::vector<double> values_;
};

/// FNV-1a (64 bit) over the tick and every byte of the values: equal hashes mean equal futures.
std::uint64_t hashState(const State& state) noexcept;

/// The hash of a State from its tick and a copy of its values, as a Snapshot holds them.
std::uint64_t hashState(std::int64_t tick, std::span<const double> values) noexcept;

/// 16 lower-case hex digits.
std::string formatHash(std::uint64_t hash);

}  // namespace tactus::rt
