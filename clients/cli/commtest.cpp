#include "clients/cli/commtest.h"

#include "clients/cli/remote.h"
#include "clients/cli/table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Choices {
  std::string server, model = "motor_four_bar";
  double duration = 10.0, period = 1e-3;  // s
  bool json = false;
};

constexpr int kCalls = 100;
constexpr std::size_t kInFlight = 4096;  // inputs whose time of sending is remembered

std::int64_t nanoseconds(Clock::duration duration) {
  return duration / std::chrono::nanoseconds(1);
}

/// Drives a session of its own for a while: an input for each frame, as a controller would.
CommResult measure(const Client& client, const Choices& choices) {
  CommResult result;
  for (int i = 0; i < kCalls; ++i) {
    const auto begin = Clock::now();
    client.serverInfo();
    result.calls_ns.push_back(nanoseconds(Clock::now() - begin));
  }

  v1::CreateSessionRequest request;
  request.set_model_name(choices.model);
  request.set_period_ns(std::llround(1e9 * choices.period));
  request.set_miss_limit(0);
  const Session session = client.createSession(request);
  TickOptions options;
  options.outputs = {session.inputs().at(0)};
  TickStream stream = session.tick(options);
  const std::vector<double> values(stream.inputs().size(), 0.0);
  std::array<Clock::time_point, kInFlight> sent_at;
  const auto send = [&] {
    const std::uint64_t sequence = result.inputs_sent + 1;
    sent_at[sequence % kInFlight] = Clock::now();
    result.inputs_sent = stream.send(values);
  };
  send();
  session.start();
  const auto last = static_cast<std::int64_t>(choices.duration / choices.period);
  std::uint64_t used = 0;
  for (Frame frame; stream.receive(frame);) {
    const auto now = Clock::now();
    result.frames = frame.sequence();
    result.frames_missed = frame.missed();
    if (frame.inputSequence() != used && result.inputs_sent - frame.inputSequence() < kInFlight)
      result.round_trips_ns.push_back(nanoseconds(now - sent_at[frame.inputSequence() % kInFlight]));
    used = frame.inputSequence();
    if (frame.tick() >= last) break;
    send();
  }
  session.pause();
  const v1::TimingReport report = session.timing();
  result.ticks = report.ticks();
  result.fresh = report.ticks() - static_cast<std::int64_t>(report.held_ticks());
  result.inputs_superseded = report.inputs_superseded();
  return result;
}

std::string microseconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", 1e-3 * static_cast<double>(ns));
  return text;
}

Json toJson(std::vector<std::int64_t>& values) {
  return {{"count", values.size()},
          {"p50_ns", percentileOf(values, 0.5)},
          {"p99_ns", percentileOf(values, 0.99)},
          {"p999_ns", percentileOf(values, 0.999)},
          {"maximum_ns", percentileOf(values, 1)}};
}

void printJson(CommResult& result) {
  const Json document = {{"verdict", verdictOf(result)},
                         {"success_rate", result.successRate()},
                         {"ticks", result.ticks},
                         {"fresh", result.fresh},
                         {"frames", result.frames},
                         {"frames_missed", result.frames_missed},
                         {"inputs_sent", result.inputs_sent},
                         {"inputs_superseded", result.inputs_superseded},
                         {"round_trip", toJson(result.round_trips_ns)},
                         {"call", toJson(result.calls_ns)}};
  std::printf("%s\n", document.dump(2).c_str());
}

void print(CommResult& result) {
  Table table({"us", "count", "p50", "p99", "p99.9", "max"}, "lrrrrr");
  const auto addRow = [&table](const char* name, std::vector<std::int64_t>& values) {
    table.add({name, std::to_string(values.size()), microseconds(percentileOf(values, 0.5)),
               microseconds(percentileOf(values, 0.99)), microseconds(percentileOf(values, 0.999)),
               microseconds(percentileOf(values, 1))});
  };
  addRow("input to frame", result.round_trips_ns);
  addRow("unary call", result.calls_ns);
  std::printf("%s", table.text().c_str());
  std::printf(
      "ticks %lld, with a new input %lld; inputs sent %llu, superseded %llu; frames received %llu, missed %llu\n",
      static_cast<long long>(result.ticks), static_cast<long long>(result.fresh),
      static_cast<unsigned long long>(result.inputs_sent), static_cast<unsigned long long>(result.inputs_superseded),
      static_cast<unsigned long long>(result.frames), static_cast<unsigned long long>(result.frames_missed));
  std::printf("success rate %.4f: %s\n", result.successRate(), verdictOf(result));
}

}  // namespace

const char* verdictOf(const CommResult& result) noexcept {
  const double rate = result.successRate();
  return rate >= 0.99 ? "good" : rate >= 0.95 ? "fair" : rate >= 0.90 ? "warning" : "not sufficient";
}

std::int64_t percentileOf(std::vector<std::int64_t>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

void addCommtestCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("commtest", "Is the way to a server good enough for inputs at every tick");
  command->add_option("ADDR", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")->required();
  command->add_option("--model", choices->model, "Model of the session that is driven")->capture_default_str();
  const std::map<std::string, double> units{{"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"min", 60.0}};
  command->add_option("--duration", choices->duration, "Length of the test; default 10s")
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED, "DURATION"));
  command->add_option("--period", choices->period, "Period of the ticks; default 1ms")
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED, "DURATION"));
  command->add_flag("--json", choices->json, "JSON in place of a table");
  command->callback([choices, &exit_code] {
    bool sufficient = true;
    exit_code = exitCodeOf([&] {
      CommResult result = measure(Client(choices->server), *choices);
      sufficient = result.successRate() >= 0.90;
      choices->json ? printJson(result) : print(result);
    });
    if (exit_code == 0 && !sufficient) exit_code = kExitFinding;
  });
}

}  // namespace tactus::client
