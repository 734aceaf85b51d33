// The solvers of the SUNDIALS library.
#include "rt/offline/schools.h"
#include "rt/offline/sundials/sundials_steppers.h"

namespace tactus::rt::offline {

namespace {

const char* const kIndex1 = "index 1, stabilized";
constexpr int kMaxImplicitOrder = 5;

/// The common options, then those of one solver.
std::vector<Option> optionsWith(const std::vector<Option>& own) {
  return join({number("rtol", "1e-8", 1e-14, 1, "relative tolerance of positions, Euler parameters and velocities"),
               number("atol", "1e-8", 1e-14, 1, "absolute tolerance of the same values, SI units"),
               number("stabilization", "10", 0, 1000, "rate at which drift off the constraints decays, 1/s")},
              own);
}

SundialsSettings sundialsSettingsOf(const OptionValues& options) {
  return {options.number("rtol"), options.number("atol"), options.number("stabilization")};
}

Option highestOrder(int order) {
  return integer("order", order, 1, order, "highest order");
}

MakeStepper cvode(bool stiff) {
  return makes<CvodeStepper>(
      sundialsSettingsOf, [stiff](const OptionValues&) { return stiff; },
      [](const OptionValues& options) { return options.integer("order"); });
}

bool isImplicit(const OptionValues& options) {
  return options.choice("scheme") == "implicit";
}

int arkodeOrder(const OptionValues& options) {
  const int order = options.integer("order");
  if (!isImplicit(options) || order <= kMaxImplicitOrder) return order;
  if (options.given("order")) throw Error("arkode: scheme=implicit has orders 2 to 5");
  return kMaxImplicitOrder;
}

}  // namespace

School sundialsSchool() {
  return {"SUNDIALS",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"cvode-adams", "CVODE: Adams methods of order 1 to 12, steps and order chosen", 12, kIndex1,
            "explicit in effect: functional iteration", optionsWith({highestOrder(12)}), cvode(false)},
           {"cvode-bdf", "CVODE: BDF of order 1 to 5, steps and order chosen", 5, kIndex1,
            "stiffly stable; A-stable up to order 2", optionsWith({highestOrder(5)}), cvode(true)},
           {"arkode", "ARKODE: Runge-Kutta methods, explicit or diagonally implicit, steps chosen", 8, kIndex1,
            "explicit; scheme=implicit: A-stable",
            optionsWith({choice("scheme", "explicit", {"explicit", "implicit"}, "kind of the method"),
                         integer("order", 8, 2, 8, "order; of implicit schemes at most 5")}),
            makes<ArkodeStepper>(sundialsSettingsOf, isImplicit, arkodeOrder)},
           {"ida", "IDA: BDF of order 1 to 5 on the differential-algebraic equations, multipliers included", 5, kIndex1,
            "stiffly stable; A-stable up to order 2", optionsWith({}), makes<IdaStepper>(sundialsSettingsOf)}}};
}

}  // namespace tactus::rt::offline
