#include "server/cli/model.h"

#include "proto/text/duration.h"
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/extrapolation_limit.h"
#include "rt/ali3p/settings.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/batch/iteration_trial.h"
#include "server/cli/model_argument.h"
#include "server/cli/model_import.h"
#include "server/cli/model_import_tyre.h"
#include "server/cli/model_reduce.h"
#include "server/cli/plan_text.h"
#include "server/cli/subcommand.h"
#include "server/cli/tyre_curves.h"
#include "server/models/built_in_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

// ---- check ----

/// How far a declared initial state is from a consistent one.
struct StartReport {
  std::string initial_condition;  ///< empty for the state that the bodies declare
  std::optional<rt::AssemblyResult> assembly;
  std::string error;  ///< why there is no consistent state
};

struct CheckReport {
  ModelDocument document;
  std::optional<rt::Model> model;
  std::vector<StartReport> starts;
  std::optional<rt::DegreesOfFreedom> freedoms;  ///< at the declared state, of models that are not too large to count
  std::optional<IterationTrial> trial{};         ///< of models with compliant rows or force elements
  rt::Settings settings{};                       ///< those of the trial

  bool valid() const {
    for (const StartReport& start : starts)
      if (!start.assembly) return false;
    return model.has_value() && document.valid();
  }
};

StartReport assemble(const rt::Model& model, std::size_t i) {
  StartReport start{model.initial_conditions[i].name, std::nullopt, ""};
  try {
    start.assembly = rt::initialState(model, static_cast<int>(i));
  } catch (const Error& error) { start.error = error.what(); }
  return start;
}

/// Bodies up to which the rank of the constraints is worked out, densely.
constexpr int kMaxCountedBodies = 200;

CheckReport check(const std::string& name) {
  CheckReport report{openModel(name), std::nullopt, {}, std::nullopt};
  if (!report.document.valid()) return report;
  report.model = rt::buildModel(report.document.spec);
  for (std::size_t i = 0; i < report.model->initial_conditions.size(); ++i)
    report.starts.push_back(assemble(*report.model, i));
  if (!report.starts.front().assembly) return report;
  report.settings = rt::chooseSettings(*report.model);
  if (const auto finding = rt::findAmplified(*report.model, report.settings)) {
    report.document.findings.push_back({*finding, 0, 0});
  } else if (!report.model->compliant_laws.empty() || rt::hasForceElements(*report.model)) {
    report.trial = tryIterations(*report.model, report.settings);
    if (const auto few = findUnconverged(*report.trial, report.settings))
      report.document.findings.push_back({*few, 0, 0});
  }
  if (report.model->bodyCount() <= kMaxCountedBodies)
    report.freedoms = rt::countDegreesOfFreedom(*report.model, report.starts.front().assembly->state);
  return report;
}

std::string contents(const rt::ModelSpec& spec) {
  std::string text =
      text::counted(spec.bodies.size(), "body", "bodies") + ", " + text::counted(spec.joints.size(), "joint", "joints");
  if (!spec.forces.empty()) text += ", " + text::counted(spec.forces.size(), "force", "forces");
  if (!spec.drives.empty()) text += ", " + text::counted(spec.drives.size(), "drive", "drives");
  if (!spec.composites.empty()) text += ", " + text::counted(spec.composites.size(), "composite", "composites");
  return text;
}

std::size_t countErrors(const ModelDocument& document) {
  std::size_t errors = 0;
  for (const LocatedFinding& f : document.findings) errors += f.finding.severity == rt::Severity::kError ? 1 : 0;
  return errors;
}

/// "the declared state" or "initial condition spinning".
std::string nameOf(const StartReport& start) {
  return start.initial_condition.empty() ? "the declared state" : "initial condition " + start.initial_condition;
}

std::string textOf(const StartReport& start, const std::string& name) {
  if (!start.assembly) return fmt::format("{}: {}: {}\n", name, nameOf(start), start.error);
  // Corrections at the level of round-off are not worth a line.
  constexpr double kRoundOff = 1e-12;
  const rt::AssemblyResult& a = *start.assembly;
  if (a.position_correction <= kRoundOff && a.velocity_correction <= kRoundOff) return "";
  return fmt::format(
      "{}: note: {} violates the constraints by {:g} (position) and {:g} (velocity); assembly moves a body by {:g} m "
      "or "
      "rad and changes a velocity by {:g} m/s or rad/s\n",
      name, nameOf(start), a.position_violation, a.velocity_violation, a.position_correction, a.velocity_correction);
}

/// The rows of a model, the compliant ones apart where it has some, and its bodies where composites add some.
std::string rowsOf(const CheckReport& report) {
  const rt::Model& model = *report.model;
  const int rigid = report.freedoms ? report.freedoms->rows : model.rows;
  std::string text = rigid == model.rows ? text::counted(model.rows, "row", "rows")
                                         : fmt::format("{} rigid and {} compliant rows", rigid, model.rows - rigid);
  if (model.bodies.size() != report.document.spec.bodies.size())
    text += fmt::format(", {} bodies with the parts of composites", model.bodies.size());
  return text;
}

std::string textOf(const CheckReport& report, const std::string& name) {
  const ModelDocument& document = report.document;
  std::string text;
  for (const LocatedFinding& finding : document.findings) text += toString(finding, name) + '\n';
  for (const StartReport& start : report.starts) text += textOf(start, name);

  // A text that could not be read to its end has no contents to count.
  const std::size_t errors = countErrors(document);
  const std::size_t warnings = document.findings.size() - errors;
  text += fmt::format("{}: {}: ", name, report.valid() ? "valid" : "invalid");
  if (errors > 0) text += text::counted(errors, "error", "errors") + ", ";
  if (warnings > 0) text += text::counted(warnings, "warning", "warnings") + ", ";
  text += document.complete ? contents(document.spec) : "not read to the end";
  if (report.model) {
    text += fmt::format(", {}, {}, {}", rowsOf(report),
                        text::counted(report.model->actuators.size(), "actuator", "actuators"),
                        text::counted(report.model->sensors.size(), "sensor", "sensors"));
  }
  if (report.freedoms) {
    const rt::DegreesOfFreedom& f = *report.freedoms;
    text += fmt::format(", rank {}, {}", f.rank, text::counted(f.count, "freedom", "freedoms"));
    if (f.redundant > 0) text += fmt::format(", {} redundant", text::counted(f.redundant, "row", "rows"));
    // As the papers count: seven coordinates for each body, and the norm of its Euler parameters among the constraints.
    const auto bodies = report.model->bodies.size();
    text += fmt::format("; with Euler parameters {} coordinates, {}", 7 * bodies,
                        text::counted(f.rows + bodies, "constraint", "constraints"));
  }
  // Where the steps do not converge, the finding says so.
  if (report.trial && report.trial->ok && report.trial->not_converged == 0)
    text += fmt::format("; the first {} steps of {} converge with {}", report.trial->steps,
                        text::formatDuration(report.settings.period_ns),
                        text::counted(report.settings.iterations, "iteration", "iterations"));
  return text + '\n';
}

Json toJson(const LocatedFinding& located) {
  const rt::Finding& f = located.finding;
  return {{"severity", f.severity == rt::Severity::kError ? "error" : "warning"},
          {"file", located.file},
          {"line", located.line},
          {"column", located.column},
          {"path", f.path},
          {"value", f.value},
          {"rule", f.rule},
          {"hint", f.hint}};
}

Json toJson(const StartReport& start) {
  Json json = {{"initial_condition", start.initial_condition}, {"consistent", start.assembly.has_value()}};
  if (!start.assembly) {
    json["error"] = start.error;
    return json;
  }
  json["position_violation"] = start.assembly->position_violation;
  json["velocity_violation"] = start.assembly->velocity_violation;
  json["position_correction"] = start.assembly->position_correction;
  json["velocity_correction"] = start.assembly->velocity_correction;
  return json;
}

std::string jsonOf(const CheckReport& report, const std::string& name) {
  const rt::ModelSpec& spec = report.document.spec;
  Json json = {{"file", name},
               {"valid", report.valid()},
               {"findings", Json::array()},
               {"name", spec.name},
               {"bodies", spec.bodies.size()},
               {"joints", spec.joints.size()},
               {"forces", spec.forces.size()},
               {"drives", spec.drives.size()},
               {"actuators", spec.actuators.size()},
               {"sensors", spec.sensors.size()}};
  for (const LocatedFinding& finding : report.document.findings) json["findings"].push_back(toJson(finding));
  if (report.model) {
    json["rows"] = report.model->rows;
    if (report.freedoms) {
      json["rigid_rows"] = report.freedoms->rows;
      json["rank"] = report.freedoms->rank;
      json["freedoms"] = report.freedoms->count;
      json["redundant_rows"] = report.freedoms->redundant;
    }
    if (report.trial)
      json["iterations"] = {{"given", report.settings.iterations},
                            {"needed", report.trial->needed},
                            {"period_ns", report.settings.period_ns},
                            {"steps", report.trial->steps},
                            {"not_converged", report.trial->not_converged}};
    json["initial_states"] = Json::array();
    for (const StartReport& start : report.starts) json["initial_states"].push_back(toJson(start));
  }
  return text::jsonText(json);
}

struct CheckArguments {
  std::string model;
  bool json = false;
};

int runCheck(const CheckArguments& arguments) {
  const CheckReport report = check(arguments.model);
  std::cout << (arguments.json ? jsonOf(report, arguments.model) : textOf(report, arguments.model));
  return report.valid() ? text::kExitOk : text::kExitUsage;
}

// ---- print ----

/// Writes out the free length of a spring that leaves it open and gets it from no input.
template <typename Kind>
void resolveFreeLength(const rt::Model& model, const std::string& name, Kind& kind) {
  if constexpr (requires { kind.free_length = 1.0; }) {
    // The spring among the parts of a composite with several.
    for (const std::string& part : {name, name + ".spring"}) {
      const auto found = std::find(model.joint_names.begin(), model.joint_names.end(), part);
      if (found == model.joint_names.end()) continue;
      const rt::Joint& joint = model.joints[static_cast<std::size_t>(found - model.joint_names.begin())];
      const rt::CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
      if (law.free_input < 0) kind.free_length = law.rest[0];
    }
  }
}

/// The description with everything said that follows from it: lengths of distances and springs, units of actuators, the
/// iteration count.
void resolve(rt::ModelSpec& spec) {
  const rt::Model model = rt::buildModel(spec);
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const auto primitive = static_cast<std::size_t>(model.joints[i].first_primitive);
    if (auto* distance = std::get_if<rt::DistanceSpec>(&spec.joints[i].kind))
      distance->length = model.primitives[primitive].length;
  }
  const auto resolveAll = [&model](auto& elements) {
    for (auto& element : elements)
      std::visit([&](auto& kind) { resolveFreeLength(model, element.name, kind); }, element.kind);
  };
  resolveAll(spec.forces);
  resolveAll(spec.composites);
  const rt::SignalDirectory signals(model);
  for (rt::ActuatorSpec& actuator : spec.actuators)
    actuator.unit = signals.signals()[static_cast<std::size_t>(signals.find(actuator.name))].unit;
  spec.solver.iterations = rt::chooseSettings(model).iterations;
}

struct PrintArguments {
  std::string model;
  bool text = false, json = false, plan = false, dot = false;
};

std::string planOf(const rt::Model& model, const PrintArguments& arguments) {
  const rt::Plan plan = rt::compilePlan(model);
  return arguments.dot ? planDot(model, plan) : arguments.json ? planJson(model, plan) : planText(model, plan);
}

int runPrint(const PrintArguments& arguments) {
  std::optional<ModelDocument> document = openValidModel(arguments.model);
  if (!document) return text::kExitUsage;
  if (arguments.plan) {
    std::cout << planOf(rt::buildModel(document->spec), arguments);
    return text::kExitOk;
  }
  resolve(document->spec);
  std::cout << writeModel(toProto(document->spec, document->message),
                          arguments.text ? ModelSyntax::kText : ModelSyntax::kJson);
  return text::kExitOk;
}

// ---- tyre ----

struct TyreArguments {
  std::string model, tyre;
};

int runTyre(const TyreArguments& arguments) {
  const std::optional<ModelDocument> document = openValidModel(arguments.model);
  if (!document) return text::kExitUsage;
  std::cout << tyreCurves(rt::buildModel(document->spec), arguments.tyre);
  return text::kExitOk;
}

void addCheck(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Report every error of a model in one pass");
  const auto a = std::make_shared<CheckArguments>();
  command->add_option("FILE", a->model, "A .json or .txtpb file, or a built-in model")->required();
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, runCheck);
}

void addPrint(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("print", "Print a model with its included files and its defaults filled in");
  const auto a = std::make_shared<PrintArguments>();
  addModelArgument(*command, a->model)->required();
  CLI::Option* text = command->add_flag("--text", a->text, "Print the text form (.txtpb)");
  CLI::Option* json = command->add_flag("--json", a->json, "Print JSON (the default for a model)")->excludes(text);
  CLI::Option* plan =
      command->add_flag("--plan", a->plan, "Print the elimination tree instead of the model")->excludes(text);
  command->add_flag("--dot", a->dot, "Print the elimination tree for Graphviz")->needs(plan)->excludes(json);
  onCall(*command, exit_code, a, runPrint);
}

void addTyre(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("tyre", "Print the slip curves of a tyre as CSV");
  const auto a = std::make_shared<TyreArguments>();
  addModelArgument(*command, a->model)->required();
  command->add_option("TYRE", a->tyre, "Name of a slip_tyre of the model")->required();
  onCall(*command, exit_code, a, runTyre);
}

}  // namespace

void addModelCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "model",
      "Check a model, print it, import one, condense its beams, read a tyre file, or print the curves of its tyres");
  command->require_subcommand(1);
  addCheck(*command, exit_code);
  addPrint(*command, exit_code);
  addImport(*command, exit_code);
  addImportTyre(*command, exit_code);
  addReduce(*command, exit_code);
  addTyre(*command, exit_code);
}

}  // namespace tactus::server
