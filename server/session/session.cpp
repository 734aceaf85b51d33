#include "server/session/session.h"

#include "rt/ali3p/compile_plan.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tactus::server {

namespace {

// Maximum wait for the tick that takes a request; periods may be longer.
constexpr std::chrono::seconds kRequestWait{1};

// Operations of a factorization and a solve in a long tick: some 100 us a tick along the tree.
constexpr double kLongTick = 2e5;

}  // namespace

Session::Session(SessionSpec spec)
    : spec_(std::move(spec)),
      initial_(assembleInitialState(spec_)),
      plan_(std::make_unique<const rt::Plan>(rt::compilePlan(*spec_.model))),
      loop_(*spec_.model, *plan_, sessionSettings(spec_), initial_.state, sessionLoopOptions(spec_, *plan_)),
      feed_(loop_.ring(), *spec_.model, versions_),
      models_(spec_, loop_, feed_, versions_, sessionLoopOptions(spec_, *plan_).threads),
      lifecycle_(spec_, loop_, feed_),
      inputs_(spec_, loop_, feed_, [this] { rendezvous_.wake(); }),
      rendezvous_(spec_, loop_, lifecycle_, inputs_),
      thread_(spec_, loop_, lifecycle_, sessionClock(spec_, loop_.settings().period_ns)),
      step_(loop_, lifecycle_, [this](const Lifecycle::Hold& hold) { rendezvous_.dismissWaiting(hold); }) {
  if (spec_.realtime.threads == 1) loop_.warmUp();
}

Session::~Session() {
  close();
}

// ---- control ----

void Session::requireOpen() const {
  if (lifecycle_.closed())
    throw RequestError(Reason::kSessionUnknown, "session", "session \"" + spec_.name + "\" has been deleted");
}

// Whether the tick thread makes ticks.
bool Session::ticking() const noexcept {
  return lifecycle_.running() && thread_.started();
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
  step_.requireNone();
  thread_.stop();
  {
    const Lifecycle::Hold hold = lifecycle_.hold();
    loop_.countMissesAnew();
    lifecycle_.change(hold, SessionState::kRunning, SessionEvent::Kind::kStarted);
  }
  if (spec_.clock.ticksInCaller()) return;
  try {
    thread_.start();
  } catch (...) {  // the thread has no rights for its real-time class, or none can be made
    thread_.stop();
    const Lifecycle::Hold hold = lifecycle_.hold();
    if (lifecycle_.running())
      lifecycle_.change(hold, SessionState::kPaused, SessionEvent::Kind::kPaused, "the tick thread could not start");
    throw;
  }
}

void Session::pause() {
  std::lock_guard control(control_);
  requireOpen();
  step_.stop();
  thread_.stop();
  const Lifecycle::Hold hold = lifecycle_.hold();
  if (lifecycle_.running()) lifecycle_.change(hold, SessionState::kPaused, SessionEvent::Kind::kPaused);
}

void Session::step(std::int64_t ticks, const std::function<bool()>& cancelled) {
  {
    std::lock_guard control(control_);
    requireOpen();
    const SessionState now = state();
    const bool allowed = now == SessionState::kReady || now == SessionState::kPaused || now == SessionState::kStopped ||
                         (spec_.clock.ticksInCaller() && now == SessionState::kRunning);
    if (!allowed)
      throw RequestError(Reason::kSessionState, "session",
                         "session \"" + spec_.name + "\" is " + toString(now) + " and cannot be stepped",
                         now == SessionState::kRunning ? "PauseSession first" : "ResetSession first");
    step_.begin();
    thread_.stop();
  }
  step_.run(ticks, cancelled);
}

void Session::reset() {
  std::lock_guard control(control_);
  requireOpen();
  step_.requireNone();
  thread_.stop();
  const Lifecycle::Hold hold = lifecycle_.hold();
  // The event goes before the publication that it leads to.
  feed_.post(SessionEvent::Kind::kReset, 0);
  models_.use({}, 0);
  rendezvous_.dismiss(hold);  // a controller may answer the publication at once
  loop_.reset(initial_.state);
  lifecycle_.begin(hold, SessionState::kReady);
  inputs_.reset();
  lifecycle_.safeState().setReason({});
}

void Session::restore(const rt::Snapshot& saved, const ParameterValues& parameters) {
  std::lock_guard control(control_);
  requireOpen();
  step_.requireNone();
  ModelSwap::Candidate candidate;
  if (!parameters.empty()) candidate = models_.prepare(parameters, "snapshot.parameters");
  thread_.stop();
  const Lifecycle::Hold hold = lifecycle_.hold();
  // The event goes before the publication that it leads to.
  feed_.post(SessionEvent::Kind::kRestored, saved.header.tick);
  models_.use(std::move(candidate), saved.header.tick + 1);
  rendezvous_.dismiss(hold);  // a controller may answer the publication at once
  loop_.restore(saved);
  loop_.countMissesAnew();
  lifecycle_.begin(hold, SessionState::kPaused);
  lifecycle_.settle(hold);
  inputs_.restore(saved.inputs);
  lifecycle_.safeState().setReason({});
}

void Session::enterSafeState(std::string reason) {
  std::lock_guard control(control_);
  requireOpen();
  const rt::Snapshot newest = feed_.newest();
  const auto& groups = newest.header.input_loss;
  if (std::none_of(groups.begin(), groups.end(), [](const rt::InputLoss& group) { return group.commanded; }))
    lifecycle_.safeState().setReason(std::move(reason));
  loop_.requestSafeState();
  awaitNextTick();
  lifecycle_.look();
}

void Session::clearSafeState() {
  std::lock_guard control(control_);
  requireOpen();
  // An input that comes before the tick that clears starts from the values of now, a later one from those of that tick.
  // Actuators that a holder of inputs does not drive stay as they are.
  inputs_.rebase(feed_.newest().inputs);
  loop_.requestClear();
  awaitNextTick();
  lifecycle_.safeState().setReason({});
  lifecycle_.look();
  inputs_.rebase(feed_.newest().inputs);
}

// Waits until a thread that ticks has taken a request that was made before.
void Session::awaitNextTick() {
  // The tick under way may have looked for requests already; the one after it has not.
  const std::uint64_t index = feed_.ring().newestIndex();
  const auto end = std::chrono::steady_clock::now() + kRequestWait;
  while (ticking() && feed_.ring().newestIndex() < index + 2 && std::chrono::steady_clock::now() < end)
    feed_.waker().waitNewer(feed_.ring().newestIndex(), std::chrono::milliseconds(20));
}

void Session::requireTunable() const {
  const SessionState now = state();
  if (now != SessionState::kFaulted && now != SessionState::kFinished) return;
  throw RequestError(Reason::kSessionState, "session",
                     "session \"" + spec_.name + "\" is " + toString(now) + ": no tick follows that could use them",
                     "ResetSession or RestoreSnapshot first");
}

std::int64_t Session::setParameters(const ParameterValues& values) {
  std::lock_guard control(control_);
  requireOpen();
  requireTunable();
  if (values.empty())
    throw RequestError(Reason::kRequestInvalid, "values", "the list of values is empty",
                       "GetParameters lists the parameters");
  ModelSwap::Candidate candidate = models_.prepare(values, "values");

  // A thread that ticks takes the candidate itself; otherwise no tick is under way while the lock is held.
  const std::chrono::nanoseconds period(thread_.wallPeriodNs());
  if (!models_.handOver(
          candidate, [this] { return ticking(); }, period)) {
    const Lifecycle::Hold hold = lifecycle_.hold();
    requireTunable();
    models_.install(candidate);
  }
  const std::int64_t tick = loop_.models().firstTick();
  const std::uint64_t publication = loop_.models().publicationBefore();
  models_.use(std::move(candidate), tick);
  feed_.events().post({SessionEvent::Kind::kParameters, tick, toString(values), publication});
  return tick;
}

void Session::close() {
  std::lock_guard control(control_);
  if (lifecycle_.closed()) return;
  step_.stop();
  thread_.stop();
  lifecycle_.close(lifecycle_.hold());
  rendezvous_.wake();
  feed_.close();
}

// ---- what it is and does ----

SessionStatus Session::status() {
  const Lifecycle::Hold hold = lifecycle_.hold();
  SessionStatus status;
  status.state = state();
  status.fault = lifecycle_.fault(hold);
  const bool thread_ticks = lifecycle_.running() && !spec_.clock.ticksInCaller();
  const rt::SnapshotHeader header = feed_.newest().header;
  status.tick = thread_ticks ? header.tick : loop_.state().tick;
  status.input_mode = header.input_mode;
  status.group_modes = header.group_modes;
  status.energy_growth = describeEnergyGrowth(loop_.energy().report());
  if (!thread_ticks) status.state_hash = rt::hashState(loop_.state());
  return status;
}

Session::Present Session::present() const {
  rt::Snapshot newest = feed_.newest();
  const ModelSwap::Tuning tuning = models_.tuning();
  auto model =
      newest.header.tick + 1 >= tuning.first_tick ? tuning.model : feed_.signals().modelOf(newest.header.model_version);
  return {std::move(newest), std::move(model)};
}

bool Session::hasLongTicks() const noexcept {
  return spec_.realtime.threads > 1 || plan_->factor_flops + plan_->solve_flops > kLongTick;
}

void Session::resetTiming() {
  std::lock_guard control(control_);
  loop_.stats().requestReset();
  // A thread that ticks applies the reset itself; otherwise no tick is under way while the lock is held.
  if (!ticking()) {
    const Lifecycle::Hold hold = lifecycle_.hold();
    loop_.stats().beginTick();
  }
  inputs_.counts().reset();
  thread_.resetHostWake();
}

}  // namespace tactus::server
