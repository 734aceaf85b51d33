#include "rt/model/elements/anti_roll_bar.h"

#include "rt/model/model_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields AntiRollBarSpec::fields() {
  static constexpr Field kFields[] = {
      field<&AntiRollBarSpec::joint_1>("joint_1", "Name of a joint with an angle.",
                                       {.refers = Refers::kJointWithAngle}),
      field<&AntiRollBarSpec::joint_2>("joint_2", "Name of another joint with an angle.",
                                       {.refers = Refers::kJointWithAngle, .rule = "not joint_1"}),
      field<&AntiRollBarSpec::stiffness>("stiffness", "Torque per twist.",
                                         {.unit = "N m/rad", .range = Range::kNotNegative}),
      field<&AntiRollBarSpec::damping>("damping", "Torque per rate of the twist.",
                                       {.unit = "N m s/rad", .range = Range::kNotNegative}),
      field<&AntiRollBarSpec::ratio>(
          "ratio",
          "Share of angle 2 in the twist; -1 if the angles of the two arms have opposite signs when both wheels rise.",
          {.unit = "1", .range = Range::kFinite, .rule = "not zero"}),
      field<&AntiRollBarSpec::free_twist>(
          "free_twist", "Twist without elastic torque.",
          {.unit = "rad", .range = Range::kFinite, .otherwise = "the twist in the declared state"}),
      field<&AntiRollBarSpec::boost>("boost",
                                     "Torque of a motor on joint 2, as a share of the torque of the bar there.",
                                     {.unit = "1", .range = Range::kNotNegative}),
  };
  return kFields;
}

void check(const AntiRollBarSpec& spec, const FindingPlace& at) {
  if (spec.joint_1 == spec.joint_2 && !spec.joint_1.empty())
    at.error(".joint_2", printed(spec.joint_2), "must differ from joint_1");
  if (spec.ratio == 0) at.error(".ratio", "0", "must not be zero", "a spring about one joint is a rotational_spring");
}

void build(const AntiRollBarSpec& spec, const ForceSpec&, ModelBuilder& builder) {
  Model& model = builder.model();
  const int one = builder.row(spec.joint_1), two = builder.row(spec.joint_2);
  const auto angle = [&model](int joint) { return model.joints[static_cast<std::size_t>(joint)].initial_angle; };
  model.anti_roll_bars.push_back({one, two, spec.stiffness, spec.damping, spec.ratio,
                                  spec.free_twist.value_or(angle(one) - spec.ratio * angle(two)), spec.boost});
}

}  // namespace tactus::rt
