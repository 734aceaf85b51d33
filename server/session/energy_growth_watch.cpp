#include "server/session/energy_growth_watch.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace tactus::server {

std::string describeEnergyGrowth(const rt::EnergyReport& energy) {
  if (energy.grows_since < 0) return {};
  return fmt::format(
      "energy grows since tick {}: by {:.3g} J that no input gave, of {:.3g} J in the motion; the step is unstable "
      "or too long: choose a shorter period or more iterations",
      energy.grows_since, energy.growth, energy.scale);
}

void EnergyGrowthWatch::look() {
  const rt::EnergyReport energy = loop_.energy().report();
  if (known_.exchange(energy.grows_since, std::memory_order_acq_rel) == energy.grows_since || energy.grows_since < 0)
    return;
  const std::string text = describeEnergyGrowth(energy);
  feed_.post(SessionEvent::Kind::kEnergyGrows, energy.grows_since, text);
  spdlog::warn("session {}: {}", spec_.name, text);
}

}  // namespace tactus::server
