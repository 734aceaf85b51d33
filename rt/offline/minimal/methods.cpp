// Explicit Runge-Kutta methods in minimal coordinates, [MCS].
#include "rt/offline/minimal/minimal_stepper.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

namespace {

const char* const kStability = "explicit: up to omega h = 2.8 (rk4), 3.3 (dormand-prince)";

std::vector<Option> optionsWith(bool continuation) {
  return join(join({choice("rule", "rk4", {"rk4", "dormand-prince"},
                           "explicit Runge-Kutta method, of order 4 or 5; only the second estimates its error"),
                    boolean("continuation", continuation,
                            "carry the coordinates on from step to step instead of choosing new ones at each step")},
                   controlOptions(false)),
              {boolean("record", false,
                       "also write the generalized coordinates, their rates and the basis of the free motions")});
}

MakeStepper minimal(Factorization factorization) {
  return makes<MinimalStepper>([factorization](const OptionValues& options) {
    return MinimalStepper::Settings{factorization, options.boolean("continuation"),
                                    options.choice("rule") == "rk4" ? &classicalRungeKutta() : &dormandPrince(),
                                    tolerancesOf(options), options.boolean("record")};
  });
}

}  // namespace

School minimalSchool() {
  return {"minimal coordinates",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"mcs-qr", "minimal coordinates from a QR factorization, with continuation", 4, kAsOnOrdinaryEquations,
            kStability, optionsWith(true), minimal(Factorization::kQr)},
           {"mcs-svd", "minimal coordinates from a singular value decomposition", 4, kAsOnOrdinaryEquations, kStability,
            optionsWith(false), minimal(Factorization::kSvd)},
           {"mcs-eigen", "minimal coordinates from the zero eigenvalues of H^T H", 4, kAsOnOrdinaryEquations,
            kStability, optionsWith(false), minimal(Factorization::kEigen)}}};
}

}  // namespace tactus::rt::offline
