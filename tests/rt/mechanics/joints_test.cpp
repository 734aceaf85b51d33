// Joints made of several primitives: rows and gamma against differences, the motions that each leaves free,
// coordinates.
// Covers: rt/mechanics/compliant_rows.cpp, rt/model/joint_builder.cpp
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

using Kind = decltype(rt::JointSpec::kind);
using Motions = std::vector<rt::BodyMotion>;

/// A motion of body 2 against body 1 that a joint leaves free, world axes: turning, and velocity of point 2.
struct FreeMotion {
  Vector3d turning, velocity;
};

/// One joint between two bodies in general position, and the motions it leaves free there. `loose`: more of these,
/// which other joints have to prevent, because the joint's coordinate is that of parallel axes.
struct Case {
  std::string name;
  rt::ModelSpec spec;
  std::vector<FreeMotion> free;
  std::vector<FreeMotion> loose = {};

  std::vector<FreeMotion> all() const {
    std::vector<FreeMotion> both = free;
    both.insert(both.end(), loose.begin(), loose.end());
    return both;
  }
};

constexpr double kTravel = 0.35;  // m, of those that have one
const Vector3d kAxis = Vector3d(2, -1, 0.5).normalized();
const Vector3d kAcross = Vector3d(1, 3, 2).cross(kAxis).normalized();
const Vector3d kThird = kAxis.cross(kAcross);
const Vector3d kWhere(0.2, -0.4, 0.3);
const Vector3d kNone(0, 0, 0);

/// Two bodies whose poses have nothing in common. `second` is where point 2 lies in the world.
Case makeCase(const std::string& name, const Vector3d& axis_2, const Vector3d& second, std::vector<FreeMotion> free,
              Kind (*make)(const Vector3d& p_1, const Vector3d& p_2, const Vector3d& a_1, const Vector3d& a_2)) {
  rt::ModelSpec spec = together({freeBody(0), freeBody(0)});
  std::mt19937 random(42);
  std::normal_distribution<double> normal;
  Matrix3d R[2];
  for (int i = 0; i < 2; ++i) {
    rt::BodySpec& body = spec.bodies[static_cast<std::size_t>(i)];
    body.position = Vector3d(normal(random), normal(random), normal(random));
    body.orientation = rt::Vector4d(normal(random), normal(random), normal(random), normal(random)).normalized();
    R[i] = rt::rotationMatrix(body.orientation);
  }
  const Vector3d p_1 = R[0].transpose() * (kWhere - spec.bodies[0].position);
  const Vector3d p_2 = R[1].transpose() * (second - spec.bodies[1].position);
  spec.joints = {makeJoint("joint", spec.bodies[0].name, spec.bodies[1].name,
                           make(p_1, p_2, R[0].transpose() * kAxis, R[1].transpose() * axis_2))};

  // Body 1 moves anyhow; body 2 with it, and along everything that the joint leaves free.
  rt::BodySpec &b_1 = spec.bodies[0], &b_2 = spec.bodies[1];
  const Vector3d turning(0.3, -0.5, 0.8);
  b_1.velocity = {0.4, 0.1, -0.2};
  b_1.angular_velocity = R[0].transpose() * turning;
  Vector3d relative = Vector3d::Zero(), slip = Vector3d::Zero();
  double share = 0.5;
  for (const FreeMotion& motion : free) {
    relative += share * motion.turning;
    slip += share * motion.velocity;
    share += 0.3;
  }
  const Vector3d at_point = b_1.velocity + turning.cross(second - b_1.position) + slip;
  b_2.velocity = at_point + (turning + relative).cross(b_2.position - second);
  b_2.angular_velocity = R[1].transpose() * (turning + relative);
  return {name, spec, std::move(free)};
}

Case withLoose(Case c, std::vector<FreeMotion> loose) {
  c.loose = std::move(loose);
  return c;
}

/// Lets the rack run along kAcross.
Case alongAcross(Case c) {
  const Matrix3d R = rt::rotationMatrix(c.spec.bodies[0].orientation);
  std::get<rt::RackAndPinionSpec>(c.spec.joints[0].kind).direction_1 = R.transpose() * kAcross;
  return c;
}

std::vector<Case> everyJoint() {
  const Vector3d along = kWhere + kTravel * kAxis, beside = kWhere + 0.2 * kAcross - 0.3 * kThird;
  const FreeMotion turn{kAxis, kNone}, turn_across{kAcross, kNone}, turn_third{kThird, kNone};
  const FreeMotion slide{kNone, kAxis}, slide_across{kNone, kAcross}, slide_third{kNone, kThird};
  // Of a wheel of 0.2 m that rolls: on the teeth of a rack, and about another of 0.3 m.
  const FreeMotion roll{kAxis, 0.2 * kAcross}, orbit{kAxis, 0.2 * kThird};
  const FreeMotion thread{kAxis, 0.05 / (2 * M_PI) * kAxis};
  using V = const Vector3d&;
  return {
      makeCase("spherical", kAxis, kWhere, {turn, turn_across, turn_third},
               [](V p, V q, V, V) -> Kind {
                 return rt::SphericalSpec{p, q};
               }),
      makeCase("point", kAxis, kWhere, {turn, turn_across, turn_third},
               [](V p, V q, V, V) -> Kind {
                 return rt::PointSpec{p, q};
               }),
      makeCase("revolute", kAxis, kWhere, {turn},
               [](V p, V q, V a, V b) -> Kind {
                 return rt::RevoluteSpec{p, q, a, b, 1.5};
               }),
      makeCase("distance", kAxis, along, {turn, turn_across, turn_third, slide_across, slide_third},
               [](V p, V q, V, V) -> Kind {
                 return rt::DistanceSpec{p, q, {}};
               }),
      makeCase("dot1", kAcross, kWhere, {turn, turn_across, slide, slide_across, slide_third},
               [](V, V, V a, V b) -> Kind {
                 return rt::Dot1Spec{a, b};
               }),
      makeCase("dot2", kAxis, beside, {turn, turn_across, turn_third, slide_across, slide_third},
               [](V p, V q, V a, V) -> Kind {
                 return rt::Dot2Spec{a, p, q};
               }),
      withLoose(makeCase("gear", kAxis, kWhere + 0.5 * kAcross, {orbit, slide_across},
                         [](V p, V q, V a, V) -> Kind { return rt::GearSpec{p, q, a, 0.3, 0.2, false}; }),
                {turn_across, turn_third, slide}),
      alongAcross(withLoose(makeCase("rack_and_pinion", kAxis, beside, {roll, slide, slide_third},
                                     [](V p, V q, V a, V) -> Kind {
                                       return rt::RackAndPinionSpec{p, q, a, kNone, 0.2};
                                     }),
                            {turn_across, turn_third})),
      makeCase("screw", kAxis, along, {thread},
               [](V p, V q, V a, V b) -> Kind {
                 return rt::ScrewSpec{p, q, a, b, 0.05};
               }),
      makeCase("universal", kAcross, kWhere, {turn, turn_across},
               [](V p, V q, V a, V b) -> Kind {
                 return rt::UniversalSpec{p, q, a, b};
               }),
      makeCase("cylindrical", kAxis, along, {turn, slide},
               [](V p, V q, V a, V b) -> Kind {
                 return rt::CylindricalSpec{p, q, a, b, 0.25};
               }),
      makeCase("prismatic", kAxis, along, {slide},
               [](V p, V q, V a, V b) -> Kind {
                 return rt::PrismaticSpec{p, q, a, b};
               }),
      makeCase("planar", kAxis, beside, {turn, slide_across, slide_third},
               [](V p, V q, V a, V b) -> Kind {
                 return rt::PlanarSpec{p, q, a, b, -0.5};
               }),
      makeCase("weld", kAxis, kWhere, {},
               [](V p, V q, V, V) -> Kind {
                 return rt::WeldSpec{p, q};
               }),
      makeCase("point_on_line", kAxis, along, {turn, turn_across, turn_third, slide},
               [](V p, V q, V a, V) -> Kind {
                 return rt::PointOnLineSpec{a, p, q};
               }),
      makeCase("point_on_plane", kAxis, beside, {turn, turn_across, turn_third, slide_across, slide_third},
               [](V p, V q, V a, V) -> Kind {
                 return rt::PointOnPlaneSpec{a, p, q};
               }),
  };
}

Motions motionsOf(const rt::Model& model) {
  const rt::State state = rt::initialState(model).state;
  Motions motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(rt::bodyMotion(state.view(), i));
  return motions;
}

/// Rows of the joint, and their Jacobian against (v, omega) of both bodies.
struct Rows {
  Eigen::VectorXd phi;
  Eigen::MatrixXd H;
};

Rows rowsAt(const rt::Model& model, const Motions& motions) {
  const rt::Joint& joint = model.joints[0];
  const std::vector<double> coordinates(static_cast<std::size_t>(model.displacements), 0.0);
  rt::JointRows rows;
  rt::evaluateJointRows(model, joint, motions.data(), coordinates.data(), rows);
  Rows out{Eigen::Map<Eigen::VectorXd>(rows.phi, joint.row_count), Eigen::MatrixXd(joint.row_count, 12)};
  for (int k = 0; k < joint.row_count; ++k)
    for (int c = 0; c < 12; ++c) out.H(k, c) = rows.jacobian[k].h[c / 6][c % 6];
  return out;
}

/// The motions with one body moved by h along component c of (dr, dphi).
Motions moved(Motions motions, int c, double h) {
  rt::BodyMotion& m = motions[static_cast<std::size_t>(c / 6)];
  const Vector3d unit = Vector3d::Unit(c % 3);
  if (c % 6 < 3)
    m.r += h * unit;
  else
    m.R = Eigen::AngleAxisd(h, unit).toRotationMatrix() * m.R;
  return motions;
}

/// The motions a time t later, at constant velocities.
Motions later(Motions motions, double t) {
  for (rt::BodyMotion& m : motions) {
    m.r += t * m.v;
    m.R = Eigen::AngleAxisd(t * m.omega_w.norm(), m.omega_w.normalized()).toRotationMatrix() * m.R;
  }
  return motions;
}

}  // namespace

TEST_CASE("rows of every joint: Jacobian and gamma agree with differences", "[rt][mechanics]") {
  for (const Case& c : everyJoint()) {
    INFO(c.name);
    const rt::Model model = rt::buildModel(c.spec);
    const Motions motions = motionsOf(model);
    const Rows rows = rowsAt(model, motions);
    CHECK(rows.phi.norm() < 1e-14);  // round-off of declared coordinates
    const double h = 1e-6;
    for (int k = 0; k < 12; ++k) {
      const Eigen::VectorXd difference =
          (rowsAt(model, moved(motions, k, h)).phi - rowsAt(model, moved(motions, k, -h)).phi) / (2 * h);
      CHECK((rows.H.col(k) - difference).norm() < 1e-9);  // round-off 1e-16 / h and truncation h^2
    }

    Eigen::VectorXd gamma(model.rows);
    for (const rt::Primitive& p : model.primitives) rt::evaluateGamma(p, motions.data(), gamma.data() + p.row);
    const double t = 1e-4;
    const Eigen::VectorXd second =
        (rowsAt(model, later(motions, t)).phi - 2 * rows.phi + rowsAt(model, later(motions, -t)).phi) / (t * t);
    CHECK((gamma + second).norm() < 1e-6);  // truncation t^2, round-off 1e-16 / t^2
  }
}

TEST_CASE("every joint removes just the freedoms it should", "[rt][mechanics]") {
  for (const Case& c : everyJoint()) {
    INFO(c.name);
    const rt::Model model = rt::buildModel(c.spec);
    const Motions motions = motionsOf(model);
    const Rows rows = rowsAt(model, motions);
    const rt::DegreesOfFreedom count = rt::countDegreesOfFreedom(model, rt::initialState(model).state);
    const std::vector<FreeMotion> free = c.all();
    CHECK(count.rows == 6 - static_cast<int>(free.size()));
    CHECK(count.rank == count.rows);
    CHECK(count.count == 6 + static_cast<int>(free.size()));

    // What it leaves free breaks no row, nor does a common motion of both bodies.
    const rt::BodyMotion& b_2 = motions[1];
    const Vector3d point = b_2.r + b_2.R * model.joints[0].point_2;
    for (const FreeMotion& motion : free) {
      const Vector3d at_center = motion.velocity + motion.turning.cross(b_2.r - point);
      // Round-off.
      CHECK((rows.H.middleCols<3>(6) * at_center + rows.H.middleCols<3>(9) * motion.turning).norm() < 1e-14);
    }
    const Vector3d turning(0.2, 0.7, -0.4), velocity(1, -2, 0.5);
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(model.rows);
    for (int i = 0; i < 2; ++i) {
      const Vector3d at_center = velocity + turning.cross(motions[static_cast<std::size_t>(i)].r);
      rate += rows.H.middleCols<3>(6 * i) * at_center + rows.H.middleCols<3>(6 * i + 3) * turning;
    }
    CHECK(rate.norm() < 1e-14);  // round-off
  }
}

TEST_CASE("a body hung on ground by a joint keeps what the joint leaves it", "[rt][mechanics]") {
  for (Case c : everyJoint()) {
    INFO(c.name);
    rt::JointSpec& joint = c.spec.joints[0];
    const Matrix3d R = rt::rotationMatrix(c.spec.bodies[0].orientation);
    const Vector3d r = c.spec.bodies[0].position;
    joint.body_1 = rt::kGroundName;
    std::visit(
        [&](auto& kind) {
          if constexpr (requires { kind.point_1; }) kind.point_1 = r + R * kind.point_1;
          if constexpr (requires { kind.axis_1; }) kind.axis_1 = R * kind.axis_1;
          if constexpr (requires { kind.direction_1; }) kind.direction_1 = R * kind.direction_1;
        },
        joint.kind);
    c.spec.bodies.erase(c.spec.bodies.begin());
    c.spec.bodies[0].velocity = c.spec.bodies[0].angular_velocity = kNone;
    const rt::Model model = rt::buildModel(c.spec);
    CHECK(rt::countDegreesOfFreedom(model, rt::initialState(model).state).count == static_cast<int>(c.all().size()));
  }
}

TEST_CASE("every joint in motion: constraints, energy and momentum hold", "[rt][mechanics]") {
  for (const Case& c : everyJoint()) {
    INFO(c.name);
    if (!c.loose.empty()) continue;  // tests/validation/gear_test.cpp has them with the joints that they need
    rt::ModelSpec spec = c.spec;
    spec.gravity = kNone;
    const Recording run = record(spec, settingsFor(1e-3), 0.5, {"energy.total", "*.v.*"});
    REQUIRE(run.ok);
    // The iterations leave 1e-9 of the rows; accelerations carry the second power of 1 / step; the energy has second
    // order.
    CHECK(run.worst.constraint_position < 1e-9);
    CHECK(run.worst.constraint_velocity < 1e-9);
    CHECK(run.worst.constraint_acceleration < 1e-6);
    CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 1e-4 * run["energy.total"].front());
    for (const char* axis : {"x", "y", "z"}) {
      const auto momentum = [&](std::size_t k) {
        double sum = 0;
        for (const rt::BodySpec& b : spec.bodies) sum += b.mass * run[b.name + ".v." + axis][k];
        return sum;
      };
      // Internal forces are equal and opposite to round-off.
      CHECK(momentum(run.t.size() - 1) == Approx(momentum(0)).epsilon(0).margin(1e-9));
    }
  }
}

TEST_CASE("travels and angles of joints: values and rates", "[rt][mechanics]") {
  for (const Case& c : everyJoint()) {
    INFO(c.name);
    const rt::Model model = rt::buildModel(c.spec);
    const Motions motions = motionsOf(model);
    const rt::Joint& joint = model.joints[0];
    CHECK(joint.has_travel ==
          (c.name == "cylindrical" || c.name == "prismatic" || c.name == "point_on_line" || c.name == "screw"));
    CHECK((joint.displacement >= 0) == (c.name == "revolute" || c.name == "cylindrical" || c.name == "planar" ||
                                        c.name == "rack_and_pinion" || c.name == "screw"));
    const double t = 1e-5;
    if (joint.has_travel) {
      CHECK(rt::jointTravel(joint, motions.data()) == Approx(kTravel));
      const double difference =
          (rt::jointTravel(joint, later(motions, t).data()) - rt::jointTravel(joint, later(motions, -t).data())) /
          (2 * t);
      // Truncation t^2 = 1e-10 of the difference; the joint moves at all.
      CHECK(rt::jointTravelRate(joint, motions.data()) == Approx(difference).epsilon(1e-8));
      CHECK(std::abs(difference) > 1e-3);
    }
    if (joint.displacement >= 0) {
      const std::map<std::string, double> declared = {{"revolute", 1.5}, {"cylindrical", 0.25}, {"planar", -0.5}};
      const auto angle = declared.find(c.name);
      // Round-off.
      CHECK(rt::jointAngle(joint, motions.data()) ==
            Approx(angle == declared.end() ? 0.0 : angle->second).epsilon(0).margin(1e-12));
      const double difference =
          (rt::jointAngle(joint, later(motions, t).data()) - rt::jointAngle(joint, later(motions, -t).data())) /
          (2 * t);
      // Truncation t^2 = 1e-10 of the difference; the joint turns at all.
      CHECK(rt::jointRate(joint, motions.data()) == Approx(difference).epsilon(1e-8));
      CHECK(std::abs(difference) > 0.1);
    }
  }
}

TEST_CASE("a driven travel follows its function and needs the force that the motion asks for", "[rt][mechanics]") {
  // A slider of 2 kg on a vertical rail, 0.1 sin(5 t) above its start: lambda pulls it down where it is positive.
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = Vector3d(0, 0, -9.81);
  rt::BodySpec& slider = spec.bodies[0];
  slider.position = {0, 0, 0.3};
  slider.velocity = {0, 0, 0.5};
  slider.angular_velocity = kNone;
  const Vector3d z = Vector3d::UnitZ();
  spec.joints = {makeJoint("rail", rt::kGroundName, slider.name, rt::PrismaticSpec{kNone, kNone, z, z})};
  spec.drives = {{"lift", "", rt::DrivenTravelSpec{"rail"}, rt::HarmonicSpec{0.3, 0.1, 5, 0}}};
  const Recording run =
      record(spec, settingsFor(1e-3), 1, {"rail.travel", "rail.travel_rate", "lift.travel", "lift.tension"});
  REQUIRE(run.ok);
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    const double phase = 5 * run.t[k];
    // The drive is a constraint: the iterations leave 1e-9; the force takes its acceleration from the last iteration.
    CHECK(run["rail.travel"][k] == Approx(0.3 + 0.1 * std::sin(phase)).epsilon(0).margin(1e-9));
    CHECK(run["lift.travel"][k] == Approx(run["rail.travel"][k]).epsilon(0).margin(1e-12));
    CHECK(run["rail.travel_rate"][k] == Approx(0.5 * std::cos(phase)).epsilon(0).margin(1e-9));
    CHECK(run["lift.tension"][k] == Approx(-2 * (9.81 - 2.5 * std::sin(phase))).epsilon(0).margin(1e-5));
  }
}
