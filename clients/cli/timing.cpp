#include "clients/cli/timing.h"

#include "clients/cli/remote.h"
#include "clients/cli/table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <thread>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string server = kDefaultServer, session;
  double every = 2.0;  // s
  bool watch = false, json = false, reset = false;
};

Json toJson(const std::string& session, const v1::TimingReport& report) {
  Json phases = Json::array();
  for (const v1::PhaseTiming& phase : report.phases()) {
    phases.push_back({{"phase", phase.phase()},
                      {"count", phase.count()},
                      {"minimum_ns", phase.minimum_ns()},
                      {"mean_ns", phase.mean_ns()},
                      {"p50_ns", phase.p50_ns()},
                      {"p90_ns", phase.p90_ns()},
                      {"p99_ns", phase.p99_ns()},
                      {"p999_ns", phase.p999_ns()},
                      {"maximum_ns", phase.maximum_ns()},
                      {"worst_tick", phase.worst_tick()}});
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
  std::printf("inputs used %llu, superseded %llu, refused %llu\n",
              static_cast<unsigned long long>(report.inputs_used()),
              static_cast<unsigned long long>(report.inputs_superseded()),
              static_cast<unsigned long long>(report.inputs_refused()));
  std::printf("tick thread: page faults %lld, involuntary switches %lld, spin margin %s us\n",
              static_cast<long long>(report.page_faults()), static_cast<long long>(report.involuntary_switches()),
              microseconds(report.spin_margin_ns()).c_str());
  for (const std::string& grant : report.realtime_grants()) std::printf("  %s\n", grant.c_str());

  Table table({"phase (us)", "count", "min", "mean", "p50", "p90", "p99", "p99.9", "max", "worst tick"}, "lrrrrrrrrr");
  for (const v1::PhaseTiming& phase : report.phases()) {
    table.add({phase.phase(), std::to_string(phase.count()), microseconds(phase.minimum_ns()),
               microseconds(phase.mean_ns()), microseconds(phase.p50_ns()), microseconds(phase.p90_ns()),
               microseconds(phase.p99_ns()), microseconds(phase.p999_ns()), microseconds(phase.maximum_ns()),
               std::to_string(phase.worst_tick())});
  }
  std::printf("%s", table.text().c_str());
}

void run(const Choices& choices) {
  const Client client(choices.server);
  const Session session = chooseSession(client, choices.session);
  while (true) {
    const v1::TimingReport report = session.timing(choices.reset);
    if (choices.json) {
      std::printf("%s\n", toJson(session.name(), report).dump(choices.watch ? -1 : 2).c_str());
    } else {
      print(session.name(), report);
    }
    std::fflush(stdout);
    if (!choices.watch) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(choices.every));
    if (!choices.json) std::printf("\n");
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
  command->add_option("--every", choices->every, "Between two reports of --watch, e.g. 500ms; default 2s")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"ms", 1e-3}, {"s", 1.0}, {"min", 60.0}},
                                        CLI::AsNumberWithUnit::UNIT_REQUIRED, "DURATION"));
  command->add_flag("--reset", choices->reset, "Start counting anew after each report");
  command->add_flag("--json", choices->json, "JSON in place of a table; with --watch, one line a report");
  command->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { run(*choices); }); });
}

}  // namespace tactus::client
