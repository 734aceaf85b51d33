#include "rt/signals/signal_directory.h"

#include "rt/error.h"
#include "rt/math/fnv.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "rt/signals/model_versions.h"

#include <fnmatch.h>

#include <algorithm>

namespace tactus::rt {

namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

/// True if `name` matches a glob with `*`, `?` and `[...]`; a backslash is a character like any other.
bool matches(const std::string& glob, const std::string& name) noexcept {
  return ::fnmatch(glob.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

/// What the single row of a force element or a drive measures, and the meaning of its multiplier.
struct RowMeaning {
  const char *value, *value_unit, *value_text;
  const char *load, *load_unit, *load_text;
};

RowMeaning meaningOf(JointKind kind) noexcept {
  switch (kind) {
    case JointKind::kRotationalSpring:
    case JointKind::kDrivenAngle:
      return {".angle",  "rad", "angle about the axis, unwrapped",
              ".moment", "N m", "torque about the axis on the first body"};
    case JointKind::kDrivenTravel:
      return {".travel",  "m", "from point 1 to point 2 along the axis",
              ".tension", "N", "force along the axis, positive when it pulls the points together"};
    default:
      return {".length",  "m", "length from point to point",
              ".tension", "N", "force along the line, positive when it pulls"};
  }
}

/// One signal of one force element.
template <class Kind>
double readElement(const ElementContext& at, const ElementStates& elements, std::size_t index,
                   std::size_t component) noexcept {
  const auto& element = elementsOf(Kind{}, at.model)[index];
  const auto value = Kind::signals(element)[component].value;
  if constexpr (Kind::kKept)
    return elements.of(Kind{})[index].*value;
  else
    return Kind::evaluate(element, at).*value;
}

}  // namespace

SignalDirectory::SignalDirectory(const Model& model, const ModelVersions* versions)
    : model_(&model), versions_(versions) {
  addInputsAndSensors();
  addBodies();
  addJoints();
  addForceElements();
  addGlobals();
  for (std::size_t i = 0; i < signals_.size(); ++i) by_name_.emplace_back(signals_[i].name, static_cast<int>(i));
  std::sort(by_name_.begin(), by_name_.end());
}

std::shared_ptr<const Model> SignalDirectory::modelOf(std::uint64_t version) const noexcept {
  std::shared_ptr<const Model> known;
  if (version > 0 && versions_) known = versions_->find(version);
  return known ? known : std::shared_ptr<const Model>(std::shared_ptr<const Model>(), model_);
}

void SignalDirectory::add(Signal signal, Entry entry) {
  signals_.push_back(std::move(signal));
  entries_.push_back(entry);
}

const char* SignalDirectory::actuatorUnit(const Actuator& a) const {
  if (a.kind == ActuatorKind::kBodyForce) return "N";
  if (a.kind == ActuatorKind::kControl) return "1";
  if (a.kind == ActuatorKind::kSpringInput) {
    const Joint& target = model_->joints[static_cast<std::size_t>(a.target)];
    const auto index = static_cast<int>(&a - model_->actuators.data());
    const CompliantLaw& law = model_->compliant_laws[static_cast<std::size_t>(target.law_index)];
    bool turns = target.kind == JointKind::kRotationalSpring;
    for (std::size_t row = 0; row < law.axes.size(); ++row)
      turns = turns || (law.preload_of_row[row].actuator == index && law.axes[row] >= 3);
    if (a.order == static_cast<int>(SpringQuantity::kPreload)) return turns ? "N m" : "N";
    return turns ? "rad" : "m";
  }
  if (a.kind != ActuatorKind::kDriveInput) return "N m";
  static constexpr const char* kUnits[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  for (const Joint& joint : model_->joints)
    if (joint.law == LawKind::kDriven && joint.law_index == a.target)
      return kUnits[joint.kind == JointKind::kDrivenAngle][a.order];
  return "1";
}

void SignalDirectory::addInputsAndSensors() {
  for (std::size_t i = 0; i < model_->actuators.size(); ++i) {
    const Actuator& a = model_->actuators[i];
    add({model_->actuator_names[i], model_->actuator_units[i].value_or(actuatorUnit(a)), "", Causality::kInput,
         model_->actuator_descriptions[i], a.minimum, a.maximum},
        {SignalSource::kInput, static_cast<int>(i), 0});
  }
  for (std::size_t i = 0; i < model_->sensors.size(); ++i) {
    const char* unit = "";
    switch (model_->sensors[i].kind) {
      case SensorKind::kJointAngle: unit = "rad"; break;
      case SensorKind::kJointRate:
      case SensorKind::kAngularVelocity: unit = "rad/s"; break;
      case SensorKind::kPointPosition: unit = "m"; break;
      case SensorKind::kPointVelocity: unit = "m/s"; break;
      case SensorKind::kPointAcceleration:
      case SensorKind::kSpecificForce: unit = "m/s^2"; break;
      case SensorKind::kForceValue:
        unit = meaningOf(model_->joints[static_cast<std::size_t>(model_->sensors[i].target)].kind).load_unit;
        break;
      case SensorKind::kJointTravel: unit = "m"; break;
      case SensorKind::kJointTravelRate: unit = "m/s"; break;
      case SensorKind::kReactionForce: unit = "N"; break;
      case SensorKind::kReactionTorque: unit = "N m"; break;
    }
    add({model_->sensor_names[i], unit, "", Causality::kOutput, model_->sensor_descriptions[i]},
        {SignalSource::kSensor, static_cast<int>(i), 0});
  }
}

void SignalDirectory::addBodies() {
  struct Group {
    const char* name;
    const char* unit;
    const char* frame;
    int offset;
    const char* what;
  };
  static constexpr Group kVectors[] = {{"r", "m", "world", kOffsetR, "position of the center of mass"},
                                       {"v", "m/s", "world", kOffsetV, "velocity of the center of mass"},
                                       {"omega", "rad/s", "body", kOffsetOmega, "angular velocity"},
                                       {"a", "m/s^2", "world", kOffsetA, "acceleration of the center of mass"},
                                       {"alpha", "rad/s^2", "body", kOffsetAlpha, "angular acceleration"}};
  for (int b = 0; b < model_->bodyCount(); ++b) {
    const std::string& body = model_->body_names[static_cast<std::size_t>(b)];
    for (const Group& g : kVectors) {
      for (int c = 0; c < 3; ++c)
        add({body + "." + g.name + "." + kAxes[c], g.unit, g.frame, Causality::kOutput, g.what},
            {SignalSource::kState, kBodyStride * b + g.offset + c, 0});
      // The orientation follows the position, as in State.
      for (int c = 0; c < 4 && g.offset == kOffsetR; ++c)
        add({body + ".p.e" + std::to_string(c), "1", "world", Causality::kOutput,
             "Euler parameter of the orientation, scalar first, body to world"},
            {SignalSource::kState, kBodyStride * b + kOffsetP + c, 0});
    }
  }
}

void SignalDirectory::addJoints() {
  const StateLayout layout(*model_);
  for (int j = 0; j < model_->jointCount(); ++j) {
    const Joint& joint = model_->joints[static_cast<std::size_t>(j)];
    const std::string& name = model_->joint_names[static_cast<std::size_t>(j)];
    for (int c = 0; c < 3; ++c)
      add({name + ".force." + kAxes[c], "N", "world", Causality::kOutput, "reaction force on the second body"},
          {SignalSource::kReactionForce, j, c});
    for (int c = 0; c < 3; ++c)
      add({name + ".torque." + kAxes[c], "N m", "world", Causality::kOutput,
           "reaction torque on the second body, about the joint's point"},
          {SignalSource::kReactionTorque, j, c});
    if (joint.law != LawKind::kRigid) addLawSignals(j, name);
    if (joint.has_travel) {
      add({name + ".travel", "m", "", Causality::kOutput, "from point 1 to point 2 along the axis"},
          {SignalSource::kJointTravel, j, 0});
      add({name + ".travel_rate", "m/s", "", Causality::kOutput, "rate of the travel"},
          {SignalSource::kTravelRate, j, 0});
    }
    if (joint.displacement < 0) continue;
    add({name + ".angle", "rad", "", Causality::kOutput, "angle about the axis, unwrapped"},
        {SignalSource::kState, layout.jointDisplacements() + joint.displacement, 0});
    add({name + ".rate", "rad/s", "", Causality::kOutput, "rate of the angle"}, {SignalSource::kJointRate, j, 0});
  }
}

void SignalDirectory::addLawSignals(int j, const std::string& name) {
  const Joint& joint = model_->joints[static_cast<std::size_t>(j)];
  const StateLayout layout(*model_);
  if (joint.kind == JointKind::kVerticalTyre) {
    int component = 0;
    for (const auto& signal : VerticalTyreRow::kSignals)
      add({name + "." + signal.name, signal.unit, "", Causality::kOutput, signal.text},
          {SignalSource::kTyre, j, component++});
  } else if (joint.kind == JointKind::kBeamElement) {
    // Of the section halfway, in its axes; the moments to a share psi^2/24 of the angle of the element.
    static constexpr const char* kLoads[6][3] = {{".n", "N", "normal force of the section, positive in tension"},
                                                 {".q_2", "N", "shear force of the section along axis 2"},
                                                 {".q_3", "N", "shear force of the section along axis 3"},
                                                 {".m_1", "N m", "torsional moment of the section"},
                                                 {".m_2", "N m", "bending moment of the section about axis 2"},
                                                 {".m_3", "N m", "bending moment of the section about axis 3"}};
    for (int k = 0; k < 6; ++k)
      add({name + kLoads[k][0], kLoads[k][1], "section", Causality::kOutput, kLoads[k][2]},
          {SignalSource::kState, layout.lambda() + joint.first_row + k, 0});
  } else if (joint.kind != JointKind::kBushing) {
    const RowMeaning row = meaningOf(joint.kind);
    add({name + row.value, row.value_unit, "", Causality::kOutput, row.value_text}, {SignalSource::kRowValue, j, 0});
    add({name + row.load, row.load_unit, "", Causality::kOutput, row.load_text},
        {SignalSource::kState, layout.lambda() + joint.first_row, 0});
  }
  add({name + ".power", "W", "", Causality::kOutput, "power of the element on the bodies"},
      {SignalSource::kRowPower, j, 0});
}

void SignalDirectory::addForceElements() {
  forEachKind([this](auto kind) {
    if constexpr (kind.kHasSignals) {
      const auto& elements = elementsOf(kind, *model_);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const std::string& name = (model_->*kind.kNames)[i];
        int component = 0;
        for (const auto& signal : kind.signals(elements[i]))
          add({name + "." + signal.name, signal.unit, "", Causality::kOutput, signal.text},
              {SignalSource::kElement, static_cast<int>(i), component++, &readElement<decltype(kind)>});
      }
    }
  });
}

void SignalDirectory::addGlobals() {
  static constexpr const char* kEnergies[][2] = {
      {"kinetic", "kinetic energy"},
      {"potential", "potential energy of gravity, zero at the world origin, and of springs"},
      {"dissipated", "energy dissipated since tick 0"},
      {"input", "work of actuators, drives, engines, wind and road since tick 0"},
      {"total", "kinetic + potential + dissipated - input; constant except for the integration error"}};
  for (int i = 0; i < 5; ++i)
    add({std::string("energy.") + kEnergies[i][0], "J", "", Causality::kOutput, kEnergies[i][1]},
        {SignalSource::kEnergy, i, 0});
  static constexpr const char* kReports[][2] = {
      {"constraint.position", "Euclidean norm of the constraints; rows in m, direction rows in rad"},
      {"constraint.velocity", "Euclidean norm of the constraint rates after the projection"},
      {"constraint.acceleration", "Euclidean norm of the second rates of the constraints after the projection"},
      {"solver.residual", "constraint norm before the last Newton increment; 0 at a start, reset or restore"},
      {"solver.increment",
       "largest increment of a body in the last Newton iteration; rotations times model length; 0 at a start, reset or "
       "restore"},
      {"solver.contraction",
       "last increment of a step over the one before; 0 where that one is round-off, and at a start, reset or restore"},
      {"solver.factorizations",
       "number of times that the step formed and factored the tangent; 0 at a start, reset or restore"}};
  static constexpr const char* kUnits[] = {"m", "m/s", "m/s^2", "m", "m", "1", "1"};
  for (int i = 0; i < 7; ++i)
    add({kReports[i][0], kUnits[i], "", Causality::kOutput, kReports[i][1]}, {SignalSource::kReport, i, 0});
}

bool SignalDirectory::isGlob(const std::string& pattern) noexcept {
  return pattern.find_first_of("*?[") != std::string::npos;
}

int SignalDirectory::find(const std::string& name) const noexcept {
  const auto it = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [](const auto& entry, const std::string& n) { return entry.first < n; });
  return it != by_name_.end() && it->first == name ? it->second : -1;
}

std::vector<int> SignalDirectory::resolve(const std::vector<std::string>& patterns) const {
  std::vector<int> indices;
  std::vector<bool> taken(signals_.size(), false);
  const auto take = [&](int i) {
    if (!taken[static_cast<std::size_t>(i)]) indices.push_back(i);
    taken[static_cast<std::size_t>(i)] = true;
  };
  for (const std::string& pattern : patterns) {
    bool found = false;
    if (isGlob(pattern)) {
      for (std::size_t i = 0; i < signals_.size(); ++i)
        if (matches(pattern, signals_[i].name)) {
          take(static_cast<int>(i));
          found = true;
        }
    } else if (const int i = find(pattern); i >= 0) {
      take(i);
      found = true;
    }
    if (found) continue;
    std::vector<std::string> known;
    for (const Signal& s : signals_) known.push_back(s.name);
    const std::string nearest = nearestName(pattern, known);
    throw Error("signal '" + pattern + "' is not known" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
  return indices;
}

std::uint64_t SignalDirectory::layoutHash(std::span<const int> indices) const noexcept {
  // A byte that no text holds ends each text.
  Fnv1a hash;
  for (const int i : indices) {
    const Signal& signal = signals_[static_cast<std::size_t>(i)];
    for (const std::string* text : {&signal.name, &signal.unit}) {
      hash.addText(*text);
      hash.addByte(0xff);
    }
  }
  return hash.value();
}

}  // namespace tactus::rt
