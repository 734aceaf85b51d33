#include "server/cli/validate.h"

#include "proto/text/duration_option.h"
#include "rt/ali3p/settings.h"
#include "rt/error.h"
#include "server/build_info.h"
#include "server/cli/exit_code.h"
#include "server/models/built_in_models.h"
#include "server/report/report_page.h"
#include "server/report/validation_page.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

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

std::atomic<bool> interrupted{false};
void interrupt(int) {
  interrupted.store(true);
}

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

/// The signals whose errors are the largest parts of what they measure, of the real-time solver.
void printSignals(const rt::Model& model, const ValidationReport& report) {
  constexpr std::size_t kShown = 8;
  constexpr double kSmall = 1e-6;  // what is below this share of all that has its unit is round-off
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
  if (worst.empty()) return;
  std::printf("largest errors of a signal, relative to its size (all of them: --json, --report)\n%-26s %8s %11s",
              "signal", "unit", "size");
  for (const std::string& method : report.compared) std::printf(" %15s", method.substr(0, 15).c_str());
  std::printf("\n");
  for (const SignalError* e : worst) {
    std::printf("%-26s %8s %11.3g", e->name.c_str(), e->unit.c_str(), e->size);
    for (const double error : e->errors) std::printf(" %15.3g", error);
    std::printf("\n");
  }
  if (report.spectrum.dominant > 0)
    std::printf("errors of positions vary most at %.3g Hz; %.2g %% of their square is fast\n", report.spectrum.dominant,
                100 * report.spectrum.fast_share);
  std::printf("\n");
}

void printTable(const rt::Model& model, const ValidationReport& report) {
  std::printf("%s against %s (uncertain by %.2g m)\n\n", model.name.c_str(), report.reference.c_str(),
              report.reference_error);
  std::printf("%-18s %9s %11s %11s %11s %6s %11s %10s %9s\n", "method", "step", "position m", "rotation", "velocity",
              "order", "energy J", "constraint", "time s");
  for (const ValidationRow& row : report.rows) {
    if (row.steps == 0) {
      std::printf("%-18s %s\n", row.method.c_str(), row.failure.c_str());
      continue;
    }
    std::printf("%-18s %9s %11.3g %11.3g %11.3g ", row.method.c_str(), text::formatDuration(row.step_ns).c_str(),
                row.position_error, row.rotation_error, row.velocity_error);
    row.order != 0 ? std::printf("%6.2f", row.order) : std::printf("%6s", "");
    std::printf(" %11.3g %10.1e %9.3g%s\n", row.energy_drift, row.worst_position, row.wall_seconds,
                row.failure.empty() ? "" : "  failed");
    if (!row.failure.empty()) std::printf("    %s\n", row.failure.c_str());
  }
  std::printf("\n");
  printSignals(model, report);
  for (const std::string& reason : report.reasons) std::printf("%s\n", reason.c_str());
  if (report.interrupted) return;
  std::printf("verdict: the real-time result %s\n", report.trusted ? "can be trusted" : "is not to be trusted");
}

int validateModel(const ValidateArguments& arguments) {
  const ModelDocument document = openModel(arguments.model);
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, arguments.model) << '\n';
  if (!document.valid()) return kExitUsage;
  const rt::Model model = rt::buildModel(document.spec);
  ValidationOptions options;
  options.step_ns = arguments.step_ns == 0 ? rt::chooseSettings(model).period_ns : arguments.step_ns;
  options.until_ns = arguments.until_ns;
  options.iterations = arguments.iterations;
  options.against = arguments.against;
  options.tolerance = arguments.tolerance;
  options.initial_condition = arguments.initial;

  if (!arguments.report.empty()) writePage(arguments.report, "");  // a file that cannot be written is known at once
  interrupted.store(false);
  const auto previous = std::signal(SIGINT, interrupt);
  const ValidationReport report = validate(
      model, options, interrupted, [](const std::string& what) { std::cerr << "tactus validate: " << what << '\n'; });
  std::signal(SIGINT, previous);
  arguments.json ? void(std::cout << toJson(model, report).dump(2, ' ', false, Json::error_handler_t::replace) << '\n')
                 : printTable(model, report);
  if (!arguments.report.empty()) {
    std::ostringstream command;
    command << "tactus validate " << arguments.model << " --until " << text::formatDuration(options.until_ns)
            << " --step " << text::formatDuration(options.step_ns);
    if (arguments.iterations > 0) command << " --iterations " << arguments.iterations;
    command << " --tol " << arguments.tolerance;
    if (!arguments.initial.empty()) command << " --initial " << arguments.initial;
    for (std::size_t i = 0; i < arguments.against.size(); ++i)
      command << (i == 0 ? " --against " : ",") << arguments.against[i];
    command << "   " << madeBy();
    writePage(arguments.report, toHtml(model.name, command.str(), report));
  }
  return report.trusted ? kExitOk : kExitFinding;
}

}  // namespace

void addValidateCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("validate", "Compare the real-time solver with other methods and a reference");
  const auto a = std::make_shared<ValidateArguments>();
  command->add_option("MODEL", a->model, "A built-in model, or a .json or .txtpb file")->required();
  text::addDuration(*command, "--until", a->until_ns, "Simulated time, e.g. 2s")->required();
  text::addPeriod(*command, "--step", a->step_ns, "Step of the real-time solver; default: the model's");
  command->add_option("--iterations", a->iterations, "Its Newton iterations; default: the model's");
  command
      ->add_option("--against", a->against,
                   "Methods beside it, at the same steps: NAME or NAME:KEY=VALUE, comma between")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--tol", a->tolerance, "Largest position error that is trusted, relative to the model's length")
      ->check(CLI::Range(1e-9, 1.0))
      ->capture_default_str();
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  command->add_option("--report", a->report, "Write one self-contained HTML page");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &exit_code] {
    try {
      exit_code = validateModel(*a);
    } catch (const Error& error) {
      std::cerr << "tactus validate: " << error.what() << '\n';
      exit_code = kExitUsage;
    }
  });
}

}  // namespace tactus::server
