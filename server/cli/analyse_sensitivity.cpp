// `tactus analyse sensitivity`: how signals depend on parameters along the ticks of a run.
#include "proto/text/above_zero.h"
#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "proto/text/table.h"
#include "rt/ali3p/extrapolation_limit.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/batch/input_series.h"
#include "server/batch/sensitivity.h"
#include "server/build_info.h"
#include "server/cli/analyse.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/matrix_file.h"
#include "server/cli/model_argument.h"
#include "server/cli/run.h"
#include "server/cli/subcommand.h"
#include "server/model_io/tuned_model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kProgressInterval{2};

struct SensitivityArguments {
  std::string model, initial, inputs, out, method = "linearized";
  std::vector<std::string> parameters, sets, signals;
  std::int64_t until_ns = 0, step_ns = 0, every = 1;
  double relative_step = 1e-3;
  bool json = false;
};

const rt::ParameterSpec& parameterOf(const ModelDocument& document, const std::string& name) {
  std::vector<std::string> names;
  for (const rt::ParameterSpec& parameter : document.spec.parameters) {
    if (parameter.name == name) return parameter;
    names.push_back(parameter.name);
  }
  const std::string nearest = rt::nearestName(name, names);
  throw Error("--parameters " + name + ": model '" + document.spec.name + "' has no such parameter" +
              (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

bool isAllowed(const ModelDocument& document, const rt::Model& model, const ParameterValue& value,
               const std::string& initial) {
  try {
    const TunedModel tuned = tuneModel(document.message, model, {value});
    rt::initialState(*tuned.model, rt::findInitialCondition(*tuned.model, initial));
    return true;
  } catch (const Error&) { return false; }
}

VariedParameter varied(const ModelDocument& document, const rt::Model& model, const rt::ParameterSpec& parameter,
                       const SensitivityArguments& arguments) {
  const double value = parameter.value.value_or(0);
  VariedParameter result{parameter.name, stepOf(value, arguments.relative_step), 0, {}};
  const bool above = isAllowed(document, model, {parameter.name, value + result.step}, arguments.initial);
  const bool below = isAllowed(document, model, {parameter.name, value - result.step}, arguments.initial);
  if (above != below) result.side = above ? 1 : -1;
  for (const double share : sharesOfRuns(result.side)) {
    const double there = value + share * result.step;
    try {
      result.models.push_back(*tuneModel(document.message, model, {{parameter.name, there}}).model);
    } catch (const ParameterError& error) {
      throw Error(fmt::format("--parameters {}: {} (a smaller --relative-step may do)", parameter.name, error.what()));
    }
  }
  return result;
}

std::vector<VariedParameter> variedParameters(const SensitivityArguments& arguments, const ModelDocument& document,
                                              const rt::Model& model) {
  std::vector<VariedParameter> parameters;
  for (const std::string& name : arguments.parameters) {
    for (const VariedParameter& before : parameters)
      if (before.name == name) throw Error("--parameters: '" + name + "' is there twice");
    parameters.push_back(varied(document, model, parameterOf(document, name), arguments));
  }
  return parameters;
}

SensitivityOptions optionsOf(const SensitivityArguments& arguments, const rt::Model& model) {
  SensitivityOptions options;
  options.settings = rt::chooseSettings(model, arguments.step_ns, {});
  rt::requireStableSteps(model, options.settings);
  options.ticks = stepsUntil(arguments.until_ns, options.settings.period_ns);
  options.every = arguments.every;
  if (options.ticks < options.every)
    throw Error(fmt::format("--every {}: the run has only {} steps", options.every, options.ticks));
  options.initial_condition = arguments.initial;
  if (!arguments.inputs.empty())
    options.script = readInputSeriesFile(arguments.inputs, model, options.settings.period_ns);
  options.signals = arguments.signals;
  options.linearized = arguments.method == "linearized";
  return options;
}

/// What is printed.
struct Findings {
  const SensitivityArguments& arguments;
  const ModelDocument& document;
  const std::vector<VariedParameter>& parameters;
  const SensitivityOptions& options;
  const SensitivityResult& result;
};

/// "rad/kg", "m/s/(N m)"; of a parameter that does not declare its unit "m per stiffness".
std::string perUnit(const std::string& own, const std::string& unit, const std::string& parameter) {
  if (unit.empty()) return own + " per " + parameter;
  if (unit == "1") return own;
  return own + (unit.find_first_of("/ ") == std::string::npos ? '/' + unit : "/(" + unit + ')');
}

std::string textOf(const Findings& f) {
  const SensitivityResult& result = f.result;
  std::string text =
      text::reportLine("model", "{}, {}", f.document.spec.name,
                       f.arguments.initial.empty() ? "from the declared state" : "from '" + f.arguments.initial + "'");
  text += text::reportLine("method", "{}; its error is {}", f.arguments.method,
                           f.options.linearized ? "how far differences of runs with the same step are from it"
                                                : "that of two differences of runs with the same step");
  text += text::reportLine("steps", "{} of {}, {} rows", f.options.ticks,
                           text::formatDuration(f.options.settings.period_ns), result.times.size());
  if (!f.arguments.out.empty())
    text += text::reportLine("written", "{0}/sensitivity.csv, {0}/error.csv, {0}/nominal.csv", f.arguments.out);
  text::Table table({"signal", "parameter", "at the end", "largest", "at s", "error", "unit"}, "llrrrrl");
  for (std::size_t s = 0; s < result.signals.size(); ++s)
    for (std::size_t p = 0; p < f.parameters.size(); ++p) {
      const Eigen::VectorXd values = result.values[p].col(static_cast<Eigen::Index>(s));
      Eigen::Index row = 0;
      values.cwiseAbs().maxCoeff(&row);
      const std::string& unit = parameterOf(f.document, f.parameters[p].name).unit;
      const std::string own = result.signals[s].unit.empty() ? "1" : result.signals[s].unit;
      table.add({result.signals[s].name, f.parameters[p].name, fmt::format("{:.8g}", values[values.size() - 1]),
                 fmt::format("{:.8g}", values[row]), fmt::format("{:g}", result.times[static_cast<std::size_t>(row)]),
                 fmt::format("{:.2g}", result.errors[p].col(static_cast<Eigen::Index>(s)).maxCoeff()),
                 perUnit(own, unit, f.parameters[p].name)});
    }
  return text + '\n' + table.text();
}

/// One list a row, of one value for each signal.
Json rowsOf(const Eigen::MatrixXd& table) {
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < table.rows(); ++r) {
    const Eigen::RowVectorXd row = table.row(r);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

Json jsonOf(const Findings& f) {
  Json json = {{"model", f.document.spec.name},
               {"build", madeBy()},
               {"method", f.arguments.method},
               {"period_ns", f.options.settings.period_ns},
               {"times", f.result.times}};
  json["signals"] = Json::array();
  for (const rt::Signal& signal : f.result.signals)
    json["signals"].push_back({{"name", signal.name}, {"unit", signal.unit}});
  json["nominal"] = rowsOf(f.result.nominal);
  json["parameters"] = Json::array();
  for (std::size_t p = 0; p < f.parameters.size(); ++p) {
    const rt::ParameterSpec& parameter = parameterOf(f.document, f.parameters[p].name);
    json["parameters"].push_back({{"name", parameter.name},
                                  {"unit", parameter.unit},
                                  {"value", parameter.value.value_or(0)},
                                  {"step", f.parameters[p].step},
                                  {"side", f.parameters[p].side},
                                  {"values", rowsOf(f.result.values[p])},
                                  {"errors", rowsOf(f.result.errors[p])}});
  }
  return json;
}

/// One row a time; columns "SIGNAL by PARAMETER".
void writeFiles(const Findings& f) {
  const std::string& folder = f.arguments.out;
  std::vector<std::string> times, signals, columns;
  for (const double t : f.result.times) times.push_back(fmt::format("{:.17g}", t));
  for (const rt::Signal& signal : f.result.signals) signals.push_back(signal.name);
  for (const VariedParameter& parameter : f.parameters)
    for (const std::string& signal : signals) columns.push_back(signal + " by " + parameter.name);
  const auto beside = [&](const std::vector<Eigen::MatrixXd>& tables) {
    Eigen::MatrixXd all(f.result.nominal.rows(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t p = 0; p < tables.size(); ++p)
      all.middleCols(static_cast<Eigen::Index>(p * signals.size()), tables[p].cols()) = tables[p];
    return all;
  };
  writeMatrix(folder + "/sensitivity.csv", "t", times, columns, beside(f.result.values));
  writeMatrix(folder + "/error.csv", "t", times, columns, beside(f.result.errors));
  writeMatrix(folder + "/nominal.csv", "t", times, signals, f.result.nominal);
}

int findSensitivity(const SensitivityArguments& arguments) {
  std::optional<ModelDocument> document = openValidModel(arguments.model);
  if (!document) return text::kExitUsage;
  if (!arguments.sets.empty()) {
    *document = withParameters(*document, arguments.sets);
    printFindings(*document, arguments.model);
    if (!document->valid()) return text::kExitUsage;
  }
  const rt::Model model = rt::buildModel(document->spec);
  const std::vector<VariedParameter> parameters = variedParameters(arguments, *document, model);
  SensitivityOptions options = optionsOf(arguments, model);
  if (!arguments.out.empty()) requireFolder(arguments.out);
  auto reported = std::chrono::steady_clock::now();
  options.progress = [&](double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - reported < kProgressInterval) return;
    reported = now;
    std::cerr << fmt::format("tactus analyse sensitivity: {:.0f} %\n", 100 * share);
  };
  const InterruptFlag interrupt;
  const SensitivityResult result = sensitivityOf(model, parameters, options, interrupt.flag());
  const Findings findings{arguments, *document, parameters, options, result};
  if (!arguments.out.empty()) writeFiles(findings);
  std::cout << (arguments.json ? text::jsonText(jsonOf(findings)) : textOf(findings));
  return text::kExitOk;
}

}  // namespace

void addSensitivityCommand(CLI::App& analyse, int& exit_code) {
  CLI::App* command = analyse.add_subcommand(
      "sensitivity", "Derivatives of signals with respect to parameters of the model along a run");
  const auto a = std::make_shared<SensitivityArguments>();
  addModelArgument(*command, a->model)->required();
  command->add_option("--parameters", a->parameters, "Parameters of the model, separated by commas")
      ->delimiter(',')
      ->required();
  text::addDuration(*command, "--until", a->until_ns, "Simulated time, e.g. 2s")->required();
  text::addPeriod(*command, "--step", a->step_ns, "Step, e.g. 1ms or 500Hz; default: the model's");
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  command->add_option("--set", a->sets, "Value of a parameter about which to differentiate, NAME=VALUE; repeatable");
  command->add_option("--inputs", a->inputs, "CSV of inputs: t and actuator names; a row holds until the next one");
  command->add_option("--signals", a->signals, "Names and globs of signals; default: the sensors")->delimiter(',');
  command->add_option("--every", a->every, "A row at every n-th step, and at the last one")
      ->check(text::aboveZero())
      ->capture_default_str();
  command
      ->add_option("--method", a->method,
                   "linearized: the equations, linearized at each step; differences: of runs with other values")
      ->check(CLI::IsMember({"linearized", "differences"}))
      ->capture_default_str();
  command
      ->add_option("--relative-step", a->relative_step,
                   "Step of a parameter over its magnitude; the step itself where the parameter is 0")
      ->check(CLI::Range(1e-12, 0.999))
      ->capture_default_str();
  command->add_option("--out", a->out, "Folder for sensitivity.csv, error.csv and nominal.csv");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, findSensitivity);
}

}  // namespace tactus::server
