// The values of one tick, by position and by name.
#pragma once

#include "tactus/v1/simulation.pb.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tactus::client {

/// The order of the values of a stream, agreed when the stream is opened.
class Layout {
 public:
  Layout() = default;
  explicit Layout(const v1::Layout& message);

  /// Names in the order of the values.
  const std::vector<std::string>& names() const noexcept { return names_; }
  std::size_t size() const noexcept { return names_.size(); }

  /// Hash over names, order and units: equal at both ends.
  std::uint64_t hash() const noexcept { return hash_; }

  /// Position of a name.
  /// @throws std::out_of_range if the layout does not hold it
  std::size_t indexOf(std::string_view name) const;

  bool contains(std::string_view name) const { return index_.find(name) != index_.end(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>{}(name); }
  };
  std::uint64_t hash_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;
};

/// One frame of a stream. Pass the same object to every receive() to reuse its memory.
class Frame {
 public:
  std::int64_t tick() const noexcept { return message_.tick(); }
  std::int64_t simTimeNs() const noexcept { return message_.sim_time_ns(); }

  /// Simulated time, s.
  double simTime() const noexcept { return 1e-9 * static_cast<double>(message_.sim_time_ns()); }

  /// Wall clock of the server when the tick was published, ns since 1970.
  std::int64_t serverTimeNs() const noexcept { return message_.server_time_ns(); }

  /// Number of the frame in this stream, from 1.
  std::uint64_t sequence() const noexcept { return message_.sequence(); }

  /// Sequence number of the input that the tick used; 0 before the first input.
  std::uint64_t inputSequence() const noexcept { return message_.input_sequence(); }

  /// Ticks since the first tick that used that input.
  std::int64_t inputAge() const noexcept { return message_.input_age_ticks(); }

  /// Bitwise OR of v1::FrameFlag values.
  std::uint32_t flags() const noexcept { return message_.flags(); }
  bool has(v1::FrameFlag flag) const noexcept { return (message_.flags() & static_cast<std::uint32_t>(flag)) != 0; }

  /// The authority over the actuators: driven, holding, in the safe state, ...
  v1::InputMode inputMode() const noexcept { return message_.input_mode(); }

  /// The same for group `group` of Session::status().groups().
  v1::InputMode groupMode(int group) const noexcept { return message_.group_modes(group); }

  /// Frames that were due but not sent, since the stream was opened.
  std::uint64_t missed() const noexcept { return message_.frames_missed(); }

  /// Values in the order of the layout.
  std::span<const double> values() const noexcept {
    return {message_.values().data(), static_cast<std::size_t>(message_.values_size())};
  }

  /// Value of a signal by name. In a fast loop call `layout().indexOf(name)` once instead.
  /// @throws std::out_of_range if the stream does not carry it
  double operator[](std::string_view name) const { return values()[layout_->indexOf(name)]; }

  const Layout& layout() const noexcept { return *layout_; }
  const v1::StateFrame& message() const noexcept { return message_; }

  /// Swaps in a message; the old message leaves its memory for reuse.
  void take(v1::StateFrame& message, const std::shared_ptr<const Layout>& layout) {
    message_.Swap(&message);
    if (layout_ != layout) layout_ = layout;
  }

 private:
  v1::StateFrame message_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace tactus::client
