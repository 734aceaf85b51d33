// Elements of beams: values of an independent code, corrected shear, Newton's third law, energy.
// Covers: rt/model/elements/beam_element.cpp
#include "rt/model/elements/beam_element.h"
#include "rt/model/model.h"

#include "rt/mechanics/compliant_loads.h"
#include "rt/mechanics/energy.h"
#include "rt/model/model_spec.h"
#include "tests/support/compare.h"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <cmath>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::rt;

namespace {

// tests/reference/beam_element_cases.csv: elements of length L with plain shear between two sections in general poses,
// one a line. section: stiffness, 36 numbers; o, f: point and frame of a section in its body; D0, psi0: z without load;
// r, q: poses of the bodies; load: force and torque about the center of mass, world; H: row by row, columns (dr_1,
// dphi_1, dr_2, dphi_2) in world axes.

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRounding = 1e-13;  // some hundred operations on values of order 1

/// Columns NAME_0 ... of one line of a table.
VectorXd valuesOf(const tests::Table& table, const std::string& name, int count, std::size_t line) {
  VectorXd v(count);
  for (int i = 0; i < count; ++i) v[i] = table.column(count == 1 ? name : name + '_' + std::to_string(i))[line];
  return v;
}

Matrix3d frameOf(const VectorXd& q) {
  return rotationMatrix(Vector4d(q));
}

/// Two free bodies with an element between them, straight along x and 0.1 m long when declared.
ModelSpec twoNodes(const MatrixXd& stiffness, bool plain_shear) {
  ModelSpec spec;
  spec.name = "two_nodes";
  spec.gravity = Vector3d::Zero();
  for (const char* name : {"left", "right"}) {
    BodySpec body;
    body.name = name;
    body.mass = 1;
    body.inertia.setIdentity();
    spec.bodies.push_back(body);
  }
  spec.bodies[1].position = {0.1, 0, 0};
  BeamElementSpec element;
  element.body_1 = "left";
  element.body_2 = "right";
  element.length = 0.1;
  element.stiffness = stiffness;
  element.damping_time = 0.01;
  element.plain_shear = plain_shear;
  spec.forces = {{"beam", "", element}};
  return spec;
}

MatrixXd sampleSection() {
  MatrixXd C = VectorXd(Eigen::Matrix<double, 6, 1>(4e4, 2e4, 1e4, 20, 30, 10)).asDiagonal();
  C(0, 4) = C(4, 0) = 200;
  C(3, 5) = C(5, 3) = 4;
  return C;
}

/// A pose in general position for each node, with the right rotation between them, and rates.
std::vector<BodyMotion> strained() {
  std::vector<BodyMotion> m(2);
  m[0].r = {0.3, -0.2, 0.5};
  m[0].R = Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  m[1].r = m[0].r + m[0].R * Vector3d(0.09, 0.03, -0.01);
  m[1].R = m[0].R * Eigen::AngleAxisd(0.8, Vector3d(-0.3, 1, 0.5).normalized()).toRotationMatrix();
  m[0].v = {1, 0.5, -2};
  m[0].omega_w = {0.3, -1, 2};
  m[1].v = {0.2, -1, 0.7};
  m[1].omega_w = {2, 0.4, -0.6};
  return m;
}

}  // namespace

TEST_CASE("elongations, Jacobian, forces and loads of beam elements are those of an independent code",
          "[rt][mechanics][beam]") {
  const tests::Table table = tests::Table::reference("beam_element_cases.csv");
  const std::size_t cases = table.column("L").size();
  REQUIRE(cases == 8);
  for (std::size_t line = 0; line < cases; ++line) {
    CAPTURE(line);
    const auto of = [&](const char* name, int count) { return valuesOf(table, name, count, line); };
    Primitive p{PrimitiveKind::kSection, 0, 1, 0, of("o1", 3), of("o2", 3), {}, {}, 0};
    const Matrix3d f1 = frameOf(of("f1", 4)), f2 = frameOf(of("f2", 4));
    p.a_1 = f1.col(0);
    p.b_1 = f1.col(1);
    p.a_2 = f2.col(0);
    p.b_2 = f2.col(1);
    std::vector<BodyMotion> motions(2);
    motions[0].r = of("r1", 3);
    motions[0].R = frameOf(of("q1", 4));
    motions[1].r = of("r2", 3);
    motions[1].R = frameOf(of("q2", 4));
    double phi[kMaxPrimitiveRows];
    RowJacobian rows[kMaxPrimitiveRows];
    evaluateRows(p, motions.data(), phi, rows);

    VectorXd rest(6), z(6), load_1(6), load_2(6), h(72);
    rest << of("D0", 3), of("psi0", 3);
    z = Eigen::Map<VectorXd>(phi, 6) - rest;
    MatrixXd H(6, 12);
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 12; ++c) H(r, c) = rows[r].h[c / 6][c % 6];
    const MatrixXd section = of("section", 36).reshaped(6, 6);
    const VectorXd s = elementStiffness(section, of("L", 1)[0], true) * z, load = -H.transpose() * s;
    MatrixXd expected(6, 12);
    const VectorXd listed = of("H", 72);
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 12; ++c) expected(r, c) = listed[12 * r + c];
    constexpr double kDigits = 1e-9;  // the digits of the table
    CHECK((z - of("z", 6)).norm() < kDigits * of("z", 6).norm());
    CHECK((s - of("s", 6)).norm() < kDigits * of("s", 6).norm());
    CHECK((H - expected).norm() < kDigits * expected.norm());
    CHECK((load.head(6) - of("load_1", 6)).norm() < kDigits * of("load_1", 6).norm());
    CHECK((load.tail(6) - of("load_2", 6)).norm() < kDigits * of("load_2", 6).norm());
  }
}

TEST_CASE("corrected shear makes a straight element exact for loads at its end", "[rt][mechanics][beam]") {
  // Cantilever of one element with a small end force: Timoshenko's deflection F L^3 / 3 EI + F L / GA.
  const double L = 2, EI = 30, GA = 1000;
  const MatrixXd C = VectorXd(Eigen::Matrix<double, 6, 1>(1e4, GA, GA, 20, EI, EI)).asDiagonal();
  const Eigen::Matrix<double, 6, 6> K = elementStiffness(C, L, false);
  // Linear: D_2 = u - L theta / 2, psi_3 = theta, with the force at the end: N_2 = F, M_3 = F L / 2.
  const double theta = (L / 2) / K(5, 5), u = 1 / K(1, 1) + L / 2 * theta;
  CHECK(u == Approx(L * L * L / (3 * EI) + L / GA).epsilon(1e-14));  // round-off
  CHECK(elementStiffness(C, L, true)(1, 1) == Approx(GA / L));
}

TEST_CASE("loads of a beam element balance, conserve momentum and follow from its energy", "[rt][mechanics][beam]") {
  const Model model = buildModel(twoNodes(sampleSection(), false));
  const Joint& joint = model.joints[0];
  const std::vector<BodyMotion> m = strained();
  double lambda[kMaxJointRows];
  std::vector<Load> loads(2);
  addCompliantLoad(model, joint, m.data(), nullptr, nullptr, lambda, loads.data());
  const double size = loads[0].force.norm();
  CHECK((loads[0].force + loads[1].force).norm() < kRounding * size);
  const Vector3d moment = loads[0].torque + loads[1].torque + (m[1].r - m[0].r).cross(loads[1].force);
  CHECK(moment.norm() < kRounding * size);

  // The elastic load is minus the gradient of the energy: along the rates, with the damping left out.
  ModelSpec undamped = twoNodes(sampleSection(), false);
  std::get<BeamElementSpec>(undamped.forces[0].kind).damping_time = 0;
  const Model elastic = buildModel(undamped);
  loads.assign(2, Load());
  const ElementPower power =
      addCompliantLoad(elastic, elastic.joints[0], m.data(), nullptr, nullptr, lambda, loads.data());
  CHECK(power.dissipated == 0);
  double work = 0;
  for (std::size_t i = 0; i < 2; ++i) work += loads[i].force.dot(m[i].v) + loads[i].torque.dot(m[i].omega_w);
  const auto energyAt = [&](double t) {
    std::vector<BodyMotion> later = m;
    for (BodyMotion& b : later) {
      b.r += t * b.v;
      b.R = Eigen::AngleAxisd(t * b.omega_w.norm(), b.omega_w.normalized()).toRotationMatrix() * b.R;
    }
    JointRows rows;
    evaluateJointRows(elastic, elastic.joints[0], later.data(), nullptr, rows);
    return storedEnergy(elastic, elastic.joints[0], later.data(), nullptr, rows.phi);
  };
  const double h = 1e-5;
  CHECK(work == Approx(-(energyAt(h) - energyAt(-h)) / (2 * h)).epsilon(1e-7));  // truncation of the difference
}
