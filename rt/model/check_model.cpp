#include "rt/model/check_model.h"

#include "rt/model/actuator.h"
#include "rt/model/check_fields.h"
#include "rt/model/expand.h"
#include "rt/model/model.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxSignals = 4096;  ///< actuators; sensors
constexpr std::size_t kMaxParameters = 256;

bool isLetter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// `name` with every character that may not stand there replaced; empty if nothing is left of it.
std::string repairedName(const std::string& name) {
  std::string repaired = name.substr(0, kMaxName);
  for (char& c : repaired)
    if (!isLetter(c) && !isDigit(c)) c = '_';
  if (!repaired.empty() && isDigit(repaired.front())) repaired.insert(repaired.begin(), '_');
  return repaired.substr(0, kMaxName);
}

void checkNamePattern(const std::string& path, const std::string& name, FindingList& out) {
  if (!name.empty() && repairedName(name) == name) return;
  const std::string repaired = repairedName(name);
  out.error(path, printed(name), "must be a name: letters, digits and _, at most 64, no digit first",
            repaired.empty() ? "" : "for example \"" + repaired + '"');
}

/// These begin signals that belong to no element, or stand for the world.
void checkReservedName(const std::string& path, const std::string& name, FindingList& out) {
  static constexpr std::array<const char*, 4> kReserved = {kGroundName, "energy", "constraint", "solver"};
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end())
    out.error(path, printed(name),
              "is a reserved word: \"ground\", \"energy\", \"constraint\" and \"solver\" are taken",
              "for example \"" + name + "_1\"");
}

/// Names that must differ from each other, with the path of the one that had a name first.
class UniqueNames {
 public:
  void add(const std::string& path, const std::string& name, const char* among, FindingList& out) {
    const auto [first, is_new] = first_.emplace(name, path);
    if (!is_new && !name.empty())
      out.error(path, printed(name), std::string("must be unique among ") + among, first->second + " has this name");
  }

 private:
  std::unordered_map<std::string, std::string> first_;
};

template <typename Spec>
void checkNamesOf(const char* list, const std::vector<Spec>& specs, UniqueNames& unique, FindingList& out) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string path = element(list, i) + ".name";
    checkNamePattern(path, specs[i].name, out);
    checkReservedName(path, specs[i].name, out);
    unique.add(path, specs[i].name, "bodies, joints, forces, drives, roads, actuators, sensors and composites", out);
  }
}

void checkCount(const char* list, std::size_t count, std::size_t most, FindingList& out) {
  if (count > most) out.error(list, std::to_string(count) + " elements", "must be at most " + std::to_string(most));
}

void checkNames(const ModelSpec& spec, FindingList& out) {
  if (spec.name.empty())
    out.warning("name", printed(spec.name), "should be given: a server keeps a model under its name");
  else
    checkNamePattern("name", spec.name, out);

  UniqueNames signals;
  checkNamesOf("bodies", spec.bodies, signals, out);
  checkNamesOf("joints", spec.joints, signals, out);
  checkNamesOf("forces", spec.forces, signals, out);
  checkNamesOf("drives", spec.drives, signals, out);
  checkNamesOf("roads", spec.roads, signals, out);
  checkNamesOf("actuators", spec.actuators, signals, out);
  checkNamesOf("sensors", spec.sensors, signals, out);
  checkNamesOf("composites", spec.composites, signals, out);

  std::set<std::string> groups;
  for (std::size_t i = 0; i < spec.actuators.size(); ++i) {
    const std::string& group = spec.actuators[i].group;
    const std::string path = element("actuators", i) + ".group";
    if (!group.empty()) checkNamePattern(path, group, out);
    if (groups.insert(group.empty() ? kDefaultGroup : group).second && groups.size() == kMaxGroups + 1)
      out.error(path, printed(group), "must be one of at most " + std::to_string(kMaxGroups) + " groups");
  }

  UniqueNames conditions;
  for (std::size_t i = 0; i < spec.initial_conditions.size(); ++i) {
    const std::string path = element("initial_conditions", i) + ".name";
    checkNamePattern(path, spec.initial_conditions[i].name, out);
    conditions.add(path, spec.initial_conditions[i].name, "initial conditions", out);
  }
}

/// @param expanded  with the bodies and joints of composites, which count as well
void checkCounts(const ModelSpec& spec, const ModelSpec& expanded, FindingList& out) {
  if (expanded.bodies.empty()) out.error("bodies", "none", "must hold at least one body");
  checkCount("bodies", spec.bodies.size(), kMaxBodies, out);
  if (spec.bodies.size() <= kMaxBodies && expanded.bodies.size() > kMaxBodies)
    out.error("composites", "more than " + std::to_string(kMaxBodies - spec.bodies.size()) + " bodies as parts",
              "must leave the model with at most " + std::to_string(kMaxBodies) + " bodies",
              "use fewer elements of beams");
  checkCount("joints", spec.joints.size(), kMaxJoints, out);
  if (spec.joints.size() <= kMaxJoints && expanded.joints.size() > kMaxJoints)
    out.error("composites", "more than " + std::to_string(kMaxJoints - spec.joints.size()) + " joints as parts",
              "must leave the model with at most " + std::to_string(kMaxJoints) + " joints",
              "use fewer mounts of beams");
  checkCount("forces", spec.forces.size(), kMaxJoints, out);
  checkCount("drives", spec.drives.size(), kMaxSignals, out);
  checkCount("roads", spec.roads.size(), kMaxSignals, out);
  checkCount("actuators", spec.actuators.size(), kMaxSignals, out);
  checkCount("sensors", spec.sensors.size(), kMaxSignals, out);
  checkCount("composites", spec.composites.size(), kMaxJoints, out);
}

/// Name of a kind in its oneof.
template <typename Spec>
std::string nameOf(const Spec& spec) {
  if constexpr (requires { Spec::kNames; })
    return Spec::kNames[static_cast<std::size_t>(spec.quantity)];
  else
    return Spec::kName;
}

void checkGravity(const ModelSpec& spec, FindingList& out) {
  if (!spec.gravity)
    out.error("gravity", "none", "must be given, world axes, m/s^2",
              "for example [0, -9.81, 0], or [0, 0, 0] for none");
  else
    requireFinite("gravity", *spec.gravity, out);
}

void checkSolver(const ModelSpec& spec, FindingList& out) {
  const double compliance = spec.solver.relative_compliance;
  const bool usual = compliance >= 1e-10 && compliance <= 1e-7;
  if (!usual && compliance >= 1e-12 && compliance <= 1e-3)
    out.warning("solver.relative_compliance", printed(compliance), "should be from 1e-10 to 1e-7",
                "less costs digits with redundant constraints, more leaves joints soft; the default is 1e-8");
}

void checkParameters(const ModelSpec& spec, const References& references, FindingList& out) {
  checkCount("parameters", spec.parameters.size(), kMaxParameters, out);
  std::size_t targets = 0;
  for (const ParameterSpec& parameter : spec.parameters) targets += parameter.targets.size();
  checkCount("targets of parameters", targets, kMaxTargets, out);
  UniqueNames names;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const ParameterSpec& parameter = spec.parameters[i];
    const std::string path = element("parameters", i);
    checkNamePattern(path + ".name", parameter.name, out);
    names.add(path + ".name", parameter.name, "parameters", out);
    checkFields(parameter, {path, references, out});
    if (parameter.targets.empty())
      out.error(path + ".targets", "none", "must be given: paths of the numbers that get the value",
                "for example \"gravity[1]\" or \"bodies.payload.mass\"");
    if (!parameter.value) continue;
    if (parameter.minimum && *parameter.value < *parameter.minimum)
      out.error(path + ".minimum", printed(*parameter.minimum),
                "must not be above the value in the model, " + printed(*parameter.value));
    if (parameter.maximum && *parameter.value > *parameter.maximum)
      out.error(path + ".maximum", printed(*parameter.maximum),
                "must not be below the value in the model, " + printed(*parameter.value));
  }
}

/// The rules on a oneof of an element: those of the fields of the kind, then those of its check().
template <typename Kinds, typename Check>
void checkKind(const Kinds& kinds, const FindingPlace& element, const Check& own) {
  std::visit(
      [&](const auto& spec) {
        const FindingPlace at = element.within('.' + nameOf(spec));
        checkFields(spec, at);
        own(spec, at);
      },
      kinds);
}

template <typename Kinds>
void checkKind(const Kinds& kinds, const FindingPlace& element) {
  checkKind(kinds, element, [](const auto& spec, const FindingPlace& at) {
    if constexpr (requires { check(spec, at); }) check(spec, at);
  });
}

void checkElement(const BodySpec& body, const FindingPlace& at) {
  check(body, at);
}

void checkElement(const JointSpec& joint, const FindingPlace& at) {
  const bool names_bodies = std::visit(
      []<typename Spec>(const Spec&) {
        if constexpr (requires { Spec::kNamesBodies; }) return Spec::kNamesBodies;
        return true;
      },
      joint.kind);
  if (names_bodies) {
    at.references.require(Refers::kBodyOrGround, at.path + ".body_1", joint.body_1, at.out);
    at.references.require(Refers::kBodyOrGround, at.path + ".body_2", joint.body_2, at.out);
    if (joint.body_1 == kGroundName && joint.body_2 == kGroundName)
      at.error(".body_2", printed(joint.body_2), "must be a body: a joint cannot hold ground on ground");
    else
      requireTwoBodies(at, joint.body_1, joint.body_2);
  }
  checkKind(joint.kind, at, [&joint](const auto& spec, const FindingPlace& of_kind) {
    if constexpr (requires { check(spec, joint, of_kind); }) check(spec, joint, of_kind);
  });
}

void checkElement(const ForceSpec& force, const FindingPlace& at) {
  checkKind(force.kind, at);
}

void checkElement(const DriveSpec& drive, const FindingPlace& at) {
  checkKind(drive.target, at);
  checkKind(drive.function, at);
}

void checkElement(const RoadSpec& road, const FindingPlace& at) {
  check(road, at);
}

void checkElement(const ActuatorSpec& actuator, const FindingPlace& at) {
  check(actuator, at);
  checkKind(actuator.kind, at);
}

void checkElement(const SensorSpec& sensor, const FindingPlace& at) {
  checkKind(sensor.kind, at);
}

void checkElement(const CompositeSpec& composite, const FindingPlace& at) {
  checkKind(composite.kind, at);
}

void checkElement(const InitialConditionSpec& condition, const FindingPlace& at) {
  check(condition, at);
}

template <typename Spec>
void checkList(const char* list, const std::vector<Spec>& specs, const References& references, FindingList& out) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const FindingPlace at{element(list, i), references, out};
    checkFields(specs[i], at);
    checkElement(specs[i], at);
  }
}

/// Two drives of one displacement would hold it at two values. The travel of a screw follows from its angle.
void checkDrivenOnce(const ModelSpec& spec, const References& references, FindingList& out) {
  std::map<std::pair<std::string, bool>, std::size_t> first;
  for (std::size_t d = 0; d < spec.drives.size(); ++d) {
    const auto* const angle = std::get_if<DrivenAngleSpec>(&spec.drives[d].target);
    const auto* const travel = std::get_if<DrivenTravelSpec>(&spec.drives[d].target);
    if (angle == nullptr && travel == nullptr) continue;
    const std::string& name = angle != nullptr ? angle->joint : travel->joint;
    const JointSpec* const joint = references.joint(name);
    if (joint == nullptr) continue;
    const bool is_screw = std::holds_alternative<ScrewSpec>(joint->kind);
    const auto [seen, is_new] = first.emplace(std::pair(name, travel != nullptr && !is_screw), d);
    const std::string field = angle != nullptr ? "angle" : "travel";
    if (!is_new)
      out.error(element("drives", d) + '.' + field + ".joint", printed(name),
                "must be the only drive of this " + (is_screw ? "screw" : field),
                element("drives", seen->second) + " drives it already");
  }
}

/// The rules of kinds on the whole model.
template <typename... Specs>
void checkAll(const std::variant<Specs...>*, const ModelSpec& spec, FindingList& out) {
  (
      [&] {
        if constexpr (requires { Specs::checkAll(spec, out); }) Specs::checkAll(spec, out);
      }(),
      ...);
}

/// Findings of the expanded description at their declared elements. A rule that a composite and its part break together
/// is one finding.
std::vector<Finding> declaredFindings(std::vector<Finding> findings, const Expansion& expansion) {
  std::vector<Finding> declared;
  for (Finding& finding : findings) {
    std::string path = expansion.declaredPath(finding.path);
    const bool of_part = path != finding.path;
    finding.path = std::move(path);
    const bool known = of_part && std::any_of(declared.begin(), declared.end(), [&finding](const Finding& other) {
                         return other.path == finding.path && other.rule == finding.rule;
                       });
    if (!known) declared.push_back(std::move(finding));
  }
  return declared;
}

/// Leaves out what follows from other findings: a composite with errors makes no bodies, so that every name of one of
/// them is unknown, and a model of such composites alone has no body. A composite that itself only names an unknown
/// body does not count for names: two may wait for each other.
/// @param expanded  with the bodies of composites
void leaveOutUnmadeBodies(const ModelSpec& declared, const ModelSpec& expanded, std::vector<Finding>& findings) {
  const auto begins = [](const std::string& text, const std::string& with) {
    return text.compare(0, with.size(), with) == 0;
  };
  for (std::size_t i = 0; i < declared.composites.size(); ++i) {
    const std::string path = element("composites", i) + '.', &name = declared.composites[i].name;
    const auto isError = [&](const Finding& f, bool of_name) {
      return f.severity == Severity::kError && begins(f.rule, kMustNameBody) == of_name;
    };
    const auto isOwn = [&](const Finding& f) { return isError(f, false) && begins(f.path, path); };
    const auto isPart = [&](const BodySpec& body) { return body.name == name || begins(body.name, name + '.'); };
    if (name.empty() || std::none_of(findings.begin(), findings.end(), isOwn) ||
        std::any_of(expanded.bodies.begin(), expanded.bodies.end(), isPart))
      continue;
    const auto follows = [&](const Finding& f) {
      return isError(f, true) && (f.value == '"' + name + '"' || begins(f.value, '"' + name + '.'));
    };
    findings.erase(std::remove_if(findings.begin(), findings.end(), follows), findings.end());
  }
  const bool of_composite = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.severity == Severity::kError && begins(f.path, "composites[");
  });
  if (expanded.bodies.empty() && of_composite)
    std::erase_if(findings, [](const Finding& f) { return f.path == "bodies"; });
}

}  // namespace

std::vector<Finding> checkModel(const ModelSpec& declared) {
  Expansion expansion(declared);
  expansion.run();
  const ModelSpec& spec = expansion.spec();
  const References references(spec);
  FindingList out;

  // In the order of the fields of the proto; composites come first, because their parts break the same rules.
  checkNames(declared, out);
  checkCounts(declared, spec, out);
  if (expansion.tooLarge()) return out.take();  // names of parts that are missing would only be found missing
  checkGravity(spec, out);
  checkList("composites", declared.composites, references, out);
  checkList("bodies", spec.bodies, references, out);
  checkList("joints", spec.joints, references, out);
  checkList("forces", spec.forces, references, out);
  checkList("drives", spec.drives, references, out);
  checkDrivenOnce(spec, references, out);
  checkAll(static_cast<const ForceKinds*>(nullptr), spec, out);
  checkAll(static_cast<const ActuatorKinds*>(nullptr), spec, out);
  checkList("roads", spec.roads, references, out);
  checkList("actuators", spec.actuators, references, out);
  checkList("sensors", spec.sensors, references, out);
  checkList("initial_conditions", spec.initial_conditions, references, out);
  checkText("description", spec.description, out);
  checkFields(spec.assembly, {"assembly", references, out});
  checkFields(spec.solver, {"solver", references, out});
  checkSolver(spec, out);
  checkParameters(spec, references, out);
  std::vector<Finding> findings = declaredFindings(out.take(), expansion);
  leaveOutUnmadeBodies(declared, spec, findings);
  return findings;
}

}  // namespace tactus::rt
