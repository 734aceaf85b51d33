#include "server/cli/validate.h"

#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"
#include "rt/ali3p/settings.h"
#include "rt/error.h"
#include "server/build_info.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/model_argument.h"
#include "server/cli/report_file.h"
#include "server/cli/subcommand.h"
#include "server/report/validation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  std::string model, initial, report;
  std::int64_t until_ns = 0, step_ns = 0;  // a step of 0: the model's
  std::vector<std::string> against = {"newmark-tangent", "lms2", "mcs-qr"};
  int iterations = 0;
  double tolerance = 1e-3;
  bool json = false;
};

Json toJson(const rt::Model& model, const ValidationReport& report) {
  Json rows = Json::array(), signals = Json::array();
  for (const ValidationRow& row : report.rows)
    rows.push_back({{"method", row.method},
                    {"step_ns", row.step_ns},
                    {"position_error", row.position_error},
                    {"rotation_error", row.rotation_error},
                    {"velocity_error", row.velocity_error},
                    {"order", row.order},
                    {"energy_drift", row.energy_drift},
                    {"constraint_position", row.worst_position},
                    {"constraint_velocity", row.worst_velocity},
                    {"constraint_acceleration", row.worst_acceleration},
                    {"iterations_a_step", row.iterations_a_step},
                    {"steps", row.steps},
                    {"wall_time", row.wall_seconds},
                    {"failure", row.failure}});
  for (const SignalError& e : report.signals) {
    Json errors = Json::object();
    for (std::size_t i = 0; i < e.errors.size(); ++i) errors[report.compared[i]] = e.errors[i];
    signals.push_back({{"name", e.name}, {"unit", e.unit}, {"size", e.size}, {"errors", errors}});
  }
  return {{"model", model.name},
          {"trusted", report.trusted},
          {"reasons", report.reasons},
          {"reference", report.reference},
          {"reference_error", report.reference_error},
          {"rows", rows},
          {"signals", signals},
          {"t", report.t},
          {"position_error", report.position_error},
          {"energy_drift", report.energy_drift},
          {"spectrum",
           {{"frequency", report.spectrum.frequency},
            {"amplitude", report.spectrum.amplitude},
            {"dominant", report.spectrum.dominant},
            {"fast_share", report.spectrum.fast_share}}},
          {"interrupted", report.interrupted}};
}

/// The signals with the largest errors of the real-time solver, relative to their size.
std::vector<const SignalError*> worstSignals(const rt::Model& model, const ValidationReport& report) {
  constexpr std::size_t kShown = 8;
  constexpr double kSmall = 1e-6;  // below this share of the largest signal with its unit a signal is round-off
  std::map<std::string, double> largest;
  for (const SignalError& e : report.signals) largest[e.unit] = std::max(largest[e.unit], e.size);
  // Torques of a planar mechanism are all round-off of its forces.
  largest["N m"] = std::max(largest["N m"], model.length * largest["N"]);
  std::vector<const SignalError*> worst;
  for (const SignalError& e : report.signals)
    if (!e.errors.empty() && e.size > kSmall * largest[e.unit]) worst.push_back(&e);
  std::sort(worst.begin(), worst.end(), [](const SignalError* a, const SignalError* b) {
    return a->errors.front() / a->size > b->errors.front() / b->size;
  });
  worst.resize(std::min(worst.size(), kShown));
  return worst;
}

std::string signalText(const rt::Model& model, const ValidationReport& report) {
  const std::vector<const SignalError*> worst = worstSignals(model, report);
  if (worst.empty()) return "";
  std::vector<std::string> head{"signal", "unit", "size"};
  head.insert(head.end(), report.compared.begin(), report.compared.end());
  text::Table table(head, "l" + std::string(head.size() - 1, 'r'));
  for (const SignalError* e : worst) {
    std::vector<std::string> row{e->name, e->unit, fmt::format("{:.3g}", e->size)};
    for (const double error : e->errors) row.push_back(fmt::format("{:.3g}", error));
    table.add(row);
  }
  std::string text = "largest errors of a signal, relative to its size (--json and --report show every signal)\n";
  text += table.text();
  if (report.spectrum.dominant > 0)
    text += fmt::format(
        "position errors vary most at {:.3g} Hz; {:.2g} % of their square is above half the highest "
        "frequency\n",
        report.spectrum.dominant, 100 * report.spectrum.fast_share);
  return text + '\n';
}

std::string textOf(const rt::Model& model, const ValidationReport& report) {
  text::Table table(
      {"method", "step", "position m", "rotation", "velocity", "order", "energy J", "constraint", "time s"},
      "lrrrrrrrr");
  std::string failures;
  for (const ValidationRow& row : report.rows) {
    if (!row.failure.empty()) failures += fmt::format("{} failed: {}\n", row.method, row.failure);
    if (row.steps == 0) {
      table.add({row.method, "failed"});
      continue;
    }
    table.add({row.method, text::formatDuration(row.step_ns), fmt::format("{:.3g}", row.position_error),
               fmt::format("{:.3g}", row.rotation_error), fmt::format("{:.3g}", row.velocity_error),
               row.order != 0 ? fmt::format("{:.2f}", row.order) : "", fmt::format("{:.3g}", row.energy_drift),
               fmt::format("{:.1e}", row.worst_position), fmt::format("{:.3g}", row.wall_seconds)});
  }
  std::string text = fmt::format("{} against {} (uncertain by {:.2g} m)\n\n{}{}\n{}", model.name, report.reference,
                                 report.reference_error, table.text(), failures, signalText(model, report));
  for (const std::string& reason : report.reasons) text += reason + '\n';
  if (!report.interrupted)
    text +=
        fmt::format("verdict: the real-time result {}\n", report.trusted ? "can be trusted" : "is not to be trusted");
  return text;
}

/// The command line of these arguments, as the page shows it.
std::string commandOf(const ValidateArguments& arguments, const ValidationOptions& options) {
  std::string command = fmt::format("tactus validate {} --until {} --step {}", arguments.model,
                                    text::formatDuration(options.until_ns), text::formatDuration(options.step_ns));
  if (arguments.iterations > 0) command += fmt::format(" --iterations {}", arguments.iterations);
  command += fmt::format(" --tol {:g}", arguments.tolerance);
  if (!arguments.initial.empty()) command += " --initial " + arguments.initial;
  if (!arguments.against.empty()) command += fmt::format(" --against {}", fmt::join(arguments.against, ","));
  return command + "   " + madeBy();
}

int validateModel(const ValidateArguments& arguments) {
  const std::optional<ModelDocument> document = openValidModel(arguments.model);
  if (!document) return text::kExitUsage;
  const rt::Model model = rt::buildModel(document->spec);
  ValidationOptions options;
  options.step_ns = arguments.step_ns == 0 ? rt::chooseSettings(model).period_ns : arguments.step_ns;
  options.until_ns = arguments.until_ns;
  options.iterations = arguments.iterations;
  options.against = arguments.against;
  options.tolerance = arguments.tolerance;
  options.initial_condition = arguments.initial;

  createReport(arguments.report);
  const InterruptFlag interrupt;
  const ValidationReport report = validate(model, options, interrupt.flag(), progressOf("validate"));
  std::cout << (arguments.json ? text::jsonText(toJson(model, report)) : textOf(model, report));
  writeReport(arguments.report, [&] { return toHtml(model.name, commandOf(arguments, options), report); });
  return report.trusted ? text::kExitOk : text::kExitFinding;
}

}  // namespace

void addValidateCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("validate", "Compare the real-time solver with other methods and a reference");
  const auto a = std::make_shared<ValidateArguments>();
  addModelArgument(*command, a->model)->required();
  text::addDuration(*command, "--until", a->until_ns, "Simulated time, e.g. 2s")->required();
  text::addPeriod(*command, "--step", a->step_ns, "Step of the real-time solver; default: the model's");
  command->add_option("--iterations", a->iterations, "Newton iterations of the real-time solver; default: the model's");
  command
      ->add_option("--against", a->against,
                   "Methods to compare at the same steps, separated by commas: NAME or NAME:KEY=VALUE")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--tol", a->tolerance, "Largest trusted position error, relative to the length of the model")
      ->check(CLI::Range(1e-9, 1.0))
      ->capture_default_str();
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  addReportOption(*command, a->report);
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, validateModel);
}

}  // namespace tactus::server
