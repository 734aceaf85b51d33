#include "tests/bench/lanes.h"

#include "tests/bench/command_line.h"

#include <iostream>

namespace tactus::bench {

void addLaneOptions(CommandLine& line, LaneOptions& options) {
  line.add("--rounds", options.rounds, "interleaved rounds", {1, 10000})
      .add("--paced", options.paced_samples, "messages per round at 1 kHz", {1, 1000000})
      .add("--back-to-back", options.back_to_back_samples, "messages per round without a pause", {1, 1000000})
      .add("--csv", options.csv, "write the tables to this file");
}

void measureLanes(std::vector<Lane>& lanes, const LaneOptions& options) {
  using namespace std::chrono_literals;
  printEnvironment(std::cout);
  std::cout << "rounds:   " << options.rounds << " of " << options.paced_samples << " messages at 1 kHz and "
            << options.back_to_back_samples << " back to back, interleaved\n";

  // Warm up: the first messages start threads and grow buffers.
  std::vector<std::int64_t> warm_up;
  for (Lane& lane : lanes) lane.client->run(200, 0ns, warm_up);

  const std::int64_t stolen_before = stolenTicks();
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      Lane& lane = lanes[(i + static_cast<std::size_t>(round)) % lanes.size()];
      lane.client->run(options.paced_samples, 1ms, lane.paced.samples);
      lane.client->run(options.back_to_back_samples, 0ns, lane.back_to_back.samples);
    }
    std::cerr << "round " << round + 1 << " of " << options.rounds << '\n';
  }
  std::cout << "stolen:   " << stolenTicks() - stolen_before << " ticks of 10 ms during the run\n";

  std::vector<LatencySeries> paced, back_to_back;
  for (Lane& lane : lanes) {
    const MessageBytes bytes = lane.client->messageBytes();
    if (bytes.request > 0)
      std::cout << "bytes:    " << bytes.request << " there, " << bytes.response << " back: " << lane.name << '\n';
    lane.paced.name = lane.name + ", 1 kHz";
    lane.back_to_back.name = lane.name + ", back to back";
    lane.paced.base = lane.back_to_back.base = lane.base;
    paced.push_back(std::move(lane.paced));
    back_to_back.push_back(std::move(lane.back_to_back));
  }
  std::cout << '\n';
  printTable(std::cout, paced);
  std::cout << '\n';
  printTable(std::cout, back_to_back);

  if (options.csv.empty()) return;
  paced.insert(paced.end(), back_to_back.begin(), back_to_back.end());
  writeCsv(options.csv, paced);
  std::cout << "\nwritten: " << options.csv << '\n';
}

}  // namespace tactus::bench
