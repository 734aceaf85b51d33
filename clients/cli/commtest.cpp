#include "clients/cli/commtest.h"

#include "clients/cli/comm_drive.h"
#include "clients/cli/remote.h"
#include "clients/cpp/percentile.h"
#include "clients/cpp/server_options.h"
#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"
#include "proto/text/timing_text.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct CommtestChoices : RemoteChoices {
  CommDrive drive;
};

Json toJson(std::vector<std::int64_t>& values) {
  return {{"count", values.size()},
          {"p50_ns", percentileOf(values, 0.5)},
          {"p99_ns", percentileOf(values, 0.99)},
          {"p999_ns", percentileOf(values, 0.999)},
          {"maximum_ns", percentileOf(values, 1)}};
}

// The fate of the datagrams, in both directions.
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
  fmt::print("{}", text::jsonText(document));
}

void print(CommResult& result) {
  text::Table table({"us", "count", "p50", "p99", "p99.9", "max"}, "lrrrrr");
  const auto addRow = [&table](const char* name, std::vector<std::int64_t>& values) {
    table.add({name, std::to_string(values.size()), text::microseconds(percentileOf(values, 0.5)),
               text::microseconds(percentileOf(values, 0.99)), text::microseconds(percentileOf(values, 0.999)),
               text::microseconds(percentileOf(values, 1))});
  };
  addRow("input to frame", result.round_trips_ns);
  addRow("unary call", result.calls_ns);
  fmt::print("{}", table.text());
  fmt::print("ticks {}, with a new input {}; inputs sent {}, superseded {}; frames received {}, missed {}\n",
             result.ticks, result.fresh, result.inputs_sent, result.inputs_superseded, result.frames,
             result.frames_missed);
  const Json datagrams = result.datagrams ? toJson(*result.datagrams) : Json::object();
  for (const auto& [kind, count] : datagrams.items())
    if (count != 0) fmt::print("{} {}\n", kind, count.get<std::uint64_t>());
  fmt::print("success rate {:.4f}: {}\n", result.successRate(), verdictOf(result));
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
  auto choices = std::make_shared<CommtestChoices>();
  CLI::App* command =
      app.add_subcommand("commtest", "Test whether the connection to a server is good enough for inputs at every tick");
  command->add_option("ADDR", choices->server, "Address of the server, ADDR:PORT or unix:PATH")->required();
  command->add_option("--model", choices->drive.model, "Model of the session that is driven")->capture_default_str();
  text::addDuration(*command, "--duration", choices->drive.duration_ns, "Length of the test");
  text::addPeriod(*command, "--period", choices->drive.period_ns, "Period of the ticks, e.g. 1ms or 500Hz");
  command->add_flag("--udp", choices->drive.udp, "Send datagrams, as a device does; the server needs --udp, too");
  addCredentialOptions(*command, choices->credentials);
  addJsonFlag(*command, *choices);
  onCall(*command, exit_code, [choices] {
    const Client client = connect(*choices);
    CommResult result = driveSession(client, choices->drive);
    client.reportCommTest(toMessage(result, choices->drive));
    choices->json ? printJson(result) : print(result);
    return result.successRate() >= 0.90 ? text::kExitOk : text::kExitFinding;
  });
}

}  // namespace tactus::client
