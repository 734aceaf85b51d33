// The methods of the Newmark school, [TAN].
#include "rt/offline/newmark/central_difference.h"
#include "rt/offline/newmark/classic_newmark.h"
#include "rt/offline/newmark/tangent_newmark.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

namespace {

std::vector<Option> tangentOptions() {
  return join(newmarkOptions(),
              {boolean("frequencies", true, "estimate omega_max and the stable step along the run"),
               choice("begin", "consistent", {"consistent", "unaccelerated"},
                      "first acceleration: consistent with the equations, or zero along the free motions for a start "
                      "whose transient is far shorter than the step")});
}

TangentNewmark::Settings tangentSettings(const OptionValues& options) {
  TangentNewmark::Settings settings;
  settings.rule = newmarkRule(options);
  settings.tolerance = options.number("tolerance");
  settings.iterations = options.integer("iterations");
  settings.frequencies = options.boolean("frequencies");
  settings.begin_unaccelerated = options.choice("begin") == "unaccelerated";
  return settings;
}

ClassicNewmark::Settings classicSettings(const OptionValues& options) {
  return {newmarkRule(options), options.number("tolerance"), options.integer("iterations"),
          options.number("relative_compliance")};
}

}  // namespace

School newmarkSchool() {
  return {"tangent space",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"newmark-tangent", "Newmark's rule in the tangent space; the constraints hold at all three levels", 2,
            "2, 2, 2", "A-stable for beta >= alpha/2 >= 1/4, else up to omega h = 1/sqrt(alpha/2 - beta)",
            tangentOptions(), makes<TangentNewmark>(tangentSettings)},
           {"newmark-classic", "Newmark's rule on the index-3 equations, as usual; kept because its failures are known",
            2, "2, 2, 0 (trapezoidal)", "none on constrained equations unless alpha > 1/2 and beta > alpha/2",
            join(newmarkOptions(), {relativeCompliance()}), makes<ClassicNewmark>(classicSettings)},
           {"central-difference",
            "explicit Newmark; positions and velocities are projected onto their constraints",
            2,
            "2, 2, 2",
            "up to omega h = 2",
            {},
            makes<CentralDifference>()}}};
}

}  // namespace tactus::rt::offline
