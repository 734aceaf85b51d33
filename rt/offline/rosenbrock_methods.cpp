#include "rt/offline/adams.h"
#include "rt/offline/families.h"
#include "rt/offline/rosenbrock_nystrom.h"

namespace tactus::rt::offline {

namespace {

/// How the Rosenbrock-Nystrom methods choose their coordinates.
std::vector<Option> coordinateOptions() {
  return {choice("coordinates", "orthonormal", {"orthonormal", "partitioned"},
                 "an orthonormal basis of the free motions, or some of the coordinates themselves are the free ones"),
          number("part_anew_above", "1.25", 1, 1e9,
                 "growth of the partition's condition above which the coordinates are parted anew")};
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

Method rn4Method() {
  Method m;
  m.name = "rn4";
  m.family = "Rosenbrock-Nystrom";
  m.summary = "four linear stages in minimal coordinates, exact Jacobian, error control; for stiff mechanisms";
  m.order = 4;
  m.index_3 = "as on ordinary differential equations";
  m.stability = "L-stable";
  m.options = controlOptions(true);
  for (const Option& option : coordinateOptions()) m.options.push_back(option);
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<RosenbrockStepper>(system, start, settingsOf(options, rn4()));
  };
  return m;
}

Method ros2wMethod() {
  Method m;
  m.name = "ros2-w";
  m.family = "Rosenbrock-Nystrom";
  m.summary = "two linear stages in minimal coordinates; the Jacobian may be inexact";
  m.order = 2;
  m.index_3 = "as on ordinary differential equations";
  m.stability = "L-stable with the exact Jacobian";
  m.options = controlOptions(true);
  for (const Option& option : coordinateOptions()) m.options.push_back(option);
  m.options.push_back(choice("jacobian", "exact", {"exact", "position", "none"},
                             "what is left of it: all, the derivative by position, nothing"));
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    RosenbrockStepper::Settings settings = settingsOf(options, ros2w());
    const std::string& jacobian = options.choice("jacobian");
    if (jacobian == "position") settings.jacobian = RosenbrockStepper::Jacobian::kPosition;
    if (jacobian == "none") settings.jacobian = RosenbrockStepper::Jacobian::kNone;
    return std::make_unique<RosenbrockStepper>(system, start, settings);
  };
  return m;
}

Method adamsMethod() {
  Method m;
  m.name = "adams";
  m.family = "Rosenbrock-Nystrom";
  m.summary = "Adams predictor-corrector in minimal coordinates, the explicit comparison for rn4";
  m.order = 4;
  m.index_3 = "as on ordinary differential equations";
  m.stability = "explicit: up to omega h of about 1.2";
  m.options = controlOptions(true);
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<AdamsStepper>(system, start, tolerancesOf(options));
  };
  return m;
}

}  // namespace

std::vector<Method> rosenbrockMethods() {
  return {rn4Method(), ros2wMethod(), adamsMethod()};
}

}  // namespace tactus::rt::offline
