// SessionSpec: what a session is made of. A part that cannot be made is reported with the field of
// CreateSessionRequest.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "server/config.h"

#include "tactus/v1/model.pb.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// What a lockstep tick does when the timeout of its participants has expired and one of them is late.
enum class ParticipantRule : std::uint8_t {
  kContinue,  ///< ticks; the late input counts as missing
  kPause,     ///< pauses the session without a tick
  kSafe,      ///< ticks and enters the safe state
};
inline constexpr rt::Word<ParticipantRule> kParticipantRules[] = {
    {ParticipantRule::kContinue, "continue"}, {ParticipantRule::kPause, "pause"}, {ParticipantRule::kSafe, "safe"}};

struct SessionSpec {
  std::string name;
  std::string model_label;  ///< as asked for: "chain:n=8"
  std::shared_ptr<const rt::Model> model;
  std::shared_ptr<const v1::Model> model_message;  ///< from which the model was built, for recordings; may be null
  ClockChoice clock;
  std::int64_t period_ns = 0;             ///< 0: the model's
  std::vector<rt::SettingChange> solver;  ///< changes of what the model recommends
  std::string initial_condition;          ///< empty: what the bodies declare
  std::vector<rt::ScriptedInput> script;
  std::int64_t stop_tick = 0;               ///< 0: none
  RealtimeChoice realtime;                  ///< of clocks that sleep
  rt::OverrunRule overrun;                  ///< of clocks that sleep
  rt::GroupMask participants = 0;           ///< lockstep: groups whose controllers a tick always waits for
  std::int64_t participant_timeout_ns = 0;  ///< 0: waits forever
  ParticipantRule participant_rule = ParticipantRule::kContinue;
  std::optional<std::int64_t> miss_limit;  ///< consecutive inputs that may be missing, 0: no limit; none: the default
  std::string owner{};  ///< identity that has created it; empty: the server, or it knows no identities
};

/// @throws RequestError for an unknown initial condition, and if it cannot be assembled
rt::AssemblyResult assembleInitialState(const SessionSpec& spec);

/// @throws RequestError for a period or a setting out of range, or an unknown setting
/// @throws rt::ModelError if third-order steps amplify a vibration of the model
rt::Settings sessionSettings(const SessionSpec& spec);

/// The script, the stop tick, and a ring of a size that suits the model. @throws RequestError
rt::LoopOptions sessionLoopOptions(const SessionSpec& spec, const rt::Plan& plan);

/// The clock of a session; none in lockstep, and none where a device is the clock.
/// @throws RequestError for a scale out of range, and for a real-time class or an overrun rule that does not go with
///         the clock
std::optional<rt::TickClock> sessionClock(const SessionSpec& spec, std::int64_t period_ns);

}  // namespace tactus::server
