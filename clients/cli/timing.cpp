#include "clients/cli/timing.h"

#include "clients/cli/prometheus.h"
#include "clients/cli/remote.h"
#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/timing_text.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include <unistd.h>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct TimingChoices : RemoteChoices {
  std::int64_t every_ns = 2'000'000'000;
  bool watch = false, prometheus = false, reset = false;
};

Json toJson(const v1::PhaseTiming& phase) {
  return {{"phase", phase.phase()},           {"count", phase.count()},     {"minimum_ns", phase.minimum_ns()},
          {"mean_ns", phase.mean_ns()},       {"p50_ns", phase.p50_ns()},   {"p90_ns", phase.p90_ns()},
          {"p99_ns", phase.p99_ns()},         {"p999_ns", phase.p999_ns()}, {"maximum_ns", phase.maximum_ns()},
          {"worst_tick", phase.worst_tick()}, {"octaves", phase.octaves()}};
}

Json toJson(const v1::EnergyBalance& energy) {
  return {{"growth", energy.growth()},
          {"scale", energy.scale()},
          {"drift", energy.drift()},
          {"grows_since", energy.has_grows_since() ? Json(energy.grows_since()) : Json(nullptr)}};
}

Json toJson(const std::string& session, const v1::TimingReport& report) {
  Json phases = Json::array(), readers = Json::array();
  Json late = Json::object();
  for (const v1::PhaseTiming& phase : report.phases()) phases.push_back(toJson(phase));
  for (const v1::LateTicks& ticks : report.late_ticks()) late[ticks.cause()] = ticks.count();
  for (const v1::ReaderReport& reader : report.readers()) {
    readers.push_back(
        {{"id", reader.id()}, {"stream", reader.stream()}, {"sent", reader.sent()}, {"missed", reader.missed()}});
  }
  Json worst = nullptr;
  if (report.has_worst_late()) {
    worst = {{"tick", report.worst_late().tick()},
             {"lost_ns", report.worst_late().lost_ns()},
             {"at_work", report.worst_late().at_work()},
             {"cause", report.worst_late().cause()}};
  }
  return {{"session", session},
          {"clock", report.clock()},
          {"period_ns", report.period_ns()},
          {"ticks", report.ticks()},
          {"missed_deadlines", report.missed_deadlines()},
          {"overruns", report.overruns()},
          {"overrun_policy", report.overrun_policy()},
          {"late_wakes", report.late_wakes()},
          {"overdue_deadlines", report.overdue_deadlines()},
          {"max_consecutive_overdue", report.max_consecutive_overdue()},
          {"backfilled", report.backfilled()},
          {"slipped_ns", report.slipped_ns()},
          {"inputs_used", report.inputs_used()},
          {"inputs_superseded", report.inputs_superseded()},
          {"inputs_refused", report.inputs_refused()},
          {"inputs_lost", report.inputs_lost()},
          {"inputs_duplicate", report.inputs_duplicate()},
          {"inputs_late", report.inputs_late()},
          {"inputs_left_aside", report.inputs_left_aside()},
          {"input_losses", report.input_losses()},
          {"safe_entries", report.safe_entries()},
          {"late_ticks", late},
          {"worst_late", worst},
          {"readers", readers},
          {"recorder_lost_ticks", report.recorder_lost_ticks()},
          {"recorder_lost_signals", report.recorder_lost_signals()},
          {"maximum_contraction", report.maximum_contraction()},
          {"maximum_contraction_tick", report.maximum_contraction_tick()},
          {"maximum_factorizations", report.maximum_factorizations()},
          {"not_converged", report.not_converged()},
          {"energy", toJson(report.energy())},
          {"host_wake", report.has_host_wake() ? toJson(report.host_wake()) : Json(nullptr)},
          {"held_ticks", report.held_ticks()},
          {"page_faults", report.page_faults()},
          {"involuntary_switches", report.involuntary_switches()},
          {"spin_margin_ns", report.spin_margin_ns()},
          {"realtime_grants", report.realtime_grants()},
          {"phases", phases}};
}

/// One report in the chosen form; JSON takes one line where reports follow each other.
std::string textOf(const std::string& session, const v1::TimingReport& report, const TimingChoices& choices) {
  if (choices.prometheus) return prometheusText(session, report);
  if (choices.json && choices.watch) return toJson(session, report).dump() + '\n';
  if (choices.json) return text::jsonText(toJson(session, report));
  return fmt::format("session {}: clock {}, period {}\n{}", session, report.clock(),
                     text::formatDuration(report.period_ns()), text::timingText(report));
}

void run(const TimingChoices& choices) {
  const Client client(choices.server);
  const Session session = chooseSession(client, choices.session);
  // On a terminal each table replaces the one before.
  const bool live = choices.watch && !choices.json && !choices.prometheus && isatty(STDOUT_FILENO);
  while (true) {
    const v1::TimingReport report = session.timing(choices.reset);
    fmt::print("{}{}", live ? "\x1b[H\x1b[J" : "", textOf(session.name(), report, choices));
    std::fflush(stdout);
    if (!choices.watch) return;
    std::this_thread::sleep_for(std::chrono::nanoseconds(choices.every_ns));
    if (!choices.json && !live) fmt::print("\n");
  }
}

}  // namespace

void addTimingCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<TimingChoices>();
  CLI::App* command = app.add_subcommand("timing", "Show the timing report of a running session");
  addServerOption(*command, *choices);
  addSessionOption(*command, *choices);
  command->add_flag("--watch", choices->watch, "Print reports until Ctrl-C");
  text::addDuration(*command, "--every", choices->every_ns, "Time between two reports of --watch, e.g. 500ms");
  command->add_flag("--reset", choices->reset, "Reset the counters after each report");
  command->add_flag("--prometheus", choices->prometheus, "Print the text format of Prometheus");
  command->add_flag("--json", choices->json, "Print JSON; with --watch, one line for each report")
      ->excludes("--prometheus");
  onCall(*command, exit_code, [choices] {
    run(*choices);
    return text::kExitOk;
  });
}

}  // namespace tactus::client
