#include "rt/loop/tick_loop.h"

#include "rt/error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tactus::rt {

namespace {

LoopOptions checked(const Model& model, LoopOptions options) {
  for (const ScriptedInput& input : options.script) {
    const std::string where = "scripted input for tick " + std::to_string(input.tick);
    if (input.tick < 1) throw Error(where + ": the first tick is 1");
    if (input.values.size() != model.actuators.size()) {
      throw Error(where + ": has " + std::to_string(input.values.size()) + " values; the model has " +
                  std::to_string(model.actuators.size()) + " actuators");
    }
    for (const double value : input.values) {
      if (!std::isfinite(value)) throw Error(where + ": has a value that is not finite");
    }
  }
  std::stable_sort(options.script.begin(), options.script.end(),
                   [](const ScriptedInput& a, const ScriptedInput& b) { return a.tick < b.tick; });
  return options;
}

}  // namespace

TickStatus TickLoop::advance(bool overrun) noexcept {
  if (faulted() || finished()) return fault();
  stats_.beginTick();
  TickRecord record;
  record.tick = state_.tick + 1;

  // Take the input.
  const std::int64_t begin = options_.time.now();
  takeInput(record);

  // Step: State is the new tick, or untouched.
  const std::int64_t input_taken = options_.time.now();
  const StepReport report = options_.step(model_, plan_, settings_, held_.values, state_, workspace_);
  settle(report.status);

  // Publish.
  const std::int64_t solved = options_.time.now();
  publish(report, record.input_held, overrun);

  // Account.
  const std::int64_t published = options_.time.now();
  record.input_ns = input_taken - begin;
  record.solve_ns = solved - input_taken;
  record.publish_ns = published - solved;
  stats_.recordTick(record);
  return report.status;
}

TickLoop::End TickLoop::run(TickClock& clock, const std::atomic<bool>& stop) noexcept {
  // Page faults and switches are read once a second of simulated time, between two ticks: it is a system call.
  const std::int64_t usage_interval = std::max<std::int64_t>(1'000'000'000 / settings_.period_ns, 1);
  clock.start();
  TickStats::ThreadUsage usage = TickStats::threadUsage();
  End end = End::kStopped;
  for (bool running = true; running && !faulted() && !finished();) {
    const GridPoint point = clock.waitNext(stop);
    running = !point.stopped && !point.ended;
    if (point.ended) end = End::kOverrun;
    if (running) {
      const std::int64_t tick = state_.tick + 1;
      advance(point.late());
      stats_.recordWake(point.lateness_ns, tick);
      if (clock.overran(point, clock.now())) stats_.countOverrun();
      if (tick % usage_interval == 0) stats_.addUsage(usage);
    }
    stats_.countGrid(point, clock.passedInRow());
  }
  stats_.addUsage(usage);
  return faulted() ? End::kFaulted : finished() ? End::kFinished : end;
}

void TickLoop::takeInput(TickRecord& record) noexcept {
  record.input_held = true;

  // The newest one from a client.
  const auto [input, superseded] = offered_.take();
  record.inputs_superseded = superseded;
  if (input) {
    hold(input->sequence, input->values, record.tick);
    record.inputs_used = 1;
    record.input_held = false;
  }

  // The script names its tick, so there it goes before whatever a client has sent.
  for (; script_next_ < options_.script.size() && options_.script[script_next_].tick <= record.tick; ++script_next_) {
    hold(0, options_.script[script_next_].values, record.tick);
    record.inputs_superseded += std::exchange(record.inputs_used, 0);
    record.input_held = false;
  }
}

void TickLoop::hold(std::uint64_t sequence, std::span<const double> values, std::int64_t tick) noexcept {
  held_.sequence = sequence;
  std::copy(values.begin(), values.end(), held_.values.begin());
  held_since_ = tick;
}

void TickLoop::publish(const StepReport& report, bool input_held, bool overrun) noexcept {
  SnapshotHeader header;
  header.tick = state_.tick;
  header.sim_time_ns = state_.tick * settings_.period_ns;
  header.publish_time_ns = wallClockNs();
  header.input_sequence = held_.sequence;
  header.input_first_tick = held_since_;
  header.overrun = overrun;
  header.input_held = input_held;
  header.faulted = report.status != TickStatus::kOk;
  header.begun = begun_;
  header.report = report;
  ring_.publish(header, state_.values(), held_.values);
}

void TickLoop::settle(TickStatus status) noexcept {
  fault_.store(status, std::memory_order_release);
  finished_.store(options_.stop_tick > 0 && state_.tick >= options_.stop_tick, std::memory_order_release);
}

TickLoop::TickLoop(const Model& model, const Plan& plan, const Settings& settings, const State& initial,
                   LoopOptions options)
    : model_(model),
      plan_(plan),
      settings_(settings),
      options_(checked(model, std::move(options))),
      state_(initial),
      workspace_(model, plan),
      held_(model),
      offered_(held_),
      ring_(Snapshot(model), options_.ring_capacity) {
  reset(initial);
}

void TickLoop::reset(const State& initial) noexcept {
  state_ = initial;
  offered_.take();
  held_.sequence = 0;
  held_since_ = 0;
  for (std::size_t i = 0; i < held_.values.size(); ++i) held_.values[i] = model_.actuators[i].initial;
  script_next_ = 0;
  settle(TickStatus::kOk);
  ++begun_;
  publish(StepReport{}, false, false);
}

void TickLoop::restore(const Snapshot& saved) noexcept {
  state_.tick = saved.header.tick;
  std::copy(saved.state.begin(), saved.state.end(), state_.values().begin());
  offered_.take();
  hold(saved.header.input_sequence, saved.inputs, saved.header.input_first_tick);
  script_next_ = 0;
  while (script_next_ < options_.script.size() && options_.script[script_next_].tick <= state_.tick) ++script_next_;
  settle(TickStatus::kOk);
  ++begun_;
  publish(StepReport{}, saved.header.input_held, false);
}

bool TickLoop::offerInput(const ActuatorInput& input) noexcept {
  if (input.values.size() != held_.values.size()) return false;
  offered_.offer(input);
  return true;
}

void TickLoop::warmUp(int steps) {
  State scratch = state_;
  for (int i = 0; i < steps; ++i) options_.step(model_, plan_, settings_, held_.values, scratch, workspace_);
}

}  // namespace tactus::rt
