#include "server/cli/model_reduce.h"

#include "rt/mechanics/condensed_bodies.h"
#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "server/cli/equilibrium_model.h"
#include "server/cli/model_argument.h"
#include "server/cli/output_file.h"
#include "server/cli/subcommand.h"
#include "server/model_io/model_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace tactus::server {
namespace {

constexpr int kMostNames = 10'000;  ///< behind one option

/// Indices of bodies by name; a name that is no body stands for the parts of a composite.
std::vector<int> bodiesOf(const rt::Model& model, const std::vector<std::string>& names) {
  std::vector<int> bodies;
  for (const std::string& name : names) {
    const std::size_t before = bodies.size();
    for (int i = 0; i < model.bodyCount(); ++i) {
      const std::string& body = model.body_names[static_cast<std::size_t>(i)];
      const bool named = body == name || body.compare(0, name.size() + 1, name + '.') == 0;
      if (named && std::find(bodies.begin(), bodies.end(), i) == bodies.end()) bodies.push_back(i);
    }
    if (bodies.size() > before) continue;
    const std::string nearest = rt::nearestName(name, model.body_names);
    throw Error("\"" + name + "\" is no body of the model, or is named twice" +
                (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
  }
  return bodies;
}

/// One body by its name.
int bodyOf(const rt::Model& model, const std::string& name) {
  const auto found = std::find(model.body_names.begin(), model.body_names.end(), name);
  if (found != model.body_names.end()) return static_cast<int>(found - model.body_names.begin());
  const std::string nearest = rt::nearestName(name, model.body_names);
  throw Error("interface \"" + name + "\" is no body of the model" +
              (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

/// A number with twelve digits; what is round-off against `size` is zero.
double rounded(double value, double size) {
  if (std::abs(value) < 1e-14 * size || value == 0) return 0;
  const double digits = std::pow(10.0, 11 - std::floor(std::log10(std::abs(value))));
  return std::round(value * digits) / digits;
}

std::vector<double> byRows(const Eigen::MatrixXd& m) {
  const double size = m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff();
  std::vector<double> numbers;
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) numbers.push_back(rounded(m(r, c), size));
  return numbers;
}

/// Whether the target of a sensor is a body.
bool isOfBody(rt::SensorKind kind) {
  switch (kind) {
    case rt::SensorKind::kPointPosition:
    case rt::SensorKind::kPointVelocity:
    case rt::SensorKind::kPointAcceleration:
    case rt::SensorKind::kAngularVelocity:
    case rt::SensorKind::kSpecificForce: return true;
    default: return false;
  }
}

/// @throws Error with all errors, by fields of the modal body
void requireValid(const rt::ModelSpec& reduced) {
  const std::string of_body = rt::element("composites", 0) + '.' + rt::ModalBodySpec::kName + '.';
  std::vector<rt::Finding> errors;
  for (rt::Finding& finding : rt::checkModel(reduced)) {
    if (finding.severity != rt::Severity::kError) continue;
    if (finding.path.starts_with(of_body)) finding.path.erase(0, of_body.size());
    errors.push_back(std::move(finding));
  }
  if (!errors.empty()) throw Error(std::string("the modal body would not be valid:\n") + rt::ModelError(errors).what());
}

/// Joints and elements of a body that is condensed and another one, or ground, sensors of such a body, and velocities;
/// and, where all of the model is condensed, whatever else acts.
std::vector<std::string> leftOut(const rt::ModelSpec& spec, const rt::Model& model, const std::vector<int>& bodies,
                                 const std::vector<int>& condensed_joints) {
  const auto has = [](const std::vector<int>& list, int index) {
    return std::find(list.begin(), list.end(), index) != list.end();
  };
  std::vector<std::string> names;
  const auto add = [&names](const char* kind, const std::string& name) {
    names.push_back(std::string(kind) + " \"" + name + '"');
  };
  for (int j = 0; j < model.jointCount(); ++j) {
    const rt::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    bool acts = has(bodies, joint.body_1) || has(bodies, joint.body_2);
    for (int k = joint.first_pair; k < joint.first_pair + joint.pair_count; ++k) {
      const rt::BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(k)];
      acts = acts || has(bodies, pair.body_1) || has(bodies, pair.body_2);
    }
    if (!has(condensed_joints, j) && acts)
      add(j < model.declared_joints ? "joint" : "element", model.joint_names[static_cast<std::size_t>(j)]);
  }
  const bool is_whole = static_cast<int>(bodies.size()) == model.bodyCount();
  for (const rt::ForceSpec& force : spec.forces)
    if (is_whole &&
        std::find(model.joint_names.begin(), model.joint_names.end(), force.name) == model.joint_names.end())
      add("force", force.name);
  for (const std::string& actuator : model.actuator_names)
    if (is_whole) add("actuator", actuator);
  for (std::size_t i = 0; i < model.sensors.size(); ++i)
    if (is_whole || (isOfBody(model.sensors[i].kind) && has(bodies, model.sensors[i].target)))
      add("sensor", model.sensor_names[i]);
  const rt::InitialCondition& declared = model.initial_conditions.front();
  const bool moves = std::any_of(bodies.begin(), bodies.end(), [&](int body) {
    const auto i = static_cast<std::size_t>(body);
    return !declared.velocity[i].isZero(0) || !declared.angular_velocity[i].isZero(0);
  });
  if (moves) names.push_back("the velocities of the bodies");
  return names;
}

struct ReduceArguments : Reduction {
  std::string model, out;
};

int runReduce(const ReduceArguments& arguments) {
  requireModelFileName(arguments.out);
  const std::optional<ModelDocument> document = openValidModel(arguments.model);
  if (!document) return text::kExitUsage;
  const auto& [reduced, left_out] = reducedModel(document->spec, arguments);
  if (!left_out.empty())
    std::cerr << "tactus model reduce: left out, because the model holds the modal body alone: "
              << fmt::format("{}\n", fmt::join(left_out, ", "));
  const ModelSyntax syntax = arguments.out.ends_with(".txtpb") ? ModelSyntax::kText : ModelSyntax::kJson;
  const std::string text = writeModel(toProto(reduced), syntax);
  if (arguments.out.empty()) {
    std::cout << text;
    return text::kExitOk;
  }
  writeOutput(arguments.out, text);
  return text::kExitOk;
}

}  // namespace

ReducedModel reducedModel(const rt::ModelSpec& spec, const Reduction& reduction) {
  const rt::Model model = rt::buildModel(spec);
  const std::vector<int> bodies = bodiesOf(model, reduction.bodies.empty() ? model.body_names : reduction.bodies);
  std::vector<int> interfaces;
  for (const std::string& name : reduction.interfaces) interfaces.push_back(bodyOf(model, name));
  const rt::CondensedBodies condensed = rt::condense(model, bodies, interfaces, reduction.modes);

  rt::ModalBodySpec body;
  body.position = condensed.origin;
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    std::string name = reduction.interfaces[i];
    std::replace(name.begin(), name.end(), '.', '_');
    body.interfaces.push_back(
        {name, condensed.body.points[i], condensed.interfaces[i].mass, condensed.interfaces[i].inertia});
  }
  // One interface has no stiffness against others: what is there is round-off.
  body.stiffness = byRows(interfaces.size() > 1 ? condensed.body.stiffness : Eigen::MatrixXd::Zero(6, 6));
  body.mass = byRows(condensed.body.mass);
  body.mode_stiffness = byRows(condensed.body.mode_stiffness);
  body.coupling = byRows(condensed.body.coupling);
  body.modes = reduction.free_modes;
  const std::optional<double> damping_time = reduction.damping_time ? reduction.damping_time : condensed.damping_time;
  if (!damping_time)
    throw Error(
        "the elements differ in damping divided by stiffness, of which a modal body has one value; give it with "
        "--damping-time");
  body.damping_time = *damping_time;

  rt::ModelSpec reduced;
  reduced.name = reduction.name;
  reduced.gravity = spec.gravity;
  reduced.composites = {{reduction.name, "", body}};
  requireValid(reduced);
  return {std::move(reduced), leftOut(spec, model, bodies, condensed.joints)};
}

void addReduce(CLI::App& model_command, int& exit_code) {
  CLI::App* command = model_command.add_subcommand(
      "reduce", "Condense beams and bodies on bushings to a modal body, and print a model with it");
  const auto a = std::make_shared<ReduceArguments>();
  addModelArgument(*command, a->model)->required();
  command->add_option("--bodies", a->bodies, "Bodies to condense, or composites for all of their bodies; default: all")
      ->expected(1, kMostNames);
  command->add_option("--interface", a->interfaces, "Bodies that become interfaces")
      ->required()
      ->expected(1, kMostNames);
  command->add_option("--modes", a->modes, "Number of modes with fixed interfaces");
  command->add_option("--free-modes", a->free_modes, "Number of free modes that keep their mass: 0, 6, 12, ...");
  command->add_option("--damping-time", a->damping_time,
                      "Damping divided by stiffness, s; default: that of the elements");
  command->add_option("--name", a->name, "Name of the modal body");
  command->add_option("--out", a->out, "File to write, .json or .txtpb; default: standard output as JSON");
  onCall(*command, exit_code, a, runReduce);
}

}  // namespace tactus::server
