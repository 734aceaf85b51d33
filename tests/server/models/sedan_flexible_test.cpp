// The sedan on a flexible chassis against the beam of its generator and against the rigid sedan.
#include "rt/mechanics/condensed_bodies.h"
#include "server/models/built_in_models.h"
#include "tests/validation/acceptance.h"

#include <Eigen/Eigenvalues>

#include <numbers>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::tests;

namespace {

rt::ModelSpec flexibleSedan() {
  const std::string path = TACTUS_SOURCE_DIR "/server/models/examples/sedan_flexible.json";
  const server::ModelDocument document = server::openModel(path);
  for (const auto& finding : document.findings) UNSCOPED_INFO(server::toString(finding, path));
  REQUIRE(document.valid());
  return document.spec;
}

void steer(rt::ModelSpec& spec, double angle) {
  for (rt::ActuatorSpec& actuator : spec.actuators)
    if (actuator.name == "steering") actuator.initial = angle;
}

}  // namespace

TEST_CASE("the flexible chassis has the frequencies of its beam within one percent", "[server][models][modal]") {
  const rt::Model model = rt::buildModel(flexibleSedan());
  std::vector<int> chassis;
  for (int i = 0; i < model.bodyCount(); ++i)
    if (model.body_names[static_cast<std::size_t>(i)].compare(0, 7, "chassis") == 0) chassis.push_back(i);
  REQUIRE(chassis.size() == 4);
  const rt::LinearBodies linear = rt::linearBodies(model, chassis);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(linear.stiffness, linear.mass);
  // Eigenvalues of the stiffness and the mass of frame() in make_sedan_flexible.py, by numpy, Hz.
  const double beam[] = {23.4955160, 24.0515057, 28.6864813, 46.6484145, 50.8827925, 58.8345620};
  for (Eigen::Index k = 0; k < 6; ++k) {
    const double frequency = std::sqrt(solver.eigenvalues()[6 + k]) / (2 * std::numbers::pi);
    CHECK(frequency == Approx(beam[k]).epsilon(0.01));  // 0.3 % by an independent code
  }
}

TEST_CASE("the flexible sedan turns as the rigid one, and its chassis twists a little", "[server][models][modal]") {
  rt::ModelSpec rigid = server::openBuiltInModel("sedan").spec, flexible = flexibleSedan();
  for (rt::ModelSpec* spec : {&rigid, &flexible}) steer(*spec, 0.6);
  const std::vector<std::string> of_rigid = {"yaw_rate", "chassis.r.*"};
  const Recording a = record(rigid, settingsFor(1e-3), 2, of_rigid);
  const Recording b =
      record(flexible, settingsFor(1e-3), 2, {"yaw_rate", "chassis.r.*", "chassis.front.p.*", "chassis.rear.p.*"});
  REQUIRE(a.ok);
  REQUIRE(b.ok);
  const std::size_t last = a.t.size() - 1;
  CHECK(b["yaw_rate"][last] ==
        Approx(a["yaw_rate"][last]).epsilon(0.01));  // flexibility shifts the share of the axles a little
  for (const char* axis : {"x", "y"})
    CHECK(std::abs(b[std::string("chassis.r.") + axis][last] - a[std::string("chassis.r.") + axis][last]) <
          0.05);  // m, after 40 m in a turn
  // Twice the first Euler parameter of the rotation from rear to front.
  const auto e = [&](const char* part, int i) {
    return b["chassis." + std::string(part) + ".p.e" + std::to_string(i)][last];
  };
  const double twist = 2 * (e("rear", 0) * e("front", 1) - e("rear", 1) * e("front", 0) + e("rear", 3) * e("front", 2) -
                            e("rear", 2) * e("front", 3));
  CAPTURE(twist);
  CHECK(std::abs(twist) > 1e-6);  // rad: more than round-off
  CHECK(std::abs(twist) < 0.01);  // rad: roll moments of 1 kN m over 1.7 MN m/rad, ten times
}
