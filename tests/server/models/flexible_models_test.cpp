// The built-in models with beams, run by the solver of the tick against series of an independent code on finer meshes.
// Covers: server/models/beams.cpp
#include "rt/math/euler_parameters.h"
#include "rt/math/worst.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/models/beams.h"
#include "server/models/built_in_models.h"
#include "tests/support/beams.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;
using rt::Vector4d;

namespace {

Matrix3d rotationOf(const Recording& run, const std::string& body, std::size_t k) {
  return rt::rotationMatrix(
      Vector4d(run[body + ".p.e0"][k], run[body + ".p.e1"][k], run[body + ".p.e2"][k], run[body + ".p.e3"][k]));
}

Vector3d positionOf(const Recording& run, const std::string& body, std::size_t k) {
  return {run[body + ".r.x"][k], run[body + ".r.y"][k], run[body + ".r.z"][k]};
}

/// A number of each sample of a run as a series.
Series seriesOf(const Recording& run, const std::function<double(std::size_t)>& value) {
  Series series;
  series.t = run.t;
  for (std::size_t k = 0; k < run.t.size(); ++k) series.value.push_back(value(k));
  return series;
}

/// Rotation vector of a body against its first pose, world axes.
Series turnOf(const Recording& run, const std::string& body, int axis) {
  const Matrix3d back = rotationOf(run, body, 0).transpose();
  return seriesOf(run, [&](std::size_t k) {
    const Eigen::AngleAxisd turn(Matrix3d(rotationOf(run, body, k) * back));
    return turn.angle() * turn.axis()[axis];
  });
}

/// Angular velocity of a body along an axis of the world.
Series angularVelocityOf(const Recording& run, const std::string& body, int axis) {
  return seriesOf(run, [&](std::size_t k) {
    const Vector3d omega(run[body + ".omega.x"][k], run[body + ".omega.y"][k], run[body + ".omega.z"][k]);
    return Vector3d(rotationOf(run, body, k) * omega)[axis];
  });
}

/// The same from a series of rotation vectors at equal intervals, by differences of fourth order.
Series angularVelocityOf(const Table& reference, int axis) {
  Series phi[3] = {reference.series("phi_x[rad]"), reference.series("phi_y[rad]"), reference.series("phi_z[rad]")};
  Series omega;
  for (std::size_t k = 2; k + 2 < phi[0].t.size(); ++k) {
    Vector3d at, rate;
    for (int i = 0; i < 3; ++i) {
      const std::vector<double>& f = phi[i].value;
      at[i] = f[k];
      rate[i] = (8 * (f[k + 1] - f[k - 1]) - (f[k + 2] - f[k - 2])) / (6 * (phi[i].t[k + 1] - phi[i].t[k - 1]));
    }
    omega.t.push_back(phi[0].t[k]);
    // Of third order in the angle.
    omega.value.push_back((rate + 0.5 * at.cross(rate) + at.cross(at.cross(rate)) / 6)[axis]);
  }
  return omega;
}

/// Mean of the signals of the two elements beside a node.
Series atNode(const Recording& run, const std::string& beam, int node, const std::string& signal, double sign = 1) {
  const std::string first = beam + ".element_" + std::to_string(node) + signal,
                    last = beam + ".element_" + std::to_string(node + 1) + signal;
  return seriesOf(run, [&](std::size_t k) { return 0.5 * sign * (run[first][k] + run[last][k]); });
}

/// The blade of `lateral_buckling` with twice the elements: points of joints lie a sixth of an element beyond the mass
/// centers of end nodes.
rt::ModelSpec fineBlade() {
  rt::ModelSpec fine = server::openBuiltInModel("lateral_buckling").spec;
  const double sizes[] = {1.0 / 40, 0.25 / 4, 0.05 / 4};
  for (rt::CompositeSpec& composite : fine.composites) std::get<rt::BeamSpec>(composite.kind).elements *= 2;
  fine.joints[0].body_1 = "blade.40";
  fine.joints[1].body_1 = "link.4";
  fine.joints[1].body_2 = "arm.4";
  auto& tip = std::get<rt::SphericalSpec>(fine.joints[0].kind);
  auto& pin = std::get<rt::RevoluteSpec>(fine.joints[1].kind);
  tip.point_1.x() = sizes[0] / 6;
  tip.point_2.x() = -sizes[1] / 6;
  pin.point_1.x() = sizes[1] / 6;
  pin.point_2.x() = sizes[2] / 6;
  std::get<rt::RevoluteSpec>(fine.joints[2].kind).point_2.x() = -sizes[2] / 6;
  return fine;
}

/// R-error as a share of the largest value of the reference in the window.
double share(const Series& computed, const Series& reference, double until) {
  double peak = 0;
  for (std::size_t k = 0; k < reference.t.size() && reference.t[k] <= until + 1e-9; ++k)
    peak = rt::worst(peak, std::abs(reference.value[k]));
  return rError(computed, reference, 0, until) / peak;
}

/// Records a model whose steps must all end, with their last increment below 1e-3: rad, or m of the model's length.
Recording recordBounded(const rt::ModelSpec& spec, double dt, double until, const std::vector<std::string>& signals) {
  Recording recording = record(spec, settingsFor(dt), until, signals);
  REQUIRE(recording.ok);
  const double increment = recording.worst.increment / rt::buildModel(spec).length;
  CAPTURE(spec.name, dt, until);
  CHECK(increment < 1e-3);  // required of every benchmark of beams
  return recording;
}

Recording run(const char* model, double dt, double until, const std::vector<std::string>& signals) {
  return recordBounded(server::openBuiltInModel(model).spec, dt, until, signals);
}

/// Shares by which the middle of the blade turns, moves to the side and is sheared otherwise than its reference.
std::array<double, 3> bladeErrors(const rt::ModelSpec& spec, int middle, double dt, double until) {
  const Table reference = Table::reference("lateral_buckling.csv");
  const std::string node = "blade." + std::to_string(middle), one = "blade.element_" + std::to_string(middle),
                    next = "blade.element_" + std::to_string(middle + 1);
  const Recording blade = recordBounded(spec, dt, until, {node + ".r.*", node + ".p.*", one + ".*", next + ".*"});
  return {share(turnOf(blade, node, 0), reference.series("phi_x[rad]"), until),
          share(blade.series(node + ".r.y"), reference.series("u_y[m]"), until),
          share(atNode(blade, "blade", middle, ".q_3"), reference.series("Q3[N]"), until)};
}

const std::vector<std::string> kCoupler = {"bc.8.r.*", "bc.8.p.*", "bc.element_4.*", "bc.element_5.*"};

}  // namespace

// Tolerances: shares of the peak, about 1.5 times the error of an independent prototype on the same mesh
// unless a line says otherwise.

TEST_CASE("the flexible four-bar follows its reference before its passage through the flat pose",
          "[server][models][beam]") {
  const Table reference = Table::reference("flexible_four_bar.csv");
  const Recording coupler = run("flexible_four_bar", 1e-3, 3, kCoupler);
  CHECK(share(turnOf(coupler, "bc.8", 0), reference.series("phi_x[rad]"), 3) < 5e-4);
  CHECK(share(turnOf(coupler, "bc.8", 1), reference.series("phi_y[rad]"), 3) < 5e-4);
  CHECK(share(atNode(coupler, "bc", 4, ".q_2"), reference.series("Q3[N]"), 3) < 5e-4);
  // Both grow without bound towards the flat pose at 3.1 s, and with them what an error in the length of a bar does to
  // them. That of the reference is the next test but one; MBDyn has none of it.
  const Table mbdyn = Table::reference("flexible_four_bar_mbdyn.csv");
  CHECK(share(turnOf(coupler, "bc.8", 2), mbdyn.series("phi_z[rad]"), 3) < 5e-4);  // mesh: 2.6e-4
  CHECK(share(atNode(coupler, "bc", 4, ".n"), mbdyn.series("N[N]"), 3) < 5e-4);    // mesh and step: 3.5e-4
}

TEST_CASE("a stiff mode of the flexible four-bar follows its load with the rate of its reference",
          "[server][models][beam]") {
  const Table reference = Table::reference("flexible_four_bar.csv");
  const std::vector<std::string> signals = {"bc.8.p.*", "bc.8.omega.*"};
  // About 1.5 times what is seen: mesh and step about x and y, the straight chords of the reference about z. A step
  // that takes the mean rate of unresolved modes is wrong by more than the peak about x.
  struct Bound {
    double dt, of[3];
  };
  for (const Bound& bound : {Bound{1e-3, {1.1e-3, 3.3e-4, 2.7e-3}}, Bound{4e-3, {4.8e-3, 1.8e-3, 3e-3}}}) {
    CAPTURE(bound.dt);
    const Recording coupler = run("flexible_four_bar", bound.dt, 2.5, signals);
    for (int axis = 0; axis < 3; ++axis) {
      CAPTURE(axis);
      CHECK(share(angularVelocityOf(coupler, "bc.8", axis), angularVelocityOf(reference, axis), 2.5) < bound.of[axis]);
    }
  }
}

TEST_CASE("the flexible four-bar with twice the elements agrees with MBDyn up to the flat pose",
          "[server][models][beam]") {
  const Table reference = Table::reference("flexible_four_bar_mbdyn.csv");
  const Recording coupler =
      recordBounded(meshedFourBar(server::openBuiltInModel("flexible_four_bar").spec, {8, 16, 10}), 1e-3, 3,
                    {"bc.16.r.*", "bc.16.p.*", "bc.element_8.*", "bc.element_9.*"});
  const char* phi[] = {"phi_x[rad]", "phi_y[rad]", "phi_z[rad]"};
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    CHECK(share(turnOf(coupler, "bc.16", axis), reference.series(phi[axis]), 3) < 1e-4);
  }
  CHECK(share(atNode(coupler, "bc", 8, ".q_2"), reference.series("Q3[N]"), 3) < 1e-4);
  CHECK(share(atNode(coupler, "bc", 8, ".n"), reference.series("N[N]"), 3) < 1.5e-4);  // step of 1 ms: 8.8e-5
}

TEST_CASE("the reference of the flexible four-bar differs from MBDyn by its straight chords",
          "[server][models][beam]") {
  // Its elements have the distance of their ends as length, whatever their bending: an element of length h and
  // curvature kappa is h (h kappa)^2 / 24 too long. Near the flat pose that turns the coupler.
  const Table reference = Table::reference("flexible_four_bar.csv"),
              mbdyn = Table::reference("flexible_four_bar_mbdyn.csv");
  const Series with_chords = reference.series("phi_z[rad]"), without = mbdyn.series("phi_z[rad]");
  const Recording bars = run("flexible_four_bar", 1e-3, 3, {"*.element_*.m_2", "*.element_*.m_3"});
  struct Bar {
    const char* name;
    int elements;  // of the model
    double length, stiffness;
    int elements_of_reference;
  };
  const auto excess = [&](const Bar& bar, std::size_t k) {
    const double h = bar.length / bar.elements_of_reference;
    double sum = 0;  // of the integral of the square of the curvature, which is linear within an element
    for (const char* moment : {".m_2", ".m_3"}) {
      std::vector<double> kappa;
      for (int i = 1; i <= bar.elements; ++i)
        kappa.push_back(bars[std::string(bar.name) + ".element_" + std::to_string(i) + moment][k] / bar.stiffness);
      for (std::size_t i = 0; i < kappa.size(); ++i) {
        const std::size_t low = i == 0 ? 0 : i - 1, high = std::min(i + 1, kappa.size() - 1);
        const double change = (kappa[high] - kappa[low]) / static_cast<double>(high - low);
        sum += (kappa[i] * kappa[i] + change * change / 12) * bar.length / bar.elements;
      }
    }
    return h * h / 24 * sum;
  };
  for (const double t : {2.88, 2.928, 3.0}) {  // multiples of the interval of the series
    CAPTURE(t);
    const auto k = static_cast<std::size_t>(std::lround(t / 1e-3));
    const double crank = 0.3 + 0.6 * (t - 1);  // angle from upright, rad
    const double ab = excess({"ab", 4, 0.12, 1131, 16}, k), bc = excess({"bc", 8, 0.24, 1131, 24}, k),
                 cd = excess({"cd", 5, 0.12, 70.66, 16}, k);
    // Bars of these lengths close only where the rocker lags by (excess along x) / (0.12 cos(crank)).
    const double turn = std::tan(crank) * ((cd - ab) * std::sin(crank) - bc) / 0.24;
    // Of first order in the excess, which leaves out a tenth.
    CHECK(valueAt(with_chords, t) - valueAt(without, t) == Approx(turn).epsilon(0.12));
    CHECK(turn > 4e-6);  // rad: far above the digits of the series
  }
}

TEST_CASE("the flexible four-bar passes the flat pose, with damping as its reference does", "[server][models][beam]") {
  const Table reference = Table::reference("flexible_four_bar_damped.csv");
  rt::ModelSpec spec = server::openBuiltInModel("flexible_four_bar").spec;
  const Recording free = recordBounded(spec, 1e-3, 12, kCoupler);
  CHECK(share(turnOf(free, "bc.8", 0), reference.series("phi_x[rad]"), 12) < 0.08);
  CHECK(share(turnOf(free, "bc.8", 2), reference.series("phi_z[rad]"), 12) < 5e-3);
  for (rt::CompositeSpec& bar : spec.composites) std::get<rt::BeamSpec>(bar.kind).damping_time = 1e-4;
  const Recording coupler = recordBounded(spec, 1e-3, 12, kCoupler);
  const char* phi[] = {"phi_x[rad]", "phi_y[rad]", "phi_z[rad]"};
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    CHECK(share(turnOf(coupler, "bc.8", axis), reference.series(phi[axis]), 12) < 0.01);
  }
  CHECK(share(atNode(coupler, "bc", 4, ".q_2"), reference.series("Q3[N]"), 12) < 0.01);
  CHECK(share(atNode(coupler, "bc", 4, ".n"), reference.series("N[N]"), 12) < 0.05);
}

TEST_CASE("the damped flexible four-bar with twice the elements comes closer to its reference",
          "[server][models][beam]") {
  const Table reference = Table::reference("flexible_four_bar_damped.csv");
  rt::ModelSpec spec = meshedFourBar(server::openBuiltInModel("flexible_four_bar").spec, {8, 16, 10});
  for (rt::CompositeSpec& bar : spec.composites) std::get<rt::BeamSpec>(bar.kind).damping_time = 1e-4;
  const Recording coupler =
      recordBounded(spec, 1e-3, 12, {"bc.16.r.*", "bc.16.p.*", "bc.element_8.*", "bc.element_9.*"});
  CHECK(share(turnOf(coupler, "bc.16", 0), reference.series("phi_x[rad]"), 12) < 3e-3);
  CHECK(share(turnOf(coupler, "bc.16", 2), reference.series("phi_z[rad]"), 12) < 3e-3);
  CHECK(share(atNode(coupler, "bc", 8, ".q_2"), reference.series("Q3[N]"), 12) < 3e-3);
}

TEST_CASE("the flexible four-bar with rigid bars is locked; without the tilt it moves", "[server][models][beam]") {
  const auto freedoms = [](double tilt) {
    rt::ModelSpec spec;
    spec.name = "rigid_four_bar";
    spec.gravity = Vector3d::Zero();
    const Vector3d corners[] = {{0, 0, 0}, {0, 0.12, 0}, {0.24, 0.12, 0}, {0.24, 0, 0}};
    const char* names[] = {"ab", "bc", "cd"};
    for (int k = 0; k < 3; ++k) {
      rt::BodySpec bar;
      bar.name = names[k];
      bar.mass = 1;
      bar.inertia.setIdentity();
      bar.position = corners[k];
      spec.bodies.push_back(bar);
    }
    const auto hinge = [&](const char* name, const char* body_1, const char* body_2, const Vector3d& at,
                           const Vector3d& origin_1, const Vector3d& origin_2, const Vector3d& axis) {
      spec.joints.push_back({name, "", body_1, body_2, rt::RevoluteSpec{at - origin_1, at - origin_2, axis, axis, 0}});
    };
    const Vector3d z = Vector3d::UnitZ(), none = Vector3d::Zero();
    hinge("a", rt::kGroundName, "ab", corners[0], none, corners[0], z);
    hinge("b", "ab", "bc", corners[1], corners[0], corners[1], z);
    hinge("c", "bc", "cd", corners[2], corners[1], corners[2], Vector3d(std::sin(tilt), 0, std::cos(tilt)));
    hinge("d", "cd", rt::kGroundName, corners[3], corners[2], none, z);
    const rt::Model model = rt::buildModel(spec);
    return rt::countDegreesOfFreedom(model, rt::initialState(model).state).count;
  };
  CHECK(freedoms(0) == 1);
  CHECK(freedoms(5 * std::numbers::pi / 180) == 0);
}

TEST_CASE("the rotating shaft passes its first bending frequency as its reference does, with order 2",
          "[server][models][beam]") {
  const Table reference = Table::reference("rotating_shaft.csv");
  const Recording shaft = run("rotating_shaft", 1e-3, 2.5, {"shaft.8.*"});
  for (const char* axis : {"y", "z"}) {
    CAPTURE(axis);
    const std::string end = axis;
    CHECK(share(shaft.series("shaft.8.r." + end), reference.series("u_" + end + "[m]"), 2.5) < 0.02);
    CHECK(share(shaft.series("shaft.8.v." + end), reference.series("v_" + end + "[m/s]"), 2.5) < 0.02);
    CHECK(share(shaft.series("shaft.8.a." + end), reference.series("a_" + end + "[m/s2]"), 2.5) < 0.02);
  }
  const Recording close = run("rotating_shaft", 2e-4, 2.5, {"shaft.8.r.*"});
  for (const char* axis : {"y", "z"}) {
    CAPTURE(axis);
    const std::string end = axis;
    CHECK(share(close.series("shaft.8.r." + end), reference.series("u_" + end + "[m]"), 2.5) < 1.5e-3);
  }
  const Series fine = run("rotating_shaft", 5e-5, 1.5, {"shaft.8.r.y"}).series("shaft.8.r.y");
  std::vector<double> errors;
  for (const double dt : {1e-3, 5e-4}) {
    const Series coarse = run("rotating_shaft", dt, 1.5, {"shaft.8.r.y"}).series("shaft.8.r.y");
    errors.push_back(rError(fine, coarse, 0, 1.5));
  }
  CHECK(errors[0] / errors[1] > 3.5);  // 4 at order 2
  CHECK(errors[0] / errors[1] < 4.5);
}

TEST_CASE("the thin blade buckles to the side as its reference does", "[server][models][beam]") {
  const auto [turn, way, shear] = bladeErrors(server::openBuiltInModel("lateral_buckling").spec, 10, 1e-3, 0.2);
  CAPTURE(turn, way, shear);
  CHECK(turn < 0.07);
  CHECK(way < 0.08);
  CHECK(shear < 0.08);
  const auto [fine_turn, fine_way, fine_shear] = bladeErrors(fineBlade(), 20, 2e-4, 0.4);
  CAPTURE(fine_turn, fine_way, fine_shear);
  CHECK(fine_turn < 0.06);
  CHECK(fine_way < 0.025);
  CHECK(fine_shear < 0.02);
}

TEST_CASE("the thin blade comes closer to its reference with the step", "[server][models][beam][slow]") {
  const auto [turn, way, shear] = bladeErrors(fineBlade(), 20, 1e-4, 0.4);
  CAPTURE(turn, way, shear);
  CHECK(turn < 0.03);
  CHECK(way < 0.02);
  CHECK(shear < 0.012);
}

TEST_CASE("the spin-up of a flexible beam bends and stretches as its reference does at steps of 10 ms",
          "[server][models][beam]") {
  const Table reference = Table::reference("rotating_beam.csv");
  const Recording arm = run("rotating_beam", 1e-2, 20, {"beam.8.r.*", "beam.8.p.*", "hub.angle"});
  const Vector3d end = 1.25 / 6 * Vector3d::UnitX();
  const auto tip = [&](std::size_t k) -> Vector3d {
    const Vector3d world = positionOf(arm, "beam.8", k) + rotationOf(arm, "beam.8", k) * end;
    return Eigen::AngleAxisd(-arm["hub.angle"][k], Vector3d::UnitZ()) * world;
  };
  CHECK(share(seriesOf(arm, [&](std::size_t k) { return tip(k).y(); }), reference.series("u_lateral[m]"), 20) < 4e-3);
  CHECK(share(seriesOf(arm, [&](std::size_t k) { return tip(k).x() - 10; }), reference.series("u_axial[m]"), 20) <
        4e-3);
  const auto angle = [&](std::size_t k) {
    const Matrix3d R = Eigen::AngleAxisd(-arm["hub.angle"][k], Vector3d::UnitZ()) * rotationOf(arm, "beam.8", k);
    return std::atan2(R(1, 0), R(0, 0));
  };
  CHECK(share(seriesOf(arm, angle), reference.series("tip_angle[rad]"), 20) < 4e-3);
}

TEST_CASE("a rotating beam stretches as the closed form says", "[server][models][beam]") {
  // Of a bar with a linear law: r'' = -(k/L)^2 r along it, k = omega L sqrt(m / EA); free at the end.
  const double L = 10, EA = 2.8e7, mass = 1.2, rate = 6;
  const double k = rate * L * std::sqrt(mass / EA), exact = L * (std::tan(k) / k - 1);
  const auto stretch = [&](int elements) {
    rt::ModelSpec spec = server::openBuiltInModel("rotating_beam").spec;
    const double sixth = L / elements / 6;  // the axis goes so far beyond the mass centers of the end nodes
    std::get<rt::BeamSpec>(spec.composites[0].kind).elements = elements;
    std::get<rt::RevoluteSpec>(spec.joints[0].kind).point_2.x() = -sixth;
    const std::string tip = "beam." + std::to_string(elements);
    // 2 ms: at 10 ms the step adds 0.06 %.
    const Recording arm = recordBounded(spec, 2e-3, 17, {tip + ".r.*"});
    // Mean at constant speed of the vibration that is left, 0.1 % of the stretch.
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < arm.t.size(); ++i) {
      if (arm.t[i] < 16) continue;
      sum += positionOf(arm, tip, i).norm() - (L - sixth);
      ++count;
    }
    return sum / count;
  };
  // Of the elements themselves: springs EA/h between masses m h, half of it a sixth of an element inside the end. From
  // the place of the end to that of the axis, which is linear in it.
  const auto ofElements = [&](int elements) {
    const double h = L / elements;
    const auto axisFor = [&](double end) {
      double r = end, tension = 0.5 * mass * h * rate * rate * (end - h / 6);
      for (int i = elements; i > 0; --i) {
        r -= h + tension * h / EA;
        tension += mass * h * rate * rate * r;
      }
      return r;
    };
    const double at_rest = axisFor(L), slope = axisFor(L + 1) - at_rest;
    return -at_rest / slope;
  };
  const double coarse = stretch(8), middle = stretch(16), fine = stretch(32);
  CAPTURE(coarse / exact - 1, middle / exact - 1, fine / exact - 1);
  // The end mass, placed for bending, stretches n elements by the share 1 / (4 n^2) too much: 0.39 % and 0.024 %. For
  // the stretch alone it would have to lie a third of an element inside the end.
  CHECK(ofElements(8) / exact - 1 == Approx(1.0 / 256).epsilon(0.02));
  CHECK(std::abs(coarse / ofElements(8) - 1) < 1e-3);
  CHECK(std::abs(middle / exact - 1) < 1e-3);
  CHECK(std::abs(fine / exact - 1) < 5e-4);
}

TEST_CASE("a cantilever without damping keeps its energy", "[server][models][beam]") {
  const Recording bar = recordBounded(server::makeCantilever(8), 1e-3, 1, {"energy.total", "energy.kinetic"});
  double drift = 0, kinetic = 0;
  for (std::size_t k = 0; k < bar.t.size(); ++k) {
    drift = rt::worst(drift, std::abs(bar["energy.total"][k] - bar["energy.total"][0]));
    kinetic = rt::worst(kinetic, bar["energy.kinetic"][k]);
  }
  CAPTURE(drift, kinetic);
  // 4.5e-6 J of 8.5e-3 J; 1e-4 J if the accelerations of the slow modes are projected with the rows of the beam.
  CHECK(drift < 1e-5);
  CHECK(kinetic > 5e-3);
}

TEST_CASE("a cantilever of 8 elements has the period of Timoshenko's beam in time, too", "[server][models][beam]") {
  const Recording beam = recordBounded(server::makeCantilever(8), 1e-4, 0.8, {"tip_y"});
  // Of ten periods of about 75 ms: where the tip goes down through the middle of its way, by a straight line between
  // samples. Other modes have a hundredth of the amplitude.
  const std::vector<double>& way = beam["tip_y"];
  const auto [low, high] = std::minmax_element(way.begin(), way.end());
  const double middle = 0.5 * (*low + *high);
  std::vector<double> passages;
  for (std::size_t k = 1; k < way.size(); ++k)
    if (way[k - 1] > middle && way[k] <= middle)
      passages.push_back(beam.t[k - 1] + (way[k - 1] - middle) / (way[k - 1] - way[k]) * (beam.t[k] - beam.t[k - 1]));
  REQUIRE(passages.size() > 10);
  const double period = (passages[10] - passages[0]) / 10;
  const double E = 207e9, h = 0.016, EI = E * h * h * h * h / 12, mass = 7800 * h * h;
  // Timoshenko's beam is 3.6e-4 slower than Euler's at this slenderness.
  const double euler = 2 * std::numbers::pi / (1.8751041 * 1.8751041 * std::sqrt(EI / mass));
  CAPTURE(period, euler);
  CHECK(std::abs(period / euler - 1 - 3.6e-4) < 5e-4);
}

TEST_CASE("a cantilever without damping keeps its vibration", "[server][models][beam]") {
  const Recording beam = recordBounded(server::makeCantilever(8), 1e-3, 5, {"tip_y"});
  const auto amplitude = [&](double from, double until) {
    double lowest = 0, highest = -1;
    for (std::size_t k = 0; k < beam.t.size(); ++k) {
      if (beam.t[k] < from || beam.t[k] > until) continue;
      lowest = std::min(lowest, beam["tip_y"][k]);
      highest = rt::worst(highest, beam["tip_y"][k]);
    }
    return highest - lowest;
  };
  const double first = amplitude(0, 0.15);  // two periods of 75 ms
  // Amplitudes between samples of 1 ms, 75 to a period.
  CHECK(amplitude(1.25, 1.4) > 0.99 * first);
  CHECK(amplitude(4.85, 5) > 0.99 * first);
}

TEST_CASE("a wire of 64 beam elements falls without damping and keeps its energy", "[server][models][beam]") {
  const Recording wire = recordBounded(server::makeBeamChain(64), 1e-3, 1, {"energy.total", "energy.kinetic"});
  const double kinetic = *std::max_element(wire["energy.kinetic"].begin(), wire["energy.kinetic"].end());
  CHECK(kinetic > 10);
  for (const double energy : wire["energy.total"])
    CHECK(std::abs(energy - wire["energy.total"].front()) < 0.01 * kinetic);
}
