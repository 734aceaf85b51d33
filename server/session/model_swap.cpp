#include "server/session/model_swap.h"

#include "rt/ali3p/extrapolation_limit.h"
#include "server/session/parameter_request.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace tactus::server {

namespace {

// How long a tick is waited for, beside two periods of the clock.
constexpr std::chrono::milliseconds kPatience{1000}, kMaxPatience{10000}, kCheckInterval{20};

}  // namespace

ModelSwap::ModelSwap(const SessionSpec& spec, rt::TickLoop& loop, SessionFeed& feed, rt::ModelVersions& versions,
                     int threads)
    : spec_(spec),
      loop_(loop),
      feed_(feed),
      threads_(threads),
      versions_(versions),
      tuning_{spec.model, spec.model_message ? *spec.model_message : v1::Model(), 0} {}

ModelSwap::Tuning ModelSwap::tuning() const {
  std::lock_guard lock(mutex_);
  return tuning_;
}

ModelSwap::Candidate ModelSwap::prepare(const ParameterValues& values, const std::string& field) {
  TunedModel tuned = naming(values, field, [&] {
    TunedModel made = tuneModel(tuning_.message, *spec_.model, values);
    if (const std::optional<rt::Finding> amplified = rt::findAmplified(*made.model, loop_.settings()))
      throw ParameterError(ParameterError::Kind::kRefused, 0, amplified->rule, amplified->hint);
    return made;
  });
  Candidate candidate{std::make_unique<rt::CompiledModel>(std::move(tuned.model), threads_, next_version_++),
                      std::move(tuned.message)};
  versions_.add(candidate.compiled->version, candidate.compiled->model);
  return candidate;
}

bool ModelSwap::handOver(const Candidate& candidate, const std::function<bool()>& ticking,
                         std::chrono::nanoseconds period) {
  if (!ticking()) return false;
  const std::uint64_t version = candidate.compiled->version;
  const auto end =
      std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(kPatience + 2 * period, kMaxPatience);
  loop_.models().offer(*candidate.compiled);
  while (loop_.models().version() != version && ticking() && std::chrono::steady_clock::now() < end)
    feed_.waker().waitNewer(feed_.ring().newestIndex(), kCheckInterval);
  if (!loop_.models().withdraw()) {
    // A tick has taken it, and may not have finished the exchange.
    while (loop_.models().version() != version) std::this_thread::yield();
    return true;
  }
  if (!ticking()) return false;
  throw RequestError(Reason::kSessionState, "session", "no tick came in time to use the values; nothing has changed",
                     "wait, or pause the session");
}

void ModelSwap::use(Candidate candidate, std::int64_t first_tick) {
  std::unique_ptr<rt::CompiledModel>& next = candidate.compiled;
  if (loop_.models().version() != (next ? next->version : 0)) loop_.setModel(next.get());
  const std::uint64_t newest = feed_.ring().newestIndex(), capacity = feed_.ring().capacity();
  if (current_) versions_.retire(current_->version, newest);
  versions_.forget(newest > capacity ? newest - capacity : 0);
  {
    std::lock_guard lock(mutex_);
    tuning_.model = next ? next->model : spec_.model;
    tuning_.first_tick = next ? first_tick : 0;
    if (next)
      tuning_.message = std::move(candidate.message);
    else if (spec_.model_message)
      tuning_.message = *spec_.model_message;
  }
  current_ = std::move(next);
}

}  // namespace tactus::server
