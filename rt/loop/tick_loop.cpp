#include "rt/loop/tick_loop.h"

#include "rt/ali3p/constraint_norms.h"
#include "rt/ali3p/workspace.h"
#include "rt/error.h"
#include "rt/loop/futex.h"
#include "rt/math/flush_denormals.h"
#include "rt/model/model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tactus::rt {

namespace {

// A tick counts as late from this share of the period on, per cent.
constexpr std::int64_t kLateShare = 10;

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
  const FlushDenormals mode;
  if (faulted() || finished()) return fault();
  const std::uint64_t version = models_.parts().version;
  models_.take(state_.tick + 1, ring_.newestIndex());
  if (models_.parts().version != version) energy_.rebase(*models_.parts().model, state_);
  stats_.beginTick();
  TickRecord record;
  record.tick = state_.tick + 1;

  // Take the input.
  const std::int64_t begin = options_.time.now();
  const bool allowed = takeInput(record);

  // Step: State is the new tick, or untouched.
  ring_.prefetchNext();
  const std::int64_t input_taken = options_.time.now();
  StepReport report;
  report.status = TickStatus::kInputLost;
  const ModelParts& parts = models_.parts();
  if (allowed)
    report = options_.step(*parts.model, *parts.plan, settings_, guard_.values(), state_, *parts.workspace);
  else
    recordConstraintNorms(*parts.model, settings_, state_, *parts.workspace, report);
  settle(report.status);

  // Publish.
  const std::int64_t solved = options_.time.now();
  publish(report, record.input_held, overrun);

  // Account.
  const std::int64_t published = options_.time.now();
  record.input_ns = input_taken - begin;
  record.solve_ns = solved - input_taken;
  record.publish_ns = published - solved;
  work_ = {report.factorizations, static_cast<int>(record.inputs_used + record.inputs_superseded)};
  if (record.inputs_used > 0) record.turnaround_ns = published - record.arrival_ns;
  record.contraction = report.contraction;
  record.factorizations = report.factorizations;
  record.converged = report.converged;
  stats_.recordTick(record);
  if (report.status == TickStatus::kOk && energy_.record(*parts.model, state_)) wakeAlerted();
  return report.status;
}

TickLoop::End TickLoop::run(TickClock& clock, const std::atomic<bool>& stop) noexcept {
  LateTickAnalyzer analyzer(state_.tick);
  clock.start();
  End end = End::kStopped;
  for (bool running = true; running && !faulted() && !finished();) {
    const GridPoint point = clock.waitNext(stop);
    running = !point.stopped && !point.ended;
    if (point.ended) end = End::kOverrun;
    if (point.safe) requestSafeState();
    if (running) {
      const std::int64_t tick = state_.tick + 1;
      advance(point.late());
      account(clock, point, tick, analyzer);
    }
    stats_.countGrid(point, clock.consecutiveOverdue());
  }
  stats_.addUsage(analyzer.sampleBaseline(state_.tick));
  return faulted() ? End::kFaulted : finished() ? End::kFinished : end;
}

// Between two ticks of a run: records how late the last tick was and why, and once a second what the thread has used.
void TickLoop::account(const TickClock& clock, const GridPoint& point, std::int64_t tick,
                       LateTickAnalyzer& analyzer) noexcept {
  if (clock.mode() != ClockMode::kFreeRun) stats_.recordWake(point.lateness_ns, tick);
  const std::int64_t now = clock.now();
  const bool overran = clock.overran(point, now);
  if (overran) stats_.countOverrun();

  // Asking the kernel costs system calls: after a late tick, and otherwise when the usual use is due to be sampled.
  const bool overslept =
      clock.mode() != ClockMode::kFreeRun && point.overslept_ns * 100 > clock.wallPeriodNs() * kLateShare;
  const std::int64_t worked_ns = now - point.now_ns;
  if (overran || overslept) {
    LateTick late;
    late.tick = tick;
    late.at_work = overran && (!overslept || worked_ns > point.overslept_ns);
    late.lost_ns = late.at_work ? worked_ns : point.overslept_ns;
    const LateTickAnalyzer::Finding finding = analyzer.classify(tick, late.lost_ns, work_);
    late.cause = finding.cause;
    stats_.countLate(late);
    stats_.addUsage(finding.spent);
    return;
  }
  analyzer.recordOnTime(work_);
  const std::int64_t second = std::max<std::int64_t>(1'000'000'000 / settings_.period_ns, 1);
  if (analyzer.isBaselineDue(tick, second)) stats_.addUsage(analyzer.sampleBaseline(tick));
}

// Decides what the actuators get. Returns false if the loss of a controller is a fault.
bool TickLoop::takeInput(TickRecord& record) noexcept {
  const GroupMask was_latched = guard_.state().latchedGroups(), was_lost = guard_.state().lostGroups();
  switch (request_.exchange(Request::kNone, std::memory_order_acquire)) {
    case Request::kNone: break;
    case Request::kSafe: guard_.command(record.tick); break;
    case Request::kClear: guard_.clear(); break;
  }
  if (const GroupMask groups = resume_.exchange(0, std::memory_order_acq_rel); groups != 0) guard_.resume(groups);

  // The input of each controller, if it has a new one.
  record.input_held = true;
  for (int writer = 0; writer < inputs_.count(); ++writer) {
    const InputWriters::Taken taken = inputs_.take(writer, record.tick);
    record.inputs_superseded += taken.superseded;
    record.inputs_late += taken.late;
    if (!taken.input) continue;
    const bool is_used = guard_.take(*taken.input, record.tick, taken.groups);
    inputs_.countFate(writer, is_used);
    if (is_used) {
      ++record.inputs_used;
      record.arrival_ns = taken.arrival_ns;
      record.input_held = false;
    } else {
      ++record.inputs_left_aside;
    }
  }

  // A scripted input takes precedence over all that clients have sent.
  for (; script_next_ < options_.script.size() && options_.script[script_next_].tick <= record.tick; ++script_next_) {
    if (!guard_.takeScripted(options_.script[script_next_].values, record.tick)) continue;
    record.inputs_superseded += std::exchange(record.inputs_used, 0);
    record.input_held = false;
  }

  const bool allowed = guard_.decide(record.tick);
  record.input_losses = std::popcount(guard_.state().lostGroups() & ~was_lost);
  record.safe_entry = (guard_.state().latchedGroups() & ~was_latched) != 0;
  return allowed;
}

void TickLoop::publish(const StepReport& report, bool input_held, bool overrun) noexcept {
  SnapshotHeader header;
  header.tick = state_.tick;
  header.sim_time_ns = state_.tick * settings_.period_ns;
  header.publish_time_ns = wallClockNs();
  const InputState& input = guard_.state();
  header.input_sequence = input.sequence;
  header.input_first_tick = input.first_tick;
  header.input_mode = input.mode;
  header.overrun = overrun;
  header.input_held = input_held;
  header.faulted = report.status != TickStatus::kOk;
  header.epoch = epoch_;
  header.model_version = models_.parts().version;
  header.report = report;
  header.input_loss = input.groups;
  header.group_modes = input.modes;
  header.taken_inputs = input.taken;
  const GroupMask latched = input.latchedGroups();
  const bool is_changed = latched_.exchange(latched, std::memory_order_acq_rel) != latched;
  std::copy(input.from.begin(), input.from.end(), history_.begin());
  std::copy(input.slope.begin(), input.slope.end(), history_.begin() + static_cast<std::ptrdiff_t>(input.from.size()));
  ring_.publish(header, state_.values(), input.values, history_);
  if (is_changed) wakeAlerted();
}

void TickLoop::wakeAlerted() noexcept {
  // Both counters in one order: a waiter that is not seen here sees the alert.
  alerts_.fetch_add(1, std::memory_order_seq_cst);
  if (alert_waiters_.load(std::memory_order_seq_cst) > 0) futexWake(alerts_, std::numeric_limits<int>::max());
}

std::uint32_t TickLoop::waitAlert(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept {
  alert_waiters_.fetch_add(1, std::memory_order_seq_cst);
  if (alerts_.load(std::memory_order_seq_cst) == seen)
    futexWait(alerts_, seen, monotonicTime().now() + timeout.count());
  alert_waiters_.fetch_sub(1, std::memory_order_relaxed);
  return alerts();
}

void TickLoop::settle(TickStatus status) noexcept {
  fault_.store(status, std::memory_order_release);
  finished_.store(options_.stop_tick > 0 && state_.tick >= options_.stop_tick, std::memory_order_release);
}

TickLoop::TickLoop(const Model& model, const Plan& plan, const Settings& settings, const State& initial,
                   LoopOptions options)
    : settings_(settings),
      options_(checked(model, std::move(options))),
      state_(initial),
      workspace_(std::make_unique<Workspace>(model, plan, options_.threads)),
      models_({&model, &plan, workspace_.get()}),
      inputs_(model, options_.time),
      guard_(model, settings.period_ns, options_.miss_limit),
      restored_(guard_.state()),
      history_(2 * model.actuators.size()),
      ring_(Snapshot(model), options_.ring_capacity),
      energy_(model, settings.dt()) {
  reset(initial);
}

TickLoop::~TickLoop() = default;

int TickLoop::threads() const noexcept {
  return workspace_->threads;
}

void TickLoop::reset(const State& initial) noexcept {
  guard_.reset();
  begin(initial);
}

void TickLoop::restore(const State& state, const InputState& inputs) noexcept {
  guard_.restore(inputs);
  begin(state);
}

void TickLoop::begin(const State& state) noexcept {
  state_ = state;
  beginAgain(false);
}

void TickLoop::beginAgain(bool input_held) noexcept {
  inputs_.clear();
  request_.store(Request::kNone, std::memory_order_relaxed);
  resume_.store(0, std::memory_order_relaxed);
  const auto& script = options_.script;
  const auto next =
      std::find_if(script.begin(), script.end(), [&](const auto& input) { return input.tick > state_.tick; });
  script_next_ = static_cast<std::size_t>(next - script.begin());
  settle(TickStatus::kOk);
  const ModelParts& parts = models_.parts();
  energy_.begin(*parts.model, state_);
  ++epoch_;
  StepReport report;  // of no step: what it says of the state, and zeros
  recordConstraintNorms(*parts.model, settings_, state_, *parts.workspace, report);
  publish(report, input_held, false);
}

void TickLoop::restore(const Snapshot& saved) noexcept {
  const SnapshotHeader& header = saved.header;
  restored_.sequence = header.input_sequence;
  restored_.first_tick = header.input_first_tick;
  restored_.mode = header.input_mode;
  restored_.groups = header.input_loss;
  restored_.modes = header.group_modes;
  restored_.taken = header.taken_inputs;
  const auto actuators = static_cast<std::ptrdiff_t>(saved.inputs.size());
  std::copy(saved.inputs.begin(), saved.inputs.end(), restored_.values.begin());
  std::copy_n(saved.input_history.begin(), actuators, restored_.from.begin());
  std::copy_n(saved.input_history.begin() + actuators, actuators, restored_.slope.begin());
  guard_.restore(restored_);
  state_.tick = header.tick;
  std::copy(saved.state.begin(), saved.state.end(), state_.values().begin());
  beginAgain(header.input_held);
}

void TickLoop::warmUp(int steps) {
  State scratch = state_;
  const ModelParts& parts = models_.parts();
  for (int i = 0; i < steps; ++i)
    options_.step(*parts.model, *parts.plan, settings_, guard_.values(), scratch, *parts.workspace);
}

}  // namespace tactus::rt
