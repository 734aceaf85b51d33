// The algorithm of [DCA3] as printed. It ships with the library as an oracle: anybody can compare the step of Tactus
// with the printed algorithm on the same model.
#include "rt/offline/literal/literal_stepper.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

namespace {

LiteralSettings settingsOf(const OptionValues& options) {
  LiteralSettings settings;
  settings.iterations = options.integer("iterations");
  settings.alpha = options.number("alpha");
  settings.full_newton = options.boolean("full_newton");
  settings.project_velocity = options.boolean("project_velocity");
  settings.project_acceleration = options.boolean("project_acceleration");
  return settings;
}

}  // namespace

School literalSchool() {
  return {"ALi3p",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"ali3p-literal",
            "ALi3p as printed, seven coordinates a body and one absolute penalty; chains of spherical joints only, "
            "open or closed by ground",
            2,
            "2, 2, 2",
            "trapezoidal rule, stabilized by the projections; the penalty has to suit model and step",
            {integer("iterations", 3, 1, 20, "Newton iterations of a step, fewer below an increment of 1e-12"),
             number("alpha", "1e9", 1, 1e15, "penalty"),
             boolean("full_newton", false, "form and factor the tangent in every iteration"),
             boolean("project_velocity", true, "project the velocities"),
             boolean("project_acceleration", true, "project the accelerations")},
            makes<LiteralStepper>(settingsOf)}}};
}

}  // namespace tactus::rt::offline
