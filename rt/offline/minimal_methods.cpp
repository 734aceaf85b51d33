#include "rt/offline/families.h"
#include "rt/offline/minimal_stepper.h"

namespace tactus::rt::offline {

namespace {

Method minimal(const std::string& name, const std::string& summary, Factorisation factorisation) {
  Method m;
  m.name = name;
  m.family = "minimal coordinates";
  m.summary = summary;
  m.order = 4;
  m.index_3 = "as on ordinary differential equations";
  m.stability = "explicit: up to omega h = 2.8 (rk4), 3.3 (dormand-prince)";
  m.options = {choice("rule", "rk4", {"rk4", "dormand-prince"},
                      "explicit Runge-Kutta method, of order 4 or 5; the second estimates its error"),
               boolean("continuation", factorisation == Factorisation::kQr,
                       "carry the coordinates along from step to step, in place of a new choice at each")};
  for (const Option& option : controlOptions(false)) m.options.push_back(option);
  m.options.push_back(boolean("record", false,
                              "write the generalised coordinates, their rates and the basis of the free motions, too"));
  m.make = [factorisation](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    const auto* rule = options.choice("rule") == "rk4" ? &classicalRungeKutta() : &dormandPrince();
    return std::make_unique<MinimalStepper>(
        system, start,
        MinimalStepper::Settings{factorisation, options.boolean("continuation"), rule, tolerancesOf(options),
                                 options.boolean("record")});
  };
  return m;
}

}  // namespace

std::vector<Method> minimalMethods() {
  return {minimal("mcs-qr", "minimal coordinates from a QR factorisation, with continuation", Factorisation::kQr),
          minimal("mcs-svd", "minimal coordinates from a singular value decomposition", Factorisation::kSvd),
          minimal("mcs-eigen", "minimal coordinates from the zero eigenvalues of H^T H", Factorisation::kEigen)};
}

}  // namespace tactus::rt::offline
