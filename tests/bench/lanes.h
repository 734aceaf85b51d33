// Several kinds of round trips, measured in one run.
#pragma once

#include "tests/bench/latency_report.h"
#include "tests/bench/round_trip.h"

#include <memory>
#include <string>
#include <vector>

namespace tactus::bench {

class CommandLine;

/// One kind of round trip with its open stream.
struct Lane {
  std::string name;
  std::unique_ptr<RoundTripClient> client;
  bool base = false;  ///< the ratios of the lanes that follow refer to this one
  LatencySeries paced = {}, back_to_back = {};
};

struct LaneOptions {
  int rounds = 10;
  int paced_samples = 500;
  int back_to_back_samples = 2000;
  std::string csv;
};

void addLaneOptions(CommandLine& line, LaneOptions& options);

/// Runs every lane in every round, each round beginning at another lane, so that other work of the machine affects all
/// of them equally; then prints one table for messages at 1 kHz and one for messages back to back, and writes the CSV.
/// @throws Error if a stream ends early
void measureLanes(std::vector<Lane>& lanes, const LaneOptions& options);

}  // namespace tactus::bench
