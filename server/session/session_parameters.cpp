// Parameters while a session runs: the new mechanism is made here, and the tick thread exchanges a pointer.
#include "server/session/parameter_request.h"
#include "server/session/session.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tactus::server {

namespace {

// How long a tick is waited for, beside two periods of the clock.
constexpr std::chrono::milliseconds kPatience{1000}, kMaxPatience{10000}, kLook{20};

}  // namespace

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
    throw RequestError(Reason::kRequestInvalid, "values", "there is no value", "GetParameters names the parameters");
  v1::Model message;
  std::unique_ptr<rt::CompiledModel> next = prepareModel(values, "values", message);

  // Where a thread ticks, it takes them itself; else no tick is under way while drive_ is held.
  if (!handOver(*next)) {
    std::lock_guard drive(drive_);
    requireTunable();
    loop_.setModel(next.get());
  }
  const std::int64_t tick = loop_.models().firstTick();
  const std::uint64_t publication = loop_.models().publicationBefore();
  useCompiledModel(std::move(next), std::move(message));
  events_.post({SessionEvent::Kind::kParameters, tick, toString(values), publication});
  return tick;
}

// On top of what runs now. Who reads what it is going to publish finds its Model from here on.
std::unique_ptr<rt::CompiledModel> Session::prepareModel(const ParameterValues& values, const std::string& field,
                                                         v1::Model& message) {
  TunedModel tuned = naming(values, field, [&] { return tuneModel(tuning_.message, *spec_.model, values); });
  message = std::move(tuned.message);
  auto next = std::make_unique<rt::CompiledModel>(std::move(tuned.model), sessionLoopOptions(spec_, plan_).threads,
                                                  next_version_++);
  versions_.add(next->version, next->model);
  return next;
}

// Returns false where no thread ticks.
bool Session::handOver(rt::CompiledModel& next) {
  if (state() != SessionState::kRunning || !thread_.joinable()) return false;
  const auto period = std::chrono::nanoseconds(clock_ ? clock_->wallPeriodNs() : 0);
  const auto end =
      std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(kPatience + 2 * period, kMaxPatience);
  loop_.models().offer(next);
  while (loop_.models().version() != next.version && state() == SessionState::kRunning &&
         std::chrono::steady_clock::now() < end)
    announcer_.waitNewer(ring().newestIndex(), kLook);
  if (!loop_.models().withdraw()) {
    // Taken; the tick that takes it may still be at that.
    while (loop_.models().version() != next.version) std::this_thread::yield();
    return true;
  }
  if (state() != SessionState::kRunning) return false;
  throw RequestError(Reason::kSessionState, "session", "no tick came in time to use them; nothing has changed",
                     "wait, or pause the session");
}

// The loop runs `next` already, or does not run. What it ran before is freed here.
void Session::useCompiledModel(std::unique_ptr<rt::CompiledModel> next, v1::Model message) {
  if (loop_.models().version() != (next ? next->version : 0)) loop_.setModel(next.get());
  const std::uint64_t newest = ring().newestIndex();
  if (mechanism_) versions_.retire(mechanism_->version, newest);
  versions_.forget(newest > ring().capacity() ? newest - ring().capacity() : 0);
  {
    std::lock_guard lock(tuning_mutex_);
    tuning_.model = next ? next->model : spec_.model;
    tuning_.first_tick = next ? loop_.models().firstTick() : 0;
    if (next)
      tuning_.message = std::move(message);
    else if (spec_.model_message)
      tuning_.message = *spec_.model_message;
  }
  mechanism_ = std::move(next);
}

Session::Tuning Session::tuning() const {
  std::lock_guard lock(tuning_mutex_);
  return tuning_;
}

}  // namespace tactus::server
