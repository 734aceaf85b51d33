// The methods with tunable damping, [MSE], and the Kennedy-Carpenter methods.
#include "rt/offline/multistep/first_order_steppers.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

namespace {

const char* const kAStable = "A-stable";
const char* const kLStable = "L-stable";
/// Orders of position, velocity and multiplier on the index-3 equations.
const char* const kMultistep = "2, 2, 2";
const char* const kStageOrder2 = "2, 2, 1";

/// rho_inf with its default and maximum, then the options of the index-3 equations.
std::vector<Option> damped(const std::string& rho_inf, double maximum) {
  return join({number("rho_inf", rho_inf, 0, maximum,
                      "magnitude of the roots at infinite frequency: 0 damps most, 1 not at all")},
              index3Options());
}

std::vector<Option> controlled(const std::vector<Option>& options) {
  return join(options, controlOptions(false));
}

double rhoInf(const OptionValues& options) {
  return options.number("rho_inf");
}

Tolerances fixedSteps(const OptionValues&) {
  return kFixedSteps;
}

MakeStepper lms(int r) {
  const auto steps = [r](const OptionValues&) { return r; };
  return r == 2 ? makes<MultistepStepper>(steps, rhoInf, index3Settings, tolerancesOf)
                : makes<MultistepStepper>(steps, rhoInf, index3Settings, fixedSteps);
}

MakeStepper ss(int r) {
  return makes<SingleStepStepper>([r](const OptionValues&) { return r; }, rhoInf, index3Settings);
}

MakeStepper trapezoidal(int n) {
  return makes<EsdirkStepper>([n](const OptionValues& options) { return trapezoidalSubsteps(n, rhoInf(options)); },
                              index3Settings);
}

MakeStepper highOrder(int n) {
  return makes<EsdirkStepper>([n](const OptionValues& options) { return highOrderSubsteps(n, rhoInf(options)); },
                              index3Settings);
}

MakeStepper published(const char* name) {
  return makes<EsdirkStepper>([name](const OptionValues&) { return kennedyCarpenter(name); }, index3Settings,
                              tolerancesOf);
}

}  // namespace

School multistepSchool() {
  return {
      "tunable damping",
      // name, summary, order, index-3 orders, stability, options, stepper
      {{"lms2", "linear multistep method of 2 steps", 2, kMultistep, "A-stable; rho_inf = 1 is the trapezoidal rule",
        controlled(damped("0.6", 1)), lms(2)},
       // rho_inf of the longer methods is capped: near 1 their roots at -1 are multiple.
       {"lms3", "linear multistep method of 3 steps", 2, kMultistep, kAStable, damped("0.6", 0.95), lms(3)},
       {"lms4", "linear multistep method of 4 steps", 2, kMultistep, kAStable, damped("0.6", 0.95), lms(4)},
       {"ss2", "single-step form of lms2", 2, kMultistep, kAStable, damped("0.6", 1), ss(2)},
       {"ss3", "single-step form of lms3", 2, kMultistep, kAStable, damped("0.6", 0.95), ss(3)},
       {"ss4", "single-step form of lms4", 2, kMultistep, kAStable, damped("0.6", 0.95), ss(4)},
       {"bathe", "rho_inf-Bathe: two implicit sub-steps", 2, kStageOrder2, kAStable, damped("0.6", 1), trapezoidal(2)},
       {"msstc3", "MSSTC: 3 implicit sub-steps, flat at low frequency", 2, kStageOrder2, kAStable, damped("0.6", 1),
        trapezoidal(3)},
       {"msstc4", "MSSTC: 4 implicit sub-steps, flat at low frequency", 2, kStageOrder2, kAStable, damped("0.6", 1),
        trapezoidal(4)},
       {"msstc5", "MSSTC: 5 implicit sub-steps, flat at low frequency", 2, kStageOrder2, kAStable, damped("0.6", 1),
        trapezoidal(5)},
       {"mssth3", "MSSTH, modified: 3 implicit sub-steps", 3, kStageOrder2, kAStable, damped("0", 0.4), highOrder(3)},
       {"mssth4", "MSSTH, modified: 4 implicit sub-steps", 4, kStageOrder2, kAStable, damped("0", 0.4), highOrder(4)},
       {"mssth5", "MSSTH, modified: 5 implicit sub-steps", 5, kStageOrder2,
        "A-stable; inner stages amplify stiff components", damped("0", 0.3), highOrder(5)},
       {"esdirk32-4l", "Kennedy-Carpenter ESDIRK3(2)4L[2]SA", 3, kStageOrder2, kLStable, controlled(index3Options()),
        published("esdirk32-4l")},
       {"esdirk32-5l", "Kennedy-Carpenter ESDIRK3(2)5L[2]SA", 3, kStageOrder2, kLStable, controlled(index3Options()),
        published("esdirk32-5l")},
       {"esdirk43-6l", "Kennedy-Carpenter ESDIRK4(3)6L[2]SA2", 4, kStageOrder2, kLStable, controlled(index3Options()),
        published("esdirk43-6l")}}};
}

}  // namespace tactus::rt::offline
