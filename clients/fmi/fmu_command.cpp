#include "clients/fmi/fmu_command.h"

#include "clients/fmi/check.h"
#include "clients/fmi/export.h"
#include "proto/text/duration_option.h"
#include "proto/text/exit_code.h"
#include "rt/ali3p/settings.h"
#include "server/model_io/solver_setting.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace tactus::fmi {
namespace {

struct ExportArguments {
  std::string model, out;
  std::vector<std::string> sets;
  ExportOptions options;
};

/// @throws Error for a name in --set that is neither a parameter nor a setting of the solver
void requireKnownNames(const std::vector<std::string>& sets, const std::vector<rt::ParameterSpec>& parameters) {
  std::vector<std::string> settings;
  rt::forEachSetting([&](const rt::SettingInfo& info, auto) { settings.emplace_back(info.name); });
  server::requireKnown(sets, "the solver", settings, "ali3p", parameters);
}

/// Moves the changes of solver settings out of the list of --set; what is left are parameters.
std::vector<std::pair<std::string, double>> takeSettings(const std::vector<rt::ParameterSpec>& parameters,
                                                         std::vector<std::string>& sets) {
  std::vector<std::pair<std::string, double>> settings;
  std::erase_if(sets, [&](const std::string& set) {
    const bool is_parameter = std::any_of(parameters.begin(), parameters.end(), [&](const rt::ParameterSpec& known) {
      return known.name == set.substr(0, set.find('='));
    });
    if (is_parameter) return false;
    const rt::SettingChange change = server::parseSolverSetting(set);
    settings.emplace_back(change.name, change.value);
    return true;
  });
  return settings;
}

int exportModel(ExportArguments arguments) {
  if (!arguments.out.ends_with(".fmu"))
    throw Error("--out " + arguments.out + ": importers know a unit by its name; let it end in .fmu");
  server::ModelDocument document = server::openModel(arguments.model);
  if (document.valid()) {
    requireKnownNames(arguments.sets, document.spec.parameters);
    arguments.options.settings = takeSettings(document.spec.parameters, arguments.sets);
    document = server::withParameters(document, arguments.sets);
  }
  for (const server::LocatedFinding& finding : document.findings)
    std::cerr << server::toString(finding, arguments.model) << '\n';
  if (!document.valid()) return text::kExitUsage;
  const ExportReport report = exportUnit(document, arguments.options, arguments.out);
  std::cout << arguments.out << ": FMI " << arguments.options.version << ", " << report.inputs << " inputs, "
            << report.parameters << " parameters, " << report.outputs << " outputs and the state hash, step "
            << report.period << " s, token " << report.token << '\n';
  if (report.outputs == 0) std::cout << "the model has no sensors; --signals 'NAME,GLOB' adds outputs\n";
  return text::kExitOk;
}

struct CheckArguments {
  std::string file;
  CheckOptions options;
  std::int64_t step_ns = 0;
  bool json = false;
};

void printJson(const CheckReport& report) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const UnitFinding& finding : report.findings)
    findings.push_back({{"severity", finding.is_error ? "error" : "warning"}, {"text", finding.text}});
  const nlohmann::ordered_json json = {{"name", report.name},
                                       {"fmi", report.version},
                                       {"step", report.step},
                                       {"median_step_ns", report.median_step_ns},
                                       {"longest_step_ns", report.longest_step_ns},
                                       {"state_hash", report.state_hash},
                                       {"same_bits", report.same_bits},
                                       {"findings", findings}};
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

int checkFile(CheckArguments arguments) {
  arguments.options.step = static_cast<double>(arguments.step_ns) * 1e-9;
  const CheckReport report = checkUnit(arguments.file, arguments.options);
  if (arguments.json) {
    printJson(report);
  } else {
    for (const UnitFinding& finding : report.findings)
      std::cout << arguments.file << ": " << (finding.is_error ? "error: " : "warning: ") << finding.text << '\n';
    if (!report.hasErrors())
      std::cout << arguments.file << ": " << report.name << ", FMI " << report.version << ", "
                << arguments.options.steps << " steps of " << report.step << " s, median "
                << report.median_step_ns / 1000 << " us, longest " << report.longest_step_ns / 1000 << " us\n";
    if (!report.state_hash.empty())
      std::cout << "state hash: " << report.state_hash
                << (report.same_bits ? ", that of the engine of this program\n" : "\n");
  }
  return report.hasErrors() ? text::kExitFinding : text::kExitOk;
}

void addCheckCommand(CLI::App& fmu, int& exit_code) {
  CLI::App* command = fmu.add_subcommand(
      "check", "Unpack an FMU of any origin, check its description and symbols, and run it in a process of its own");
  const auto a = std::make_shared<CheckArguments>();
  command->add_option("FILE", a->file, "The FMU: FMI 2.0 or 3.0, for co-simulation")
      ->required()
      ->check(CLI::ExistingFile);
  text::addPeriod(*command, "--step", a->step_ns, "Communication step, e.g. 1ms; default: the unit's");
  command->add_option("--steps", a->options.steps, "Steps of each run")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  text::addDuration(*command, "--call-limit", a->options.call_limit_ns, "A call that takes longer counts as hung");
  command->add_flag("--json", a->json, "Print one JSON object");
  command->callback([a, &exit_code] { exit_code = checkFile(*a); });
}

}  // namespace

void addFmuCommand(CLI::App& app, int& exit_code, const std::string& tool) {
  CLI::App* fmu = app.add_subcommand("fmu", "Export models as FMUs (FMI 2.0 or 3.0), and check any FMU");
  fmu->require_subcommand(1);
  CLI::App* command = fmu->add_subcommand("export", "Write a model as an FMU for co-simulation");
  addCheckCommand(*fmu, exit_code);
  const auto a = std::make_shared<ExportArguments>();
  a->options.tool = tool;
  command->add_option("MODEL", a->model, "Built-in model, or a .json or .txtpb file")->required();
  command->add_option("--out", a->out, "File to write, .fmu")->required();
  command->add_option("--fmi", a->options.version, "Version of FMI: 2 or 3")
      ->check(CLI::IsMember({2, 3}))
      ->capture_default_str();
  command->add_option("--signals", a->options.signals, "Names and globs of outputs besides the sensors")
      ->delimiter(',');
  text::addPeriod(*command, "--step", a->options.period_ns, "Internal step, e.g. 1ms; default: the model's");
  command->add_flag("--derivatives", a->options.derivatives,
                    "Offer directional derivatives of outputs with respect to inputs; outputs then depend on inputs");
  command->add_option("--initial", a->options.initial_condition, "Named initial condition of the model");
  command->add_option("--set", a->sets, "Parameter of the model NAME=VALUE, or setting of the solver KEY=VALUE");
  command->callback([a, &exit_code] {
    try {
      exit_code = exportModel(*a);
    } catch (const Error& error) {
      std::cerr << "tactus fmu export: " << error.what() << '\n';
      exit_code = text::kExitUsage;
    }
  });
}

}  // namespace tactus::fmi
