// The step of the server as an offline method.
#include "rt/offline/real_time/ali3p_stepper.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

namespace {

Ali3pStepper::Options settingsOf(const OptionValues& options) {
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
  return chosen;
}

std::vector<Option> ali3pOptions() {
  return {integer("iterations", 2, 1, 20, "Newton iterations of a step; default: what the model recommends"),
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
}

}  // namespace

School realTimeSchool() {
  return {"ALi3p",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"ali3p", "index-3 augmented Lagrangian with velocity and acceleration projections: the step of the server",
            2, "2, 2, 2", "trapezoidal rule, stabilized by the projections", ali3pOptions(),
            makes<Ali3pStepper>(settingsOf)}}};
}

}  // namespace tactus::rt::offline
