#include "server/cli/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/settings.h"
#include "rt/mechanics/freedoms.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/cli/exit_code.h"
#include "server/cli/plan_text.h"
#include "server/cli/tyre_curves.h"
#include "server/models/built_in_models.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <string>

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
  std::optional<rt::Freedoms> freedoms;  ///< at the declared state, of models that are not too large to count

  bool valid() const {
    for (const StartReport& start : starts)
      if (!start.assembly) return false;
    return model.has_value();
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
  if (report.starts.front().assembly && report.model->bodyCount() <= kMaxCountedBodies)
    report.freedoms = rt::countFreedoms(*report.model, report.starts.front().assembly->state);
  return report;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string contents(const rt::ModelSpec& spec) {
  std::string text =
      counted(spec.bodies.size(), "body", "bodies") + ", " + counted(spec.joints.size(), "joint", "joints");
  if (!spec.forces.empty()) text += ", " + counted(spec.forces.size(), "force", "forces");
  if (!spec.drives.empty()) text += ", " + counted(spec.drives.size(), "drive", "drives");
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

void printStart(const StartReport& start, const std::string& name, std::ostream& out) {
  if (!start.assembly) {
    out << name << ": " << nameOf(start) << ": " << start.error << '\n';
    return;
  }
  // Corrections at rounding level are not worth a line.
  constexpr double kRounding = 1e-12;
  const rt::AssemblyResult& a = *start.assembly;
  if (a.position_correction <= kRounding && a.velocity_correction <= kRounding) return;
  out << name << ": note: " << nameOf(start) << " violates the constraints by " << a.position_violation
      << " (position) and " << a.velocity_violation << " (velocity); assembly moves a body by " << a.position_correction
      << " m or rad and changes a velocity by " << a.velocity_correction << " m/s or rad/s\n";
}

void printCheck(const CheckReport& report, const std::string& name, std::ostream& out) {
  const ModelDocument& document = report.document;
  for (const LocatedFinding& finding : document.findings) out << toString(finding, name) << '\n';
  for (const StartReport& start : report.starts) printStart(start, name, out);

  // A text that could not be read to its end has no contents to count.
  const std::size_t errors = countErrors(document);
  const std::size_t warnings = document.findings.size() - errors;
  out << name << ": " << (report.valid() ? "valid" : "invalid") << ": ";
  if (errors > 0) out << counted(errors, "error", "errors") << ", ";
  if (warnings > 0) out << counted(warnings, "warning", "warnings") << ", ";
  out << (document.complete ? contents(document.spec) : "not read to the end");
  if (report.model) {
    out << ", " << counted(static_cast<std::size_t>(report.model->rows), "row", "rows") << ", "
        << counted(report.model->actuators.size(), "actuator", "actuators") << ", "
        << counted(report.model->sensors.size(), "sensor", "sensors");
  }
  if (report.freedoms) {
    out << ", rank " << report.freedoms->rank << ", "
        << counted(static_cast<std::size_t>(report.freedoms->freedoms), "freedom", "freedoms");
    if (report.freedoms->redundant > 0)
      out << ", " << counted(static_cast<std::size_t>(report.freedoms->redundant), "row", "rows") << " redundant";
    // As the papers count: seven coordinates a body, and the norm of its Euler parameters among the constraints.
    const auto bodies = report.model->bodies.size();
    out << "; with Euler parameters " << 7 * bodies << " coordinates, "
        << counted(static_cast<std::size_t>(report.freedoms->rows) + bodies, "constraint", "constraints");
  }
  out << '\n';
}

Json toJson(const LocatedFinding& located) {
  const rt::Finding& f = located.finding;
  return {{"severity", f.severity == rt::Severity::kError ? "error" : "warning"},
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

void printCheckJson(const CheckReport& report, const std::string& name, std::ostream& out) {
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
      json["rank"] = report.freedoms->rank;
      json["freedoms"] = report.freedoms->freedoms;
      json["redundant_rows"] = report.freedoms->redundant;
    }
    json["initial_states"] = Json::array();
    for (const StartReport& start : report.starts) json["initial_states"].push_back(toJson(start));
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

int runCheck(const std::string& name, bool as_json) {
  const CheckReport report = check(name);
  as_json ? printCheckJson(report, name, std::cout) : printCheck(report, name, std::cout);
  return report.valid() ? kExitOk : kExitUsage;
}

// ---- print ----

/// Whether a force element is one of the model's joints: rows between two bodies, not a load on them.
bool hasRows(const rt::ForceSpec& force) {
  return std::holds_alternative<rt::TranslationalSpringSpec>(force.kind) ||
         std::holds_alternative<rt::RotationalSpringSpec>(force.kind) ||
         std::holds_alternative<rt::BushingSpec>(force.kind) ||
         std::holds_alternative<rt::VerticalTyreSpec>(force.kind);
}

/// The description with everything said that follows from it: lengths of distances and springs, the iteration count.
void resolve(rt::ModelSpec& spec) {
  const rt::Model model = rt::buildModel(spec);
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const auto primitive = static_cast<std::size_t>(model.joints[i].first_primitive);
    if (auto* distance = std::get_if<rt::DistanceSpec>(&spec.joints[i].kind))
      distance->length = model.primitives[primitive].length;
  }
  std::size_t joint = spec.joints.size();
  for (rt::ForceSpec& force : spec.forces) {
    if (!hasRows(force)) continue;
    const rt::CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(model.joints[joint].law_index)];
    auto* spring = std::get_if<rt::TranslationalSpringSpec>(&force.kind);
    if (spring != nullptr && law.free_input < 0) spring->free_length = law.rest[0];
    ++joint;
  }
  spec.solver.iterations = rt::chooseSettings(model).iterations;
}

int runPrint(const std::string& name, ModelSyntax syntax) {
  ModelDocument document = openModel(name);
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, name) << '\n';
  if (!document.valid()) return kExitUsage;
  resolve(document.spec);
  std::cout << writeModel(toProto(document.spec), syntax);
  return kExitOk;
}

int runPrintPlan(const std::string& name, std::string (*print)(const rt::Model&, const rt::Plan&)) {
  ModelDocument document = openModel(name);
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, name) << '\n';
  if (!document.valid()) return kExitUsage;
  const rt::Model model = rt::buildModel(document.spec);
  std::cout << print(model, rt::compilePlan(model));
  return kExitOk;
}

int runTyre(const std::string& name, const std::string& tyre) {
  const ModelDocument document = openModel(name);
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, name) << '\n';
  if (!document.valid()) return kExitUsage;
  std::cout << tyreCurves(rt::buildModel(document.spec), tyre);
  return kExitOk;
}

/// A model that cannot be opened at all is as invalid as one with findings.
template <typename Run>
int reportErrors(Run run) {
  try {
    return run();
  } catch (const Error& error) {
    std::cerr << "tactus: " << error.what() << '\n';
    return kExitUsage;
  }
}

void addCheck(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Report everything that is wrong with a model, in one pass");
  const auto name = std::make_shared<std::string>();
  const auto as_json = std::make_shared<bool>(false);
  command->add_option("FILE", *name, "A .json or .txtpb file, or a built-in model")->required();
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([=, &exit_code] { exit_code = reportErrors([&] { return runCheck(*name, *as_json); }); });
}

void addPrint(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("print", "Print a model with its defaults filled in");
  const auto name = std::make_shared<std::string>();
  const auto as_text = std::make_shared<bool>(false);
  command->add_option("MODEL", *name, "A built-in model, or a .json or .txtpb file")->required();
  CLI::Option* text = command->add_flag("--text", *as_text, "Print the text form (.txtpb)");
  const auto as_json = std::make_shared<bool>(false), plan = std::make_shared<bool>(false),
             as_dot = std::make_shared<bool>(false);
  CLI::Option* json = command->add_flag("--json", *as_json, "Print JSON (the default for a model)")->excludes(text);
  CLI::Option* with_plan =
      command->add_flag("--plan", *plan, "Print the elimination tree in place of the model")->excludes(text);
  command->add_flag("--dot", *as_dot, "Print the elimination tree for Graphviz")->needs(with_plan)->excludes(json);
  command->callback([=, &exit_code] {
    if (*plan) {
      const auto print = *as_dot ? planDot : *as_json ? planJson : planText;
      exit_code = reportErrors([&] { return runPrintPlan(*name, print); });
      return;
    }
    const ModelSyntax syntax = *as_text ? ModelSyntax::kText : ModelSyntax::kJson;
    exit_code = reportErrors([&] { return runPrint(*name, syntax); });
  });
}

void addTyre(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("tyre", "Print the slip curves of a tyre as CSV");
  const auto name = std::make_shared<std::string>(), tyre = std::make_shared<std::string>();
  command->add_option("MODEL", *name, "A built-in model, or a .json or .txtpb file")->required();
  command->add_option("TYRE", *tyre, "Name of a slip_tyre of the model")->required();
  command->callback([=, &exit_code] { exit_code = reportErrors([&] { return runTyre(*name, *tyre); }); });
}

}  // namespace

void addModelCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("model", "Check or print a model, or show its tyres");
  command->require_subcommand(1);
  addCheck(*command, exit_code);
  addPrint(*command, exit_code);
  addTyre(*command, exit_code);
}

}  // namespace tactus::server
