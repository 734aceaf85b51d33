#include "rt/offline/central_difference.h"
#include "rt/offline/classic_newmark.h"
#include "rt/offline/families.h"
#include "rt/offline/tangent_newmark.h"

namespace tactus::rt::offline {

namespace {

const char* const kNewmarkStability =
    "A-stable for beta >= alpha/2 >= 1/4, else up to omega h = 1/sqrt(alpha/2 - beta)";

Method tangentNewmark() {
  Method m;
  m.name = "newmark-tangent";
  m.family = "tangent space";
  m.summary = "Newmark's rule in the tangent space: all three levels of the constraints hold together";
  m.order = 2;
  m.index_3 = "2, 2, 2";
  m.stability = kNewmarkStability;
  m.options = newmarkOptions();
  m.options.push_back(boolean("frequencies", true, "estimate omega_max and the stable step along the run"));
  m.options.push_back(choice("begin", "consistent", {"consistent", "unaccelerated"},
                             "the first acceleration: the motion's own, or none along the free motions, for a start "
                             "with a transient far shorter than the step"));
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    TangentNewmark::Settings settings;
    settings.begin_unaccelerated = options.choice("begin") == "unaccelerated";
    settings.rule = newmarkRule(options);
    settings.tolerance = options.number("tolerance");
    settings.iterations = options.integer("iterations");
    settings.frequencies = options.boolean("frequencies");
    return std::make_unique<TangentNewmark>(system, start, settings);
  };
  return m;
}

Method classicNewmark() {
  Method m;
  m.name = "newmark-classic";
  m.family = "tangent space";
  m.summary = "Newmark's rule on the index-3 equations, the usual way; kept because its failures are known";
  m.order = 2;
  m.index_3 = "2, 2, 0 (trapezoidal)";
  m.stability = "none on constrained equations unless alpha > 1/2 and beta > alpha/2";
  m.options = newmarkOptions();
  m.options.push_back(relativeCompliance());
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    ClassicNewmark::Settings settings;
    settings.rule = newmarkRule(options);
    settings.tolerance = options.number("tolerance");
    settings.iterations = options.integer("iterations");
    settings.relative_compliance = options.number("relative_compliance");
    return std::make_unique<ClassicNewmark>(system, start, settings);
  };
  return m;
}

Method centralDifference() {
  Method m;
  m.name = "central-difference";
  m.family = "tangent space";
  m.summary = "explicit Newmark; positions and velocities are projected onto their constraints";
  m.order = 2;
  m.index_3 = "2, 2, 2";
  m.stability = "up to omega h = 2";
  m.make = [](const DynamicSystem& system, const MotionPoint& start, const OptionValues&) {
    return std::make_unique<CentralDifference>(system, start);
  };
  return m;
}

}  // namespace

std::vector<Method> newmarkMethods() {
  return {tangentNewmark(), classicNewmark(), centralDifference()};
}

}  // namespace tactus::rt::offline
