#include "rt/model/elements/initial_condition.h"

#include "rt/model/rules.h"

#include <unordered_set>

namespace tactus::rt {

Fields BodyStateSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BodyStateSpec::body>("body", "Name of a body.", {.refers = Refers::kBody, .rule = "listed once"}),
      field<&BodyStateSpec::position>("position", "Center of mass, world frame.",
                                      {.unit = "m", .range = Range::kFinite, .otherwise = "the declared one"}),
      field<&BodyStateSpec::orientation>(
          "orientation", "From body frame to world frame.",
          {.unit = "1", .range = Range::kUnitQuaternion, .otherwise = "the declared one"}),
      field<&BodyStateSpec::velocity>("velocity", "Velocity of the center of mass, world frame.",
                                      {.unit = "m/s", .range = Range::kFinite, .otherwise = "the declared one"}),
      field<&BodyStateSpec::angular_velocity>(
          "angular_velocity", "Angular velocity, body frame.",
          {.unit = "rad/s", .range = Range::kFinite, .otherwise = "the declared one"}),
  };
  return kFields;
}

Fields InitialConditionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&InitialConditionSpec::name>("name", "Name of the initial condition.",
                                         {.rule = "unique among initial conditions"}),
      field<&InitialConditionSpec::description>("description", "Free text."),
      field<&InitialConditionSpec::bodies>("bodies", "States of bodies that differ from the declared ones."),
  };
  return kFields;
}

void check(const InitialConditionSpec& condition, const FindingPlace& at) {
  // A body that is listed twice would have two states.
  std::unordered_set<std::string> listed;
  for (std::size_t i = 0; i < condition.bodies.size(); ++i) {
    const std::string& body = condition.bodies[i].body;
    if (!listed.insert(body).second)
      at.error('.' + element("bodies", i) + ".body", printed(body), "must be listed once in an initial condition");
  }
}

}  // namespace tactus::rt
