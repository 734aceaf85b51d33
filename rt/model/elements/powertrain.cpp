#include "rt/model/elements/powertrain.h"

#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <set>
#include <string>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxEngineSpeeds = 256;
constexpr std::size_t kMaxDrivenWheels = 64;

}  // namespace

Fields PowertrainSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PowertrainSpec::carrier>("carrier",
                                      "Name of the body that takes the reaction of the shafts, or \"ground\".",
                                      {.refers = Refers::kBodyOrGround}),
      field<&PowertrainSpec::joints>("joints", "Names of the joints of the driven wheels; body 2 of each is the wheel.",
                                     {.refers = Refers::kJointWithAngle, .rule = "1 to 64, each once"}),
      field<&PowertrainSpec::speeds>("speeds", "Speeds of the engine.",
                                     {.unit = "rad/s", .rule = "2 to 256 numbers, increasing"}),
      field<&PowertrainSpec::full_torque>("full_torque", "Torque of the engine at full throttle.",
                                          {.unit = "N m", .range = Range::kFinite, .rule = "one for each speed"}),
      field<&PowertrainSpec::zero_torque>("zero_torque", "Torque of the engine at closed throttle.",
                                          {.unit = "N m", .range = Range::kFinite, .rule = "one for each speed"}),
      field<&PowertrainSpec::final_ratio>("final_ratio", "Turns of the engine per turn of a wheel at ratio 1.",
                                          {.unit = "1", .range = Range::kPositive}),
      field<&PowertrainSpec::efficiency>("efficiency", "Efficiency of driving torque.",
                                         {.unit = "1", .range = Range::kWithin, .low = 0.01, .high = 1}),
  };
  return kFields;
}

void check(const PowertrainSpec& spec, const FindingPlace& at) {
  if (spec.joints.empty() || spec.joints.size() > kMaxDrivenWheels)
    at.error(".joints", std::to_string(spec.joints.size()) + " names", "must be 1 to 64 joints of driven wheels");
  std::set<std::string> named;
  for (std::size_t i = 0; i < spec.joints.size(); ++i)
    if (!named.insert(spec.joints[i]).second)
      at.error('.' + element("joints", i), printed(spec.joints[i]), "must be named once");
  requireCount(at.path + ".speeds", spec.speeds, 2, kMaxEngineSpeeds, at.out);
  requireIncreasing(at.path + ".speeds", spec.speeds, at.out);
  requireSameCount(at.path + ".full_torque", spec.full_torque, "speeds", spec.speeds.size(), at.out);
  requireSameCount(at.path + ".zero_torque", spec.zero_torque, "speeds", spec.speeds.size(), at.out);
}

void build(const PowertrainSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  std::vector<int> joints;
  for (const std::string& joint : spec.joints) joints.push_back(builder.row(joint));
  builder.append({builder.body(spec.carrier),
                  joints,
                  spec.speeds,
                  spec.full_torque,
                  spec.zero_torque,
                  spec.final_ratio,
                  spec.efficiency,
                  {},
                  {}},
                 force.name);
}

}  // namespace tactus::rt
