#include "rt/offline/ali3p_stepper.h"
#include "rt/offline/families.h"
#include "rt/offline/literal_stepper.h"

namespace tactus::rt::offline {

namespace {

const EquationsOfMotion& mechanism(const DynamicSystem& system) {
  const auto* equations = dynamic_cast<const EquationsOfMotion*>(&system);
  if (equations == nullptr) throw Error("ALi3p runs mechanisms that are given as a Model");
  return *equations;
}

std::unique_ptr<Stepper> makeAli3p(const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
  const EquationsOfMotion& equations = mechanism(system);
  Ali3pStepper::Options chosen;
  if (options.given("iterations")) chosen.iterations = options.integer("iterations");
  if (options.given("relative_compliance")) chosen.relative_compliance = options.number("relative_compliance");
  if (options.given("absolute_alpha")) chosen.absolute_alpha = options.number("absolute_alpha");
  chosen.velocity_passes = options.integer("velocity_passes");
  chosen.full_newton = options.boolean("full_newton");
  chosen.refactor_above = options.number("refactor_above");
  chosen.refactor_violation = options.number("refactor_violation");
  if (options.given("third_order")) chosen.third_order = options.boolean("third_order");
  if (options.given("gyroscopic_tangent")) chosen.gyroscopic_tangent = options.boolean("gyroscopic_tangent");
  chosen.tolerance = options.number("tolerance");
  return std::make_unique<Ali3pStepper>(equations, start, chosen);
}

Method literalMethod() {
  Method m;
  m.name = "ali3p-literal";
  m.family = "ALi3p";
  m.summary =
      "ALi3p as printed, seven coordinates a body and one absolute penalty; open chains of spherical joints only";
  m.order = 2;
  m.index_3 = "2, 2, 2";
  m.stability = "trapezoidal rule, stabilised by the projections; the penalty has to suit model and step";
  m.options = {integer("iterations", 3, 1, 20, "Newton iterations of a step, fewer below an increment of 1e-12"),
               number("alpha", "1e9", 1, 1e15, "the penalty"),
               boolean("full_newton", false, "form and factor the tangent in every iteration"),
               boolean("project_velocity", true, "the velocity projection"),
               boolean("project_acceleration", true, "the acceleration projection")};
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    LiteralSettings settings;
    settings.iterations = options.integer("iterations");
    settings.alpha = options.number("alpha");
    settings.full_newton = options.boolean("full_newton");
    settings.project_velocity = options.boolean("project_velocity");
    settings.project_acceleration = options.boolean("project_acceleration");
    return std::make_unique<LiteralStepper>(mechanism(system), start, settings);
  };
  return m;
}

}  // namespace

std::vector<Method> realTimeMethods() {
  Method m;
  m.name = "ali3p";
  m.family = "ALi3p";
  m.summary = "index-3 augmented Lagrangian with velocity and acceleration projections: the step of the server";
  m.order = 2;
  m.index_3 = "2, 2, 2";
  m.stability = "trapezoidal rule, stabilised by the projections";
  m.options = {integer("iterations", 2, 1, 20, "Newton iterations of a step; default: what the model recommends"),
               number("relative_compliance", "1e-8", 1e-12, 1e-3,
                      "compliance of a row over that of its bodies; default: what the model recommends"),
               number("absolute_alpha", "1e9", 1, 1e15,
                      "the paper's penalty in place of the relative compliance; default: not used"),
               integer("velocity_passes", 2, 1, 10, "velocity projections of a step"),
               boolean("full_newton", false, "form and factor the tangent in every iteration"),
               number("refactor_above", "0.1", 1e-6, 1e6, "contraction above which the tangent is formed anew"),
               number("refactor_violation", "1e-10", 1e-16, 1, "violation above which the tangent is formed anew"),
               boolean("third_order", false, "extrapolate steps to order 3; default: what the model recommends"),
               boolean("gyroscopic_tangent", false,
                       "form the gyroscopic part of the tangent; default: what the model recommends or asks for"),
               number("tolerance", "0", 0, 1e-3,
                      "above 0: iterate until the last increment, relative to the mechanism, is below this")};
  m.make = makeAli3p;
  return {m, literalMethod()};
}

}  // namespace tactus::rt::offline
