#include "rt/offline/families.h"
#include "rt/offline/first_order_steppers.h"

namespace tactus::rt::offline {

namespace {

const char* const kFamily = "tunable damping";

Option damping(const std::string& value, double most) {
  return number("rho_inf", value, 0, most, "size of the roots at infinite frequency: 0 damps most, 1 not at all");
}

Method described(const std::string& name, const std::string& summary, int order, const std::string& index_3,
                 const std::string& stability) {
  Method m;
  m.name = name;
  m.family = kFamily;
  m.summary = summary;
  m.order = order;
  m.index_3 = index_3;
  m.stability = stability;
  m.options = index3Options();
  return m;
}

/// Lets steps be chosen, if asked for.
void addControl(Method& m) {
  for (const Option& option : controlOptions(false)) m.options.push_back(option);
}

/// rho_inf of LMS3 and LMS4 is capped: near 1 their roots at -1 are multiple.
Method multistep(int r) {
  Method m = described("lms" + std::to_string(r), "linear multistep method of " + std::to_string(r) + " steps", 2,
                       "2, 2, 2", r == 2 ? "A-stable; rho_inf = 1 is the trapezoidal rule" : "A-stable");
  m.options.insert(m.options.begin(), damping("0.6", r == 2 ? 1 : 0.95));
  if (r == 2) addControl(m);
  m.make = [r](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<MultistepStepper>(system, start, r, options.number("rho_inf"), index3Settings(options),
                                              r == 2 ? tolerancesOf(options) : kFixedSteps);
  };
  return m;
}

Method singleStep(int r) {
  const std::string number_of = std::to_string(r);
  Method m = described("ss" + number_of, "single-step form of lms" + number_of, 2, "2, 2, 2", "A-stable");
  m.options.insert(m.options.begin(), damping("0.6", r == 2 ? 1 : 0.95));
  m.make = [r](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<SingleStepStepper>(system, start, r, options.number("rho_inf"), index3Settings(options));
  };
  return m;
}

Method trapezoidal(int n) {
  Method m = described(n == 2 ? "bathe" : "msstc" + std::to_string(n),
                       n == 2 ? "rho_inf-Bathe: two implicit sub-steps"
                              : "MSSTC: " + std::to_string(n) + " implicit sub-steps, flat at low frequency",
                       2, "2, 2, 1", "A-stable");
  m.options.insert(m.options.begin(), damping("0.6", 1));
  m.make = [n](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<EsdirkStepper>(system, start, trapezoidalSubsteps(n, options.number("rho_inf")),
                                           index3Settings(options));
  };
  return m;
}

Method highOrder(int n) {
  Method m = described("mssth" + std::to_string(n), "MSSTH, modified: " + std::to_string(n) + " implicit sub-steps", n,
                       "2, 2, 1", n == 5 ? "A-stable; inner stages amplify stiff parts" : "A-stable");
  m.options.insert(m.options.begin(), damping("0", n == 5 ? 0.3 : 0.4));
  m.make = [n](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<EsdirkStepper>(system, start, highOrderSubsteps(n, options.number("rho_inf")),
                                           index3Settings(options));
  };
  return m;
}

Method published(const std::string& name, const std::string& title, int order) {
  Method m = described(name, title, order, "2, 2, 1", "L-stable");
  addControl(m);
  m.make = [name](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<EsdirkStepper>(system, start, kennedyCarpenter(name), index3Settings(options),
                                           tolerancesOf(options));
  };
  return m;
}

}  // namespace

std::vector<Method> firstOrderMethods() {
  std::vector<Method> all;
  for (const int r : {2, 3, 4}) all.push_back(multistep(r));
  for (const int r : {2, 3, 4}) all.push_back(singleStep(r));
  for (const int n : {2, 3, 4, 5}) all.push_back(trapezoidal(n));
  for (const int n : {3, 4, 5}) all.push_back(highOrder(n));
  all.push_back(published("esdirk32-4l", "Kennedy-Carpenter ESDIRK3(2)4L[2]SA", 3));
  all.push_back(published("esdirk32-5l", "Kennedy-Carpenter ESDIRK3(2)5L[2]SA", 3));
  all.push_back(published("esdirk43-6l", "Kennedy-Carpenter ESDIRK4(3)6L[2]SA2", 4));
  return all;
}

}  // namespace tactus::rt::offline
