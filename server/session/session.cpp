#include "server/session/session.h"

#include "rt/ali3p/compile_plan.h"
#include "server/wire/request_error.h"

#include <chrono>
#include <cstdio>
#include <future>
#include <utility>

namespace tactus::server {

namespace {

// How long a step in the caller's thread keeps others from the State.
constexpr std::chrono::milliseconds kBatch{5};

// How long a request to the tick thread is waited for; periods may be longer than anybody wants to wait.
constexpr std::chrono::seconds kRequestWait{1};

}  // namespace

const char* toString(SessionState state) noexcept {
  switch (state) {
    case SessionState::kReady: return "ready";
    case SessionState::kRunning: return "running";
    case SessionState::kPaused: return "paused";
    case SessionState::kFaulted: return "faulted";
    case SessionState::kFinished: return "finished";
    case SessionState::kStopped: return "stopped";
  }
  return "unknown";
}

Session::Session(SessionSpec spec)
    : spec_(std::move(spec)),
      initial_(assembleInitialState(spec_)),
      plan_(rt::compilePlan(*spec_.model)),
      signals_(*spec_.model, &versions_),
      loop_(*spec_.model, plan_, sessionSettings(spec_), initial_.state, sessionLoopOptions(spec_, plan_)),
      clock_(sessionClock(spec_, loop_.settings().period_ns)),
      announcer_(loop_.ring()),
      tuning_{spec_.model, spec_.model_message ? *spec_.model_message : v1::Model(), 0},
      writers_in_use_(static_cast<std::size_t>(loop_.inputs().count())),
      held_input_(*spec_.model) {
  if (spec_.realtime.threads == 1) loop_.warmUp();
}

// ---- control ----

void Session::requireOpen() const {
  if (closed_)
    throw RequestError(Reason::kSessionUnknown, "session", "session \"" + spec_.name + "\" has been deleted");
}

void Session::start() {
  std::lock_guard control(control_);
  requireOpen();
  const SessionState now = state();
  if (now == SessionState::kRunning) return;
  if (now == SessionState::kFaulted || now == SessionState::kFinished)
    throw RequestError(Reason::kSessionState, "session",
                       "session \"" + spec_.name + "\" is " + toString(now) + " and cannot start",
                       "ResetSession first");
  if (stepping_) throw RequestError(Reason::kSessionState, "session", "a step is under way", "wait for it, or pause");
  stopThread();

  {
    std::lock_guard drive(drive_);
    fault_.clear();
    setState(SessionState::kRunning, SessionEvent::Kind::kStarted, "");
  }
  if (ticksInCaller()) return;

  // The thread says when it has asked for its class and cores.
  stop_ = false;
  std::promise<void> entered;
  auto ready = entered.get_future();
  thread_ = std::thread([this, promise = std::move(entered)]() mutable {
    runLoop([&promise](std::exception_ptr failure) { failure ? promise.set_exception(failure) : promise.set_value(); });
  });
  ready.get();
}

void Session::runLoop(std::function<void(std::exception_ptr)> ready) {
  try {
    enterTickThread();
    clock_->calibrate();
    margin_ns_ = clock_->marginNs();
    startProbe();
  } catch (...) {
    {
      std::lock_guard drive(drive_);
      setState(SessionState::kPaused, SessionEvent::Kind::kPaused, "the tick thread could not start");
    }
    ready(std::current_exception());
    return;
  }
  ready(nullptr);
  const rt::TickLoop::End end = loop_.run(*clock_, stop_);
  {
    std::lock_guard drive(drive_);
    end == rt::TickLoop::End::kOverrun ? stopAfterOverrun() : settle();
  }
  stopProbe();
}

void Session::enterTickThread() {
  std::vector<rt::Grant> grants;
  if (spec_.realtime.any()) grants = rt::prepareProcess({});
  const auto own = rt::enterRealtime({.priority = spec_.realtime.priority, .cpus = spec_.realtime.cpus});
  grants.insert(grants.end(), own.begin(), own.end());
  if (spec_.realtime.threads > 1) {
    std::lock_guard drive(drive_);
    loop_.warmUp();  // here, since a team belongs to the thread that starts it
  }
  std::lock_guard lock(grants_mutex_);
  grants_ = std::move(grants);
}

void Session::startProbe() {
  if (!paced()) return;
  std::lock_guard lock(probe_mutex_);
  probe_ = std::make_unique<rt::WakeProbe>(
      rt::ThreadRequest{.priority = spec_.realtime.priority, .cpus = spec_.realtime.cpus, .stack_bytes = 0});
}

void Session::stopProbe() {
  std::lock_guard lock(probe_mutex_);
  if (!probe_) return;
  last_host_wake_ = probe_->summary();
  probe_.reset();
}

std::optional<rt::LatencySummary> Session::hostWake() const {
  std::lock_guard lock(probe_mutex_);
  return probe_ ? std::optional(probe_->summary()) : last_host_wake_;
}

void Session::stopAfterOverrun() {
  const std::int64_t tick = loop_.state().tick;
  char when[64];
  std::snprintf(when, sizeof when, "tick %lld (%.6f s)", static_cast<long long>(tick),
                1e-9 * static_cast<double>(tick * settings().period_ns));
  fault_ = std::string("the overrun rule (") + formatOverrun(spec_.overrun) + ") ended the run after " + when + ": " +
           std::to_string(clock_->passedInRow()) + " grid points passed in a row, " +
           std::to_string(clock_->passedInAll()) + " since the start; the state is good";
  setState(SessionState::kStopped, SessionEvent::Kind::kStopped, fault_);
}

void Session::pause() {
  std::lock_guard control(control_);
  requireOpen();
  interrupt_step_ = true;
  stopThread();
  std::lock_guard drive(drive_);
  if (state() == SessionState::kRunning) setState(SessionState::kPaused, SessionEvent::Kind::kPaused, "");
}

void Session::stopThread() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Session::step(std::int64_t ticks, const std::function<bool()>& cancelled) {
  {
    std::lock_guard control(control_);
    requireOpen();
    const SessionState now = state();
    const bool allowed = now == SessionState::kReady || now == SessionState::kPaused || now == SessionState::kStopped ||
                         (ticksInCaller() && now == SessionState::kRunning);
    if (!allowed)
      throw RequestError(Reason::kSessionState, "session",
                         "session \"" + spec_.name + "\" is " + toString(now) + " and cannot be stepped",
                         now == SessionState::kRunning ? "PauseSession first" : "ResetSession first");
    if (stepping_.exchange(true))
      throw RequestError(Reason::kSessionState, "session", "another step is under way", "wait for it, or pause");
    interrupt_step_ = false;
    stopThread();
  }
  struct Done {
    std::atomic<bool>& stepping;
    ~Done() { stepping = false; }
  } done{stepping_};

  std::int64_t remaining = ticks;
  while (tickBatch(remaining)) {
    const bool interrupted = interrupt_step_;
    if (!interrupted && !(cancelled && cancelled())) {
      std::this_thread::yield();
      continue;
    }
    const std::string progress =
        " after " + std::to_string(ticks - remaining) + " of " + std::to_string(ticks) + " ticks";
    if (interrupted) throw RequestError(Reason::kSessionState, "session", "the step was interrupted" + progress);
    throw RequestError(Reason::kCancelled, "", "cancelled" + progress);
  }
}

// Ticks for a moment. Returns false when there is nothing left to do.
bool Session::tickBatch(std::int64_t& remaining) {
  std::lock_guard drive(drive_);
  leaveReady();
  const auto end = std::chrono::steady_clock::now() + kBatch;
  do {
    loop_.tick();
    --remaining;
    if (loop_.faulted() || loop_.finished()) break;
  } while (remaining > 0 && std::chrono::steady_clock::now() < end);
  settle();
  return remaining > 0 && !loop_.faulted() && !loop_.finished();
}

// The first tick that a caller's thread drives. A session that ticks in them runs from then on. Nobody need be told:
// the ticks are there to be seen.
void Session::leaveReady() {
  if (state() == SessionState::kReady) state_ = ticksInCaller() ? SessionState::kRunning : SessionState::kPaused;
  if (state() != SessionState::kStopped) return;
  state_ = SessionState::kPaused;
  fault_.clear();
}

// Makes known that the loop has ended by itself. The caller holds drive_.
void Session::settle() {
  if (loop_.faulted()) {
    const std::string tick = std::to_string(loop_.state().tick + 1);
    fault_ =
        loop_.fault() == rt::TickStatus::kInputLost
            ? "the inputs of the last " + std::to_string(missLimit()) + " ticks before tick " + tick +
                  " are missing, and an actuator takes that for a fault; the last good state is kept"
            : "the step to tick " + tick + " failed: " + rt::toString(loop_.fault()) + "; the last good state is kept";
    setState(SessionState::kFaulted, SessionEvent::Kind::kFaulted, fault_);
  } else if (loop_.finished()) {
    setState(SessionState::kFinished, SessionEvent::Kind::kFinished, "the stop tick is reached");
  }
}

// The caller holds drive_, and no tick runs.
void Session::setState(SessionState state, SessionEvent::Kind kind, const std::string& message) {
  state_ = state;
  events_.post({kind, loop_.state().tick, message, ring().newestIndex()});
}

void Session::reset() {
  std::lock_guard control(control_);
  requireOpen();
  if (stepping_) throw RequestError(Reason::kSessionState, "session", "a step is under way", "wait for it, or pause");
  stopThread();
  std::lock_guard drive(drive_);
  // The event goes before the publication that it leads to.
  events_.post({SessionEvent::Kind::kReset, 0, "", ring().newestIndex()});
  useCompiledModel(nullptr, {});
  loop_.reset(initial_.state);
  state_ = SessionState::kReady;
  fault_.clear();
  {
    std::lock_guard lease(lease_);
    held_input_ = rt::ActuatorInput(*spec_.model);
    resets_.fetch_add(1);
  }
}

void Session::restore(const rt::Snapshot& saved, const ParameterValues& parameters) {
  std::lock_guard control(control_);
  requireOpen();
  if (stepping_) throw RequestError(Reason::kSessionState, "session", "a step is under way", "wait for it, or pause");
  v1::Model message;
  std::unique_ptr<rt::CompiledModel> mechanism;
  if (!parameters.empty()) mechanism = prepareModel(parameters, "snapshot.parameters", message);
  stopThread();
  std::lock_guard drive(drive_);
  // The event goes before the publication that it leads to.
  events_.post({SessionEvent::Kind::kRestored, saved.header.tick, "", ring().newestIndex()});
  useCompiledModel(std::move(mechanism), std::move(message));
  loop_.restore(saved);
  if (mechanism_) {
    std::lock_guard lock(tuning_mutex_);
    tuning_.first_tick = saved.header.tick + 1;
  }
  state_ = SessionState::kPaused;
  fault_.clear();
  settle();
  std::lock_guard lease(lease_);
  held_input_.values = saved.inputs;
  resets_.fetch_add(1);
}

void Session::enterSafeState() {
  std::lock_guard control(control_);
  requireOpen();
  loop_.requestSafeState();
  awaitNextTick();
}

void Session::clearSafeState() {
  std::lock_guard control(control_);
  requireOpen();
  // An input that comes before the tick that clears starts from what holds now, one that comes later from that tick.
  rebaseInputs();
  loop_.requestClear();
  awaitNextTick();
  rebaseInputs();
}

// Actuators that a holder of the inputs does not drive stay as they are.
void Session::rebaseInputs() {
  const rt::Snapshot now = newest();
  std::lock_guard lease(lease_);
  held_input_.values = now.inputs;
  resets_.fetch_add(1);
}

// Where a thread ticks, waits until it has taken a request that was made before.
void Session::awaitNextTick() {
  // The tick under way may have looked for requests already; the one after it has not.
  const std::uint64_t index = ring().newestIndex();
  const auto end = std::chrono::steady_clock::now() + kRequestWait;
  while (state() == SessionState::kRunning && thread_.joinable() && ring().newestIndex() < index + 2 &&
         std::chrono::steady_clock::now() < end)
    announcer_.waitNewer(ring().newestIndex(), std::chrono::milliseconds(20));
}

void Session::close() {
  std::lock_guard control(control_);
  if (closed_) return;
  interrupt_step_ = true;
  stopThread();
  {
    std::lock_guard drive(drive_);
    closed_ = true;
    events_.post({SessionEvent::Kind::kDeleted, loop_.state().tick, "session \"" + spec_.name + "\" was deleted",
                  ring().newestIndex()});
  }
  met_.notify_all();
  announcer_.close();
}

// ---- what there is to see ----

SessionStatus Session::status() {
  std::lock_guard drive(drive_);
  SessionStatus status;
  status.state = state();
  status.fault = fault_;
  const bool thread_ticks = status.state == SessionState::kRunning && !ticksInCaller();
  const rt::SnapshotHeader header = newest().header;
  status.tick = thread_ticks ? header.tick : loop_.state().tick;
  status.input_mode = header.input_mode;
  if (!thread_ticks) status.state_hash = rt::hashState(loop_.state());
  return status;
}

rt::Snapshot Session::newest() const {
  rt::Snapshot snapshot(*spec_.model);
  ring().newest(snapshot);
  return snapshot;
}

std::vector<rt::Grant> Session::grants() const {
  std::lock_guard lock(grants_mutex_);
  return grants_;
}

void Session::resetTiming() {
  loop_.stats().requestReset();
  for (auto* counter : {&inputs.refused, &inputs.lost, &inputs.duplicate, &inputs.late}) *counter = 0;
  std::lock_guard lock(probe_mutex_);
  last_host_wake_.reset();
  if (probe_) probe_->requestReset();
}

}  // namespace tactus::server
