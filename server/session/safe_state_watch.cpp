#include "server/session/safe_state_watch.h"

#include "rt/model/model.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tactus::server {

namespace {

/// "driver and bench"
std::string namesOf(const rt::Model& model, rt::GroupMask groups) {
  std::string names;
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    if (groups >> g & 1) names += (names.empty() ? "" : " and ") + model.groups[g];
  return names;
}

rt::GroupMask latchedGroups(const rt::Snapshot& snapshot) {
  rt::GroupMask groups = 0;
  for (std::size_t g = 0; g < snapshot.header.input_loss.size(); ++g)
    groups |= rt::GroupMask{snapshot.header.input_loss[g].latched} << g;
  return groups;
}

}  // namespace

std::string describeSafeState(const SessionSpec& spec, const rt::Snapshot& newest, rt::GroupMask groups,
                              rt::GroupMask resumed, const std::string& reason) {
  groups &= latchedGroups(newest);
  for (std::size_t g = 0; g < newest.header.input_loss.size(); ++g)
    if (resumed >> g & 1 && !newest.header.input_loss[g].commanded) groups &= ~(rt::GroupMask{1} << g);
  if (groups == 0) return {};
  bool commanded = false;
  std::int64_t since = newest.header.tick;
  for (std::size_t g = 0; g < newest.header.input_loss.size(); ++g) {
    if (!(groups >> g & 1)) continue;
    commanded = commanded || newest.header.input_loss[g].commanded;
    since = std::min(since, newest.header.input_loss[g].since_tick);
  }
  return "inputs are ignored (group " + namesOf(*spec.model, groups) + "): safe state since tick " +
         std::to_string(since) +
         (!commanded       ? ", because the controller sent no inputs"
          : reason.empty() ? ", by request or by an overrun rule"
                           : ", " + reason) +
         "; leave it with ClearSafeState (tactus clear)" +
         (commanded ? "" : ", or open a stream with leave_safe_state");
}

void SafeStateWatch::report() {
  std::lock_guard lock(mutex_);
  const rt::Snapshot newest = feed_.newest();
  const rt::GroupMask now = latchedGroups(newest), before = known_.load(std::memory_order_relaxed);
  known_.store(now, std::memory_order_release);
  if (const rt::GroupMask entered = now & ~before; entered != 0) {
    const std::string text = describeSafeState(spec_, newest, entered, 0, reason_);
    feed_.post(SessionEvent::Kind::kSafeEntered, newest.header.tick, text);
    spdlog::warn("session {}: {}", spec_.name, text);
  }
  if (const rt::GroupMask left = before & ~now; left != 0) {
    const std::string text = namesOf(*spec_.model, left) + " left the safe state: inputs are used";
    feed_.post(SessionEvent::Kind::kSafeLeft, newest.header.tick, text);
    spdlog::info("session {}: {}", spec_.name, text);
  }
}

}  // namespace tactus::server
