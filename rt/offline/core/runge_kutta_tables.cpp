#include "rt/offline/core/runge_kutta_tables.h"

namespace tactus::rt::offline {

const ExplicitRungeKutta& classicalRungeKutta() {
  static const ExplicitRungeKutta method{
      {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}, {}, 4};
  return method;
}

const ExplicitRungeKutta& dormandPrince() {
  static const ExplicitRungeKutta method{
      {{},
       {1.0 / 5},
       {3.0 / 40, 9.0 / 40},
       {44.0 / 45, -56.0 / 15, 32.0 / 9},
       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
      {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1},
      {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40},
      5};
  return method;
}

}  // namespace tactus::rt::offline
