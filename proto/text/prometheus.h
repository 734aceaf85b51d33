// A timing report in the text format of Prometheus.
#pragma once

#include "tactus/v1/state.pb.h"

#include <string>
#include <utility>
#include <vector>

namespace tactus::text {

inline constexpr const char* kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

/// Counters, gauges and one histogram for each phase. Times are in seconds; every sample has the label session="...".
std::string prometheusText(const std::string& session, const v1::TimingReport& report);

/// The reports of several sessions, by name: each family once, with the samples of all sessions.
std::string prometheusText(const std::vector<std::pair<std::string, v1::TimingReport>>& reports);

}  // namespace tactus::text
