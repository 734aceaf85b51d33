// Springs, dampers, bushings, drags and drives in motion: closed forms, order, energy, momentum, stiffness.
// Covers: rt/mechanics/energy.cpp
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/random_mechanisms.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

rt::ForceSpec makeForce(const std::string& name, decltype(rt::ForceSpec::kind) kind) {
  rt::ForceSpec force;
  force.name = name;
  force.kind = std::move(kind);
  return force;
}

rt::DriveSpec makeDrive(const std::string& name, decltype(rt::DriveSpec::target) target,
                        decltype(rt::DriveSpec::function) function) {
  rt::DriveSpec drive;
  drive.name = name;
  drive.target = std::move(target);
  drive.function = std::move(function);
  return drive;
}

rt::Settings settingsOfOrder(int order, double dt, int iterations) {
  rt::Settings settings = settingsFor(dt, iterations);
  settings.setOrder(order);
  return settings;
}

/// A mass of 2 kg on a spring of 50 N/m, 3 N s/m and 1 m, 0.2 m out of its rest and moving at 0.5 m/s.
rt::ModelSpec oscillator() {
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = Vector3d::Zero();
  rt::BodySpec& body = spec.bodies[0];
  body.mass = 2;
  body.position = {1.2, 0, 0};
  body.velocity = {0.5, 0, 0};
  rt::TranslationalSpringSpec spring;
  spring.body_1 = "ground";
  spring.body_2 = body.name;
  spring.stiffness = 50;
  spring.damping = 3;
  spring.free_length = 1.0;
  spec.forces.push_back(makeForce("spring", spring));
  return spec;
}

/// Position of the oscillator from its rest.
double oscillation(double t) {
  const double delta = 3 / (2 * 2.0), omega = std::sqrt(50 / 2.0 - delta * delta);
  return std::exp(-delta * t) * (0.2 * std::cos(omega * t) + (0.5 + delta * 0.2) / omega * std::sin(omega * t));
}

/// A double pendulum of slender, anisotropic links whose second joint is a bushing of stiffness k and damping c.
rt::ModelSpec softPendulum(double k, double c) {
  rt::ModelSpec spec = chain(2);
  spec.joints.pop_back();
  for (rt::BodySpec& body : spec.bodies) body.inertia = Vector3d(0.03, 0.09, 0.07).asDiagonal();
  rt::BushingSpec bushing;
  bushing.body_1 = spec.bodies[0].name;
  bushing.body_2 = spec.bodies[1].name;
  bushing.point_1 = {0.5, 0, 0};
  bushing.point_2 = {-0.5, 0, 0};
  bushing.stiffness = Vector3d(k, 2 * k, 0.5 * k).asDiagonal();
  bushing.damping = Eigen::Matrix3d::Identity() * c;
  spec.forces.push_back(makeForce("bushing", bushing));
  return spec;
}

/// A matrix of six rows, positive definite, with couplings everywhere.
Eigen::MatrixXd fullMatrix(double translation, double rotation) {
  Eigen::MatrixXd A(6, 6);
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) A(r, c) = (r == c ? 2.0 : 0.0) + std::sin(1.0 + 3 * r + 7 * c);
  Eigen::VectorXd scale(6);
  scale << Vector3d::Constant(std::sqrt(translation)), Vector3d::Constant(std::sqrt(rotation));
  const Eigen::MatrixXd B = scale.asDiagonal() * A;
  return B * B.transpose();
}

/// The cantilever without gravity, moving in the shape of the first mode of a continuous beam, 0.5 m/s at most: hardly
/// anything that a step of 1 ms cannot resolve is excited.
rt::ModelSpec cantileverInFirstMode(int n) {
  rt::ModelSpec spec = cantileverOfBushings(n);
  spec.gravity = Vector3d::Zero();
  constexpr double beta = 1.875104068711961, sigma = 0.734095513758;
  for (rt::BodySpec& body : spec.bodies) {
    const double x = beta * body.position.x();
    const double shape = std::cosh(x) - std::cos(x) - sigma * (std::sinh(x) - std::sin(x));
    const double slope = beta * (std::sinh(x) + std::sin(x) - sigma * (std::cosh(x) - std::cos(x)));
    body.velocity = Vector3d(0, 0, 0.25 * shape);
    body.angular_velocity = Vector3d(0, -0.25 * slope, 0);
  }
  return spec;
}

/// Half the travel of the tip within a window, m.
double tipAmplitude(const Recording& run, const std::string& tip, double from, double to) {
  double low = 1e9, high = -1e9;
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    if (run.t[k] < from || run.t[k] > to) continue;
    low = std::min(low, run[tip][k]);
    high = rt::worst(high, run[tip][k]);
  }
  return (high - low) / 2;
}

/// Two free bodies that turn, held together by a bushing with full matrices.
rt::ModelSpec bushedPair() {
  rt::ModelSpec spec = together({freeBody(2), freeBody(3)});
  spec.gravity = Vector3d::Zero();
  spec.bodies[1].position = spec.bodies[0].position + Vector3d(0.6, 0.1, -0.2);
  rt::BushingSpec bushing;
  bushing.body_1 = spec.bodies[0].name;
  bushing.body_2 = spec.bodies[1].name;
  bushing.point_1 = {0.3, 0, 0};
  bushing.point_2 = {-0.2, 0.1, 0.1};
  bushing.stiffness = fullMatrix(300, 20);
  bushing.damping = fullMatrix(1, 0.1);
  spec.forces.push_back(makeForce("bushing", bushing));
  return spec;
}

std::vector<std::string> motionSignals(const rt::ModelSpec& spec) {
  std::vector<std::string> signals = {"energy.*"};
  for (const rt::BodySpec& b : spec.bodies)
    for (const char* part : {".r.*", ".p.*", ".v.*", ".omega.*"}) signals.push_back(b.name + part);
  return signals;
}

/// How much the force of the bushing of a soft pendulum vibrates: root of the mean square of its second differences
/// over 10 ms, N.
double vibrationOfForce(double k, double dt) {
  const Recording run = record(softPendulum(k, 0), settingsFor(dt, 2), 5, {"bushing.force.*"});
  REQUIRE(run.ok);
  const auto stride = static_cast<std::size_t>(std::lround(0.01 / dt));
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = stride; i + stride < run.t.size(); i += stride, ++count)
    for (const char* axis : {"x", "y", "z"}) {
      const std::vector<double>& f = run[std::string("bushing.force.") + axis];
      sum += std::pow(f[i - stride] - 2 * f[i] + f[i + stride], 2);
    }
  return std::sqrt(sum / static_cast<double>(count));
}

/// Errors at the end of a run with steps that are halved each time, against a finer third-order run.
std::vector<double> errorsAtEnd(const rt::ModelSpec& spec, int order, double coarsest, double until) {
  const auto signals = motionSignals(spec);
  const Recording reference = record(spec, settingsOfOrder(3, coarsest / 32, 3), until, signals);
  REQUIRE(reference.ok);
  std::vector<double> errors;
  for (const double dt : {coarsest, coarsest / 2, coarsest / 4}) {
    const Recording run = record(spec, settingsOfOrder(order, dt, 3), until, signals);
    REQUIRE(run.ok);
    double worst = 0;
    for (const auto& [name, values] : run.values())
      if (name.rfind("energy", 0) != 0) worst = rt::worst(worst, std::abs(values.back() - reference[name].back()));
    errors.push_back(worst);
  }
  return errors;
}

}  // namespace

TEST_CASE("a damped oscillator follows its closed form with order 2, 3 and 4", "[validation][forces]") {
  for (const int order : {2, 3, 4}) {
    std::vector<double> errors;
    for (const double dt : {0.02, 0.01, 0.005}) {
      const Recording run = record(oscillator(), settingsOfOrder(order, dt, 2), 2, {"*"});
      REQUIRE(run.ok);
      double worst = 0;
      for (std::size_t k = 0; k < run.t.size(); ++k)
        worst = rt::worst(worst, std::abs(run["brick.r.x"][k] - 1.0 - oscillation(run.t[k])));
      errors.push_back(worst);
      // The signals of the spring follow from the motion of the brick, to round-off.
      CHECK(run["spring.length"].back() == Approx(run["brick.r.x"].back()).epsilon(1e-14));
      const double tension = 50 * (run["brick.r.x"].back() - 1.0) + 3 * run["brick.v.x"].back();
      CHECK(run["spring.tension"].back() == Approx(tension).epsilon(1e-12));
      CHECK(run["spring.power"].back() == Approx(-tension * run["brick.v.x"].back()).epsilon(1e-12));
      CHECK(run["spring.force.x"].back() == Approx(-tension).epsilon(1e-12));
    }
    CAPTURE(order, errors);
    for (const double observed : observedOrders(errors)) CHECK(observed > order - 0.2);
  }
}

TEST_CASE("energy accounting closes with springs, dampers, bushings, drags and drives", "[validation][forces]") {
  rt::ModelSpec dragged = softPendulum(2e3, 4);
  dragged.forces.push_back(makeForce("air", rt::BodyDragSpec{dragged.bodies[1].name, 0.3, 0.05}));
  rt::ModelSpec driven = fourBar(FourBarReading::kDown);
  driven.drives.push_back(makeDrive("crank", rt::DrivenAngleSpec{"joint_1"}, rt::HarmonicSpec{0, 0.4, 3, 0}));
  driven.bodies[0].angular_velocity = Vector3d::Zero();
  driven.assembly.velocity = 10;
  for (const rt::ModelSpec& spec : {oscillator(), softPendulum(1e3, 2), dragged, bushedPair(), driven}) {
    CAPTURE(spec.name, spec.forces.size(), spec.drives.size());
    std::vector<double> drift;
    for (const double dt : {0.002, 0.001, 0.0005}) {
      const Recording run = record(spec, settingsFor(dt, 3), 1, motionSignals(spec));
      REQUIRE(run.ok);
      drift.push_back(std::max(-run.lowestChange("energy.total"), run.highestChange("energy.total")));
    }
    CAPTURE(drift);
    // 4.5e-3 J are seen at 0.5 ms. Order 2, with room for the next term of the error.
    CHECK(drift.back() < 5e-3);
    for (const double order : observedOrders(drift)) CHECK(order > 1.7);
  }
}

TEST_CASE("a bushing between two free bodies keeps linear and angular momentum", "[validation][forces]") {
  Simulation simulation(bushedPair(), settingsFor(1e-3, 3));
  const auto momenta = [&simulation] {
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
    for (int i = 0; i < simulation.model().bodyCount(); ++i) {
      const rt::Body& body = simulation.model().bodies[static_cast<std::size_t>(i)];
      rt::State& s = simulation.state();
      linear += body.mass * s.v(i);
      angular += s.r(i).cross(body.mass * s.v(i)) + rt::rotationMatrix(s.p(i)) * (body.inertia * s.omega(i));
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momenta();
  for (int k = 0; k < 1000; ++k) REQUIRE(simulation.step().status == rt::TickStatus::kOk);
  const auto [linear_end, angular_end] = momenta();
  // A step keeps linear momentum to round-off, here of 1000 steps, and angular momentum to its order:
  // 4.3e-5 N m s are seen.
  CHECK((linear_end - linear).norm() < 1e-10);
  CHECK((angular_end - angular).norm() < 1e-4);
}

TEST_CASE("stiffness from 1e3 to 1e10 N/m costs no convergence at 10 ms", "[validation][forces]") {
  for (const double k : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}) {
    CAPTURE(k);
    const Recording run = record(softPendulum(k, 0), settingsFor(0.01, 2), 5, {"energy.*"});
    REQUIRE(run.ok);
    // Good convergence: an iteration leaves less than a tenth of the error.
    CHECK(run.worst.contraction < 0.1);
    // As the rigid joint from 1e6 N/m on: 1e-5 m at the fold of the second link. At 1e3 N/m, where the joint itself
    // moves, 6.7e-5 m are seen.
    CHECK(run.worst.increment < (k < 1e6 ? 8e-5 : 1.3e-5));
    CHECK(run.highestChange("energy.total") < 0.05);
  }
  // The stiffest is the rigid joint.
  rt::ModelSpec rigid = chain(2);
  for (rt::BodySpec& body : rigid.bodies) body.inertia = Vector3d(0.03, 0.09, 0.07).asDiagonal();
  const Recording soft = record(softPendulum(1e10, 0), settingsFor(0.01, 3), 1, {"link_2.r.*"});
  const Recording hard = record(rigid, settingsFor(0.01, 3), 1, {"link_2.r.*"});
  // The load stretches the joint by 1e-9 m. What is seen, 5.1e-6 m, is the difference between the iterations of both.
  CHECK(soft["link_2.r.x"].back() == Approx(hard["link_2.r.x"].back()).epsilon(0).margin(8e-6));
  CHECK(soft["link_2.r.y"].back() == Approx(hard["link_2.r.y"].back()).epsilon(0).margin(8e-6));
}

TEST_CASE("steps of 10 ms leave a soft bushing no more vibration than its motion has", "[validation][forces]") {
  for (const double k : {1e3, 1e4, 1e5, 1e6}) {
    const double coarse = vibrationOfForce(k, 0.01), half = vibrationOfForce(k, 0.005),
                 fine = vibrationOfForce(k, 5e-4);
    CAPTURE(k, coarse, half, fine);
    // Seen: 0.38, 0.08, 0.76 and 0.88 of the fine one. 2 %: two motions with different errors of the slow part. With
    // 1e3 N/m that part is the larger one, 1.08 is seen.
    CHECK(coarse < (k < 1e4 ? 1.15 : 1.02) * half);
    CHECK(half < 1.02 * fine);
  }
}

TEST_CASE("compliant and driven rows keep order 2, and order 3 and 4 with steps of higher order",
          "[validation][forces]") {
  rt::ModelSpec driven = randomTree(3, JointMix::kSpherical, 4);
  rt::DrivenDistanceSpec rod;
  rod.body_1 = "ground";
  rod.body_2 = driven.bodies[2].name;
  rod.point_1 = driven.bodies[2].position + Vector3d(0, 2, 0);
  const double speed = driven.bodies[2].velocity.dot(Vector3d(0, -1, 0));
  driven.drives.push_back(makeDrive("rod", rod, rt::PolynomialSpec{{2, speed, 0.4, -0.3}}));
  for (const rt::ModelSpec& spec : {softPendulum(500, 1), bushedPair(), driven})
    for (const int order : {2, 3, 4}) {
      const std::vector<double> errors = errorsAtEnd(spec, order, 0.004, 0.32);
      CAPTURE(spec.name, order, errors);
      const std::vector<double> orders = observedOrders(errors);
      for (std::size_t k = 0; k < orders.size(); ++k)  // below 1e-9: what violations of 1e-10 grow to
        if (errors[k + 1] > 1e-9) CHECK(orders[k] > order - 0.3);
    }
}

TEST_CASE("the free vibration of a cantilever of bushings does not decay at 1 ms", "[validation][forces]") {
  const Recording run = record(cantileverOfBushings(8), settingsFor(1e-3, 2), 1.6, {"node_8.r.z"});
  REQUIRE(run.ok);
  const double first = tipAmplitude(run, "node_8.r.z", 0, 0.15), last = tipAmplitude(run, "node_8.r.z", 1.45, 1.6);
  CAPTURE(first, last, run.worst.increment);
  // 0.3 % are lost; 72 % were, as long as the velocities were projected by the rigidity of each row.
  CHECK(last > 0.99 * first);
  // The windows hold two periods in steps of 5 degrees: a peak between steps and the second mode change it by 1 %.
  CHECK(last < 1.01 * first);
}

TEST_CASE("a vibration does not grow, from 1e-3 to 1e6 rad per step", "[validation][forces]") {
  constexpr double dt = 1e-3, mass = 2;
  for (const int iterations : {1, 2, 3})
    for (const double zeta : {0.0, 1e-3, 0.1, 1.0, 10.0})
      for (double phase = 1e-3; phase < 2e6; phase *= std::sqrt(10.0)) {
        const double omega = phase / dt, k = mass * omega * omega;
        rt::ModelSpec spec = freeBody(0);
        spec.gravity = Vector3d::Zero();
        spec.bodies[0].position = {0.1, 0, 0};
        spec.bodies[0].velocity = Vector3d::Zero();
        rt::BushingSpec bushing;
        bushing.body_1 = "ground";
        bushing.body_2 = spec.bodies[0].name;
        bushing.stiffness = k * Eigen::Matrix3d::Identity();
        bushing.damping = 2 * zeta * omega * mass * Eigen::Matrix3d::Identity();
        spec.forces.push_back(makeForce("bushing", bushing));
        Simulation simulation(spec, settingsFor(dt, iterations));
        const auto energy = [&] {
          rt::State& s = simulation.state();
          return 0.5 * mass * s.v(0).squaredNorm() + 0.5 * k * s.r(0).squaredNorm();
        };
        const double first = energy();
        for (int i = 0; i < 500; ++i) REQUIRE(simulation.step().status == rt::TickStatus::kOk);
        CAPTURE(iterations, zeta, phase, first);
        // Round-off of 500 steps.
        CHECK(energy() < (1 + 1e-9) * first);
      }
}

TEST_CASE("chains of stiff bushings keep order 2", "[validation][forces]") {
  for (const int n : {8, 64}) {
    std::vector<double> tip;
    for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
      const std::string name = "node_" + std::to_string(n) + ".r.z";
      const Recording run = record(cantileverInFirstMode(n), settingsFor(dt, 2), 0.05, {name});
      REQUIRE(run.ok);
      tip.push_back(run[name].back());
    }
    CAPTURE(n, tip);
    // Differences of successive steps fall by 4 where the order is 2 (4.2 and 4.1 are seen), by 2 where it is 1.
    CHECK(std::abs(tip[0] - tip[1]) > 3.3 * std::abs(tip[1] - tip[2]));
  }
}

TEST_CASE("a driven angle follows its function in position and rate", "[validation][forces]") {
  rt::ModelSpec spec = fourBar(FourBarReading::kDown);
  rt::SensorSpec rate;
  rate.name = "rate";
  rate.kind = rt::JointRateSpec{"joint_1"};
  spec.sensors.push_back(rate);
  spec.assembly.velocity = 10;
  spec.drives.push_back(makeDrive("crank", rt::DrivenAngleSpec{"joint_1"}, rt::HarmonicSpec{0, 0.3, 4, 0}));
  for (const bool third_order : {false, true}) {
    rt::Settings settings = settingsFor(0.005, 3);
    settings.third_order = third_order;
    const Recording run = record(spec, settings, 2, {"joint_1.angle", "rate", "crank.*"});
    REQUIRE(run.ok);
    checkConstraintNorms(run);
    for (std::size_t k = 0; k < run.t.size(); ++k) {
      // Driven rows hold to the compliance of the rows; the signal of the drive is the angle to round-off.
      REQUIRE(run["joint_1.angle"][k] == Approx(0.3 * std::sin(4 * run.t[k])).epsilon(0).margin(1e-9));
      REQUIRE(run["crank.angle"][k] == Approx(run["joint_1.angle"][k]).epsilon(0).margin(1e-12));
      REQUIRE(run["rate"][k] == Approx(1.2 * std::cos(4 * run.t[k])).epsilon(0).margin(1e-9));
    }
  }
}

TEST_CASE("drag decelerates a body as the closed form predicts", "[validation][forces]") {
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = Vector3d::Zero();
  spec.bodies[0].velocity = {1, 0, 0};
  spec.forces.push_back(makeForce("air", rt::BodyDragSpec{spec.bodies[0].name, 3, 0}));
  const double rate = 3 / spec.bodies[0].mass;
  std::vector<double> errors;
  for (const double dt : {0.02, 0.01, 0.005}) {
    const Recording run = record(spec, settingsFor(dt, 2), 1, {"brick.v.x"});
    REQUIRE(run.ok);
    errors.push_back(std::abs(run["brick.v.x"].back() - std::exp(-rate)));
  }
  checkOrderTwo(errors);
}
