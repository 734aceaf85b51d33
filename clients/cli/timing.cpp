#include "clients/cli/timing.h"

#include "clients/cli/prometheus.h"
#include "clients/cli/remote.h"
#include "clients/cli/table.h"
#include "proto/text/duration_option.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include <unistd.h>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string server = kDefaultServer, session;
  std::int64_t every_ns = 2'000'000'000;
  bool watch = false, json = false, prometheus = false, reset = false;
};

Json toJson(const v1::PhaseTiming& phase) {
  return {{"phase", phase.phase()},           {"count", phase.count()},     {"minimum_ns", phase.minimum_ns()},
          {"mean_ns", phase.mean_ns()},       {"p50_ns", phase.p50_ns()},   {"p90_ns", phase.p90_ns()},
          {"p99_ns", phase.p99_ns()},         {"p999_ns", phase.p999_ns()}, {"maximum_ns", phase.maximum_ns()},
          {"worst_tick", phase.worst_tick()}, {"octaves", phase.octaves()}};
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
          {"passed_points", report.passed_points()},
          {"longest_row", report.longest_row()},
          {"made_up", report.made_up()},
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
          {"host_wake", report.has_host_wake() ? toJson(report.host_wake()) : Json(nullptr)},
          {"held_ticks", report.held_ticks()},
          {"page_faults", report.page_faults()},
          {"involuntary_switches", report.involuntary_switches()},
          {"spin_margin_ns", report.spin_margin_ns()},
          {"realtime_grants", report.realtime_grants()},
          {"phases", phases}};
}

std::string microseconds(double nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", 1e-3 * nanoseconds);
  return text;
}

std::string microseconds(std::int64_t nanoseconds) {
  return microseconds(static_cast<double>(nanoseconds));
}

void printLate(const v1::TimingReport& report) {
  std::string causes;
  for (const v1::LateTicks& late : report.late_ticks()) {
    if (late.count() == 0) continue;
    causes += (causes.empty() ? "" : ", ") + late.cause() + " " + std::to_string(late.count());
  }
  if (causes.empty()) return;
  const v1::LateTick& worst = report.worst_late();
  std::printf("late ticks: %s; worst: tick %lld %s %s us, %s\n", causes.c_str(), static_cast<long long>(worst.tick()),
              worst.at_work() ? "took" : "overslept", microseconds(worst.lost_ns()).c_str(), worst.cause().c_str());
}

void print(const std::string& session, const v1::TimingReport& report) {
  std::printf("session %s: clock %s, period %g ms\n", session.c_str(), report.clock().c_str(),
              1e-6 * static_cast<double>(report.period_ns()));
  std::printf("ticks %lld, missed deadlines %lld, overruns %lld, ticks on a held input %llu\n",
              static_cast<long long>(report.ticks()), static_cast<long long>(report.missed_deadlines()),
              static_cast<long long>(report.overruns()), static_cast<unsigned long long>(report.held_ticks()));
  if (!report.overrun_policy().empty())
    std::printf(
        "overrun policy %s: grid points passed %lld (longest row %lld), late wake-ups %lld, made up %lld, slipped %s "
        "us\n",
        report.overrun_policy().c_str(), static_cast<long long>(report.passed_points()),
        static_cast<long long>(report.longest_row()), static_cast<long long>(report.late_wakes()),
        static_cast<long long>(report.made_up()), microseconds(report.slipped_ns()).c_str());
  std::printf("inputs used %llu, superseded %llu, refused %llu, late %llu, lost %llu, duplicate %llu\n",
              static_cast<unsigned long long>(report.inputs_used()),
              static_cast<unsigned long long>(report.inputs_superseded()),
              static_cast<unsigned long long>(report.inputs_refused()),
              static_cast<unsigned long long>(report.inputs_late()),
              static_cast<unsigned long long>(report.inputs_lost()),
              static_cast<unsigned long long>(report.inputs_duplicate()));
  std::printf("controllers lost %llu, safe state entered %llu times, inputs left aside %llu\n",
              static_cast<unsigned long long>(report.input_losses()),
              static_cast<unsigned long long>(report.safe_entries()),
              static_cast<unsigned long long>(report.inputs_left_aside()));
  if (report.recorder_lost_ticks() + report.recorder_lost_signals() > 0)
    std::printf("recordings lack %llu ticks, and the signals of %llu\n",
                static_cast<unsigned long long>(report.recorder_lost_ticks()),
                static_cast<unsigned long long>(report.recorder_lost_signals()));
  printLate(report);
  for (const v1::ReaderReport& reader : report.readers()) {
    if (reader.id() == 0 && reader.sent() + reader.missed() == 0) continue;
    const std::string name =
        reader.id() == 0 ? "closed readers" : reader.stream() + " reader " + std::to_string(reader.id());
    std::printf("%s: frames sent %llu, missed %llu\n", name.c_str(), static_cast<unsigned long long>(reader.sent()),
                static_cast<unsigned long long>(reader.missed()));
  }
  std::printf("tick thread: page faults %lld, involuntary switches %lld, spin margin %s us\n",
              static_cast<long long>(report.page_faults()), static_cast<long long>(report.involuntary_switches()),
              microseconds(report.spin_margin_ns()).c_str());
  for (const std::string& grant : report.realtime_grants()) std::printf("  %s\n", grant.c_str());

  Table table({"phase (us)", "count", "min", "mean", "p50", "p90", "p99", "p99.9", "max", "worst tick"}, "lrrrrrrrrr");
  const auto addRow = [&table](const v1::PhaseTiming& phase) {
    table.add({phase.phase(), std::to_string(phase.count()), microseconds(phase.minimum_ns()),
               microseconds(phase.mean_ns()), microseconds(phase.p50_ns()), microseconds(phase.p90_ns()),
               microseconds(phase.p99_ns()), microseconds(phase.p999_ns()), microseconds(phase.maximum_ns()),
               std::to_string(phase.worst_tick())});
  };
  for (const v1::PhaseTiming& phase : report.phases()) addRow(phase);
  if (report.has_host_wake()) addRow(report.host_wake());
  std::printf("%s", table.text().c_str());
}

void run(const Choices& choices) {
  const Client client(choices.server);
  const Session session = chooseSession(client, choices.session);
  // On a terminal each table takes the place of the one before.
  const bool live = choices.watch && !choices.json && !choices.prometheus && isatty(STDOUT_FILENO);
  while (true) {
    const v1::TimingReport report = session.timing(choices.reset);
    if (live) std::printf("\x1b[H\x1b[J");
    if (choices.prometheus) {
      std::printf("%s", prometheusText(session.name(), report).c_str());
    } else if (choices.json) {
      std::printf("%s\n", toJson(session.name(), report).dump(choices.watch ? -1 : 2).c_str());
    } else {
      print(session.name(), report);
    }
    std::fflush(stdout);
    if (!choices.watch) return;
    std::this_thread::sleep_for(std::chrono::nanoseconds(choices.every_ns));
    if (!choices.json && !live) std::printf("\n");
  }
}

}  // namespace

void addTimingCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("timing", "What the loop of a running session has measured");
  command->add_option("--server", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_option("--session", choices->session, "Name of the session; default: the only one");
  command->add_flag("--watch", choices->watch, "Print a report again and again, until Ctrl-C");
  text::addDuration(*command, "--every", choices->every_ns, "Time between two reports of --watch, e.g. 500ms");
  command->add_flag("--reset", choices->reset, "Start counting anew after each report");
  command->add_flag("--prometheus", choices->prometheus, "The text format of Prometheus in place of a table");
  command->add_flag("--json", choices->json, "JSON in place of a table; with --watch, one line a report")
      ->excludes("--prometheus");
  command->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { run(*choices); }); });
}

}  // namespace tactus::client
