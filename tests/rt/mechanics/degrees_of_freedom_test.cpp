#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

namespace {

rt::DegreesOfFreedom degreesOfFreedomOf(const rt::ModelSpec& spec) {
  const rt::Model model = rt::buildModel(spec);
  return rt::countDegreesOfFreedom(model, rt::initialState(model).state);
}

}  // namespace

TEST_CASE("rank and freedoms of known mechanisms", "[rt][mechanics]") {
  const rt::DegreesOfFreedom bar = degreesOfFreedomOf(fourBar(FourBarReading::kDown));
  CHECK(bar.rows == 20);
  CHECK(bar.rank == 17);
  CHECK(bar.count == 1);
  CHECK(bar.redundant == 3);
  CHECK(degreesOfFreedomOf(chain(8)).count == 24);
  CHECK(degreesOfFreedomOf(chain(8)).redundant == 0);
  CHECK(degreesOfFreedomOf(freeBody(1)).count == 6);
  CHECK(degreesOfFreedomOf(ladder(3)).redundant == 9);
  // A loop of four bodies with five joints, two of them revolute.
  CHECK(degreesOfFreedomOf(randomLoop(4, 2, 1)).count == 5);
  CHECK(degreesOfFreedomOf(planarLoop(5, 1)).count == 3);
}

TEST_CASE("the four-bar loses a rank in its singular pose", "[rt][mechanics]") {
  const rt::Model model = rt::buildModel(fourBar(FourBarReading::kDown));
  rt::State state = rt::initialState(model).state;
  // All bars along y: A hangs from the origin, B and C lie on each other.
  const auto place = [&state](int body, double y, double angle) {
    state.r(body) = rt::Vector3d(0, y, 0);
    state.p(body) = rt::Vector4d(std::cos(angle / 2), 0, 0, std::sin(angle / 2));
  };
  constexpr double kQuarter = 1.5707963267948966;
  place(0, -0.5, -kQuarter);
  state.r(1) = rt::Vector3d(0, -1.5, 0);  // the coupler does not turn
  place(2, -1.5, -kQuarter);
  CHECK(rt::countDegreesOfFreedom(model, state).rank == 16);
}

TEST_CASE("compliant rows constrain nothing", "[rt][mechanics]") {
  rt::ModelSpec spec = freeBody(0);
  rt::TranslationalSpringSpec spring;
  spring.body_1 = "ground";
  spring.body_2 = spec.bodies[0].name;
  spring.point_1 = {0, 1, 0};
  spring.stiffness = 10;
  spec.forces.push_back({"spring", "", spring});
  CHECK(degreesOfFreedomOf(spec).rows == 0);
  CHECK(degreesOfFreedomOf(spec).count == 6);
}
