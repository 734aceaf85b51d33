// TickStats -> TimingReport.
#pragma once

#include "rt/loop/energy_watch.h"
#include "rt/loop/tick_stats.h"

#include "tactus/v1/state.pb.h"

#include <array>
#include <cstdint>

namespace tactus::server {

void writePhase(const char* name, const rt::LatencySummary& summary, v1::PhaseTiming& phase);

/// By cause.
void writeLateTicks(const std::array<std::int64_t, rt::kLateCauses>& counts,
                    google::protobuf::RepeatedPtrField<v1::LateTicks>& message);

void writeEnergy(const rt::EnergyReport& report, v1::EnergyBalance& message);

/// Phases and counters of a loop.
void writeTiming(const rt::TickStatsReport& report, v1::TimingReport& message);

}  // namespace tactus::server
