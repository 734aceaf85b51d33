// Bushings: law, energy and power of linear rows with inputs.
// Covers: rt/mechanics/compliant_rows.cpp, rt/mechanics/elements/compliant_row.h
#include "rt/mechanics/elements/bushing.h"
#include "rt/model/model.h"

#include "rt/mechanics/compliant_rows.h"

#include <catch2/catch.hpp>

#include <Eigen/LU>

using namespace tactus::rt;

namespace {

/// Three coupled rows; the second has a preload that actuator 1 adds to.
CompliantLaw coupled() {
  CompliantLaw law;
  law.rows = 3;
  law.K.topLeftCorner<3, 3>() << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
  law.C.topLeftCorner<3, 3>() << 0.4, 0.1, 0, 0.1, 0.3, 0, 0, 0, 0.2;
  law.rest.head<3>() << 0.1, -0.2, 0;
  law.preload.head<3>() << 1, 0, -2;
  return law;
}

CompliantLaw withInput() {
  CompliantLaw law = coupled();
  law.has_input = true;
  law.preload_of_row[1] = {1, {0.5, 2}};
  return law;
}

}  // namespace

TEST_CASE("an input adds to the preload of its row of a bushing alone", "[rt][mechanics][elements]") {
  const Model model;
  const double input[] = {7, 3}, phi[] = {0.3, 0.1, -0.4}, rate[] = {1, -2, 0.5};
  const CompliantLaw plain = coupled(), fed = withInput();
  CompliantLaw scratch;
  CHECK(&LinearRows::lawAt({model, plain, nullptr, input}, phi, rate, scratch) == &plain);
  const CompliantLaw& law = LinearRows::lawAt({model, fed, nullptr, input}, phi, rate, scratch);
  double without[3], with[3];
  compliantForce(plain, phi, rate, without);
  compliantForce(law, phi, rate, with);
  CHECK(with[0] == without[0]);
  CHECK(with[1] == Approx(without[1] + 0.5 + 2 * 3));
  CHECK(with[2] == without[2]);
}

TEST_CASE("the energy of a bushing changes by the work of its elastic force, its damping dissipates the rest",
          "[rt][mechanics][elements]") {
  const Model model;
  const double input[] = {7, 3}, phi[] = {0.3, 0.1, -0.4}, rate[] = {1, -2, 0.5};
  const CompliantLaw fed = withInput();
  const RowContext at{model, fed, nullptr, input};
  CompliantLaw scratch;
  double force[3];
  compliantForce(LinearRows::lawAt(at, phi, rate, scratch), phi, rate, force);
  double power = 0;
  for (int k = 0; k < 3; ++k) power -= force[k] * rate[k];  // on the bodies
  const double h = 1e-6;
  double later[3], before[3];
  for (int k = 0; k < 3; ++k) later[k] = phi[k] + h * rate[k], before[k] = phi[k] - h * rate[k];
  const double stored = (LinearRows::storedEnergy(at, later) - LinearRows::storedEnergy(at, before)) / (2 * h);
  const ElementPower of_law = LinearRows::power(at, phi, rate);
  CHECK(of_law.dissipated > 0);
  // A quadratic energy: round-off of the difference alone.
  CHECK(power == Approx(of_law.input - of_law.dissipated - stored).epsilon(1e-8));
}

TEST_CASE("the compliance of a step inverts stiffness and damping of the law's rows", "[rt][mechanics][elements]") {
  const CompliantLaw law = coupled();
  const Eigen::Matrix3d expected = (law.K + 2.0 / 1e-2 * law.C).topLeftCorner<3, 3>().inverse();
  CHECK((stepCompliance(law, 1e-2).topLeftCorner<3, 3>() - expected).norm() < 1e-14);  // round-off
}
