// The Rosenbrock-Nystrom methods, [RN], and the explicit method that they are compared with.
#include "rt/offline/rosenbrock/adams.h"
#include "rt/offline/rosenbrock/rosenbrock_nystrom.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

namespace {

std::vector<Option> rosenbrockOptions() {
  return join(controlOptions(true),
              {choice("coordinates", "orthonormal", {"orthonormal", "partitioned"},
                      "free coordinates: an orthonormal basis of the free motions, or a subset of the coordinates"),
               number("part_anew_above", "1.25", 1, 1e9,
                      "growth of the condition of the partition above which a new partition is chosen")});
}

Option jacobianOption() {
  return choice("jacobian", "exact", {"exact", "position", "none"},
                "part of the Jacobian in use: all of it, the derivative by position, nothing");
}

RosenbrockStepper::Settings settingsOf(const OptionValues& options, const RosenbrockNystrom& method) {
  RosenbrockStepper::Settings settings;
  settings.method = &method;
  settings.tolerances = tolerancesOf(options);
  if (options.choice("coordinates") == "orthonormal")
    settings.coordinates = RosenbrockStepper::Coordinates::kOrthonormal;
  settings.part_anew_above = options.number("part_anew_above");
  return settings;
}

RosenbrockStepper::Settings rn4Settings(const OptionValues& options) {
  return settingsOf(options, rn4());
}

RosenbrockStepper::Settings ros2wSettings(const OptionValues& options) {
  RosenbrockStepper::Settings settings = settingsOf(options, ros2w());
  const std::string& jacobian = options.choice("jacobian");
  if (jacobian == "position") settings.jacobian = RosenbrockStepper::Jacobian::kPosition;
  if (jacobian == "none") settings.jacobian = RosenbrockStepper::Jacobian::kNone;
  return settings;
}

}  // namespace

School rosenbrockSchool() {
  return {"Rosenbrock-Nystrom",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"rn4", "four linear stages in minimal coordinates, exact Jacobian, error control; for stiff mechanisms", 4,
            kAsOnOrdinaryEquations, "L-stable", rosenbrockOptions(), makes<RosenbrockStepper>(rn4Settings)},
           {"ros2-w", "two linear stages in minimal coordinates; the Jacobian may be inexact", 2,
            kAsOnOrdinaryEquations, "L-stable with the exact Jacobian", join(rosenbrockOptions(), {jacobianOption()}),
            makes<RosenbrockStepper>(ros2wSettings)},
           {"adams", "Adams predictor-corrector in minimal coordinates, the explicit comparison for rn4", 4,
            kAsOnOrdinaryEquations, "explicit: up to omega h of about 1.2", controlOptions(true),
            makes<AdamsStepper>(tolerancesOf)}}};
}

}  // namespace tactus::rt::offline
