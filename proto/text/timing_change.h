// What happened between two timing reports of a session.
#pragma once

#include "tactus/v1/state.pb.h"

#include <string>

namespace tactus::text {

/// "in the last 2.0 s: 1000.0 ticks/s (1.000 of real time), 998.5 inputs/s, missed deadlines 0, ...".
/// A count that became smaller was reset between the two reports and counts from zero.
/// @param[in] seconds  time between the reports, above zero
std::string timingChange(const v1::TimingReport& before, const v1::TimingReport& now, double seconds);

}  // namespace tactus::text
