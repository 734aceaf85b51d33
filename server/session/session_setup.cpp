#include "server/session/session_setup.h"

#include "rt/ali3p/extrapolation_limit.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/team.h"
#include "rt/model/model.h"
#include "server/wire/request_error.h"

#include <algorithm>

namespace tactus::server {

namespace {

// The ring holds about the newest second of a loop that sleeps, within this memory.
constexpr std::size_t kRingBytes = 16 << 20;
constexpr std::int64_t kDefaultMissLimit = 20;  // ticks
constexpr int kMaxCpu = 1023;                   // that an affinity can name
constexpr std::size_t kMinRing = 64, kSmallRing = 1024, kMaxRing = 4096;

/// @param second  ticks in a second of the wall clock; 0 if a clock does not say
std::size_t ringCapacity(const rt::Model& model, double second) {
  const rt::Snapshot shape(model);
  const std::size_t bytes = sizeof(rt::SnapshotHeader) + sizeof(double) * (shape.state.size() + shape.inputs.size() +
                                                                           shape.input_history.size() + 1);
  const std::size_t wanted =
      second > 0 ? static_cast<std::size_t>(std::clamp<double>(second, kSmallRing, kMaxRing)) : kMaxRing;
  return std::clamp(kRingBytes / bytes, kMinRing, wanted);
}

// Turns an error of set-up into one that names the field of the request.
template <class Make>
auto naming(Reason reason, const char* field, Make&& make) {
  try {
    return make();
  } catch (const RequestError&) { throw; } catch (const rt::ModelError&) {
    throw;
  } catch (const Error& error) { throw RequestError(reason, field, error.what()); }
}

}  // namespace

rt::AssemblyResult assembleInitialState(const SessionSpec& spec) {
  const int condition = naming(Reason::kRequestInvalid, "initial_condition",
                               [&] { return rt::findInitialCondition(*spec.model, spec.initial_condition); });
  return naming(Reason::kModelInvalid, "model", [&] { return rt::initialState(*spec.model, condition); });
}

rt::Settings sessionSettings(const SessionSpec& spec) {
  if (spec.period_ns < 0) throw RequestError(Reason::kRequestInvalid, "period_ns", "the period must be above zero");
  naming(Reason::kRequestInvalid, "period_ns", [&] { return rt::chooseSettings(*spec.model, spec.period_ns, 0); });
  rt::Settings settings = rt::chooseSettings(*spec.model, spec.period_ns);
  for (std::size_t k = 0; k < spec.solver.size(); ++k) {
    // Iterations have a field of their own in requests, too.
    const bool iterations = spec.solver[k].name == "iterations";
    for (std::size_t before = 0; before < k; ++before)
      if (spec.solver[before].name == spec.solver[k].name)
        throw RequestError(Reason::kRequestInvalid, "solver_settings[" + std::to_string(k) + "]",
                           "the solver setting \"" + spec.solver[k].name + "\" is given twice", "give it once");
    try {
      rt::changeSetting(settings, spec.solver[k]);
    } catch (const Error& error) {
      throw RequestError(Reason::kRequestInvalid,
                         iterations ? "iterations" : "solver_settings[" + std::to_string(k) + "]", error.what(),
                         "leave it out for the setting that the model recommends, or the default; `tactus integrators "
                         "ali3p` lists names and ranges");
    }
  }
  naming(Reason::kModelInvalid, "model", [&] { rt::requireStableSteps(*spec.model, settings); });
  return settings;
}

rt::LoopOptions sessionLoopOptions(const SessionSpec& spec, const rt::Plan& plan) {
  if (spec.stop_tick < 0) throw RequestError(Reason::kRequestInvalid, "stop_tick", "must be 0 for none, or positive");
  rt::LoopOptions options;
  const rt::Settings settings = sessionSettings(spec);
  const double second = spec.clock.scale * 1e9 / static_cast<double>(settings.period_ns);
  options.ring_capacity = ringCapacity(*spec.model, spec.clock.paced() ? second : 0);
  options.script = spec.script;
  options.stop_tick = spec.stop_tick;
  if (spec.realtime.threads < 1) throw RequestError(Reason::kRequestInvalid, "threads", "must be at least 1");
  options.threads = naming(Reason::kRequestInvalid, "threads", [&] {
    return rt::chooseThreads(rt::maxThreads(plan, settings), spec.realtime.threads, spec.realtime.oversubscribe,
                             spec.realtime.cpus);
  });
  if (spec.miss_limit.value_or(0) < 0)
    throw RequestError(Reason::kRequestInvalid, "miss_limit", "must be 0 for no limit, or positive");
  const bool counts = spec.clock.paced() || spec.clock.mode == ClockChoice::Mode::kExternal;
  options.miss_limit = spec.miss_limit.value_or(counts ? kDefaultMissLimit : 0);
  return options;
}

std::optional<rt::TickClock> sessionClock(const SessionSpec& spec, std::int64_t period_ns) {
  using Mode = ClockChoice::Mode;
  const bool paced = spec.clock.paced();
  if (spec.realtime.priority != 0 && !paced && spec.clock.mode != Mode::kExternal)
    throw RequestError(Reason::kRequestInvalid, "priority",
                       std::string("a real-time class needs a clock that sleeps; ") + toString(spec.clock.mode) +
                           " does not, and would starve its core",
                       "use the clock real-time, scaled or external, or priority 0");
  if (spec.realtime.priority < 0 || spec.realtime.priority > 99)
    throw RequestError(Reason::kRequestInvalid, "priority", "must be 0 for the normal class, or 1 to 99");
  for (std::size_t i = 0; i < spec.realtime.cpus.size(); ++i)
    if (spec.realtime.cpus[i] < 0 || spec.realtime.cpus[i] > kMaxCpu)
      throw RequestError(Reason::kRequestInvalid, "cpus[" + std::to_string(i) + "]",
                         "must be the number of a core, 0 to " + std::to_string(kMaxCpu));
  naming(Reason::kRequestInvalid, "overrun", [&] { return (rt::checkOverrunRule(spec.overrun), 0); });
  const bool default_rule = spec.overrun.policy == rt::OverrunPolicy::kSkip && spec.overrun.grace_ticks == 0 &&
                            spec.overrun.max_consecutive == 0 && spec.overrun.max_total == 0;
  if (!paced && !default_rule)
    throw RequestError(Reason::kRequestInvalid, "overrun",
                       std::string("the clock ") + toString(spec.clock.mode) + " has no grid and hence no overruns",
                       "leave the overrun rule out, or use the clock real-time or scaled");
  if (spec.clock.mode == Mode::kLockstep || spec.clock.mode == Mode::kExternal) return std::nullopt;

  rt::ClockOptions options;
  options.mode = paced ? (spec.clock.mode == Mode::kScaled ? rt::ClockMode::kScaled : rt::ClockMode::kRealTime)
                       : rt::ClockMode::kFreeRun;
  options.scale = spec.clock.scale;
  options.overrun = spec.overrun;
  return naming(Reason::kRequestInvalid, "scale",
                [&] { return std::optional<rt::TickClock>(std::in_place, period_ns, options); });
}

}  // namespace tactus::server
