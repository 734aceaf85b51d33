#include "server/session/session.h"

#include "rt/ali3p/compile_plan.h"
#include "server/session/request_error.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

namespace tactus::server {

namespace {

// The newest second of a 1 kHz loop, as far as this much memory holds it.
constexpr std::size_t kRingBytes = 16 << 20;
constexpr std::size_t kSmallestRing = 64, kLargestRing = 1024;

// How long a step in the caller's thread keeps others from the State.
constexpr std::chrono::milliseconds kBatch{5};

std::size_t ringCapacity(const rt::Model& model) {
  const rt::Snapshot shape(model);
  const std::size_t bytes = sizeof(double) * (shape.state.size() + shape.inputs.size() + 1);
  return std::clamp(kRingBytes / bytes, kSmallestRing, kLargestRing);
}

// What set-up throws about a request names the field of the request.
template <class Make>
auto naming(Reason reason, const char* field, Make&& make) {
  try {
    return make();
  } catch (const RequestError&) {
    throw;
  } catch (const rt::ModelError&) {
    throw;
  } catch (const Error& error) {
    throw RequestError(reason, field, error.what());
  }
}

rt::AssemblyResult assemble(const SessionSpec& spec) {
  const int condition = naming(Reason::kRequestInvalid, "initial_condition",
                               [&] { return rt::findInitialCondition(*spec.model, spec.initial_condition); });
  return naming(Reason::kModelInvalid, "model", [&] { return rt::initialState(*spec.model, condition); });
}

rt::Settings choose(const SessionSpec& spec) {
  if (spec.period_ns < 0) throw RequestError(Reason::kRequestInvalid, "period_ns", "the period must be above zero");
  naming(Reason::kRequestInvalid, "period_ns", [&] { return rt::chooseSettings(*spec.model, spec.period_ns, 0); });
  return naming(Reason::kRequestInvalid, "iterations",
                [&] { return rt::chooseSettings(*spec.model, spec.period_ns, spec.iterations); });
}

rt::LoopOptions loopOptions(const SessionSpec& spec) {
  if (spec.stop_tick < 0) throw RequestError(Reason::kRequestInvalid, "stop_tick", "must be 0 for none, or above");
  rt::LoopOptions options;
  options.ring_capacity = ringCapacity(*spec.model);
  options.script = spec.script;
  options.stop_tick = spec.stop_tick;
  return options;
}

std::optional<rt::TickClock> makeClock(const SessionSpec& spec, std::int64_t period_ns) {
  using Mode = ClockChoice::Mode;
  const bool paced = spec.clock.mode == Mode::kRealTime || spec.clock.mode == Mode::kScaled;
  if (spec.realtime.priority != 0 && !paced)
    throw RequestError(Reason::kRequestInvalid, "priority",
                       std::string("a real-time class needs a clock that sleeps; ") + toString(spec.clock.mode) +
                           " does not, and would starve its core",
                       "use the clock real-time or scaled, or priority 0");
  if (spec.realtime.priority < 0 || spec.realtime.priority > 99)
    throw RequestError(Reason::kRequestInvalid, "priority", "must be 0 for the normal class, or 1 to 99");
  if (spec.clock.mode == Mode::kLockstep) return std::nullopt;

  rt::ClockOptions options;
  options.mode = paced ? (spec.clock.mode == Mode::kScaled ? rt::ClockMode::kScaled : rt::ClockMode::kRealTime)
                       : rt::ClockMode::kFreeRun;
  options.scale = spec.clock.scale;
  return naming(Reason::kRequestInvalid, "scale",
                [&] { return std::optional<rt::TickClock>(std::in_place, period_ns, options); });
}

}  // namespace

const char* toString(SessionState state) noexcept {
  switch (state) {
    case SessionState::kReady: return "ready";
    case SessionState::kRunning: return "running";
    case SessionState::kPaused: return "paused";
    case SessionState::kFaulted: return "faulted";
    case SessionState::kFinished: return "finished";
  }
  return "unknown";
}

Session::Session(SessionSpec spec)
    : spec_(std::move(spec)),
      initial_(assemble(spec_)),
      plan_(rt::compilePlan(*spec_.model)),
      signals_(*spec_.model),
      loop_(*spec_.model, plan_, choose(spec_), initial_.state, loopOptions(spec_)),
      clock_(makeClock(spec_, loop_.settings().period_ns)),
      announcer_(loop_.ring()),
      held_input_(*spec_.model) {
  loop_.warmUp();
}

// ---- control ----

void Session::requireOpen() const {
  if (closed_) throw RequestError(Reason::kSessionUnknown, "session", "session \"" + spec_.name + "\" has been deleted");
}

void Session::start() {
  std::lock_guard control(control_);
  requireOpen();
  const SessionState now = state();
  if (now == SessionState::kRunning) return;
  if (now == SessionState::kFaulted || now == SessionState::kFinished)
    throw RequestError(Reason::kSessionState, "session",
                       "session \"" + spec_.name + "\" is " + toString(now) + " and cannot start", "ResetSession first");
  if (stepping_) throw RequestError(Reason::kSessionState, "session", "a step is under way", "wait for it, or pause");
  stopThread();

  {
    std::lock_guard drive(drive_);
    setState(SessionState::kRunning, SessionEvent::Kind::kStarted, "");
  }
  if (lockstep()) return;

  // The thread says when it has asked for its class and cores.
  stop_ = false;
  std::promise<void> entered;
  auto ready = entered.get_future();
  thread_ = std::thread([this, &entered] {
    runLoop([&entered](std::exception_ptr failure) {
      failure ? entered.set_exception(failure) : entered.set_value();
    });
  });
  ready.get();
}

void Session::runLoop(std::function<void(std::exception_ptr)> ready) {
  try {
    std::vector<rt::Grant> grants;
    if (spec_.realtime.any()) grants = rt::prepareProcess({});
    const auto own = rt::enterRealtime({.priority = spec_.realtime.priority, .cpus = spec_.realtime.cpus});
    grants.insert(grants.end(), own.begin(), own.end());
    clock_->calibrate();
    margin_ns_ = clock_->marginNs();
    std::lock_guard lock(grants_mutex_);
    grants_ = std::move(grants);
  } catch (...) {
    {
      std::lock_guard drive(drive_);
      setState(SessionState::kPaused, SessionEvent::Kind::kPaused, "the tick thread could not start");
    }
    ready(std::current_exception());
    return;
  }
  ready(nullptr);
  loop_.run(*clock_, stop_);
  std::lock_guard drive(drive_);
  settle();
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
    const bool allowed = now == SessionState::kReady || now == SessionState::kPaused ||
                         (lockstep() && now == SessionState::kRunning);
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

// The first tick that a caller's thread drives. A lockstep session runs from then on. Nobody need be told: the ticks
// are there to be seen.
void Session::leaveReady() {
  if (state() == SessionState::kReady) state_ = lockstep() ? SessionState::kRunning : SessionState::kPaused;
}

// Makes known that the loop has ended by itself. The caller holds drive_.
void Session::settle() {
  if (loop_.faulted()) {
    fault_ = "the step to tick " + std::to_string(loop_.state().tick + 1) + " failed: " + rt::toString(loop_.fault()) +
             "; the last good state is kept";
    setState(SessionState::kFaulted, SessionEvent::Kind::kFaulted, fault_);
  } else if (loop_.finished()) {
    setState(SessionState::kFinished, SessionEvent::Kind::kFinished, "the stop tick is reached");
  }
}

// The caller holds drive_, and no tick runs.
void Session::setState(SessionState state, SessionEvent::Kind kind, const std::string& message) {
  state_ = state;
  events_.post({kind, loop_.state().tick, message});
}

void Session::reset() {
  std::lock_guard control(control_);
  requireOpen();
  if (stepping_) throw RequestError(Reason::kSessionState, "session", "a step is under way", "wait for it, or pause");
  stopThread();
  std::lock_guard drive(drive_);
  loop_.reset(initial_.state);
  fault_.clear();
  {
    std::lock_guard lease(lease_);
    held_input_ = rt::ActuatorInput(*spec_.model);
    resets_.fetch_add(1);
  }
  setState(SessionState::kReady, SessionEvent::Kind::kReset, "");
}

void Session::close() {
  std::lock_guard control(control_);
  if (closed_) return;
  interrupt_step_ = true;
  stopThread();
  {
    std::lock_guard drive(drive_);
    closed_ = true;
    events_.post({SessionEvent::Kind::kDeleted, loop_.state().tick, "session \"" + spec_.name + "\" was deleted"});
  }
  announcer_.close();
}

// ---- inputs ----

std::unique_ptr<Session::InputLease> Session::leaseInputs() {
  std::lock_guard lock(lease_);
  if (leased_)
    throw RequestError(Reason::kLeaseHeld, "inputs", "session \"" + spec_.name + "\" has a stream with inputs already",
                       "close that stream, or open this one without inputs");
  leased_ = true;
  return std::unique_ptr<InputLease>(new InputLease(*this, held_input_, resets_));
}

Session::InputLease::~InputLease() {
  std::lock_guard lock(session_.lease_);
  session_.leased_ = false;
  if (resets_ == session_.resets_) session_.held_input_ = std::move(input_);
}

rt::ActuatorInput& Session::InputLease::input() {
  // A reset puts the actuators that this holder does not drive back to their initial values.
  if (const std::uint64_t resets = session_.resets_; resets != resets_) {
    resets_ = resets;
    input_ = rt::ActuatorInput(session_.model());
  }
  return input_;
}

void Session::InputLease::offer() { session_.loop_.offerInput(input_); }

std::uint64_t Session::InputLease::tick(rt::Snapshot& result) {
  std::lock_guard drive(session_.drive_);
  if (session_.closed_) return 0;
  session_.leaveReady();
  if (session_.state() != SessionState::kRunning) return 0;
  session_.loop_.offerInput(input_);
  session_.loop_.tick();
  session_.settle();
  return session_.ring().newest(result);
}

// ---- what there is to see ----

SessionStatus Session::status() {
  std::lock_guard drive(drive_);
  SessionStatus status;
  status.state = state();
  status.fault = fault_;
  const bool thread_ticks = status.state == SessionState::kRunning && !lockstep();
  status.tick = thread_ticks ? newest().header.tick : loop_.state().tick;
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
  refused_inputs_ = 0;
}

}  // namespace tactus::server
