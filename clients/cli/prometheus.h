// A timing report in the text format of Prometheus.
#pragma once

#include "tactus/v1/state.pb.h"

#include <string>

namespace tactus::client {

/// Counters, gauges and one histogram for each phase. Times are in seconds; every sample has the label session="...".
std::string prometheusText(const std::string& session, const v1::TimingReport& report);

}  // namespace tactus::client
