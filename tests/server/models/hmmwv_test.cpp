// The off-road vehicle of [RN] section 5 over its bump, against the published reference.
#include "rt/math/euler_parameters.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;

namespace {

const std::vector<std::string> kSignals = {"chassis.*", "wheel_height_*", "tyre_*.load", "energy.*"};

struct Vehicle {
  const char* model;
  const char* reference;
  int rows, freedoms;
  double plain_bound;  ///< on the height of the chassis with plain steps, m
};

constexpr Vehicle kVehicles[] = {{"hmmwv", "hmmwv.csv", 66, 18, 1e-4}, {"hmmwv_h10", "hmmwv_h10.csv", 74, 10, 1e-3}};

rt::ModelSpec specOf(const Vehicle& vehicle) {
  return server::openBuiltInModel(vehicle.model).spec;
}

/// Pitch about the y axis, nose down positive.
Series pitchOf(const Recording& run) {
  Series pitch{run.t, {}, {}};
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    const rt::Vector4d p(run["chassis.p.e0"][k], run["chassis.p.e1"][k], run["chassis.p.e2"][k],
                         run["chassis.p.e3"][k]);
    const rt::Matrix3d R = rt::rotationMatrix(p);
    pitch.value.push_back(std::atan2(-R(2, 0), R(0, 0)));
  }
  return pitch;
}

/// Error of the height of the chassis over the 5 s of the reference.
double heightError(const Recording& run, const Table& reference) {
  return rError(run.series("chassis.r.z"), reference.series("chassis_z[m]"), 0, 5);
}

}  // namespace

TEST_CASE("the vehicle has the bodies, rows and freedoms of the paper", "[server][models][hmmwv]") {
  for (const Vehicle& vehicle : kVehicles) {
    INFO(vehicle.model);
    const rt::Model model = rt::buildModel(specOf(vehicle));
    const rt::DegreesOfFreedom count = rt::countDegreesOfFreedom(model, rt::initialState(model).state);
    CHECK(model.bodyCount() == 14);
    CHECK(count.rows == vehicle.rows);
    CHECK(count.rank == vehicle.rows);
    CHECK(count.count == vehicle.freedoms);
    double mass = 0;
    for (const rt::Body& body : model.bodies) mass += body.mass;
    CHECK(mass == Approx(2576.924).epsilon(0).margin(1e-9));  // kg, published; round-off of a sum of 14
  }
}

// The road's profile has a kink where the disc meets the bump, so that the error of a fixed step is that of the tick in
// which it does: 7e-5 m (18 freedoms) and 3e-4 m at 1 ms, 2e-5 m and 5e-5 m with third-order steps.
TEST_CASE("the vehicle over its bump at 1 ms agrees with the reference", "[server][models][hmmwv]") {
  for (const Vehicle& vehicle : kVehicles)
    for (const bool third_order : {false, true}) {
      INFO(vehicle.model << ", third order " << third_order);
      const Table reference = Table::reference(vehicle.reference);
      rt::Settings settings = settingsFor(1e-3);
      settings.third_order = third_order;
      const Recording run = record(specOf(vehicle), settings, 5, kSignals);
      REQUIRE(run.ok);
      const double share = third_order ? 0.3 : 1;
      CHECK(heightError(run, reference) <= (third_order ? 1e-4 : vehicle.plain_bound));
      CHECK(rError(run.series("wheel_height_fr"), reference.series("wheel_fr_z[m]"), 0, 5) <= share * 2e-3);
      CHECK(rError(run.series("wheel_height_rr"), reference.series("wheel_rr_z[m]"), 0, 5) <= share * 5e-4);
      CHECK(rError(pitchOf(run), reference.series("pitch[rad]"), 0, 5) <= share * 1e-3);
      // As checkConstraintNorms(), but for the norm of the Euler parameters.
      CHECK(run.worst.constraint_position <= 1e-9);
      CHECK(run.worst.constraint_velocity <= 1e-9);

      // It rolls straight, left and right alike, and ends as it began.
      double asymmetry = 0;
      for (std::size_t k = 0; k < run.t.size(); ++k)
        asymmetry = std::max({asymmetry, std::abs(run["wheel_height_fr"][k] - run["wheel_height_fl"][k]),
                              std::abs(run["chassis.r.y"][k])});
      // Round-off, grown over the bump; then m, what the equilibrium of the reference is known to.
      CHECK(asymmetry < 1e-9);
      CHECK(std::abs(run["chassis.r.z"].back() - run["chassis.r.z"].front()) < 1e-5);
    }
}

TEST_CASE("with steps of half a millisecond the constraints of the vehicle hold and its error shrinks",
          "[server][models][hmmwv]") {
  const Table reference = Table::reference("hmmwv.csv");
  const Recording run = record(specOf(kVehicles[0]), settingsFor(5e-4), 5, kSignals);
  REQUIRE(run.ok);
  checkConstraintNorms(run);
  CHECK(heightError(run, reference) <= 5e-5);  // m; half of the bound at 1 ms
}

TEST_CASE("the energies of the vehicle add up, and its tyres carry its weight", "[server][models][hmmwv]") {
  rt::Settings settings = settingsFor(1e-3);
  settings.third_order = true;
  const Recording run = record(specOf(kVehicles[0]), settings, 3, kSignals);
  REQUIRE(run.ok);
  double load = 0;
  for (const char* wheel : {"fr", "fl", "rr", "rl"}) load += run[std::string("tyre_") + wheel + ".load"].front();
  CHECK(load == Approx(2576.924 * 9.81).epsilon(1e-5));  // the equilibrium is known to 1e-5 m of springs
  CHECK(run.highestChange("energy.input") > 100);        // J that the bump brings in
  CHECK(run["energy.dissipated"].back() > 100);
  CHECK(std::max(run.highestChange("energy.total"), -run.lowestChange("energy.total")) < 5);  // of 2720
}
