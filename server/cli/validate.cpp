#include "server/cli/validate.h"

#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"
#include "rt/ali3p/settings.h"
#include "rt/error.h"
#include "rt/model/model.h"
#include "server/batch/input_series.h"
#include "server/batch/verdict.h"
#include "server/build_info.h"
#include "server/cli/comparison_options.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/model_argument.h"
#include "server/cli/report_file.h"
#include "server/cli/subcommand.h"
#include "server/cli/validation_json.h"
#include "server/report/validation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  std::string model, initial, report;
  std::int64_t until_ns = 0, wanted_ns = 0, step_ns = 0;  // a step of 0: the model's
  std::vector<std::string> against = {"newmark-tangent", "lms2"};
  int iterations = 0;
  ComparisonArguments comparison;
  bool json = false;
};

/// The quantities with the largest shares of what is allowed.
std::string judgedText(const ValidationReport& report) {
  constexpr std::size_t kShown = 8;
  if (report.judged.empty()) return "";
  text::Table table({"quantity", "kind", "unit", "error", "allowed", "share", "at t, s"}, "lllrrrr");
  for (std::size_t k = 0; k < std::min(kShown, report.judged.size()); ++k) {
    const JudgedError& e = report.judged[k];
    if (!e.unjudged.empty()) break;
    table.add({e.name, toString(e.kind), e.unit, fmt::format("{:.3g}", e.error), fmt::format("{:.3g}", e.limit),
               fmt::format("{:.3g}", e.share()), fmt::format("{:.3g}", e.at)});
  }
  return "largest errors, as a share of what is allowed (--json and --report show all " +
         std::to_string(report.judged.size()) + " quantities)\n" + table.text() + '\n';
}

std::string textOf(const rt::Model& model, const ValidationReport& report) {
  text::Table table(
      {"method", "step", "share", "position m", "rotation", "velocity", "order", "energy J", "constraint", "time s"},
      "lrrrrrrrrr");
  std::string failures;
  for (const ValidationRow& row : report.rows) {
    if (!row.failure.empty()) {
      failures += fmt::format("{} at {}: {}\n", row.method, text::formatDuration(row.step_ns), row.failure);
      table.add({row.method, text::formatDuration(row.step_ns), "failed"});
      continue;
    }
    table.add({row.method, text::formatDuration(row.step_ns), fmt::format("{:.3g}", row.share),
               fmt::format("{:.3g}", row.position_error), fmt::format("{:.3g}", row.rotation_error),
               fmt::format("{:.3g}", row.velocity_error), row.order != 0 ? fmt::format("{:.2f}", row.order) : "",
               fmt::format("{:.3g}", row.energy_drift), fmt::format("{:.1e}", row.worst_position),
               fmt::format("{:.3g}", row.wall_seconds)});
  }
  std::string text = fmt::format("{}: {:.6g} s of {:.6g} s against\n", model.name, report.covered, report.until);
  for (const ReferenceFigures& r : report.references)
    text += fmt::format(
        "  {}: {}\n", r.text,
        r.failure.empty() ? fmt::format("{:.6g} s in {:.3g} s", r.covered, r.wall_seconds) : "failed: " + r.failure);
  if (const std::string difference = differenceOfReferences(report); !difference.empty())
    text += "  which differ by " + difference + '\n';
  text += fmt::format("\n{}{}\n{}", table.text(), failures, judgedText(report));
  for (const std::string& reason : report.reasons) text += reason + '\n';
  if (!report.interrupted)
    text += fmt::format("verdict: the real-time result {}\n",
                        report.trusted  ? "can be trusted"
                        : report.partly ? fmt::format("is confirmed up to t = {:.3g} s only", report.confirmed)
                                        : "is not to be trusted");
  return text;
}

/// The command line of these arguments, as the page shows it.
std::string commandOf(const ValidateArguments& arguments, const ValidationOptions& options) {
  std::string command = fmt::format("tactus validate {} --until {} --step {}", arguments.model,
                                    text::formatDuration(options.until_ns), text::formatDuration(options.step_ns));
  if (arguments.iterations > 0) command += fmt::format(" --iterations {}", arguments.iterations);
  if (arguments.wanted_ns > 0) command += " --for " + text::formatDuration(arguments.wanted_ns);
  command += commandOf(arguments.comparison);
  if (!arguments.initial.empty()) command += " --initial " + arguments.initial;
  if (!arguments.against.empty()) command += fmt::format(" --against {}", fmt::join(arguments.against, ","));
  return command;
}

Json named(const std::string& model, const Json& report) {
  Json all = {{"model", model}, {"build", madeBy()}};
  all.update(report);
  return all;
}

int validateModel(const ValidateArguments& arguments) {
  const std::optional<ModelDocument> document = openWithParameters(arguments.model, arguments.comparison);
  if (!document) return text::kExitUsage;
  const rt::Model model = rt::buildModel(document->spec);
  ValidationOptions options;
  options.step_ns = arguments.step_ns == 0 ? rt::chooseSettings(model).period_ns : arguments.step_ns;
  options.until_ns = arguments.until_ns;
  options.iterations = arguments.iterations;
  options.against = arguments.against;
  options.wanted_ns = arguments.wanted_ns;
  requireLonger(options.wanted_ns, "--until", options.until_ns);
  options.tolerances = tolerancesOf(arguments.comparison);
  options.budget_s = arguments.comparison.budget_s;
  options.initial_condition = arguments.initial;
  if (!arguments.comparison.inputs.empty())
    options.script = readInputSeriesFile(arguments.comparison.inputs, model, options.step_ns);

  requireWritableReport(arguments.report);
  const InterruptFlag interrupt(kInterruptGrace, lastWords("validate"));
  const ValidationReport report = validate(model, options, interrupt.flag(), progressOf("validate"));
  std::cout << (arguments.json ? text::jsonText(named(model.name, toJson(report))) : textOf(model, report));
  writeReport(arguments.report, [&] { return toHtml(model.name, {commandOf(arguments, options), madeOn()}, report); });
  // What references did not reach is not confirmed.
  return report.trusted ? text::kExitOk : text::kExitFinding;
}

}  // namespace

void addValidateCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("validate", "Compare the real-time solver with other methods and a reference");
  const auto a = std::make_shared<ValidateArguments>();
  addModelArgument(*command, a->model)->required();
  text::addDuration(*command, "--until", a->until_ns, "Simulated time to compare, e.g. 2s")->required();
  text::addPeriod(*command, "--step", a->step_ns, "Step of the real-time solver; default: the model's");
  command->add_option("--iterations", a->iterations, "Newton iterations of the real-time solver; default: the model's");
  command
      ->add_option("--against", a->against,
                   "Methods to compare at the same steps, separated by commas: NAME or NAME:KEY=VALUE")
      ->delimiter(',')
      ->capture_default_str();
  text::addDuration(*command, "--for", a->wanted_ns,
                    "Time of use, to which the growth of errors and energy is extrapolated; default: --until");
  addComparisonOptions(*command, a->comparison);
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  addReportOption(*command, a->report);
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, validateModel);
}

}  // namespace tactus::server
