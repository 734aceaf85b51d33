#include "clients/fmi/fmu_command.h"

#include "clients/fmi/export.h"
#include "proto/text/duration_option.h"
#include "proto/text/exit_code.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"

#include <CLI/CLI.hpp>

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

/// Moves the changes of solver settings out of the list of --set; what is left are parameters.
std::vector<std::pair<std::string, double>> takeSettings(const std::vector<rt::ParameterSpec>& parameters,
                                                         std::vector<std::string>& sets) {
  std::vector<std::pair<std::string, double>> settings;
  std::erase_if(sets, [&](const std::string& set) {
    const server::ParameterValue value = server::parseParameter(set);
    const bool is_parameter = std::any_of(parameters.begin(), parameters.end(),
                                          [&](const rt::ParameterSpec& known) { return known.name == value.name; });
    if (!is_parameter) settings.emplace_back(value.name, value.value);
    return !is_parameter;
  });
  return settings;
}

int exportModel(ExportArguments arguments) {
  server::ModelDocument document = server::openModel(arguments.model);
  if (document.valid()) {
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

}  // namespace

void addFmuCommand(CLI::App& app, int& exit_code, const std::string& tool) {
  CLI::App* fmu = app.add_subcommand("fmu", "Models as units of FMI (FMUs)");
  fmu->require_subcommand(1);
  CLI::App* command = fmu->add_subcommand("export", "Write a model as an FMU for co-simulation");
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
