// Covers: rt/model/elements/translational_spring.cpp, rt/model/elements/rotational_spring.cpp
// Covers: rt/model/elements/bushing.cpp, rt/model/elements/body_drag.cpp, rt/model/elements/vertical_tyre.cpp
// Covers: rt/model/elements/road.cpp, rt/model/elements/polynomial.cpp, rt/model/elements/harmonic.cpp
// Covers: rt/model/elements/table.cpp, rt/model/elements/input_function.cpp, rt/model/elements/driven_angle.cpp
// Covers: rt/model/elements/driven_distance.cpp, rt/model/elements/driven_travel.cpp
// Covers: rt/model/elements/drive_input.cpp
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

enum { kSpring, kTorsion, kBush, kAir };
enum { kPolynomialDrive, kHarmonicDrive, kTableDrive, kLedDrive };

/// The sample model with one of each force element and of each drive.
ModelSpec sampleWithForces() {
  ModelSpec spec = sampleModel();
  TranslationalSpringSpec spring;
  spring.body_1 = "ground";
  spring.body_2 = "arm";
  spring.point_1 = {0, 1, 0};
  spring.stiffness = 100;
  BushingSpec bush;
  bush.body_1 = "arm";
  bush.body_2 = "rod";
  bush.stiffness = Eigen::MatrixXd::Identity(6, 6);
  bush.damping = Eigen::MatrixXd::Zero(6, 6);
  spec.forces = {{"spring", "", spring},
                 {"torsion", "", RotationalSpringSpec{"hinge", 5, 0.1, 0, 0}},
                 {"bush", "", bush},
                 {"air", "", BodyDragSpec{"bob", 0.1, 0}}};
  DrivenDistanceSpec rod;
  rod.body_1 = "ground";
  rod.body_2 = "bob";
  rod.point_1 = {0, 2, 0};
  DrivenDistanceSpec above = rod, behind = rod;
  above.point_1 = {0, 0, 2};
  behind.point_1 = {0, 0, -2};
  spec.drives = {{"p", "", DrivenAngleSpec{"hinge"}, PolynomialSpec{{0, 1}}},
                 {"h", "", above, HarmonicSpec{0, 1, 2, 0}},
                 {"t", "", behind, TableSpec{{0, 1}, {0, 1}}},
                 {"led", "", rod, InputFunctionSpec{}}};
  ActuatorSpec lead;
  lead.name = "lead";
  lead.kind = DriveInputSpec{"led", DriveQuantity::kValue};
  spec.actuators.push_back(lead);
  return spec;
}

template <typename Kind>
Kind& forceOf(ModelSpec& spec, std::size_t i) {
  return std::get<Kind>(spec.forces[i].kind);
}
template <typename Function>
Function& functionOf(ModelSpec& spec, std::size_t i) {
  return std::get<Function>(spec.drives[i].function);
}

}  // namespace

TEST_CASE("the sample with force elements and drives is valid", "[rt][model]") {
  REQUIRE(checkModel(sampleWithForces()).empty());
}

TEST_CASE("force elements join bodies that exist and differ", "[rt][model]") {
  ModelSpec spec = sampleWithForces();
  forceOf<TranslationalSpringSpec>(spec, kSpring).body_2 = "amr";
  TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring.body_2", "name of a body");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).body_2 = "arm";
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.body_2", "must differ");
  spec = sampleWithForces();
  forceOf<RotationalSpringSpec>(spec, kTorsion).joint = "ball";
  TACTUS_REQUIRE_FINDING(spec, "forces[1].rotational_spring.joint", "has an angle");
  spec = sampleWithForces();
  forceOf<BodyDragSpec>(spec, kAir).body = "ground";
  TACTUS_REQUIRE_FINDING(spec, "forces[3].body_drag.body", "ground does not move");
}

TEST_CASE("stiffness, damping and lengths are in range", "[rt][model]") {
  for (const double bad : {-1.0, kNan}) {
    ModelSpec spec = sampleWithForces();
    forceOf<TranslationalSpringSpec>(spec, kSpring).stiffness = bad;
    TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring.stiffness", "must");
    spec = sampleWithForces();
    forceOf<RotationalSpringSpec>(spec, kTorsion).damping = bad;
    TACTUS_REQUIRE_FINDING(spec, "forces[1].rotational_spring.damping", "must");
    spec = sampleWithForces();
    forceOf<BodyDragSpec>(spec, kAir).linear = bad;
    TACTUS_REQUIRE_FINDING(spec, "forces[3].body_drag.linear", "must");
  }
  ModelSpec spec = sampleWithForces();
  forceOf<TranslationalSpringSpec>(spec, kSpring).free_length = 0;
  TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring.free_length", "above zero");
  spec = sampleWithForces();
  forceOf<TranslationalSpringSpec>(spec, kSpring).point_1 = spec.bodies[0].position;
  TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring", "points apart");
}

TEST_CASE("matrices of a bushing are square, symmetric and not negative", "[rt][model]") {
  ModelSpec spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).stiffness = Eigen::VectorXd::Ones(4);
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "3, 6, 9 or 36 numbers");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).stiffness(0, 1) = 0.1;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "symmetric");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).damping(2, 2) = -1;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.damping", "below zero on the diagonal");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).damping = Eigen::MatrixXd::Zero(3, 3);
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.damping", "as many rows as stiffness");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).stiffness.setZero();
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "must not be zero");
  // Each entry of the diagonal is above zero, and one direction is pushed further, not held.
  spec = sampleWithForces();
  auto& indefinite = forceOf<BushingSpec>(spec, kBush).stiffness;
  indefinite(0, 1) = indefinite(1, 0) = 2;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "eigenvalue below zero");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).stiffness(2, 2) *= -1;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "below zero on the diagonal");
  // Two rows that resist one direction only; a row without any entry is left out.
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).stiffness(0, 1) = forceOf<BushingSpec>(spec, kBush).stiffness(1, 0) = 1;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "resist every direction");
  spec = sampleWithForces();
  forceOf<BushingSpec>(spec, kBush).stiffness(5, 5) = 0;
  REQUIRE(checkModel(spec).empty());
  REQUIRE(buildModel(spec).joints[8].row_count == 5);
}

TEST_CASE("a bushing is judged in its own units: 1e9 N/m says nothing of N m/rad", "[rt][model]") {
  const auto stiff = [](const Eigen::Vector3d& rotation) {
    ModelSpec spec = sampleWithForces();
    Eigen::Matrix<double, 6, 1> diagonal;
    diagonal << 1e9, 1e9, 1e9, rotation;
    forceOf<BushingSpec>(spec, kBush).stiffness = diagonal.asDiagonal();
    return spec;
  };
  CHECK(checkModel(stiff({1e-4, 1e-4, 1e-4})).empty());
  TACTUS_REQUIRE_FINDING(stiff({-0.5, 10, 10}), "forces[2].bushing.stiffness", "below zero on the diagonal");
  // Two axes of rotation that push each other on.
  ModelSpec spec = stiff({0.1, 0.1, 10});
  forceOf<BushingSpec>(spec, kBush).stiffness(3, 4) = forceOf<BushingSpec>(spec, kBush).stiffness(4, 3) = 0.2;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "eigenvalue below zero");
  // A rotation that the translation takes up: c^2 = k k_r is semidefinite, of lower rank, and c^2 > k k_r is neither.
  spec = stiff({0.1, 10, 10});
  forceOf<BushingSpec>(spec, kBush).stiffness(0, 3) = forceOf<BushingSpec>(spec, kBush).stiffness(3, 0) = 1e4;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "resist every direction");
  forceOf<BushingSpec>(spec, kBush).stiffness(0, 3) = forceOf<BushingSpec>(spec, kBush).stiffness(3, 0) = 1.1e4;
  TACTUS_REQUIRE_FINDING(spec, "forces[2].bushing.stiffness", "eigenvalue below zero");
}

TEST_CASE("functions of drives are well formed", "[rt][model]") {
  ModelSpec spec = sampleWithForces();
  functionOf<PolynomialSpec>(spec, kPolynomialDrive).coefficients.clear();
  TACTUS_REQUIRE_FINDING(spec, "drives[0].polynomial.coefficients", "1 to 8");
  spec = sampleWithForces();
  functionOf<PolynomialSpec>(spec, kPolynomialDrive).coefficients[1] = kNan;
  TACTUS_REQUIRE_FINDING(spec, "drives[0].polynomial.coefficients[1]", "finite");
  spec = sampleWithForces();
  functionOf<HarmonicSpec>(spec, kHarmonicDrive).phase = kNan;
  TACTUS_REQUIRE_FINDING(spec, "drives[1].harmonic.phase", "finite");
  spec = sampleWithForces();
  functionOf<TableSpec>(spec, kTableDrive).times = {1, 1};
  TACTUS_REQUIRE_FINDING(spec, "drives[2].table.times[1]", "above the one before");
  spec = sampleWithForces();
  functionOf<TableSpec>(spec, kTableDrive).values = {1};
  TACTUS_REQUIRE_FINDING(spec, "drives[2].table.values", "as many as times");
}

TEST_CASE("an angle has one drive, and a screw one for angle and travel", "[rt][model]") {
  ModelSpec spec = sampleWithForces();
  spec.drives[kHarmonicDrive].target = DrivenAngleSpec{"hinge"};
  TACTUS_REQUIRE_FINDING(spec, "drives[1].angle.joint", "only drive of this angle");
  REQUIRE(checkModel(spec)[0].hint == "drives[0] drives it already");

  const Vector3d x = Vector3d::UnitX(), zero = Vector3d::Zero();
  spec = sampleModel();
  spec.drives = {{"turn", "", DrivenAngleSpec{"guide"}, PolynomialSpec{{0, 1}}},
                 {"slide", "", DrivenTravelSpec{"guide"}, PolynomialSpec{{0, 1}}}};
  spec.joints.push_back(sampleJoint("guide", "ground", "bob", CylindricalSpec{zero, zero, x, x, 0}));
  REQUIRE(checkModel(spec).empty());
  spec.joints.back().kind = ScrewSpec{zero, zero, x, x, 0.01};
  TACTUS_REQUIRE_FINDING(spec, "drives[1].travel.joint", "only drive of this screw");
}

TEST_CASE("a drive that takes an input has one actuator for each quantity", "[rt][model]") {
  ModelSpec spec = sampleWithForces();
  spec.actuators.pop_back();
  TACTUS_REQUIRE_FINDING(spec, "drives[3].input", "an actuator that gives its value");
  spec = sampleWithForces();
  spec.actuators.push_back(spec.actuators.back());
  spec.actuators.back().name = "again";
  TACTUS_REQUIRE_FINDING(spec, "actuators[4].drive_input.quantity", "the only one");
  spec = sampleWithForces();
  std::get<DriveInputSpec>(spec.actuators.back().kind).drive = "lad";
  REQUIRE(checkModel(spec).size() == 2);
  spec = sampleWithForces();
  spec.drives[kLedDrive].function = PolynomialSpec{{2}};
  TACTUS_REQUIRE_FINDING(spec, "actuators[3].drive_input.drive", "whose function is an input");
}

TEST_CASE("names are unique across force elements and drives, too", "[rt][model]") {
  ModelSpec spec = sampleWithForces();
  spec.drives[kPolynomialDrive].name = "spring";
  TACTUS_REQUIRE_FINDING(spec, "drives[0].name", "must be unique");
}

TEST_CASE("tyres and roads: each bad value gets its finding", "[rt][model]") {
  RoadSpec road;
  road.name = "street";
  road.up = {0, 0, 1};
  road.along = {1, 0, 0.5};
  road.half_cylinders = {{1, 0.05}};
  const VerticalTyreSpec tyre{"street", "bob", Vector3d::Zero(), 0.4, 2e5, 100};
  ModelSpec good = sampleModel();
  good.roads = {road};
  good.forces = {{"wheel", "", tyre}};
  REQUIRE(checkModel(good).empty());

  const auto refused = [&good](auto change, const std::string& path, const std::string& rule) {
    ModelSpec spec = good;
    change(spec.roads[0], std::get<VerticalTyreSpec>(spec.forces[0].kind));
    TACTUS_REQUIRE_FINDING(spec, path, rule);
  };
  using R = RoadSpec&;
  using T = VerticalTyreSpec&;
  const std::string at = "forces[0].vertical_tyre.";
  refused([](R, T t) { t.road = "stret"; }, at + "road", "name of a road");
  refused([](R, T t) { t.body = "ground"; }, at + "body", "must be a body");
  refused([](R, T t) { t.center[1] = kNan; }, at + "centre", "finite");
  refused([](R, T t) { t.radius = 0; }, at + "radius", "above zero");
  refused([](R, T t) { t.stiffness = -1; }, at + "stiffness", "above zero");
  refused([](R, T t) { t.damping = -1; }, at + "damping", "below zero");
  refused([](R r, T) { r.origin[0] = kNan; }, "roads[0].origin", "finite");
  refused([](R r, T) { r.up.setZero(); }, "roads[0].up", "zero length");
  refused([](R r, T) { r.along.setZero(); }, "roads[0].along", "zero length");
  refused([](R r, T) { r.along = {0, 0, -3}; }, "roads[0].along", "along up");
  refused([](R r, T) { r.half_cylinders[0].radius = 0; }, "roads[0].half_cylinders[0].radius", "above zero");
  refused([](R r, T) { r.half_cylinders[0].position = kNan; }, "roads[0].half_cylinders[0].position", "finite");
  refused([](R r, T) { r.half_cylinders.resize(65, {0, 1}); }, "roads[0].half_cylinders", "at most 64");
  // Heights are a profile for each radius, of limited size.
  refused(
      [](R r, T) {
        r.heights = {0, 0, 1e-3, 200'000, std::vector<double>(400'000, 0.0)};
      },
      at + "road", "4 000 000");
  good.roads[0].heights = {0, 0, 0.1, 2, {0, 0, 0, 0.1}};
  CHECK(checkModel(good).empty());
  ModelSpec spec = good;
  spec.roads[0].name = "bob";
  REQUIRE_FALSE(checkModel(spec).empty());
}
