// UnitRun: what the thread of a unit works with. A thread that hangs in a call of the unit keeps it.
#pragma once

#include "clients/fmi/importer/loaded_unit.h"
#include "clients/fmi/session/missed_steps.h"
#include "clients/fmi/session/unit_map.h"
#include "clients/fmi/session/unit_process.h"
#include "rt/model/model.h"
#include "rt/signals/signal_reader.h"
#include "server/session/session.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tactus::fmi {

class UnitRun {
 public:
  UnitRun(std::string name, std::shared_ptr<server::Session> session, const std::string& folder,
          UnitDescription description, UnitMap map, const UnitProcessOptions& process)
      : name_(std::move(name)),
        session_(std::move(session)),
        description_(std::move(description)),
        map_(std::move(map)),
        step_s_(1e-9 * static_cast<double>(map_.every * session_->settings().period_ns)),
        missed_(map_.every, map_.delay),
        reader_(session_->feed().signals(), map_.signals),
        snapshot_(session_->model()),
        now_(session_->model()),
        inputs_(map_.signals.size()),
        outputs_(map_.actuators.size()),
        unit_(driverOf(folder, process)) {}

  /// Before run(). @throws server::RequestError
  void takeInputs() {
    server::LeaseRequest request;
    request.groups = session_->inputs().groupsOf(map_.actuators);
    request.actuators = map_.actuators;
    request.controller = "fmu " + name_;
    request.gone = [this] { return stopping_.load(); };
    lease_ = session_->inputs().lease(std::move(request));
  }

  void run() noexcept {
    try {
      session_->feed().ring().newest(snapshot_);
      epoch_ = snapshot_.header.epoch;
      session_->spec().clock.lockstep() ? runInLockstep() : runBeside();
      lease_->leave();
    } catch (const UnitEnds& end) {
      end_ = fmt::format("it ended at tick {}: {}", snapshot_.header.tick, end.what());
      spdlog::warn("fmu {}: {} at tick {}", name_, end.what(), snapshot_.header.tick);
      lease_->leave();
    } catch (const std::exception& error) { fault(error.what()); } catch (...) {
      fault("it throws an exception");
    }
    lease_.reset();
    terminate();
    ended_.set_value();
  }

  void stop() noexcept { stopping_ = true; }
  std::future<void> ended() { return ended_.get_future(); }
  const std::string& name() const noexcept { return name_; }
  std::string counts() const { return fmt::format("{} steps, {} missed", all_steps_.load(), misses_.load()); }
  /// Of a unit that has ended: where and why, if it ended by itself.
  const std::string& end() const noexcept { return end_; }
  /// Takes a unit out of a call that hangs. @returns false if nothing can
  bool endUnit() const noexcept { return unit_->end(); }

 private:
  std::unique_ptr<UnitDriver> driverOf(const std::string& folder, const UnitProcessOptions& process) {
    session_->feed().ring().newest(snapshot_);
    reader_.read(snapshot_, inputs_);
    if (process.apart) return unitApart(folder, name_, map_.variables, inputs_, process.call_limit_ns);
    return unitHere(folder, description_, name_, map_.variables, inputs_, [](std::string_view) {});
  }

  void terminate() noexcept try { unit_->terminate(); } catch (const std::exception& error) {
    spdlog::warn("fmu {}: {}", name_, error.what());
  } catch (...) { spdlog::warn("fmu {}: it throws an exception when it is terminated", name_); }

  bool taken() const {
    if (lease_->lost()) spdlog::warn("fmu {}: its inputs were taken over by {}; it ends", name_, lease_->takenBy());
    return lease_->lost();
  }

  // The result of the step that failed never comes: one more miss, with what the map says of it. Then its actuators are
  // those of a lost controller.
  void fault(const std::string& why) noexcept try {
    end_ = fmt::format("it ended at tick {}: {}", snapshot_.header.tick, why);
    if (stopping_)
      return spdlog::warn("fmu {}: it ends with the server, at tick {}: {}", name_, snapshot_.header.tick, why);
    spdlog::error("fmu {}: it ends at tick {}: {}; {}", name_, snapshot_.header.tick, why, consequence());
    misses_ += last_ ? missed_.count(*last_, *last_) : 1;
    reactToMiss();
  } catch (const std::exception& error) { spdlog::error("fmu {}: {}", name_, error.what()); }

  // What follows a fault.
  std::string consequence() const {
    const std::string then = map_.safe_on_miss           ? "the session enters its safe state"
                             : session_->missLimit() > 0 ? "its actuators follow their action on loss"
                                                         : "its actuators keep their values";
    return session_->spec().clock.lockstep() ? then + "; without another controller the session stands still" : then;
  }

  // Before the first step since the start or a reset: the values in force are the first input of this controller, so
  // that one which never brings a result is lost like one that stops.
  void countMisses() {
    if (counting_ || session_->missLimit() == 0) return;
    counting_ = true;
    bool counted = true;
    for (std::size_t g = 0; g < snapshot_.header.input_loss.size(); ++g)
      if (lease_->groups() >> g & 1) counted = counted && snapshot_.header.input_loss[g].armed;
    if (counted) return;
    rt::ActuatorInput& input = lease_->input();
    std::copy(snapshot_.inputs.begin(), snapshot_.inputs.end(), input.values.begin());
    lease_->offer();
  }

  // The session was reset or restored: so is the unit.
  void beginAnewAfterReset() {
    if (snapshot_.header.epoch == epoch_) return;
    epoch_ = snapshot_.header.epoch;
    reader_.read(snapshot_, inputs_);
    unit_->restart(inputs_);
    steps_ = 0;
    last_.reset();
    due_.reset();
    missed_.restart();
    counting_ = false;
    offered_ = decided();
  }

  // One step with the signals of snapshot_.
  void step() {
    countMisses();
    reader_.read(snapshot_, inputs_);
    unit_->step(inputs_, description_.start_time + static_cast<double>(steps_) * step_s_, step_s_, outputs_);
    ++steps_;
    ++all_steps_;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto index = static_cast<std::size_t>(map_.actuators[i]);
      const rt::Actuator& actuator = session_->model().actuators[index];
      const std::string& actuator_name = session_->model().actuator_names[index];
      if (!std::isfinite(outputs_[i])) throw Error("its value for \"" + actuator_name + "\" is not finite");
      if (outputs_[i] < actuator.minimum || outputs_[i] > actuator.maximum)
        throw Error(fmt::format("its value {} for \"{}\" is outside {} to {}", outputs_[i], actuator_name,
                                actuator.minimum, actuator.maximum));
    }
  }

  void writeOutputs() {
    rt::ActuatorInput& input = lease_->input();
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      input.values[static_cast<std::size_t>(map_.actuators[i])] = outputs_[i];
  }

  // In the thread of the unit or in that of watch(). @param tick  at which they are missed
  void miss(std::int64_t misses, std::int64_t tick) {
    if (misses <= 0) return;
    if (misses_.fetch_add(misses) == 0)
      spdlog::warn("fmu {}: a result was not there in time at tick {}; it is counted, and further ones are not logged",
                   name_, tick);
    reactToMiss();
  }

  void reactToMiss() {
    if (map_.safe_on_miss && session_->safeState(lease_->groups()).empty())
      session_->enterSafeState("by fmu " + name_ + ": a result is missing, and its map says on_miss: safe");
  }

  // Counts the steps that were left out before the one of tick `at`, but for those that watch() has counted.
  std::int64_t countLeftOut(std::int64_t at) { return last_ ? missed_.count(*last_ + map_.every, at - map_.every) : 0; }

  // Inputs that ticks have taken, used or left aside.
  std::uint64_t decided() const {
    const rt::InputFate fate = lease_->fate();
    return fate.used + fate.left_aside;
  }

  // A result counts as missed when it is due, while the step that brings it is still being made.
  void watch(const std::stop_token& ended) noexcept try {
    rt::Snapshot newest(session_->model());
    std::uint64_t seen = 0;
    while (!ended.stop_requested() && !stopping_) {
      const rt::WaitResult wait = session_->feed().waker().waitNewer(seen, kLook);
      if (wait == rt::WaitResult::kClosed) return;
      if (wait != rt::WaitResult::kNewer) continue;
      seen = session_->feed().ring().newest(newest);
      miss(missed_.look(newest.header.tick, newest.header.epoch), newest.header.tick);
    }
  } catch (const std::exception& error) { spdlog::error("fmu {}: {}", name_, error.what()); }

  // The session ticks by itself.
  void runBeside() {
    const std::jthread watching([this](const std::stop_token& ended) { watch(ended); });
    const rt::SnapshotRing& ring = session_->feed().ring();
    std::uint64_t seen = 0;
    while (!stopping_ && !taken()) {
      const rt::WaitResult wait = session_->feed().waker().waitNewer(seen, kLook);
      if (wait == rt::WaitResult::kClosed) return;
      if (wait != rt::WaitResult::kNewer) continue;
      seen = ring.newest(snapshot_);
      beginAnewAfterReset();
      const std::int64_t tick = snapshot_.header.tick, behind = tick % map_.every, at = tick - behind;
      if (last_ && at <= *last_) continue;
      if (behind > 0 && !readBack(seen, at)) continue;
      // Each earlier result was due by now.
      const std::uint64_t taken_now = decided();
      const std::int64_t not_used = offered_ > taken_now ? static_cast<std::int64_t>(offered_ - taken_now) : 0;
      offered_ = taken_now;
      miss(countLeftOut(at) + not_used, tick);
      last_ = at;
      missed_.begin(at, epoch_);
      step();
      missed_.end();
      offer(at);
    }
  }

  // Reads the snapshot of an earlier tick of the same epoch into snapshot_.
  bool readBack(std::uint64_t newest, std::int64_t at) {
    const auto back = static_cast<std::uint64_t>(snapshot_.header.tick - at);
    return back < newest && session_->feed().ring().read(newest - back, now_).result == rt::ReadResult::kOk &&
           now_.header.tick == at && now_.header.epoch == epoch_ && (std::swap(now_, snapshot_), true);
  }

  // The result of the step that reads tick `at`.
  void offer(std::int64_t at) {
    session_->feed().ring().newest(now_);
    if (now_.header.epoch != epoch_) return;
    if (now_.header.tick < at + map_.delay) {
      writeOutputs();
      if (lease_->offerAt(at + map_.delay) == rt::ScheduleResult::kKept) {
        ++offered_;
        return;
      }
    }
    miss(missed_.count(at, at), now_.header.tick);
  }

  // Each tick waits for this thread, and may be made in it.
  void runInLockstep() {
    while (!stopping_ && !taken()) {
      beginAnewAfterReset();
      const std::int64_t tick = snapshot_.header.tick;
      // Ticks of a request to step the session do not wait.
      if (due_ && *due_ <= tick) {
        miss(1, tick);
        due_.reset();
      }
      if (tick % map_.every == 0 && last_ != tick) {
        miss(countLeftOut(tick), tick);
        last_ = tick;
        step();
        due_ = tick + map_.delay;
      }
      if (!meetOthers(tick + 1)) {
        session_->feed().events().wait(session_->feed().events().newest(), kLook);
        session_->feed().ring().newest(snapshot_);
      }
    }
  }

  // Brings the input of tick `next`: a new result, or what is in force. Returns false if there was no tick: the session
  // does not run, or it was reset meanwhile.
  bool meetOthers(std::int64_t next) {
    if (session_->state() != server::SessionState::kRunning) return false;
    due_ == next ? writeOutputs() : void(lease_->input());
    if (session_->rendezvous().tick(*lease_, snapshot_, next) == 0) return false;
    if (due_ == next) due_.reset();
    // A reset at tick 0 leads to the state that the unit has read.
    if (snapshot_.header.tick == next) epoch_ = snapshot_.header.epoch;
    return true;
  }

  static constexpr std::chrono::milliseconds kLook{20};  // between two looks at whether the unit is to end

  const std::string name_;
  const std::shared_ptr<server::Session> session_;
  const UnitDescription description_;
  const UnitMap map_;
  const double step_s_;
  MissedSteps missed_;
  std::unique_ptr<server::InputLease> lease_;
  rt::SignalReader reader_;
  rt::Snapshot snapshot_, now_;
  std::vector<double> inputs_, outputs_;
  const std::unique_ptr<UnitDriver> unit_;
  std::uint64_t epoch_ = 0;
  std::int64_t steps_ = 0;            // since the start or the last reset
  std::optional<std::int64_t> last_;  // tick of the newest step
  std::optional<std::int64_t> due_;   // lockstep: tick of the result that waits
  std::uint64_t offered_ = 0;         // what decided() is once ticks have taken all results that were scheduled
  bool counting_ = false;             // countMisses() was called since the start or the last reset
  std::atomic<std::int64_t> all_steps_{0}, misses_{0};
  std::atomic<bool> stopping_ = false;
  std::string end_;
  std::promise<void> ended_;
};

}  // namespace tactus::fmi
