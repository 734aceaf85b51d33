#include "rt/offline/families.h"
#include "rt/offline/sundials_steppers.h"

namespace tactus::rt::offline {

namespace {

SundialsSettings settingsOf(const OptionValues& options) {
  return {options.number("rtol"), options.number("atol"), options.number("stabilisation")};
}

Method described(const std::string& name, const std::string& summary, int order, const std::string& stability) {
  Method m;
  m.name = name;
  m.family = "SUNDIALS";
  m.summary = summary;
  m.order = order;
  m.index_3 = "index 1, stabilised";
  m.stability = stability;
  m.options = {number("rtol", "1e-8", 1e-14, 1, "relative tolerance of positions, Euler parameters and velocities"),
               number("atol", "1e-8", 1e-14, 1, "absolute tolerance of the same, SI units"),
               number("stabilisation", "10", 0, 1000, "1/s, rate at which drift off the constraints decays")};
  return m;
}

Method cvode(bool stiff) {
  const int most = stiff ? 5 : 12;
  Method m = stiff ? described("cvode-bdf", "CVODE: BDF of order 1 to 5, steps and order chosen", 5,
                               "stiffly stable; A-stable up to order 2")
                   : described("cvode-adams", "CVODE: Adams methods of order 1 to 12, steps and order chosen", 12,
                               "explicit in effect: functional iteration");
  m.options.push_back(integer("order", most, 1, most, "highest order"));
  m.make = [stiff](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<CvodeStepper>(system, start, settingsOf(options), stiff, options.integer("order"));
  };
  return m;
}

Method arkode() {
  Method m = described("arkode", "ARKODE: Runge-Kutta methods, explicit or diagonally implicit, steps chosen", 8,
                       "explicit; scheme=implicit: A-stable");
  m.options.push_back(choice("scheme", "explicit", {"explicit", "implicit"}, "kind of the method"));
  m.options.push_back(integer("order", 8, 2, 8, "order; of implicit schemes at most 5"));
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    const bool implicit = options.choice("scheme") == "implicit";
    int order = options.integer("order");
    if (implicit && order > 5) {
      if (options.given("order")) throw Error("arkode: scheme=implicit has orders 2 to 5");
      order = 5;
    }
    return std::make_unique<ArkodeStepper>(system, start, settingsOf(options), implicit, order);
  };
  return m;
}

Method ida() {
  Method m = described("ida", "IDA: BDF of order 1 to 5 on the differential-algebraic equations, multipliers included",
                       5, "stiffly stable; A-stable up to order 2");
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<IdaStepper>(system, start, settingsOf(options));
  };
  return m;
}

}  // namespace

std::vector<Method> sundialsMethods() {
  return {cvode(false), cvode(true), arkode(), ida()};
}

}  // namespace tactus::rt::offline
