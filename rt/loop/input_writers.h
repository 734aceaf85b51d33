// InputWriters: the controllers of a loop offer inputs, each from its own thread, and the tick takes them.
#pragma once

#include "rt/loop/input_guard.h"
#include "rt/loop/latest_value.h"
#include "rt/loop/scheduled_inputs.h"
#include "rt/loop/time_source.h"
#include "rt/state/actuator_input.h"

#include <atomic>
#include <cstdint>
#include <deque>

namespace tactus::rt {

/// What became of the inputs of one controller that ticks have taken.
struct InputFate {
  std::uint64_t used = 0;
  std::uint64_t left_aside = 0;  ///< ignored in the safe state
};

/// Each group of the Model has two writers, so that one can take over while the other still writes.
class InputWriters {
 public:
  /// Allocates all that the writers will ever need. At first writer 0 drives all groups.
  /// @param time  stamps the arrival of inputs
  InputWriters(const Model& model, const TimeSource& time);

  InputWriters(const InputWriters&) = delete;
  InputWriters& operator=(const InputWriters&) = delete;

  int count() const noexcept { return static_cast<int>(writers_.size()); }

  // ---- one thread at a time for each writer; @rt wait-free, no allocation ----

  /// Makes `input` the newest input of a writer. Only the values of groups that are both in `groups` and allowed are
  /// used. Values must be finite; the wire checks them.
  /// @returns false, and ignores the input, if it does not have one value for each actuator, or if it says of another
  ///          number of them whether it drives them
  bool offer(const ActuatorInput& input, int writer = 0, GroupMask groups = kAllGroups) noexcept;

  /// Schedules `input` for one tick, in which it takes precedence over an input without a tick. If that tick is over
  /// when the loop next takes inputs, the input is not used and counts as late.
  /// @pre one value for each actuator
  ScheduleResult offerAt(std::int64_t tick, const ActuatorInput& input, int writer = 0,
                         GroupMask groups = kAllGroups) noexcept;

  // ---- one thread at a time: the authority over inputs ----

  /// Sets the groups that a writer drives from now on, and takes them from all other writers. Inputs that wait are
  /// void: those of this writer, and those of others for these groups. May wait for a tick to take its inputs.
  void allow(int writer, GroupMask groups) noexcept;

  /// Inputs of a writer that wait are void; it drives the same groups as before. As allow().
  void discard(int writer) noexcept;

  // ---- the tick thread; @rt no allocation, no lock ----

  /// The input of a writer for a tick.
  struct Taken {
    const ActuatorInput* input = nullptr;  ///< null if there is nothing new; valid until the next take()
    GroupMask groups = 0;                  ///< groups whose values are used; never none with an input
    std::int64_t arrival_ns = 0;
    std::uint64_t superseded = 0;  ///< inputs that a newer one has replaced
    std::uint64_t late = 0;        ///< scheduled inputs whose tick is over
  };
  Taken take(int writer, std::int64_t tick) noexcept;

  /// Counts what became of the input that the last take() of this writer has returned.
  void countFate(int writer, bool is_used) noexcept;

  /// Drops every input that waits.
  void clear() noexcept;

  // ---- any thread ----

  /// Inputs of a writer that ticks have used and left aside, since the construction. @rt wait-free
  InputFate fate(int writer) const noexcept;

 private:
  /// An input as a client has offered it.
  struct Offer {
    ActuatorInput input;
    GroupMask groups = 0;
    std::int64_t arrival_ns = 0;
    std::uint32_t lease_epoch = 0;  ///< epoch in which it was offered
  };
  struct Writer {
    explicit Writer(const Offer& prototype) : staged(prototype), newest(prototype), scheduled(prototype) {}
    Offer staged;  ///< the writer's own copy
    LatestValue<Offer> newest;
    ScheduledInputs<Offer> scheduled;
    std::atomic<std::uint32_t> lease_epoch{0};  ///< offers of an earlier one are void
    std::atomic<GroupMask> groups{0};
    std::atomic<std::uint64_t> used{0}, left_aside{0};  ///< written by the tick thread
  };

  Writer& at(int writer) noexcept { return writers_[static_cast<std::size_t>(writer)]; }
  Writer& stageInput(const ActuatorInput& input, int writer, GroupMask groups) noexcept;

  const std::size_t values_;  ///< of an input
  const TimeSource time_;
  std::deque<Writer> writers_;
};

}  // namespace tactus::rt
