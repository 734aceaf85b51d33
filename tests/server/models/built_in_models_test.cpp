// Covers: server/models/built_in_models.cpp, server/models/chain.cpp, server/models/model_reference.cpp
#include "server/models/built_in_models.h"

#include "rt/ali3p/settings.h"
#include "rt/loop/energy_watch.h"
#include "rt/math/euler_parameters.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/models/model_reference.h"
#include "tests/support/simulation.h"

#include <Eigen/SVD>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::server;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

rt::Model build(const std::string& name) {
  return rt::buildModel(openBuiltInModel(name).spec);
}

/// Pose of a body, or of ground, in a state.
struct Pose {
  Vector3d r = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
};

Pose poseOf(const rt::StateView& state, int body) {
  if (body == rt::kGround) return {};
  return {state.r(body), rt::rotationMatrix(state.p(body))};
}

Matrix3d cross(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

/// Jacobian of the rows of revolute joints against world velocities (v, omega) of all bodies, written down anew here:
/// the points keep together, and the axes keep together across two directions.
Eigen::MatrixXd revoluteJacobian(const rt::Model& model, const rt::StateView& state) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(model.rows, 6 * model.bodyCount());
  for (const rt::Joint& joint : model.joints) {
    const Pose a = poseOf(state, joint.body_1), b = poseOf(state, joint.body_2);
    const Vector3d axis = b.R * joint.axis_2;
    const Vector3d u = a.R * joint.zero_1, w = (a.R * joint.axis_1).cross(u);
    const auto add = [&](int body, double sign, const Vector3d& arm) {
      if (body == rt::kGround) return;
      J.block<3, 3>(joint.first_row, 6 * body) = sign * Matrix3d::Identity();
      J.block<3, 3>(joint.first_row, 6 * body + 3) = -sign * cross(arm);
      J.block<1, 3>(joint.first_row + 3, 6 * body + 3) = sign * u.cross(axis).transpose();
      J.block<1, 3>(joint.first_row + 4, 6 * body + 3) = sign * w.cross(axis).transpose();
    };
    add(joint.body_1, 1, a.R * joint.point_1);
    add(joint.body_2, -1, b.R * joint.point_2);
  }
  return J;
}

Eigen::VectorXd singularValues(const Eigen::MatrixXd& J) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues();
}

/// Rank deficiency below this size of a singular value; the values of these mechanisms are of order one.
constexpr double kZero = 1e-10;

long rankOf(const Eigen::MatrixXd& J) {
  return (singularValues(J).array() > kZero).count();
}

}  // namespace

TEST_CASE("every built-in model checks clean and starts consistent", "[server][models]") {
  REQUIRE(builtInModels().size() == 24);
  for (const BuiltInModel& info : builtInModels()) {
    CAPTURE(info.name);
    const ModelDocument document = openBuiltInModel(info.name);
    for (const LocatedFinding& finding : document.findings) INFO(toString(finding, info.name));
    REQUIRE(document.findings.empty());
    REQUIRE_FALSE(info.description.empty());
    REQUIRE(info.description.find('\n') == std::string::npos);

    // Declared to the last digit: assembly has nothing to move.
    const rt::Model model = rt::buildModel(document.spec);
    for (int i = 0; i < static_cast<int>(model.initial_conditions.size()); ++i) {
      CAPTURE(i);
      const rt::AssemblyResult start = rt::initialState(model, i);
      // Round-off: the declared states satisfy their rows exactly.
      REQUIRE(start.position_violation < 1e-14);
      REQUIRE(start.velocity_violation < 1e-14);
    }
  }
}

TEST_CASE("no built-in model gains energy that no input gave, at rest or with inputs that jump", "[server][models]") {
  for (const BuiltInModel& info : builtInModels())
    for (const bool driven : {false, true}) {
      CAPTURE(info.name, driven);
      const rt::ModelSpec spec = openBuiltInModel(info.name).spec;
      const rt::Settings settings = rt::chooseSettings(rt::buildModel(spec));
      tests::Simulation run(spec, settings);
      rt::EnergyWatch watch(run.model(), settings.dt());
      watch.begin(run.model(), run.state());
      const std::vector<rt::Actuator>& actuators = run.model().actuators;
      while (run.state().tick < 3000) {
        // Each input jumps within a fifth of its range, or by 1, at ticks of its own.
        for (std::size_t i = 0; driven && i < actuators.size(); ++i) {
          const double low = std::max(actuators[i].minimum, -2.5), high = std::min(actuators[i].maximum, 2.5);
          const auto jump = static_cast<double>(run.state().tick / (97 + 10 * static_cast<int>(i)) % 2);
          run.input()[i] = 0.5 * (low + high) + 0.2 * (high - low) * (jump - 0.5);
        }
        REQUIRE(run.step().status == rt::TickStatus::kOk);
        watch.record(run.model(), run.state());
      }
      const rt::EnergyReport found = watch.report();
      CAPTURE(found.growth, found.scale, found.drift);
      CHECK(found.grows_since == -1);
    }
}

TEST_CASE("the double pendulum is the published one", "[server][models]") {
  const rt::Model model = build("double_pendulum");
  REQUIRE(model.body_names == std::vector<std::string>{"a", "b"});
  REQUIRE(model.joint_names == std::vector<std::string>{"joint_1", "joint_2"});
  REQUIRE(model.rows == 6);
  REQUIRE(model.initial_conditions[0].position[0] == Vector3d(0.5, 0, 0));
  REQUIRE(model.initial_conditions[0].position[1] == Vector3d(1, 0, 0.5));
  REQUIRE(model.gravity == Vector3d(0, -9.81, 0));
  for (const rt::Body& body : model.bodies) REQUIRE((body.mass == 1 && body.inertia == Matrix3d::Identity()));
}

TEST_CASE("both four-bars are parallelograms with three redundant rows", "[server][models]") {
  for (const auto& [name, pivot] : {std::pair("four_bar", -1.0), std::pair("four_bar_up", 1.0)}) {
    CAPTURE(name);
    const rt::Model model = build(name);
    REQUIRE(model.body_names == std::vector<std::string>{"a", "b", "c"});
    REQUIRE(model.joints[3].point_1 == Vector3d(0, pivot, 0));
    const rt::AssemblyResult start = rt::initialState(model);
    const Vector3d tip = poseOf(start.state.view(), 0).r * 2;
    // Round-off of one product.
    REQUIRE((tip - Vector3d(std::cos(M_PI / 4), pivot * std::sin(M_PI / 4), 0)).norm() < 1e-15);
    REQUIRE(model.rows == 20);
    REQUIRE(rankOf(revoluteJacobian(model, start.state.view())) == 17);
  }
}

TEST_CASE("the motor four-bar turns all the way round", "[server][models]") {
  const ModelDocument document = openBuiltInModel("motor_four_bar");
  const rt::Model model = rt::buildModel(document.spec);
  const auto pinDistance = [&](const char* first, const char* second) {
    std::vector<Vector3d> pins;
    const auto add = [&](const rt::JointSpec& joint, int body) {
      const auto& hinge = std::get<rt::RevoluteSpec>(joint.kind);
      pins.push_back(body == 1 ? hinge.point_1 : hinge.point_2);
    };
    for (const rt::JointSpec& joint : document.spec.joints) {
      if (joint.body_1 == first && (joint.body_2 == second || std::string(second).empty())) add(joint, 1);
      if (joint.body_2 == first && (joint.body_1 == second || std::string(second).empty())) add(joint, 2);
    }
    REQUIRE(pins.size() == 2);
    return (pins[0] - pins[1]).norm();
  };
  const double ground = pinDistance("ground", ""), crank = pinDistance("crank", "");
  const double coupler = pinDistance("coupler", ""), rocker = pinDistance("rocker", "");

  // Grashof: the crank is the shortest, and with the longest shorter than the other two.
  REQUIRE(crank < std::min({ground, coupler, rocker}));
  REQUIRE(crank + ground < coupler + rocker);
  REQUIRE(model.actuator_names == std::vector<std::string>{"motor"});
  REQUIRE(model.actuators[0].target == 0);
  REQUIRE(model.actuators[0].maximum == 5);
  REQUIRE(model.sensors[0].kind == rt::SensorKind::kJointAngle);
}

TEST_CASE("the Bricard loop moves although one row is redundant", "[server][models]") {
  rt::ModelSpec spec = openBuiltInModel("bricard").spec;
  const rt::AssemblyResult start = rt::initialState(rt::buildModel(spec));
  const rt::Model model = rt::buildModel(spec);
  REQUIRE(model.bodyCount() == 5);
  REQUIRE(model.rows == 30);

  // Thirty rows on thirty velocities, yet one freedom is left, and no second one is near.
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(revoluteJacobian(model, start.state.view()), Eigen::ComputeFullV);
  REQUIRE(svd.singularValues()[29] < kZero);
  REQUIRE(svd.singularValues()[28] > 0.1);

  // It is no mere shakiness: a finite way along the freedom the loop still closes. Each step moves the bodies along
  // the null vector and lets assembly pull them back on the constraints.
  spec.assembly.position = 1;
  Eigen::VectorXd along = svd.matrixV().col(29);
  double turned = 0;
  for (int k = 0; k < 200; ++k) {
    const rt::AssemblyResult at = rt::initialState(rt::buildModel(spec));
    const rt::StateView state = at.state.view();
    Eigen::JacobiSVD<Eigen::MatrixXd> here(revoluteJacobian(model, state), Eigen::ComputeFullV);
    REQUIRE(here.singularValues()[29] < kZero);
    REQUIRE(here.singularValues()[28] > 0.1);  // far above kZero: the rank is beyond doubt
    Eigen::VectorXd next = here.matrixV().col(29);
    if (next.dot(along) < 0) next = -next;
    along = next;

    const double step = 0.01 / along.segment<3>(3).norm();  // rad of the first link
    turned += 0.01;
    for (int i = 0; i < model.bodyCount(); ++i) {
      rt::BodySpec& body = spec.bodies[static_cast<std::size_t>(i)];
      body.position = state.r(i) + step * along.segment<3>(6 * i);
      body.orientation = rt::turnedBy(state.p(i), step * along.segment<3>(6 * i + 3));
    }
    // What assembly corrects is the curvature of the path, second order in the step.
    REQUIRE(at.position_correction < 2e-3);
  }
  REQUIRE(turned == Approx(2.0));
}

TEST_CASE("chains have the length asked for", "[server][models]") {
  REQUIRE(build("chain").bodyCount() == 8);
  REQUIRE(build("chain:n=1").bodyCount() == 1);
  const rt::Model model = build("chain:n=32");
  REQUIRE(model.bodyCount() == 32);
  REQUIRE(model.rows == 96);
  REQUIRE(model.joints[0].body_1 == rt::kGround);
  REQUIRE(model.body_names.front() == "link_1");
  REQUIRE(model.joint_names.back() == "joint_32");
  REQUIRE(model.initial_conditions[0].position[31] == Vector3d(31.5, 0, 0));
  REQUIRE(openBuiltInModel("chain:n=4096").valid());
}

TEST_CASE("wrong names and parameters of built-in models are explained", "[server][models]") {
  using Catch::Contains;
  REQUIRE_THROWS_WITH(openBuiltInModel("fourbar"), Contains("did you mean \"four_bar\"?"));
  REQUIRE_THROWS_WITH(openBuiltInModel("xyz"), Contains("known: ") && Contains("chain"));
  REQUIRE_THROWS_WITH(openBuiltInModel("four_bar:n=3"), Contains("has no parameter \"n\" (it has none)"));
  REQUIRE_THROWS_WITH(openBuiltInModel("chain:links=3"),
                      Contains("has no parameter \"links\"") && Contains("known: n"));
  for (const std::string bad : {"chain:n=0", "chain:n=4097", "chain:n=-1", "chain:n=8.5", "chain:n=eight", "chain:n=8x",
                                "chain:n=99999999999999999999"}) {
    CAPTURE(bad);
    REQUIRE_THROWS_WITH(openBuiltInModel(bad), Contains("must be a whole number from 1 to 4096"));
  }
  for (const std::string bad : {"chain:", "chain:n", "chain:n=", "chain:=8", "chain:n=8,", "chain:,n=8"}) {
    CAPTURE(bad);
    REQUIRE_THROWS_WITH(openBuiltInModel(bad), Contains("name:key=value"));
  }
  REQUIRE_THROWS_WITH(openBuiltInModel("chain:n=8,n=9"), Contains("twice"));
}

TEST_CASE("a model is a file if it looks like one", "[server][models]") {
  REQUIRE(isModelFileName("m.json"));
  REQUIRE(isModelFileName("m.txtpb"));
  REQUIRE(isModelFileName("./four_bar"));
  REQUIRE_FALSE(isModelFileName("four_bar"));
  REQUIRE_FALSE(isModelFileName("chain:n=8"));
  REQUIRE_THROWS_WITH(openModel("no/such.json"), Catch::Contains("cannot be opened"));
  REQUIRE(openModel("chain:n=2").spec.bodies.size() == 2);
}
