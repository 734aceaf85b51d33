#include "server/cli/qualify.h"

#include "proto/text/duration_option.h"
#include "rt/error.h"
#include "server/build_info.h"
#include "server/cli/cpu_list.h"
#include "server/cli/exit_code.h"
#include "server/models/built_in_models.h"
#include "server/report/qualification_page.h"
#include "server/report/report_page.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

struct QualifyArguments {
  std::string model, initial, cpus, report;
  std::int64_t period_ns = 0, duration_ns = 10'000'000'000, compare_ns = 200'000'000;  // a period of 0: the model's
  int iterations = 0, reruns = 2, priority = 80;
  double head_room = 2, tolerance = 1e-3;
  bool json = false, require_rt = false;
};

std::atomic<bool> interrupted{false};
void interrupt(int) {
  interrupted.store(true);
}

Json toJson(const rt::LatencySummary& summary) {
  return {{"count", summary.count},  {"p50_ns", summary.p50},         {"p99_ns", summary.p99},
          {"p999_ns", summary.p999}, {"maximum_ns", summary.maximum}, {"worst_tick", summary.worst_tick}};
}

Json toJson(const ValidationReport& accuracy) {
  Json rows = Json::array();
  for (const ValidationRow& row : accuracy.rows)
    rows.push_back({{"step_ns", row.step_ns},
                    {"position_error", row.position_error},
                    {"order", row.order},
                    {"energy_drift", row.energy_drift}});
  return {{"trusted", accuracy.trusted},
          {"reference", accuracy.reference},
          {"reference_error", accuracy.reference_error},
          {"rows", rows}};
}

Json toJson(const rt::Model& model, const QualificationReport& report) {
  Json phases = Json::object(), late = Json::object(), grants = Json::array(), reruns = Json::array();
  for (const rt::Phase phase : {rt::Phase::kWake, rt::Phase::kSolve, rt::Phase::kTotal})
    phases[rt::toString(phase)] = toJson(report.stats.phases[static_cast<std::size_t>(phase)]);
  for (std::size_t i = 0; i < rt::kLateCauses; ++i)
    late[rt::toString(static_cast<rt::LateCause>(i))] = report.stats.late_ticks[i];
  for (const rt::Grant& grant : report.grants) grants.push_back(rt::describe(grant));
  for (const Rerun& rerun : report.reruns)
    reruns.push_back({{"how", rerun.how}, {"first_difference", rerun.first_difference}});
  return {{"model", model.name},
          {"verdict", report.interrupted ? "interrupted" : toString(report.fitness)},
          {"host", report.host},
          {"host_grade", toString(worstGrade(report.host_findings))},
          {"conditions", report.conditions},
          {"reasons", report.reasons},
          {"period_ns", report.period_ns},
          {"ticks", report.ticks},
          {"missed_deadlines", report.stats.missed_deadlines},
          {"head_room", report.head_room},
          {"worst_head_room", report.worst_head_room},
          {"spin_margin_ns", report.spin_margin_ns},
          {"phases", phases},
          {"late_ticks", late},
          {"grants", grants},
          {"status", rt::toString(report.status)},
          {"not_converged", report.not_converged},
          {"times_real_time", report.times_real_time},
          {"reruns", reruns},
          {"accuracy", report.accuracy ? toJson(*report.accuracy) : Json()}};
}

void printTable(const rt::Model& model, const QualificationReport& report) {
  std::printf("%s at a period of %s: %lld ticks, %lld deadlines missed\n", model.name.c_str(),
              text::formatDuration(report.period_ns).c_str(), static_cast<long long>(report.ticks),
              static_cast<long long>(report.stats.missed_deadlines));
  std::printf("on %s, which tactus doctor calls %s\n\n", report.host.c_str(),
              toString(worstGrade(report.host_findings)));
  std::printf("%-12s %9s %9s %9s %9s\n", "us", "p50", "p99", "p99.9", "max");
  const auto us = [](std::int64_t ns) { return 1e-3 * static_cast<double>(ns); };
  for (const rt::Phase phase : {rt::Phase::kWake, rt::Phase::kSolve, rt::Phase::kTotal}) {
    const rt::LatencySummary& s = report.stats.phases[static_cast<std::size_t>(phase)];
    std::printf("%-12s %9.1f %9.1f %9.1f %9.1f\n", rt::toString(phase), us(s.p50), us(s.p99), us(s.p999),
                us(s.maximum));
  }
  std::printf("head-room: %.1f over the 99.9 %% tick, %.1f over the worst; as fast as it goes: %.0f times real time\n",
              report.head_room, report.worst_head_room, report.times_real_time);
  for (const rt::Grant& grant : report.grants) std::printf("%s\n", rt::describe(grant).c_str());
  if (report.accuracy && !report.accuracy->rows.empty()) {
    const ValidationRow& row = report.accuracy->rows.front();
    std::printf("at this step and these iterations: positions off by up to %.3g m, energy by %.3g J, against %s\n",
                row.position_error, row.energy_drift, report.accuracy->reference.c_str());
  }
  std::printf("\n");
  for (const std::string& reason : report.reasons) std::printf("%s\n", reason.c_str());
  for (const std::string& condition : report.conditions) std::printf("with: %s\n", condition.c_str());
  std::printf("verdict: %s\n", report.interrupted ? "interrupted before the end" : toString(report.fitness));
}

/// The command line of these arguments, as the page shows it.
std::string commandOf(const QualifyArguments& arguments, std::int64_t period_ns) {
  std::ostringstream command;
  command << "tactus qualify " << arguments.model << " --period " << text::formatDuration(period_ns) << " --duration "
          << text::formatDuration(arguments.duration_ns) << " --reruns " << arguments.reruns << " --head-room "
          << arguments.head_room << " --compare " << text::formatDuration(arguments.compare_ns) << " --tol "
          << arguments.tolerance << " --priority " << arguments.priority;
  if (arguments.iterations > 0) command << " --iterations " << arguments.iterations;
  if (!arguments.initial.empty()) command << " --initial " << arguments.initial;
  if (!arguments.cpus.empty()) command << " --cpu " << arguments.cpus;
  command << "   " << madeBy();
  return command.str();
}

int qualifyModel(const QualifyArguments& arguments) {
  const ModelDocument document = openModel(arguments.model);
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, arguments.model) << '\n';
  if (!document.valid()) return kExitUsage;
  const rt::Model model = rt::buildModel(document.spec);
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, arguments.period_ns, arguments.iterations);
  options.ticks = arguments.duration_ns / options.settings.period_ns;
  options.initial_condition = arguments.initial;
  options.thread.priority = arguments.priority;
  if (!arguments.cpus.empty()) options.thread.cpus = parseCpuList(arguments.cpus);
  options.reruns = arguments.reruns;
  options.head_room = arguments.head_room;
  options.compared_ns = arguments.compare_ns;
  options.tolerance = arguments.tolerance;

  if (!arguments.report.empty()) writePage(arguments.report, "");  // a file that cannot be written is known at once
  interrupted.store(false);
  const auto previous = std::signal(SIGINT, interrupt);
  const QualificationReport report = qualify(
      model, options, interrupted, [](const std::string& what) { std::cerr << "tactus qualify: " << what << '\n'; });
  std::signal(SIGINT, previous);
  arguments.json ? void(std::cout << toJson(model, report).dump(2, ' ', false, Json::error_handler_t::replace) << '\n')
                 : printTable(model, report);
  if (!arguments.report.empty())
    writePage(arguments.report, toHtml(model.name, commandOf(arguments, options.settings.period_ns), report));
  if (arguments.require_rt && !rt::allGranted(report.grants)) return kExitNoRealtime;
  if (report.status != rt::TickStatus::kOk) return kExitFault;
  return !report.interrupted && report.fitness != Fitness::kNotFit ? kExitOk : kExitFinding;
}

}  // namespace

void addQualifyCommand(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("qualify", "Is a model fit for a period on this machine: ticks, reruns, verdict");
  const auto a = std::make_shared<QualifyArguments>();
  command->add_option("MODEL", a->model, "A built-in model, or a .json or .txtpb file")->required();
  text::addPeriod(*command, "--period", a->period_ns, "Period that is wanted, e.g. 1ms or 4kHz; default: the model's");
  text::addDuration(*command, "--duration", a->duration_ns, "Simulated time of each run");
  command->add_option("--iterations", a->iterations, "Newton iterations; default: the model's");
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  command->add_option("--reruns", a->reruns, "Runs that must give the same bits, side by side")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--head-room", a->head_room, "Period over the 99.9 % tick that is wanted")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str();
  text::addDurationOrZero(*command, "--compare", a->compare_ns,
                          "Simulated time that is compared with a reference; 0s: none");
  command->add_option("--tol", a->tolerance, "Largest position error that is trusted, relative to the model's length")
      ->check(CLI::Range(1e-9, 1.0))
      ->capture_default_str();
  command->add_option("--priority", a->priority, "Real-time class of the tick, 1 to 99; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0, 99));
  command->add_option("--cpu", a->cpus, "Cores for the tick, e.g. 2 or 0,2-3");
  command->add_flag("--require-rt", a->require_rt, "Exit with 5 unless all that is asked for is granted");
  command->add_option("--report", a->report, "Write one self-contained HTML page");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &exit_code] {
    try {
      exit_code = qualifyModel(*a);
    } catch (const Error& error) {
      std::cerr << "tactus qualify: " << error.what() << '\n';
      exit_code = kExitUsage;
    }
  });
}

}  // namespace tactus::server
