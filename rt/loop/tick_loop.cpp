#include "rt/loop/tick_loop.h"

#include "rt/error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tactus::rt {

namespace {

// A tick counts as late from this share of the period on, per cent. Beyond a whole period it has passed a grid point.
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
  if (faulted() || finished()) return fault();
  if (next_.load(std::memory_order_relaxed)) adopt(next_.exchange(nullptr, std::memory_order_acq_rel));
  stats_.beginTick();
  TickRecord record;
  record.tick = state_.tick + 1;

  // Take the input.
  const std::int64_t begin = options_.time.now();
  const bool allowed = takeInput(record);

  // Step: State is the new tick, or untouched.
  const std::int64_t input_taken = options_.time.now();
  StepReport report;
  report.status = TickStatus::kInputLost;
  if (allowed)
    report = options_.step(*parts_.model, *parts_.plan, settings_, guard_.values(), state_, *parts_.workspace);
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
  stats_.recordTick(record);
  return report.status;
}

// Between two ticks: pointers change hands, nothing else. Null where a withdrawal came first.
void TickLoop::adopt(CompiledModel* next) noexcept {
  if (!next) return;
  parts_ = {next->model.get(), &next->plan, &next->workspace, next->version};
  version_tick_.store(state_.tick + 1, std::memory_order_relaxed);
  version_publication_.store(ring_.newestIndex(), std::memory_order_relaxed);
  version_.store(next->version, std::memory_order_release);
}

void TickLoop::setCompiledModel(CompiledModel* next) noexcept {
  next_.store(nullptr, std::memory_order_relaxed);
  if (next) return adopt(next);
  parts_ = {&model_, &plan_, &workspace_};
  version_tick_.store(0, std::memory_order_relaxed);
  version_publication_.store(ring_.newestIndex(), std::memory_order_relaxed);
  version_.store(0, std::memory_order_release);
}

TickLoop::End TickLoop::run(TickClock& clock, const std::atomic<bool>& stop) noexcept {
  LateWitness witness(state_.tick);
  clock.start();
  End end = End::kStopped;
  for (bool running = true; running && !faulted() && !finished();) {
    const GridPoint point = clock.waitNext(stop);
    running = !point.stopped && !point.ended;
    if (point.ended) end = End::kOverrun;
    if (running) {
      const std::int64_t tick = state_.tick + 1;
      advance(point.late());
      account(clock, point, tick, witness);
    }
    stats_.countGrid(point, clock.passedInRow());
  }
  stats_.addUsage(witness.calm(state_.tick));
  return faulted() ? End::kFaulted : finished() ? End::kFinished : end;
}

// Between two ticks of a run: what was late about the one behind, and once a second what the thread has used.
void TickLoop::account(const TickClock& clock, const GridPoint& point, std::int64_t tick,
                       LateWitness& witness) noexcept {
  stats_.recordWake(point.lateness_ns, tick);
  const std::int64_t now = clock.now();
  const bool overran = clock.overran(point, now);
  if (overran) stats_.countOverrun();

  // What the kernel knows costs system calls: after a late tick, and else once a second of simulated time.
  const bool overslept =
      clock.mode() != ClockMode::kFreeRun && point.overslept_ns * 100 > clock.wallPeriodNs() * kLateShare;
  const std::int64_t worked_ns = now - point.now_ns;
  if (overran || overslept) {
    LateTick late;
    late.tick = tick;
    late.at_work = overran && (!overslept || worked_ns > point.overslept_ns);
    late.lost_ns = late.at_work ? worked_ns : point.overslept_ns;
    const LateWitness::Finding finding = witness.judge(tick, late.lost_ns, work_);
    late.cause = finding.cause;
    stats_.countLate(late);
    stats_.addUsage(finding.spent);
    return;
  }
  witness.note(work_);
  if (tick % std::max<std::int64_t>(1'000'000'000 / settings_.period_ns, 1) == 0) {
    stats_.addUsage(witness.calm(tick));
  }
}

// Settles what the actuators get. Returns false if the loss of the controller is a fault.
bool TickLoop::takeInput(TickRecord& record) noexcept {
  const bool was_latched = guard_.state().latched(), was_lost = guard_.state().lost();
  switch (request_.exchange(Request::kNone, std::memory_order_acquire)) {
    case Request::kNone: break;
    case Request::kSafe: guard_.command(record.tick); break;
    case Request::kClear: guard_.clear(); break;
  }

  // The newest one of each controller.
  record.input_held = true;
  for (Writer& writer : writers_) {
    const auto [newest, superseded] = writer.offered.take();
    record.inputs_superseded += superseded;

    // One that names this tick goes before.
    const std::uint32_t right = writer.right.load(std::memory_order_acquire);
    const auto due = writer.stamped.take(record.tick, [right](const Offer& waiting) { return waiting.right == right; });
    record.inputs_late += due.late;
    record.inputs_superseded += due.superseded + (due.value && newest ? 1 : 0);
    const Offer* const offer = due.value ? due.value : newest;
    if (!offer) continue;
    const GroupMask groups = offer->groups & writer.groups.load(std::memory_order_acquire);
    if (guard_.take(offer->input, record.tick, groups)) {
      ++record.inputs_used;
      record.arrival_ns = offer->arrival_ns;
      record.input_held = false;
    } else {
      ++record.inputs_left_aside;
    }
  }

  // The script names its tick, so there it goes before whatever a client has sent.
  for (; script_next_ < options_.script.size() && options_.script[script_next_].tick <= record.tick; ++script_next_) {
    if (!guard_.takeScripted(options_.script[script_next_].values, record.tick)) continue;
    record.inputs_superseded += std::exchange(record.inputs_used, 0);
    record.input_held = false;
  }

  const bool allowed = guard_.decide(record.tick);
  record.input_loss = guard_.state().lost() && !was_lost;
  record.safe_entry = guard_.state().latched() && !was_latched;
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
  header.begun = begun_;
  header.model_version = parts_.version;
  header.report = report;
  header.input_loss = input.groups;
  std::copy(input.from.begin(), input.from.end(), history_.begin());
  std::copy(input.slope.begin(), input.slope.end(), history_.begin() + static_cast<std::ptrdiff_t>(input.from.size()));
  ring_.publish(header, state_.values(), input.values, history_);
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
      workspace_(model, plan, options_.threads),
      parts_{&model, &plan, &workspace_},
      guard_(model, settings.period_ns, options_.miss_limit),
      restored_(guard_.state()),
      history_(2 * model.actuators.size()),
      ring_(Snapshot(model), options_.ring_capacity) {
  Offer prototype;
  prototype.input = ActuatorInput(model);
  for (int i = 0; i < 2 * model.groupCount(); ++i) writers_.emplace_back(prototype);
  allow(0, kAllGroups);
  reset(initial);
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
  for (Writer& writer : writers_) {
    writer.offered.take();
    writer.stamped.clear();
  }
  request_.store(Request::kNone, std::memory_order_relaxed);
  const auto& script = options_.script;
  const auto next =
      std::find_if(script.begin(), script.end(), [&](const auto& input) { return input.tick > state_.tick; });
  script_next_ = static_cast<std::size_t>(next - script.begin());
  settle(TickStatus::kOk);
  ++begun_;
  publish(StepReport{}, input_held, false);
}

void TickLoop::restore(const Snapshot& saved) noexcept {
  const SnapshotHeader& header = saved.header;
  restored_.sequence = header.input_sequence;
  restored_.first_tick = header.input_first_tick;
  restored_.mode = header.input_mode;
  restored_.groups = header.input_loss;
  const auto actuators = static_cast<std::ptrdiff_t>(saved.inputs.size());
  std::copy(saved.inputs.begin(), saved.inputs.end(), restored_.values.begin());
  std::copy_n(saved.input_history.begin(), actuators, restored_.from.begin());
  std::copy_n(saved.input_history.begin() + actuators, actuators, restored_.slope.begin());
  guard_.restore(restored_);
  state_.tick = header.tick;
  std::copy(saved.state.begin(), saved.state.end(), state_.values().begin());
  beginAgain(header.input_held);
}

bool TickLoop::offerInput(const ActuatorInput& input, int index, GroupMask groups) noexcept {
  if (input.values.size() != guard_.values().size()) return false;
  Writer& writer = fillOffer(input, index, groups);
  writer.offered.offer(writer.offering);
  return true;
}

Stamping TickLoop::offerInputAt(std::int64_t tick, const ActuatorInput& input, int index, GroupMask groups) noexcept {
  Writer& writer = fillOffer(input, index, groups);
  return writer.stamped.offer(tick, writer.offering);
}

TickLoop::Writer& TickLoop::fillOffer(const ActuatorInput& input, int index, GroupMask groups) noexcept {
  Writer& writer = writers_[static_cast<std::size_t>(index)];
  writer.offering.input = input;
  writer.offering.groups = groups;
  writer.offering.arrival_ns = options_.time.now();
  writer.offering.right = writer.right.load(std::memory_order_acquire);
  return writer;
}

void TickLoop::warmUp(int steps) {
  State scratch = state_;
  for (int i = 0; i < steps; ++i)
    options_.step(*parts_.model, *parts_.plan, settings_, guard_.values(), scratch, *parts_.workspace);
}

}  // namespace tactus::rt
