#include "rt/model/model.h"

#include "rt/model/check_model.h"
#include "rt/model/expand.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_hash.h"

#include <algorithm>

namespace tactus::rt {
namespace {

/// Mean distance of the joint points from the mass centers of their bodies; 1 m if no body has one, or if all are at
/// the mass centers.
double typicalLength(const Model& model) {
  double sum = 0;
  int count = 0;
  const auto add = [&](int body, const Vector3d& point) {
    if (body == kGround) return;
    sum += point.norm();
    ++count;
  };
  for (const Joint& joint : model.joints) {
    if (joint.kind == JointKind::kDot1 || joint.kind == JointKind::kCoupler) continue;
    if (joint.kind == JointKind::kBeamElement) {
      // Its points are the centers of nodes.
      sum += model.compliant_laws[static_cast<std::size_t>(joint.law_index)].rest.head<3>().norm();
      ++count;
      continue;
    }
    add(joint.body_1, joint.point_1);
    add(joint.body_2, joint.point_2);
  }
  constexpr double kAtCenter = 1e-9;  // m, more than the round-off of positions up to 1e6 m
  return sum <= kAtCenter * count ? 1.0 : std::max(sum / count, 1e-6);
}

template <typename... Specs>
const char* titleOf(JointKind kind, const std::variant<Specs...>*) noexcept {
  const char* title = nullptr;
  (([&] {
     if constexpr (requires { Specs::kNumber; })
       if (JointKind{Specs::kNumber} == kind) title = Specs::kTitle;
   }()),
   ...);
  return title;
}

}  // namespace

const char* toString(JointKind kind) noexcept {
  for (const char* title :
       {titleOf(kind, static_cast<const JointKinds*>(nullptr)), titleOf(kind, static_cast<const ForceKinds*>(nullptr)),
        titleOf(kind, static_cast<const DriveTargets*>(nullptr))})
    if (title != nullptr) return title;
  return "unknown";
}

Model buildModel(const ModelSpec& declared) {
  std::vector<Finding> findings = checkModel(declared);
  std::erase_if(findings, [](const Finding& f) { return f.severity != Severity::kError; });
  if (!findings.empty()) throw ModelError(std::move(findings));

  const ModelSpec spec = expand(declared);
  Model model;
  model.name = spec.name;
  model.description = spec.description;
  model.gravity = *spec.gravity;
  model.assembly = spec.assembly;
  model.solver = spec.solver;
  for (const ParameterSpec& p : spec.parameters)
    model.parameters.push_back({p.name, p.description, p.unit, p.value.value_or(0), p.minimum, p.maximum, p.targets});
  model.declared_joints = static_cast<int>(declared.joints.size());
  ModelBuilder(spec, model).build();

  // What follows from all of it.
  model.length = typicalLength(model);
  model.hash = hashModel(model);
  return model;
}

int findInitialCondition(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.initial_conditions.size(); ++i) {
    if (model.initial_conditions[i].name == name) return static_cast<int>(i);
    if (i > 0) known.push_back(model.initial_conditions[i].name);
  }
  const std::string nearest = nearestName(name, known);
  std::string has = known.empty() ? "it has none" : "it has";
  for (const std::string& other : known) has += (&other == known.data() ? " \"" : ", \"") + other + '"';
  throw Error("the model has no initial condition \"" + name + "\" (" + has +
              (nearest.empty() ? ")" : "; did you mean \"" + nearest + "\"?)"));
}

}  // namespace tactus::rt
