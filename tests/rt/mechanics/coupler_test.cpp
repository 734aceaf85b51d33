// Couplers: rows over several bodies against differences, the one freedom that each removes, closed forms in motion,
// the same motion by a method that knows nothing of the elimination tree.
// Covers: rt/model/elements/coupler.cpp
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

using Motions = std::vector<rt::BodyMotion>;

const Vector3d kNone(0, 0, 0), kX(1, 0, 0), kZ(0, 0, 1);

rt::JointSpec coupler(const std::vector<rt::CoupledCoordinateSpec>& coordinates) {
  rt::JointSpec joint;
  joint.name = "coupler";
  joint.kind = rt::CouplerSpec{coordinates};
  return joint;
}

rt::BodySpec rotor(const std::string& name, const Vector3d& position, double inertia) {
  rt::BodySpec body = makeBody(name, position);
  body.inertia = Vector3d(0.6 * inertia, 0.6 * inertia, inertia).asDiagonal();
  return body;
}

/// Four free-floating bodies, three of them on the fourth: by a hinge that has turned twice, along a tube, along a
/// rail.
rt::ModelSpec floating() {
  rt::ModelSpec spec;
  spec.name = "floating";
  spec.gravity = kNone;
  spec.bodies = {rotor("carrier", {0.3, -0.2, 0.1}, 0.8), rotor("wheel", {1, 0, 0.2}, 0.3),
                 rotor("nut", {0, 1, 0}, 0.2), rotor("slider", {-1, 0.5, 0}, 0.4)};
  // One turn of all of it, so that no axis is one of the world.
  const Vector3d axes[] = {Vector3d(1, 2, -1).normalized(), Vector3d(0, 1, 1).normalized(),
                           Vector3d(2, -1, 0.3).normalized()};
  const auto from = [&](std::size_t body, const Vector3d& point) {
    return Vector3d(point - spec.bodies[body].position);
  };
  const Vector3d places[] = {{0.8, 0.1, 0}, {0.1, 0.7, 0.2}, {-0.6, 0.4, 0.1}};
  spec.joints = {
      makeJoint("hinge", "carrier", "wheel",
                rt::RevoluteSpec{from(0, places[0]), from(1, places[0]), axes[0], axes[0], 13.0}),
      makeJoint("tube", "carrier", "nut",
                rt::CylindricalSpec{from(0, places[1]), from(2, places[1] + 0.3 * axes[1]), axes[1], axes[1], -0.4}),
      makeJoint("rail", "carrier", "slider",
                rt::PrismaticSpec{from(0, places[2]), from(3, places[2] - 0.2 * axes[2]), axes[2], axes[2]}),
      coupler({{"hinge", 0.7, false}, {"tube", -1.3, true}, {"rail", 2.1, true}})};
  return spec;
}

/// Coordinates of `floating` at rates 0.9 rad/s, rate_2, rate_3, on a carrier that moves anyhow.
void setInMotion(rt::ModelSpec& spec, double rate_1, double rate_2, double rate_3) {
  const Vector3d omega(0.4, -0.7, 0.5), v(0.2, 0.1, -0.3);
  spec.bodies[0].velocity = v;
  spec.bodies[0].angular_velocity = omega;
  const double rates[] = {rate_1, rate_2, rate_3};
  for (std::size_t k = 0; k < 3; ++k) {
    rt::BodySpec& body = spec.bodies[k + 1];
    const Vector3d apart = body.position - spec.bodies[0].position;
    body.angular_velocity = omega;
    body.velocity = v + omega.cross(apart);
    if (k == 0) {
      const auto& hinge = std::get<rt::RevoluteSpec>(spec.joints[0].kind);
      body.angular_velocity += rates[0] * hinge.axis_2;
      body.velocity -= rates[0] * hinge.axis_2.cross(hinge.point_2);
    } else if (k == 1) {
      body.velocity += rates[1] * std::get<rt::CylindricalSpec>(spec.joints[1].kind).axis_1;
    } else {
      body.velocity += rates[2] * std::get<rt::PrismaticSpec>(spec.joints[2].kind).axis_1;
    }
  }
}

Motions motionsOf(const rt::StateView& state) {
  Motions motions;
  for (int i = 0; i < state.layout().bodies; ++i) motions.push_back(rt::bodyMotion(state, i));
  return motions;
}

struct CouplerRow {
  double phi;
  Eigen::VectorXd H;
};

CouplerRow rowAt(const rt::Model& model, const Motions& motions, const double* coordinates) {
  std::vector<double> phi(static_cast<std::size_t>(model.rows));
  std::vector<rt::RowJacobian> jacobian(model.jacobianRows());
  rt::evaluateAllRows(model, motions.data(), coordinates, phi.data(), jacobian.data());
  const rt::Joint& joint = model.joints.back();
  CouplerRow row{phi[static_cast<std::size_t>(joint.first_row)], Eigen::VectorXd::Zero(6 * model.bodyCount())};
  rt::forEachSide(model, joint, joint.first_row, jacobian.data(), [&](int body, const double* h) {
    for (int c = 0; c < 6; ++c) row.H[6 * body + c] += h[c];
  });
  return row;
}

Motions moved(Motions motions, int c, double h) {
  rt::BodyMotion& m = motions[static_cast<std::size_t>(c / 6)];
  if (c % 6 < 3)
    m.r += h * Vector3d::Unit(c % 3);
  else
    m.R = Eigen::AngleAxisd(h, Vector3d::Unit(c % 3)).toRotationMatrix() * m.R;
  return motions;
}

Motions later(Motions motions, double t) {
  for (rt::BodyMotion& m : motions) {
    m.r += t * m.v;
    if (m.omega_w.norm() > 0)
      m.R = Eigen::AngleAxisd(t * m.omega_w.norm(), m.omega_w.normalized()).toRotationMatrix() * m.R;
  }
  return motions;
}

/// Three rotors on ground about z, side by side, of 0.2, 0.5 and 0.3 kg m^2; 4 N m on the first.
rt::ModelSpec shafts(const std::vector<double>& ratios) {
  rt::ModelSpec spec;
  spec.name = "shafts";
  spec.gravity = kNone;
  const double inertias[] = {0.2, 0.5, 0.3};
  std::vector<rt::CoupledCoordinateSpec> coordinates;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    const std::string name = numbered("shaft_", k + 1), axle = numbered("axle_", k + 1);
    const Vector3d place(0.4 * static_cast<double>(k), 0, 0);
    spec.bodies.push_back(rotor(name, place, inertias[k]));
    spec.joints.push_back(makeJoint(axle, "ground", name, rt::RevoluteSpec{place, kNone, kZ, kZ, 0}));
    coordinates.push_back({axle, ratios[k], false});
  }
  spec.joints.push_back(coupler(coordinates));
  rt::ActuatorSpec torque;
  torque.name = "torque";
  torque.initial = 4;
  torque.kind = rt::JointTorqueSpec{"axle_1"};
  spec.actuators = {torque};
  return spec;
}

}  // namespace

TEST_CASE("the row of a coupler: Jacobian and gamma agree with differences", "[rt][mechanics][coupler]") {
  rt::ModelSpec spec = floating();
  setInMotion(spec, 0.9, 0.5, (1.3 * 0.5 - 0.7 * 0.9) / 2.1);
  const rt::Model model = rt::buildModel(spec);
  const rt::AssemblyResult assembled = rt::initialState(model);
  // Round-off of assembly.
  CHECK(assembled.position_violation < 1e-13);
  CHECK(assembled.velocity_violation < 1e-13);
  const Motions motions = motionsOf(assembled.state.view());
  const double* coordinates = assembled.state.view().jointDisplacements();
  const CouplerRow row = rowAt(model, motions, coordinates);
  // Round-off of assembly.
  CHECK(std::abs(row.phi) < 1e-13);
  const double h = 1e-6;
  for (int c = 0; c < 6 * model.bodyCount(); ++c) {
    INFO(c);
    const double difference =
        (rowAt(model, moved(motions, c, h), coordinates).phi - rowAt(model, moved(motions, c, -h), coordinates).phi) /
        (2 * h);
    CHECK(row.H[c] == Approx(difference).epsilon(0).margin(1e-9));  // round-off 1e-16 / h and truncation h^2
  }
  double rate = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    rate += row.H.segment<3>(6 * i).dot(motions[k].v) + row.H.segment<3>(6 * i + 3).dot(motions[k].omega_w);
  }
  CHECK(std::abs(rate) < 1e-13);  // round-off
  const double t = 1e-4;
  const double second = (rowAt(model, later(motions, t), coordinates).phi - 2 * row.phi +
                         rowAt(model, later(motions, -t), coordinates).phi) /
                        (t * t);
  // Truncation t^2 and round-off 1e-16 / t^2 of the second difference; the value itself is large.
  CHECK(rt::couplerGamma(model.couplers[0], motions.data()) == Approx(-second).epsilon(0).margin(1e-6));
  CHECK(std::abs(second) > 0.1);
}

TEST_CASE("a coupler removes one freedom, whatever the bodies of its joints", "[rt][mechanics][coupler]") {
  const auto degreesOfFreedomOf = [](const rt::ModelSpec& spec) {
    const rt::Model model = rt::buildModel(spec);
    return rt::countDegreesOfFreedom(model, rt::initialState(model).state);
  };
  // Free bodies, 6 freedoms each, less 5 of a hinge, 4 of a tube, 5 of a rail and 1 of the coupler.
  const rt::DegreesOfFreedom four = degreesOfFreedomOf(floating());
  CHECK(four.rows == 15);
  CHECK(four.rank == 15);
  CHECK(four.count == 9);
  CHECK(degreesOfFreedomOf(shafts({1, 1, -2})).count == 2);
  CHECK(degreesOfFreedomOf(shafts({1, -2})).count == 1);

  // Both coordinates of one tube on ground: a screw.
  rt::ModelSpec spec = floating();
  spec.bodies = {rotor("nut", kNone, 0.2)};
  spec.joints = {makeJoint("tube", "ground", "nut", rt::CylindricalSpec{kNone, kNone, kZ, kZ, 0}),
                 coupler({{"tube", 0.05, false}, {"tube", -1, true}})};
  CHECK(degreesOfFreedomOf(spec).count == 1);
}

TEST_CASE("coupled shafts turn as the closed form says, over many turns", "[rt][mechanics][coupler]") {
  for (const std::vector<double>& ratios : {std::vector<double>{1, 1, -2}, {1, -2}, {0.5, -0.25, 1.5}}) {
    // I_k alpha_k = T_k - ratio_k lambda and sum ratio_k alpha_k = 0.
    const double inertias[] = {0.2, 0.5, 0.3};
    double sum = 0;
    for (std::size_t k = 0; k < ratios.size(); ++k) sum += ratios[k] * ratios[k] / inertias[k];
    const double lambda = ratios[0] * 4 / inertias[0] / sum;
    const Recording run = record(shafts(ratios), settingsFor(1e-3, 3), 2, {"*"});
    REQUIRE(run.ok);
    // Three iterations leave 1e-9 of the rows; accelerations carry the second power of 1 / step.
    CHECK(run.worst.constraint_position < 1e-9);
    CHECK(run.worst.constraint_velocity < 1e-9);
    CHECK(run.worst.constraint_acceleration < 1e-6);
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      const double alpha = ((k == 0 ? 4 : 0) - ratios[k] * lambda) / inertias[k];
      INFO(k << ' ' << alpha);
      // Second order: h^2 times the angle.
      CHECK(run[numbered("axle_", k + 1) + ".angle"].back() == Approx(0.5 * alpha * 4).epsilon(2e-4));
    }
    // What it does to the first shaft; forces it has none.
    CHECK(run["coupler.torque.z"].back() == Approx(-ratios[0] * lambda).epsilon(1e-6));
    CHECK(std::abs(run["coupler.force.x"].back()) < 1e-12);
    CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 0.02);
    CHECK(std::abs(run["axle_1.angle"].back()) > 10);
  }
}

TEST_CASE("an initial condition may turn coupled shafts by any angles that close their rows",
          "[rt][mechanics][coupler]") {
  // Starts at the given angles, in degrees, and reads them back.
  const auto start = [](rt::ModelSpec spec, const std::vector<double>& degrees) {
    rt::InitialConditionSpec turned;
    turned.name = "turned";
    for (std::size_t k = 0; k < degrees.size(); ++k) {
      const double half = degrees[k] * std::numbers::pi / 360;
      turned.bodies.emplace_back();
      turned.bodies.back().body = spec.bodies[k].name;
      turned.bodies.back().orientation = rt::Vector4d(std::cos(half), 0, 0, std::sin(half));
    }
    spec.initial_conditions = {turned};
    const rt::AssemblyResult result = rt::initialState(rt::buildModel(spec), 1);
    CHECK(result.position_correction < 0.02);  // the limit of the assembly and the gap of 0.3 degrees are below
    std::vector<double> angles;
    for (std::size_t k = 0; k < degrees.size(); ++k)
      angles.push_back(result.state.view().jointDisplacements()[k] * 180 / std::numbers::pi);
    return angles;
  };
  const auto near = [](const std::vector<double>& angles, const std::vector<double>& expected, double margin) {
    REQUIRE(angles.size() == expected.size());
    for (std::size_t k = 0; k < angles.size(); ++k) CHECK(angles[k] == Approx(expected[k]).epsilon(0).margin(margin));
  };
  const double round_off = 1e-9;  // of some hundred degrees
  near(start(shafts({3, 1}), {100, -300}), {100, -300}, round_off);
  near(start(shafts({1, -7}), {1000, 1000.0 / 7}), {1000, 1000.0 / 7}, round_off);
  near(start(shafts({0.5, -0.25, 1.5}), {100, 2000, 300}), {100, -160, -60}, round_off);  // closed without a turn
  // A gap that the assembly closes needs no turns, although 7 and 22 of them would come closer: 0.3 degrees.
  near(start(shafts({22, -7.0001}), {0, 0.3}), {0, 0}, 1);

  // Couplers in a row: the second turns the shaft that the first does not know, although it is declared first.
  rt::ModelSpec spec = shafts({3, 1});
  spec.bodies.push_back(rotor("shaft_3", {0.8, 0, 0}, 0.3));
  const rt::JointSpec axle = makeJoint("axle_3", "ground", "shaft_3", rt::RevoluteSpec{{0.8, 0, 0}, kNone, kZ, kZ, 0});
  spec.joints.insert(spec.joints.end() - 1, axle);
  spec.joints.push_back(coupler({{"axle_3", 1, false}, {"axle_2", 2, false}}));
  spec.joints.back().name = "second";
  near(start(spec, {100, -300, 600}), {100, -300, 600}, round_off);

  // A shaft that a drive turns keeps its angle.
  spec = shafts({1, 1, 1});
  near(start(spec, {170, 150, 40}), {170, 150, -320}, round_off);
  spec.actuators.clear();
  spec.drives = {{"drive", "", rt::DrivenAngleSpec{"axle_3"}, rt::PolynomialSpec{{40 * std::numbers::pi / 180}}}};
  near(start(spec, {170, 150, 40}), {170, -210, 40}, round_off);
}

TEST_CASE("a coupler of angle and travel makes a rack; momentum and energy hold", "[rt][mechanics][coupler]") {
  rt::ModelSpec spec = floating();
  setInMotion(spec, 0.9, 0.5, (1.3 * 0.5 - 0.7 * 0.9) / 2.1);
  const Recording run = record(spec, settingsFor(1e-3, 3), 2, {"*"});
  REQUIRE(run.ok);
  CHECK(run.worst.constraint_position < 1e-9);  // three iterations
  const double angle = run["hinge.angle"].front(), nut = run["tube.travel"].front(), slide = run["rail.travel"].front();
  CHECK(angle == Approx(13));
  for (std::size_t k = 0; k < run.t.size(); k += 100)
    // Three iterations.
    CHECK(std::abs(0.7 * (run["hinge.angle"][k] - angle) - 1.3 * (run["tube.travel"][k] - nut) +
                   2.1 * (run["rail.travel"][k] - slide)) < 1e-9);
  // The mechanism has moved; trapezoidal steps of 1 ms change the energy by their second order.
  CHECK(std::abs(run["hinge.angle"].back() - angle) > 0.3);
  CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 1e-4 * run["energy.total"].front());
  for (const char* axis : {"x", "y", "z"}) {
    double change = 0;
    for (const rt::BodySpec& b : spec.bodies) {
      const std::vector<double>& v = run[b.name + ".v." + axis];
      change += b.mass * (v.back() - v.front());
    }
    CHECK(std::abs(change) < 1e-9);  // internal forces are equal and opposite to round-off
  }

  // A method that treats each coordinate as a row of its own, added to the coupler's, goes the same way.
  const rt::Model model = rt::buildModel(spec);
  const rt::offline::Trajectory other = rt::offline::integrate(
      {model, rt::initialState(model).state, {}, 1e-3, 2, {2.0}, nullptr, {}}, "newmark-tangent");
  INFO(other.failure);
  REQUIRE(other.ending == rt::offline::Ending::kComplete);
  const rt::StateView exact(rt::StateLayout(model), other.samples.back().state.data());
  // Both methods have second order: they differ by h^2 = 1e-6 times a few; reactions by the accelerations.
  CHECK(run["hinge.angle"].back() == Approx(exact.jointDisplacements()[0]).epsilon(0).margin(1e-5));
  CHECK(run["slider.r.x"].back() == Approx(exact.r(3)[0]).epsilon(0).margin(1e-5));
  CHECK(run["coupler.torque.y"].back() ==
        Approx(rt::reactionOnBody2(model, 3, motionsOf(exact).data(), exact.lambda()).torque[1]).margin(1e-4));
}
