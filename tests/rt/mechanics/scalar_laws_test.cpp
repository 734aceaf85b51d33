// Laws of one row side by side against laws one by one.
#include "rt/mechanics/scalar_laws.h"

#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/law_lanes.h"
#include "rt/model/model.h"
#include "tests/support/mode_springs.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace tactus;
using namespace tactus::rt;

namespace {

/// The model of ten springs, with dampers and preloads, the fifth with an input.
Model springs() {
  Model model = buildModel(tests::modeSprings());
  double number = 1;
  for (CompliantLaw& law : model.compliant_laws) {
    law.C(0, 0) = 0.01 * number;
    law.rest[0] = 0.1 * number;
    law.preload[0] = 3 - number;
    number += 1;
  }
  model.compliant_laws[4].has_input = true;
  return model;
}

}  // namespace

TEST_CASE("laws of one row side by side have the bits of laws one by one", "[rt][mechanics]") {
  constexpr double kDt = 1e-3, kUntouched = 7;
  const Model model = springs();
  std::vector<int> asked;
  std::set<int> taken;
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    asked.push_back(joint.first_row);
    if (joint.law_index != 4) taken.insert(joint.first_row);
  }
  REQUIRE(asked.size() == 10);
  ScalarLaws laws(model, asked);
  CHECK(laws.damped());
  CHECK(laws.has(3));
  CHECK_FALSE(laws.has(4));
  CHECK(ScalarLaws(model, {}).isEmpty());
  CHECK_FALSE(ScalarLaws().damped());

  std::vector<Matrix6d> E(model.compliant_laws.size()), share(E);
  LawLanes(model).linearize(model, kDt, E.data(), share.data());
  laws.take(E, share);
  const auto rows = static_cast<std::size_t>(model.rows);
  std::vector<double> phi(rows), start(rows), rates(rows), lambda(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = static_cast<double>(r);
    phi[r] = std::sin(x);
    start[r] = std::sin(x) + 1e-3 * std::cos(2 * x);
    rates[r] = std::cos(x);
    lambda[r] = std::sin(3 * x);
  }
  std::vector<double> left(rows, kUntouched), filtered(left), begun(left), damped(lambda);
  laws.left(phi.data(), rates.data(), lambda.data(), left.data());
  laws.addDamping(-1, rates.data(), damped.data());
  laws.beginFilter(kDt, phi.data(), start.data(), rates.data(), filtered.data(), begun.data());
  std::vector<double> filtered_again(filtered), solution(lambda);
  laws.continueFilter(filtered_again.data(), solution.data());
  double power = 0;
  for (const Joint& joint : model.joints) {
    const auto r = static_cast<std::size_t>(joint.first_row);
    if (taken.count(joint.first_row) == 0) {
      CHECK(left[r] == kUntouched);
      CHECK(damped[r] == lambda[r]);
      CHECK(filtered[r] == kUntouched);
      CHECK(solution[r] == lambda[r]);
      continue;
    }
    const auto index = static_cast<std::size_t>(joint.law_index);
    const CompliantLaw& law = model.compliant_laws[index];
    double force, damping;
    compliantForce(law, &phi[r], &rates[r], &force);
    linearDamping(law, &rates[r], &damping);
    const double e = E[index](0, 0), s = share[index](0, 0);
    CHECK(left[r] == e * (lambda[r] - force));
    CHECK(damped[r] == lambda[r] - damping);
    const double first = s * ((phi[r] - start[r]) / kDt - rates[r]);
    CHECK(begun[r] == first);
    CHECK(filtered[r] == first);
    CHECK(solution[r] == s * (e * lambda[r] + first));
    CHECK(filtered_again[r] == solution[r]);
    power += rates[r] * law.C(0, 0) * rates[r];
  }
  CHECK(laws.dissipated(rates.data()) == power);
}
