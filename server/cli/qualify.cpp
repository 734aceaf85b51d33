#include "server/cli/qualify.h"

#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"
#include "proto/text/timing_text.h"
#include "rt/error.h"
#include "rt/model/model.h"
#include "server/batch/input_series.h"
#include "server/build_info.h"
#include "server/cli/comparison_options.h"
#include "server/cli/cpu_list.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/model_argument.h"
#include "server/cli/report_file.h"
#include "server/cli/subcommand.h"
#include "server/cli/validation_json.h"
#include "server/report/qualification_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

struct QualifyArguments {
  std::string model, initial, cpus, report;
  // A period of 0: the model's. A comparison or a time of use below 0: the duration.
  std::int64_t period_ns = 0, duration_ns = 10'000'000'000, compare_ns = -1, wanted_ns = -1;
  int iterations = 0, reruns = 2, priority = 80;
  double head_room = 2;
  ComparisonArguments comparison;
  bool json = false, require_rt = false;
};

Json toJson(const rt::LatencySummary& summary) {
  return {{"count", summary.count},  {"p50_ns", summary.p50},         {"p99_ns", summary.p99},
          {"p999_ns", summary.p999}, {"maximum_ns", summary.maximum}, {"worst_tick", summary.worst_tick}};
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
          {"build", madeBy()},
          {"verdict", report.interrupted ? "interrupted" : toString(report.fitness)},
          {"host", report.host},
          {"host_grade", toString(worstGrade(report.host_findings))},
          {"deciding", report.deciding},
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

std::string textOf(const rt::Model& model, const QualificationReport& report) {
  std::string text =
      fmt::format("{} at a period of {}: {} ticks, {} deadlines missed\non {}, which tactus doctor grades {}\n\n",
                  model.name, text::formatDuration(report.period_ns), report.ticks, report.stats.missed_deadlines,
                  report.host, toString(worstGrade(report.host_findings)));
  text::Table table({"us", "p50", "p99", "p99.9", "max"}, "lrrrr");
  for (const rt::Phase phase : {rt::Phase::kWake, rt::Phase::kSolve, rt::Phase::kTotal}) {
    const rt::LatencySummary& s = report.stats.phases[static_cast<std::size_t>(phase)];
    table.add({rt::toString(phase), text::microseconds(s.p50), text::microseconds(s.p99), text::microseconds(s.p999),
               text::microseconds(s.maximum)});
  }
  text += table.text();
  text += fmt::format("headroom: {:.1f}x at p99.9, {:.1f}x at the worst tick; free run: {:.0f}x real time\n",
                      report.head_room, report.worst_head_room, report.times_real_time);
  for (const rt::Grant& grant : report.grants) text += rt::describe(grant) + '\n';
  if (report.accuracy && !report.accuracy->rows.empty()) {
    const ValidationRow& row = report.accuracy->rows.front();
    text += row.failure.empty()
                ? fmt::format(
                      "error at this step and iteration count: {:.3g} of what is allowed, in {}; positions up to "
                      "{:.3g} m, energy {:.3g} J, over {:.4g} s\n",
                      row.share, row.worst.empty() ? "nothing" : row.worst, row.position_error, row.energy_drift,
                      report.accuracy->covered)
                : "the comparison failed: " + row.failure + '\n';
  }
  text += '\n';
  for (const std::string& reason : report.reasons) text += reason + '\n';
  for (const std::string& condition : report.conditions) text += "with: " + condition + '\n';
  return text +
         fmt::format("verdict: {}\n", report.interrupted ? "interrupted before the end" : toString(report.fitness));
}

/// The command line of these arguments, as the page shows it.
std::string commandOf(const QualifyArguments& arguments, std::int64_t period_ns) {
  std::string command =
      fmt::format("tactus qualify {} --period {} --duration {} --reruns {} --head-room {:g} --compare {} --priority {}",
                  arguments.model, text::formatDuration(period_ns), text::formatDuration(arguments.duration_ns),
                  arguments.reruns, arguments.head_room,
                  text::formatDuration(arguments.compare_ns < 0 ? arguments.duration_ns : arguments.compare_ns),
                  arguments.priority);
  if (arguments.wanted_ns > 0) command += " --for " + text::formatDuration(arguments.wanted_ns);
  command += commandOf(arguments.comparison);
  if (arguments.iterations > 0) command += fmt::format(" --iterations {}", arguments.iterations);
  if (!arguments.initial.empty()) command += " --initial " + arguments.initial;
  if (!arguments.cpus.empty()) command += " --cpu " + arguments.cpus;
  return command;
}

int qualifyModel(const QualifyArguments& arguments) {
  const std::optional<ModelDocument> document = openWithParameters(arguments.model, arguments.comparison);
  if (!document) return text::kExitUsage;
  const rt::Model model = rt::buildModel(document->spec);
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, arguments.period_ns, arguments.iterations);
  options.ticks = arguments.duration_ns / options.settings.period_ns;
  options.initial_condition = arguments.initial;
  options.thread.priority = arguments.priority;
  if (!arguments.cpus.empty()) options.thread.cpus = parseCpuList(arguments.cpus);
  options.reruns = arguments.reruns;
  options.head_room = arguments.head_room;
  options.compared_ns = arguments.compare_ns < 0 ? arguments.duration_ns : arguments.compare_ns;
  const std::string compared = arguments.compare_ns < 0 ? "--duration" : "--compare";
  if (options.compared_ns > 0 && options.compared_ns < options.settings.period_ns)
    throw Error(compared + ' ' + text::formatDuration(options.compared_ns) + ": must be at least the period of " +
                text::formatDuration(options.settings.period_ns) +
                (arguments.compare_ns < 0 ? "" : ", or 0s for no comparison"));
  options.wanted_ns = std::max<std::int64_t>(0, arguments.wanted_ns);
  if (options.wanted_ns > 0 && options.compared_ns == 0)
    throw Error("--for extrapolates a comparison; leave it out with --compare 0s");
  requireLonger(options.wanted_ns, compared, options.compared_ns);
  options.tolerances = tolerancesOf(arguments.comparison);
  options.budget_s = arguments.comparison.budget_s;
  if (!arguments.comparison.inputs.empty())
    options.script = readInputSeriesFile(arguments.comparison.inputs, model, options.settings.period_ns);

  requireWritableReport(arguments.report);
  const InterruptFlag interrupt(kInterruptGrace, lastWords("qualify"));
  const QualificationReport report = qualify(model, options, interrupt.flag(), progressOf("qualify"));
  std::cout << (arguments.json ? text::jsonText(toJson(model, report)) : textOf(model, report));
  writeReport(arguments.report, [&] {
    return toHtml(model.name, {commandOf(arguments, options.settings.period_ns), madeOn()}, report);
  });
  if (arguments.require_rt && !rt::allGranted(report.grants)) return text::kExitNoRealtime;
  if (report.status != rt::TickStatus::kOk) return text::kExitFault;
  return !report.interrupted && report.fitness != Fitness::kNotFit ? text::kExitOk : text::kExitFinding;
}

}  // namespace

void addQualifyCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("qualify", "Test whether a model is fit for a period on this machine");
  const auto a = std::make_shared<QualifyArguments>();
  addModelArgument(*command, a->model)->required();
  text::addPeriod(*command, "--period", a->period_ns, "Period to qualify, e.g. 1ms or 4kHz; default: the model's");
  text::addDuration(*command, "--duration", a->duration_ns, "Simulated time of each run");
  command->add_option("--iterations", a->iterations, "Newton iterations; default: the model's");
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  command->add_option("--reruns", a->reruns, "Number of parallel runs that must give the same bits")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--head-room", a->head_room, "Required ratio of the period to the p99.9 tick")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str();
  text::addDurationOrZero(*command, "--compare", a->compare_ns,
                          "Simulated time to compare with references; 0s: no comparison")
      ->default_str("the duration");
  text::addDuration(*command, "--for", a->wanted_ns,
                    "Time of use, to which the growth of errors and energy is extrapolated; default: the duration");
  addComparisonOptions(*command, a->comparison);
  command->add_option("--priority", a->priority, "Real-time priority of the tick, 1 to 99; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0, 99));
  command->add_option("--cpu", a->cpus, "Cores for the tick, e.g. 2 or 0,2-3");
  command->add_flag("--require-rt", a->require_rt, "Exit with 5 unless everything that is requested is granted");
  addReportOption(*command, a->report);
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, qualifyModel);
}

}  // namespace tactus::server
