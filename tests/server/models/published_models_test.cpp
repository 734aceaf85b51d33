// Published mechanisms among the built-in models, run by the solver of the tick against their references.
#include "rt/math/worst.h"
#include "server/models/built_in_models.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;

namespace {

Recording run(const char* model, double dt, bool third_order, double until, const std::vector<std::string>& signals) {
  rt::Settings settings = settingsFor(dt);
  settings.third_order = third_order;
  return record(server::openBuiltInModel(model).spec, settings, until, signals);
}

double pointError(const Recording& recording, const std::string& body, const Table& reference, double until) {
  double worst = 0;
  for (const char* axis : {"x", "y", "z"})
    worst = std::max(
        worst, rError(recording.series(body + ".r." + axis), reference.series(std::string(axis) + "[m]"), 0, until));
  return worst;
}

double largest(const std::vector<double>& values) {
  double worst = 0;
  for (const double v : values) worst = rt::worst(worst, std::abs(v));
  return worst;
}

}  // namespace

// With plain steps the light crank and rod take 0.5 ms for the bound: the model recommends third-order steps.
TEST_CASE("the spatial slider-crank stays within 1e-4 m at 1 ms and within 1e-6 m at 0.1 ms", "[server][models]") {
  const Table reference = Table::reference("slider_crank.csv");
  const std::vector<std::string> signals = {"slider.r.x", "bearing.angle", "guide.travel"};
  struct Row {
    double dt;
    bool third_order;
    double until, bound;
  };
  for (const Row& row : {Row{1e-3, true, 5, 1e-4}, Row{1e-4, true, 2, 1e-6}, Row{5e-4, false, 5, 1e-4}}) {
    INFO(row.dt << ' ' << row.third_order);
    const Recording recording = run("slider_crank", row.dt, row.third_order, row.until, signals);
    REQUIRE(recording.ok);
    checkConstraintNorms(recording);
    CHECK(rError(recording.series("slider.r.x"), reference.series("slider_x[m]"), 0, row.until) <= row.bound);
    CHECK(rError(recording.series("bearing.angle"), reference.series("crank_angle[rad]"), 0, row.until) <=
          40 * row.bound);
    // The published figure to its digits and the error of the step; two joints measure one travel, to round-off.
    CHECK(largest(recording["slider.r.x"]) == Approx(0.290160).epsilon(0).margin(2e-5));
    CHECK(recording["guide.travel"].back() == Approx(recording["slider.r.x"].back()).epsilon(0).margin(1e-10));
  }
}

TEST_CASE("the top stays within 1e-6 m over 10 s and keeps its spin", "[server][models]") {
  const Table reference = Table::reference("spin_top.csv");
  const Recording recording = run("spin_top", 5e-4, true, 10, {"top.r.*", "top.omega.z", "energy.total"});
  REQUIRE(recording.ok);
  checkConstraintNorms(recording);
  // m: the bound in gallery/README.md; the spin about the symmetric axis is an integral of the motion.
  CHECK(pointError(recording, "top", reference, 10) <= 1e-6);
  for (const double spin : recording["top.omega.z"]) CHECK(std::abs(spin - 0.3) <= 1e-9);
}

TEST_CASE("the spatial pendulum stays within 1e-5 m at 1 ms, with the tension of the reference", "[server][models]") {
  const Table reference = Table::reference("spatial_pendulum.csv");
  const Recording recording = run("spatial_pendulum", 1e-3, true, 2, {"bob.r.*", "rod.force.*", "energy.total"});
  REQUIRE(recording.ok);
  // Rows as in checkConstraintNorms(); m, the bound in gallery/README.md.
  CHECK(recording.worst.constraint_position <= 1e-9);
  CHECK(pointError(recording, "bob", reference, 1) <= 1e-5);
  // The reference's multiplier belongs to r.r = l^2: the force towards the pivot is 2 lambda l.
  Series tension{recording.t, {}, {}};
  for (std::size_t k = 0; k < recording.t.size(); ++k) {
    double square = 0;
    for (const char* axis : {"x", "y", "z"}) {
      const double f = recording[std::string("rod.force.") + axis][k];
      square += f * f;
    }
    tension.value.push_back(std::sqrt(square) / (2 * 0.08));
  }
  CHECK(rError(tension, reference.series("lambda[N/m]"), 0, 1) <= 1e-2);  // N/m, of some 100
}

TEST_CASE("the stiff double pendulum follows its reference with steps far above its stiff time constant",
          "[server][models]") {
  const Table reference = Table::reference("stiff_double_pendulum.csv");
  // It starts with 1e6 rad/s^2, which the damper takes away within 10 us: the first steps need the tangent anew.
  rt::Settings settings = settingsFor(5e-4, 4);
  settings.full_newton = true;
  const Recording recording =
      record(server::openBuiltInModel("stiff_double_pendulum").spec, settings, 10, {"joint_1.angle", "joint_1.rate"});
  REQUIRE(recording.ok);
  // Rows as in checkConstraintNorms(), rates of a stiff transient of 1e6 rad/s^2 one digit less; rad, the bound of
  // gallery/README.md; the rest at which it ends, to the creep of its strong damper.
  CHECK(recording.worst.constraint_position <= 1e-9);
  CHECK(recording.worst.constraint_velocity <= 1e-8);
  CHECK(rError(recording.series("joint_1.angle"), reference.series("theta1[rad]"), 0, 10) <= 1e-2);
  CHECK(recording["joint_1.angle"].back() == Approx(1.5 * M_PI).margin(1e-4));
}

TEST_CASE("Andrews' squeezer stays within 1e-5 m", "[server][models]") {
  const Table reference = Table::reference("andrews_squeezer.csv");
  const Recording recording =
      run("andrews_squeezer", 1e-5, true, 0.05, {"o.angle", "o.rate", "of.r.*", "of.p.*", "energy.total"});
  REQUIRE(recording.ok);
  Series x{recording.t, {}, {}}, y = x;
  for (const double angle : recording["o.angle"]) {
    x.value.push_back(0.007 * std::cos(angle));
    y.value.push_back(0.007 * std::sin(angle));
  }
  // m: the bound in gallery/README.md; the published angle and the largest rate, at steps that turn the crank by 13
  // mrad.
  CHECK(rError(x, reference.series("F_x[m]"), 0, 0.05) <= 1e-5);
  CHECK(rError(y, reference.series("F_y[m]"), 0, 0.05) <= 1e-5);
  CHECK(recording["o.angle"].back() == Approx(33.81534072137).margin(2e-3));
  CHECK(largest(recording["o.rate"]) == Approx(1286.46).epsilon(1e-3));
}
