// The fields that all kinds of a family share, and those of the model as a whole.
#include "rt/model/model_spec.h"

namespace tactus::rt {

Fields JointSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointSpec::name>("name", "Name of the joint.", {.rule = "unique among all named elements"}),
      field<&JointSpec::description>("description", "Free text."),
      field<&JointSpec::body_1>("body_1", "Name of a body.", {.rule = "a body or \"ground\", left out for a coupler"}),
      field<&JointSpec::body_2>("body_2", "Name of another body.",
                                {.rule = "a body or \"ground\", not body_1, left out for a coupler"}),
      field<&JointSpec::kind>("kind", "Kind of the joint."),
  };
  return kFields;
}

Fields ForceSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ForceSpec::name>("name", "Name of the force element.", {.rule = "unique among all named elements"}),
      field<&ForceSpec::description>("description", "Free text."),
      field<&ForceSpec::kind>("kind", "Kind of the force element."),
  };
  return kFields;
}

Fields DriveSpec::fields() {
  static constexpr Field kFields[] = {
      field<&DriveSpec::name>("name", "Name of the drive.", {.rule = "unique among all named elements"}),
      field<&DriveSpec::description>("description", "Free text."),
      field<&DriveSpec::target>("target", "Displacement or distance that follows the function."),
      field<&DriveSpec::function>("function", "Function of time."),
  };
  return kFields;
}

Fields InputLossSpec::fields() {
  static constexpr Field kFields[] = {
      field<&InputLossSpec::action>("action", "Action when the controller is lost.",
                                    {.otherwise = "a ramp if the actuator declares a safe value, else hold"}),
      field<&InputLossSpec::ramp_time>(
          "ramp_time", "Time from the last value to the safe value; also applies when the safe state is entered.",
          {.unit = "s", .range = Range::kWithin, .low = 0, .high = 3600}),
      field<&InputLossSpec::extrapolate_ticks>(
          "extrapolate_ticks", "Length of the extrapolation.",
          {.unit = "ticks", .rule = "1 to 1 000 000 with LOSS_ACTION_EXTRAPOLATE, else 0"}),
      field<&InputLossSpec::then>("then", "Action after the extrapolation.",
                                  {.otherwise = "as for action", .rule = "any but LOSS_ACTION_EXTRAPOLATE"}),
  };
  return kFields;
}

Fields ActuatorSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ActuatorSpec::name>("name", "Name of the actuator.", {.rule = "unique among all named elements"}),
      field<&ActuatorSpec::description>("description", "Free text."),
      field<&ActuatorSpec::group>("group",
                                  "Group of the actuator. Actuators of one group have one controller at a time.",
                                  {.otherwise = "inputs", .rule = "at most 8 groups"}),
      field<&ActuatorSpec::unit>(
          "unit", "Unit of the value as text: \"rad\".",
          {.otherwise = "that of what the actuator sets; none if a scale other than 1 is between",
           .rule = "at most 16 bytes"}),
      field<&ActuatorSpec::minimum>("minimum", "Lowest value; an input with a lower one is refused.",
                                    {.unit = "of the input", .range = Range::kFinite, .otherwise = "none"}),
      field<&ActuatorSpec::maximum>("maximum", "Highest value; an input with a higher one is refused.",
                                    {.unit = "of the input", .range = Range::kFinite, .otherwise = "none"}),
      field<&ActuatorSpec::initial>("initial", "Value before the first input.",
                                    {.unit = "of the input", .range = Range::kFinite, .rule = "within the range"}),
      field<&ActuatorSpec::safe>("safe", "Value in the safe state.",
                                 {.unit = "of the input",
                                  .range = Range::kFinite,
                                  .otherwise = "0, or initial if 0 is out of range",
                                  .rule = "within the range"}),
      field<&ActuatorSpec::on_loss>("on_loss", "What the actuator does when its controller is lost.", {.brief = true}),
      field<&ActuatorSpec::kind>("kind", "Kind of the actuator."),
  };
  return kFields;
}

Fields SensorSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SensorSpec::name>("name", "Name of the sensor.", {.rule = "unique among all named elements"}),
      field<&SensorSpec::description>("description", "Free text."),
      field<&SensorSpec::kind>("kind", "Kind of the sensor."),
  };
  return kFields;
}

Fields CompositeSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CompositeSpec::name>("name", "Name of the composite.", {.rule = "unique among all named elements"}),
      field<&CompositeSpec::description>("description", "Free text."),
      field<&CompositeSpec::kind>("kind", "Kind of the composite."),
  };
  return kFields;
}

Fields AssemblyLimitsSpec::fields() {
  static constexpr Field kFields[] = {
      field<&AssemblyLimitsSpec::position>("position", "Largest displacement of a body.",
                                           {.unit = "m and rad", .range = Range::kPositive}),
      field<&AssemblyLimitsSpec::velocity>("velocity", "Largest change of the velocity of a body.",
                                           {.unit = "m/s and rad/s", .range = Range::kPositive}),
  };
  return kFields;
}

Fields SolverSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SolverSpec::period>("period", "Step.", {.unit = "s", .range = Range::kWithin, .low = 1e-6, .high = 1}),
      field<&SolverSpec::iterations>(
          "iterations", "Newton iterations of a step.",
          {.unit = "1", .range = Range::kWithin, .low = 1, .high = 20, .otherwise = "2 up to 2 ms, 3 above"}),
      field<&SolverSpec::relative_compliance>("relative_compliance",
                                              "Compliance of a constraint row relative to that of the bodies it joins.",
                                              {.unit = "1", .range = Range::kWithin, .low = 1e-12, .high = 1e-3}),
      field<&SolverSpec::third_order>(
          "third_order", "Extrapolates each step from one whole and two half steps, at up to four times the cost."),
      field<&SolverSpec::fourth_order>("fourth_order",
                                       "Extrapolates each step from one whole, two half and three third steps, at "
                                       "up to eight times the cost. Not together with third_order."),
      field<&SolverSpec::gyroscopic_tangent>(
          "gyroscopic_tangent",
          "Includes the gyroscopic part of the tangent: fast spinning bodies converge in fewer iterations.",
          {.otherwise = "true if a body spins fast in a named initial condition; otherwise each step includes the part "
                        "of the bodies that spin fast in it"}),
  };
  return kFields;
}

Fields ParameterSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ParameterSpec::name>("name", "Name of the parameter.", {.rule = "unique among parameters"}),
      field<&ParameterSpec::description>("description", "Free text."),
      field<&ParameterSpec::unit>("unit", "Unit of the value, for people only. The value has the unit of its targets."),
      field<&ParameterSpec::minimum>("minimum", "Lowest value.",
                                     {.unit = "of the targets", .range = Range::kFinite, .otherwise = "none"}),
      field<&ParameterSpec::maximum>("maximum", "Highest value.",
                                     {.unit = "of the targets", .range = Range::kFinite, .otherwise = "none"}),
      field<&ParameterSpec::targets>("targets", "Paths of the numbers that get the value.",
                                     {.rule = "at least one, all have one value in the declared model"}),
  };
  return kFields;
}

Fields ModelSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ModelSpec::name>("name", "Name of the model.", {.rule = "letters, digits and _, at most 64"}),
      field<&ModelSpec::description>("description", "Free text."),
      field<&ModelSpec::gravity>("gravity", "Acceleration of gravity, world frame; [0, 0, 0] for none.",
                                 {.unit = "m/s^2", .range = Range::kFinite, .rule = "required"}),
      field<&ModelSpec::bodies>("bodies", "Rigid bodies.", {.rule = "1 to 4096"}),
      field<&ModelSpec::joints>("joints", "Constraints."),
      field<&ModelSpec::forces>("forces", "Force elements."),
      field<&ModelSpec::drives>("drives", "Displacements and distances that follow a function of time or an input."),
      field<&ModelSpec::roads>("roads", "Surfaces that tyres roll on."),
      field<&ModelSpec::actuators>("actuators", "Inputs."),
      field<&ModelSpec::sensors>("sensors", "Outputs, in addition to the signals of every element."),
      field<&ModelSpec::initial_conditions>("initial_conditions",
                                            "Named alternatives to the initial state that the bodies declare."),
      field<&ModelSpec::assembly>("assembly", "How far the initial state may be moved to satisfy the constraints."),
      field<&ModelSpec::solver>("solver", "Settings that the author of the model recommends."),
      field<&ModelSpec::parameters>("parameters", "Numbers that may change while a session runs."),
      field<&ModelSpec::composites>("composites", "Elements that stand for several bodies, joints and force elements."),
      field<&ModelSpec::meshes>("meshes",
                                "Contents of the meshes that visuals name by their hash; at most 2 MiB together.",
                                {.otherwise = "made from the files that visuals name"}),
  };
  return kFields;
}

}  // namespace tactus::rt
