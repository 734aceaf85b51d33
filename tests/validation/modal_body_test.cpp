// Modal bodies against the beams that they condense: frequencies, flexibility, mass, and the tick in free motion.
// Covers: rt/math/condensation.cpp, rt/math/modal_parts.cpp, rt/mechanics/condensed_bodies.cpp
#include "rt/mechanics/condensed_bodies.h"
#include "rt/model/model.h"
#include "tests/support/momenta.h"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <numeric>
#include <string>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kElements = 20;
const std::vector<int> kInterfaces = {3, 16};

/// A free frame of 4 m in the shape of a shallow bow, with a stiff and heavy front.
rt::ModelSpec frame() {
  rt::ModelSpec spec;
  spec.name = "frame";
  spec.gravity = Vector3d::Zero();
  rt::BeamSpec beam;
  beam.points = {{{-2, 0, 0}, 0}, {{0, 0, 0.3}, 0}, {{2, 0.1, 0}, 0}};
  beam.elements = kElements;
  beam.across = Vector3d::UnitY();
  rt::GeneralSectionSpec front, rear;
  front.stiffness = VectorXd(rt::Vector6d(4e8, 1e8, 1e8, 6e5, 2.4e6, 1.6e6)).asDiagonal();
  front.mass = 300;
  front.inertia = Vector3d(60, 30, 40);
  rear = front;
  rear.stiffness *= 0.7;
  rear.mass = 150;
  beam.stations = {{0, front}, {1, rear}};
  spec.composites = {{"frame", "", beam}};
  return spec;
}

std::vector<int> allBodies(const rt::Model& model) {
  std::vector<int> bodies(model.bodies.size());
  std::iota(bodies.begin(), bodies.end(), 0);
  return bodies;
}

std::vector<double> byRows(const MatrixXd& m) {
  std::vector<double> numbers;
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) numbers.push_back(m(r, c));
  return numbers;
}

/// The frame as a modal body.
rt::ModelSpec modalFrame(const rt::CondensedBodies& condensed, int modes) {
  rt::ModelSpec spec;
  spec.name = "modal_frame";
  spec.gravity = Vector3d::Zero();
  rt::ModalBodySpec body;
  body.position = condensed.origin;
  for (std::size_t i = 0; i < condensed.interfaces.size(); ++i)
    body.interfaces.push_back({"at_" + std::to_string(i), condensed.body.points[i], condensed.interfaces[i].mass,
                               condensed.interfaces[i].inertia});
  body.stiffness = byRows(condensed.body.stiffness);
  body.mass = byRows(condensed.body.mass);
  const VectorXd& modes_of_file = condensed.body.mode_stiffness;
  body.mode_stiffness.assign(modes_of_file.data(), modes_of_file.data() + modes_of_file.size());
  body.coupling = byRows(condensed.body.coupling);
  body.modes = modes;
  spec.composites = {{"frame", "", body}};
  return spec;
}

/// Free vibrations of a model without rigid rows.
struct Vibrations {
  VectorXd omega;   ///< rad/s, without the six rigid motions
  MatrixXd shapes;  ///< modal masses are 1

  explicit Vibrations(const rt::Model& model) {
    const rt::LinearBodies linear = rt::linearBodies(model, allBodies(model));
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(linear.stiffness, linear.mass);
    const Eigen::Index elastic = linear.mass.rows() - 6;
    omega = solver.eigenvalues().tail(elastic).cwiseSqrt();
    shapes = solver.eigenvectors().rightCols(elastic);
  }

  /// Flexibility between coordinates, of balanced loads.
  MatrixXd flexibility(const std::vector<Eigen::Index>& at) const {
    const MatrixXd scaled = shapes * omega.cwiseInverse().asDiagonal();
    const MatrixXd part = scaled(at, Eigen::all);
    return part * part.transpose();
  }
};

std::vector<Eigen::Index> coordinatesOf(const std::vector<int>& bodies) {
  std::vector<Eigen::Index> at;
  for (const int body : bodies)
    for (int k = 0; k < 6; ++k) at.push_back(6 * body + k);
  return at;
}

}  // namespace

TEST_CASE("a modal body with six free modes has the first six frequencies of its beam within one percent",
          "[validation][modal]") {
  const rt::Model beam = rt::buildModel(frame());
  const Vibrations exact(beam);
  const rt::CondensedBodies condensed = rt::condense(beam, allBodies(beam), kInterfaces, 24);
  const Vibrations modal(rt::buildModel(modalFrame(condensed, 6)));
  for (Eigen::Index k = 0; k < 6; ++k) {
    CAPTURE(k, exact.omega[k], modal.omega[k]);
    CHECK(modal.omega[k] == Approx(exact.omega[k]).epsilon(0.01));  // what the page promises
  }
  // Twelve: what is left is what the fixed modes of the file leave out.
  const Vibrations twelve(rt::buildModel(modalFrame(condensed, 12)));
  for (Eigen::Index k = 0; k < 6; ++k) {
    CAPTURE(k, exact.omega[k], twelve.omega[k]);
    CHECK(twelve.omega[k] == Approx(exact.omega[k]).epsilon(0.002));  // 24 fixed modes leave 0.1 % out
  }
}

TEST_CASE("a modal body yields to balanced loads at its interfaces as its beam does", "[validation][modal]") {
  const rt::Model beam = rt::buildModel(frame());
  const rt::CondensedBodies condensed = rt::condense(beam, allBodies(beam), kInterfaces, 24);
  const MatrixXd exact = Vibrations(beam).flexibility(coordinatesOf(kInterfaces));
  const MatrixXd R = condensed.body.rigidMotions().topRows(12);
  for (const int modes : {0, 6, 12}) {
    const rt::Model model = rt::buildModel(modalFrame(condensed, modes));
    const MatrixXd modal = Vibrations(model).flexibility(coordinatesOf({1, 2}));
    for (int k = 0; k < 12; ++k) {
      // The load k without its part that moves the body.
      const VectorXd load = VectorXd::Unit(12, k) - R * (R.transpose() * R).ldlt().solve(R.row(k).transpose());
      CAPTURE(modes, k);
      CHECK(load.dot(modal * load) == Approx(load.dot(exact * load)).epsilon(3e-3));  // 1e-3 is added, modal.md (6)
    }
  }
}

TEST_CASE("a modal body has mass, center and inertia of its beam exactly", "[validation][modal]") {
  const rt::Model beam = rt::buildModel(frame());
  const rt::CondensedBodies condensed = rt::condense(beam, allBodies(beam), kInterfaces, 24);
  const auto massOf = [&](const rt::Model& model) {
    rt::Matrix6d sum = rt::Matrix6d::Zero();
    const MatrixXd M = rt::linearBodies(model, allBodies(model)).mass;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      const rt::Matrix6d B = rt::motionAt(model.initial_conditions[0].position[i]);
      const auto at = static_cast<Eigen::Index>(6 * i);
      sum += B.transpose() * M.block<6, 6>(at, at) * B;
    }
    return sum;
  };
  const rt::Matrix6d exact = massOf(beam);
  for (const int modes : {0, 6, 12}) {
    const rt::Matrix6d modal = massOf(rt::buildModel(modalFrame(condensed, modes)));
    CHECK((modal - exact).norm() < 1e-9 * exact.norm());  // round-off of the condensation
  }
}

TEST_CASE("a spinning modal body keeps its momentum to round-off in the tick, its angular momentum to second order",
          "[validation][modal]") {
  const rt::Model beam = rt::buildModel(frame());
  rt::ModelSpec spec = modalFrame(rt::condense(beam, allBodies(beam), kInterfaces, 24), 6);
  auto& body = std::get<rt::ModalBodySpec>(spec.composites[0].kind);
  body.angular_velocity = Vector3d(2, 1, 3);
  body.velocity = Vector3d(0.5, -0.25, 1);
  const MomentumDrift whole = momentumDrift(spec, 1e-3, 0.5), half = momentumDrift(spec, 5e-4, 0.5);
  CAPTURE(whole.angular, half.angular);
  for (const MomentumDrift& drift : {whole, half}) CHECK(drift.linear < 1e-10);  // round-off of a thousand steps
  CHECK(whole.angular < 3e-5);                                                   // as of a free beam
  CHECK(half.angular < 0.3 * whole.angular);                                     // a quarter at order 2
}
