#include "clients/cli/commtest.h"

#include "clients/cli/comm_drive.h"
#include "clients/cli/remote.h"
#include "clients/cli/table.h"
#include "clients/cpp/percentile.h"
#include "proto/text/duration_option.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string server;
  CommDrive drive;
  bool json = false;
};

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

// What became of the datagrams, both ways.
Json toJson(const CommResult::Datagrams& datagrams) {
  const v1::DeviceLinkCounts& counts = datagrams.inputs;
  return {{"inputs_lost", counts.lost()},
          {"inputs_overtaken", counts.overtaken()},
          {"inputs_duplicate", counts.duplicate()},
          {"inputs_forged", counts.forged()},
          {"inputs_malformed", counts.malformed()},
          {"inputs_too_many", counts.too_many()},
          {"inputs_refused", counts.refusals_sent()},
          {"states_lost", datagrams.states_lost},
          {"states_overtaken", datagrams.states_overtaken}};
}

void printJson(CommResult& result) {
  Json document = {{"verdict", verdictOf(result)},
                   {"success_rate", result.successRate()},
                   {"ticks", result.ticks},
                   {"fresh", result.fresh},
                   {"frames", result.frames},
                   {"frames_missed", result.frames_missed},
                   {"inputs_sent", result.inputs_sent},
                   {"inputs_superseded", result.inputs_superseded},
                   {"round_trip", toJson(result.round_trips_ns)},
                   {"call", toJson(result.calls_ns)}};
  if (result.datagrams) document["datagrams"] = toJson(*result.datagrams);
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
  const Json datagrams = result.datagrams ? toJson(*result.datagrams) : Json::object();
  for (const auto& [kind, count] : datagrams.items())
    if (count != 0) std::printf("%s %llu\n", kind.c_str(), count.get<unsigned long long>());
  std::printf("success rate %.4f: %s\n", result.successRate(), verdictOf(result));
}

v1::CommTestResult toMessage(CommResult& result, const CommDrive& drive) {
  v1::CommTestResult message;
  message.set_transport(drive.udp ? "udp" : "grpc");
  message.set_verdict(verdictOf(result));
  message.set_success_rate(std::clamp(result.successRate(), 0.0, 1.0));
  message.set_period_ns(drive.period_ns);
  message.set_ticks(result.ticks);
  message.set_inputs_sent(result.inputs_sent);
  message.set_inputs_superseded(result.inputs_superseded);
  message.set_frames(result.frames);
  message.set_frames_missed(result.frames_missed);
  v1::PhaseTiming& trip = *message.mutable_round_trip();
  trip.set_phase("round trip");
  trip.set_count(result.round_trips_ns.size());
  trip.set_minimum_ns(percentileOf(result.round_trips_ns, 0));
  trip.set_p50_ns(percentileOf(result.round_trips_ns, 0.5));
  trip.set_p90_ns(percentileOf(result.round_trips_ns, 0.9));
  trip.set_p99_ns(percentileOf(result.round_trips_ns, 0.99));
  trip.set_p999_ns(percentileOf(result.round_trips_ns, 0.999));
  trip.set_maximum_ns(percentileOf(result.round_trips_ns, 1));
  if (!result.datagrams) return message;
  *message.mutable_datagrams() = result.datagrams->inputs;
  message.set_states_lost(result.datagrams->states_lost);
  return message;
}

}  // namespace

const char* verdictOf(const CommResult& result) noexcept {
  const double rate = result.successRate();
  return rate >= 0.99 ? "good" : rate >= 0.95 ? "fair" : rate >= 0.90 ? "warning" : "not sufficient";
}

void addCommtestCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("commtest", "Is the way to a server good enough for inputs at every tick");
  command->add_option("ADDR", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")->required();
  command->add_option("--model", choices->drive.model, "Model of the session that is driven")->capture_default_str();
  text::addDuration(*command, "--duration", choices->drive.duration_ns, "Length of the test");
  text::addPeriod(*command, "--period", choices->drive.period_ns, "Period of the ticks");
  command->add_flag("--udp", choices->drive.udp, "By datagrams, as a device would; the server needs --udp, too");
  command->add_flag("--json", choices->json, "JSON in place of a table");
  command->callback([choices, &exit_code] {
    bool sufficient = true;
    exit_code = exitCodeOf([&] {
      const Client client(choices->server);
      CommResult result = driveSession(client, choices->drive);
      client.reportCommTest(toMessage(result, choices->drive));
      sufficient = result.successRate() >= 0.90;
      choices->json ? printJson(result) : print(result);
    });
    if (exit_code == 0 && !sufficient) exit_code = kExitFinding;
  });
}

}  // namespace tactus::client
