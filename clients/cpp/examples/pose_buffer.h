// Poses of the last frames, and the pose at any time between them: what a renderer with its own rate asks for.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tactus::example {

/// Position (m) and orientation (unit quaternion, scalar first) of a body in the world.
struct Pose {
  std::array<double, 3> position{};
  std::array<double, 4> orientation{1, 0, 0, 0};
};

/// Between two poses: positions on a line, orientations along the shorter arc (normalized linear interpolation; over a
/// few ms the difference to the arc at constant speed is far below a pixel).
inline Pose between(const Pose& a, const Pose& b, double share) {
  Pose pose;
  for (std::size_t k = 0; k < 3; ++k) pose.position[k] = a.position[k] + share * (b.position[k] - a.position[k]);
  double dot = 0, square = 0;
  for (std::size_t k = 0; k < 4; ++k) dot += a.orientation[k] * b.orientation[k];
  for (std::size_t k = 0; k < 4; ++k) {
    pose.orientation[k] = (1 - share) * a.orientation[k] + (dot < 0 ? -share : share) * b.orientation[k];
    square += pose.orientation[k] * pose.orientation[k];
  }
  for (double& e : pose.orientation) e /= std::sqrt(square);
  return pose;
}

/// Filled by the thread that receives frames, read by the one that draws. Both hold the lock for some copies only.
class PoseBuffer {
 public:
  enum class Answer { kNone, kBetween, kTooNew, kTooOld };

  explicit PoseBuffer(std::size_t bodies, std::size_t frames = 128) : bodies_(bodies), frames_(frames) {}

  /// @param t  simulated time, s; later than that of the frame before
  void push(double t, const std::vector<Pose>& poses) {
    const std::lock_guard lock(mutex_);
    Entry& entry = frames_[count_ % frames_.size()];
    entry.t = t;
    entry.poses = poses;
    ++count_;
  }

  /// Poses at a simulated time. Outside of what is held: the nearest frame, and the answer says so.
  Answer at(double t, std::vector<Pose>& poses) const {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return Answer::kNone;
    const std::size_t held = count_ < frames_.size() ? static_cast<std::size_t>(count_) : frames_.size();
    const auto entry = [&](std::size_t back) -> const Entry& { return frames_[(count_ - 1 - back) % frames_.size()]; };
    poses.resize(bodies_);
    if (t >= entry(0).t) {
      poses = entry(0).poses;
      return t > entry(0).t ? Answer::kTooNew : Answer::kBetween;
    }
    for (std::size_t back = 1; back < held; ++back) {
      const Entry &a = entry(back), &b = entry(back - 1);
      if (t < a.t) continue;
      for (std::size_t i = 0; i < bodies_; ++i) poses[i] = between(a.poses[i], b.poses[i], (t - a.t) / (b.t - a.t));
      return Answer::kBetween;
    }
    poses = entry(held - 1).poses;
    return Answer::kTooOld;
  }

  double newest() const {
    const std::lock_guard lock(mutex_);
    return count_ == 0 ? 0.0 : frames_[(count_ - 1) % frames_.size()].t;
  }

 private:
  struct Entry {
    double t = 0;
    std::vector<Pose> poses;
  };
  mutable std::mutex mutex_;
  std::size_t bodies_;
  std::vector<Entry> frames_;
  std::uint64_t count_ = 0;
};

}  // namespace tactus::example
