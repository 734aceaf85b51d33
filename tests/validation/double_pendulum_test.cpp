// The spatial double pendulum of [DCA3] section 4.2, at its step of 10 ms.
#include "tests/support/dense_mechanism.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;

namespace {

const std::vector<std::string> kSignals = {"A.*", "B.*", "joint_1.force.*", "energy.total"};

Table reference() {
  return Table::reference("spatial_double_pendulum.csv");
}

double positionError(const Recording& run, double until) {
  return std::max(vectorError(run, "A.r", reference(), {"rA", "[m]"}, 0, until),
                  vectorError(run, "B.r", reference(), {"rB", "[m]"}, 0, until));
}

Vector3d at(const Recording& run, const std::string& signal, double t) {
  return {valueAt(run.series(signal + ".x"), t), valueAt(run.series(signal + ".y"), t),
          valueAt(run.series(signal + ".z"), t)};
}

}  // namespace

TEST_CASE("double pendulum at 10 ms stays within the published bounds", "[validation][double_pendulum]") {
  const Recording run = record(doublePendulum(), settingsFor(0.01), 10, kSignals);
  REQUIRE(run.ok);
  // Published bounds, m and J.
  CHECK(positionError(run, 5) <= 2e-3);
  CHECK(positionError(run, 10) <= 0.05);
  CHECK(run.highestChange("energy.total") <= 0.01);
  CHECK(run.lowestChange("energy.total") >= -0.01);
  checkConstraintNorms(run);
  CHECK(run.worst.converged);

  // What the method itself does, found with independent code: energy in [-0.0099, 0.0001] J, joints to round-off.
  CHECK(run.lowestChange("energy.total") > -0.0099);
  CHECK(run.highestChange("energy.total") < 1e-4);
  CHECK(run.worst.constraint_position < 1e-14);
}

TEST_CASE("double pendulum at 1 ms reports the published reaction", "[validation][double_pendulum]") {
  const Recording run = record(doublePendulum(), settingsFor(0.001), 10, kSignals);
  REQUIRE(run.ok);
  // Published bound, N.
  CHECK(vectorError(run, "joint_1.force", reference(), {"F1", "[N]"}, 0, 10) <= 0.05);
  checkConstraintNorms(run);
}

TEST_CASE("the double pendulum converges with order 2 in position, velocity and reported reaction",
          "[validation][double_pendulum]") {
  std::vector<double> position, velocity, rate, reaction;
  for (const double dt : {0.01, 0.005, 0.0025, 0.00125}) {
    const Recording run = record(doublePendulum(), settingsFor(dt), 5, kSignals);
    REQUIRE(run.ok);
    position.push_back(positionError(run, 5));
    velocity.push_back(vectorError(run, "B.v", reference(), {"vB", "[m/s]"}, 0, 5));
    reaction.push_back(vectorError(run, "joint_1.force", reference(), {"F1", "[N]"}, 0, 5));
  }
  checkOrderTwo(position);
  checkOrderTwo(velocity);
  checkOrderTwo(reaction);
}

TEST_CASE("the double pendulum has the known errors of the method at 2 s", "[validation][double_pendulum]") {
  // Positions of a tight Runge-Kutta integration, and the error of this method found with independent code.
  const Vector3d r_A(0.005128621, -0.439054690, -0.239174991), r_B(-0.301445670, -0.557981007, -0.253941606);
  const Vector3d force(0.030901, 20.840931, 6.113039);
  const double known[] = {5.9e-4, 1.5e-4, 3.7e-5, 9.2e-6};
  double dt = 0.01;
  for (const double expected : known) {
    const Recording run = record(doublePendulum(), settingsFor(dt), 2, kSignals);
    REQUIRE(run.ok);
    // Variants of the same rule differ in their error constant by up to a fifth.
    CHECK((at(run, "B.r", 2) - r_B).norm() == Approx(expected).epsilon(0.2));
    CHECK((at(run, "A.r", 2) - r_A).norm() < 1.2 * expected);
    // The force of the ground on A, not of A on the ground: its y part carries the weight. The
    // factor, N of force for each m of position, is three times what is seen.
    CHECK((at(run, "joint_1.force", 2) - force).norm() < 40 * expected);
    dt /= 2;
  }
}

TEST_CASE("double pendulum does not depend on the order of listing", "[validation][double_pendulum]") {
  checkOrderOfListing(doublePendulum(), settingsFor(0.01));
}
