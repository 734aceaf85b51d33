// Beams against closed forms: equilibria, frequencies, momentum, the tick against its own refinement.
#include "rt/math/skew.h"
#include "rt/mechanics/compliant_loads.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/expand.h"
#include "rt/model/model.h"
#include "tests/support/beams.h"
#include "tests/support/compare.h"
#include "tests/support/momenta.h"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPi = std::numbers::pi;
constexpr double kRounding =
    1e-9;  // of the last Newton step: forces of 1e7 N/m beside bending of 1 N/m, relative to the length

/// Equilibria of a mechanism of free bodies on compliant joints, by Newton's method.
class Statics {
 public:
  explicit Statics(const rt::ModelSpec& spec) : model_(rt::buildModel(spec)), motions_(model_.bodies.size()) {
    const rt::InitialCondition& declared = model_.initial_conditions[0];
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      motions_[i].r = declared.position[i];
      motions_[i].R = rt::rotationMatrix(declared.orientation[i]);
    }
  }

  const rt::Model& model() const { return model_; }
  const std::vector<rt::BodyMotion>& motions() const { return motions_; }
  Vector3d pointOfLast(const Vector3d& arm) const { return motions_.back().r + motions_.back().R * arm; }

  /// Stiffness of all bodies at this pose: derivative of H^T lambda.
  MatrixXd stiffness() const {
    const auto n = static_cast<Eigen::Index>(6 * motions_.size());
    MatrixXd K = MatrixXd::Zero(n, n);
    for (const rt::Joint& joint : model_.joints) {
      const auto d = rt::differentiateCompliantLoad(model_, joint, motions_.data(), nullptr, nullptr);
      const int body[2] = {joint.body_1, joint.body_2};
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c)
          if (body[r] != rt::kGround && body[c] != rt::kGround)
            K.block<6, 6>(6 * body[r], 6 * body[c]) += d.by_position.block<6, 6>(6 * r, 6 * c);
    }
    return K;
  }

  /// Moves the bodies to the equilibrium with a dead force at a point of the last body and a dead moment on it.
  /// @returns the number of iterations
  int solve(const Vector3d& force, const Vector3d& arm, const Vector3d& moment) {
    const auto last = static_cast<Eigen::Index>(6 * (motions_.size() - 1));
    const double size = motions_.back().r.norm();
    for (int iteration = 1; iteration <= 50; ++iteration) {
      std::vector<rt::Load> loads(motions_.size());
      double lambda[rt::kMaxJointRows];
      for (const rt::Joint& joint : model_.joints)
        rt::addCompliantLoad(model_, joint, motions_.data(), nullptr, nullptr, lambda, loads.data());
      const Vector3d turned = motions_.back().R * arm;
      loads.back().force += force;
      loads.back().torque += turned.cross(force) + moment;
      MatrixXd K = stiffness();
      K.block<3, 3>(last + 3, last + 3) -= rt::skew(force) * rt::skew(turned);
      VectorXd missing(K.rows());
      for (std::size_t i = 0; i < loads.size(); ++i)
        missing.segment<6>(static_cast<Eigen::Index>(6 * i)) << loads[i].force, loads[i].torque;
      const VectorXd change = K.partialPivLu().solve(missing);
      for (std::size_t i = 0; i < motions_.size(); ++i) {
        const auto at = static_cast<Eigen::Index>(6 * i);
        motions_[i].r += change.segment<3>(at);
        const Vector3d turn = change.segment<3>(at + 3);
        if (turn.norm() > 0)
          motions_[i].R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * motions_[i].R;
      }
      if (change.cwiseAbs().maxCoeff() < kRounding * std::max(1.0, size)) return iteration;
    }
    FAIL("no equilibrium in 50 iterations");
    return 0;
  }

 private:
  rt::Model model_;
  std::vector<rt::BodyMotion> motions_;
};

/// Frequencies of a mechanism of free bodies on compliant joints, rad/s, rising.
VectorXd frequenciesOf(const Statics& statics) {
  const auto n = static_cast<Eigen::Index>(6 * statics.motions().size());
  MatrixXd M = MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i < statics.motions().size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    const rt::Body& body = statics.model().bodies[i];
    M.block<3, 3>(at, at).diagonal().setConstant(body.mass);
    M.block<3, 3>(at + 3, at + 3) = rt::worldInertia(body, statics.motions()[i].R);
  }
  const MatrixXd K = statics.stiffness();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()), M, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(0).cwiseSqrt();
}

/// The bending frequencies of Timoshenko's cantilever, exact: zeros of the determinant of its transfer matrix.
std::vector<double> timoshenko(double L, double EI, double GA, double m, double rho_I, int count) {
  const auto determinant = [&](double omega) {
    // State (deflection, rotation, moment, shear force) along the beam.
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A(0, 1) = 1;
    A(0, 3) = 1 / GA;
    A(1, 2) = 1 / EI;
    A(2, 3) = -1;
    A(2, 1) = -omega * omega * rho_I;
    A(3, 0) = -omega * omega * m;
    // exp(A L): the series over 1/1024 of the length, squared ten times.
    const Eigen::Matrix4d a = A * L / 1024;
    Eigen::Matrix4d sum = Eigen::Matrix4d::Identity(), term = sum;
    for (int k = 1; k < 12; ++k) sum += term = term * a / k;
    for (int k = 0; k < 10; ++k) sum = sum * sum;
    return sum.bottomRightCorner<2, 2>().determinant();
  };
  std::vector<double> zeros;
  const double step = 0.05 * std::sqrt(EI / m) / (L * L);
  for (double omega = step; static_cast<int>(zeros.size()) < count; omega += step) {
    double low = omega, high = omega + step;
    if (determinant(low) * determinant(high) > 0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (determinant(low) * determinant(middle) > 0 ? low : high) = middle;
    }
    zeros.push_back(low);
  }
  return zeros;
}

enum class Chord { kStraight, kHelicoidal };

/// A cantilever in a plane by statics that share no code with rt: the potential energy of two-node elements, whose
/// strain is that of the straight chord between their ends in axes halfway, or of the arc through both.
class PlanarCantilever {
 public:
  /// Along x; EA, GA, EI of the section.
  PlanarCantilever(Chord chord, int elements, double length, const Vector3d& section)
      : chord_(chord), h_(length / elements), stiffness_(section / h_), nodes_(VectorXd::Zero(3 * (elements + 1))) {
    for (int i = 0; i <= elements; ++i) nodes_[3 * i] = h_ * i;
  }

  /// Moves the nodes to the equilibrium with a dead load (force along x and y, moment) at the end.
  void solve(const Vector3d& load) {
    const Eigen::Index n = nodes_.size() - 3;  // the first node is held
    for (int iteration = 0; iteration < 50; ++iteration) {
      MatrixXd K(n, n);
      for (Eigen::Index k = 0; k < n; ++k) {
        const double step = 1e-6;  // of the tangent alone: it changes the number of iterations, not where they end
        VectorXd low = nodes_, high = nodes_;
        low[3 + k] -= step;
        high[3 + k] += step;
        K.col(k) = (slope(high) - slope(low)).tail(n) / (2 * step);
      }
      VectorXd missing = -slope(nodes_).tail(n);
      missing.tail<3>() += load;
      const VectorXd change = K.partialPivLu().solve(missing);
      nodes_.tail(n) += change;
      if (change.cwiseAbs().maxCoeff() < kRounding) return;
    }
    FAIL("no equilibrium in 50 iterations");
  }

  Vector3d end() const { return nodes_.tail<3>(); }  ///< x, y, angle

 private:
  /// Derivative of the elastic energy by (x, y, angle) of each node.
  VectorXd slope(const VectorXd& nodes) const {
    VectorXd sum = VectorXd::Zero(nodes.size());
    for (Eigen::Index at = 0; at + 3 < nodes.size(); at += 3) {
      const double psi = nodes[at + 5] - nodes[at + 2], half = psi / 2;
      const Eigen::Rotation2Dd middle(nodes[at + 2] + half);
      const Eigen::Vector2d D = middle.inverse() * Eigen::Vector2d(nodes.segment<2>(at + 3) - nodes.segment<2>(at));
      // Arc over chord, and its derivative by psi; a series where the quotient has no digits.
      double f = 1, df = 0;
      if (chord_ == Chord::kHelicoidal) {
        f = std::abs(psi) < 1e-4 ? 1 + psi * psi / 24 : half / std::sin(half);
        df = std::abs(psi) < 1e-4 ? psi / 12 : (0.5 - half / std::tan(half) / 2) / std::sin(half);
      }
      const Eigen::Vector2d N(stiffness_[0] * (f * D.x() - h_), stiffness_[1] * f * D.y());
      const Eigen::Vector2d force = middle * (f * N);
      const double turn = 0.5 * f * (N.x() * D.y() - N.y() * D.x()), bend = df * N.dot(D) + stiffness_[2] * psi;
      sum.segment<3>(at) += Vector3d(-force.x(), -force.y(), turn - bend);
      sum.segment<3>(at + 3) += Vector3d(force.x(), force.y(), turn + bend);
    }
    return sum;
  }

  Chord chord_;
  double h_;
  Vector3d stiffness_;
  VectorXd nodes_;
};

/// The steel cantilever of 1 m, 16 mm square.
rt::ModelSpec steelCantilever(int elements) {
  rt::ModelSpec spec =
      clampedBeam({Vector3d::Zero(), Vector3d::UnitX()}, elements, rt::RectangleSectionSpec{0.016, 0.016});
  std::get<rt::BeamSpec>(spec.composites[0].kind).material = rt::BeamMaterialSpec{207e9, 0.3, 7800};
  return spec;
}

}  // namespace

TEST_CASE("a cantilever rolls up into a circle that closes, whatever the mesh", "[validation][beam]") {
  const double L = 10, EI = 100;
  for (const int n : {4, 8, 16}) {
    CAPTURE(n);
    Statics beam(clampedBeam({Vector3d::Zero(), L * Vector3d::UnitX()}, n, sectionOf(1e4, 5e3, 80, EI, 1, 1e-3)));
    const Vector3d end(L / n / 6, 0, 0);
    for (int k = 1; k <= 10; ++k) {
      beam.solve(Vector3d::Zero(), end, Vector3d(0, 0, 2 * kPi * EI / L * k / 10));
      if (k != 5) continue;
      // Half a circle: its diameter above the clamp.
      CHECK((beam.pointOfLast(end) - Vector3d(0, 2 * L / kPi, 0)).norm() < 1e-10 * L);
    }
    CHECK(beam.pointOfLast(end).norm() < 1e-10 * L);
  }
}

TEST_CASE("the half circle of a cantilever has order 2 with straight chords and no error with helicoidal ones",
          "[validation][beam]") {
  const double L = 10, EA = 1e4, GA = 5e3, EI = 100;
  std::vector<double> straight;
  for (const int n : {4, 8, 16}) {
    CAPTURE(n);
    for (const Chord chord : {Chord::kStraight, Chord::kHelicoidal}) {
      PlanarCantilever beam(chord, n, L, Vector3d(EA, GA, EI));
      for (int k = 1; k <= 40; ++k) {
        beam.solve(Vector3d(0, 0, 2 * kPi * EI / L * k / 40));
        if (k != 20) continue;
        const double error = (beam.end() - Vector3d(0, 2 * L / kPi, kPi)).norm();
        if (chord == Chord::kStraight)
          straight.push_back(error);
        else
          CHECK(error < 1e-10 * L);  // required; the Newton steps leave 1e-14
      }
      // The full circle tells nothing of the chord: equal straight ones close a regular polygon.
      CHECK((beam.end() - Vector3d(0, 0, 2 * kPi)).norm() < 1e-10 * L);  // as above
    }
  }
  CAPTURE(straight);
  // A chord of length h in place of an arc of length h and angle pi/n: the share (pi/n)^2 / 24 of the diameter, and
  // next (pi/n)^4 / 1500.
  CHECK(straight[2] / (2 * L / kPi) == Approx(std::pow(kPi / 16, 2) / 24).epsilon(0.01));
  for (const double order : observedOrders(straight)) CHECK(std::abs(order - 2) < 0.05);

  // The element of the product is the helicoidal one, with forces at its end, too.
  const int n = 4;
  const double h = L / n, corrected = 1 / (1 / GA + h * h / (12 * EI));
  Statics product(clampedBeam({Vector3d::Zero(), L * Vector3d::UnitX()}, n, sectionOf(EA, GA, 80, EI, 1, 1e-3)));
  PlanarCantilever helicoidal(Chord::kHelicoidal, n, L, Vector3d(EA, corrected, EI)),
      chords(Chord::kStraight, n, L, Vector3d(EA, corrected, EI));
  const Vector3d end(h / 6, 0, 0);
  for (int k = 1; k <= 20; ++k) {
    const Vector3d load(-0.1 * k, 0.15 * k, 0.5 * k);
    product.solve(Vector3d(load.x(), load.y(), 0), end, Vector3d(0, 0, load.z()));
    helicoidal.solve(load);
    chords.solve(load);
  }
  CHECK(helicoidal.end().y() > 0.5 * L);  // bent far
  const Vector3d at = product.pointOfLast(end);
  CHECK((at - Vector3d(helicoidal.end().x(), helicoidal.end().y(), 0)).norm() < 1e-9 * L);  // of the Newton steps
  CHECK((at - Vector3d(chords.end().x(), chords.end().y(), 0)).norm() > 1e-3 * L);
}

TEST_CASE("the 45 degree bend of Bathe and Bolourchi converges with order 2", "[validation][beam]") {
  std::vector<double> errors;
  for (const int n : {4, 8, 16}) {
    std::vector<Vector3d> arc;
    for (int k = 0; k <= n; ++k) {
      const double angle = kPi / 4 * k / n;
      arc.emplace_back(100 * std::sin(angle), -100 * (1 - std::cos(angle)), 0);
    }
    Statics beam(clampedBeam(arc, n, sectionOf(1e7, 4.16667e6, 8.333e5, 8.333e5, 1, 1)));
    const Vector3d end(100 * kPi / 4 / n / 6, 0, 0), before = beam.pointOfLast(end);
    CHECK((before - arc.back()).norm() < 1e-10);  // round-off
    for (int k = 1; k <= 20; ++k) beam.solve(Vector3d(0, 0, 30.0 * k), end, Vector3d::Zero());
    errors.push_back((beam.pointOfLast(end) - before - Vector3d(-23.561297, 13.605023, 53.476108)).norm());
  }
  CAPTURE(errors);
  CHECK(errors[1] < 0.02);  // inches, of a displacement of 60
  for (const double order : observedOrders(errors)) CHECK(order > 1.8);
}

TEST_CASE("frequencies of a cantilever are those of Timoshenko, with order 3", "[validation][beam]") {
  const double E = 207e9, h = 0.016, A = h * h, I = h * h * h * h / 12, G = E / 2.6;
  const std::vector<double> exact = timoshenko(1, E * I, G * A * 5 / 6, 7800 * A, 7800 * I, 3);
  CHECK(exact[0] == Approx(1.8751 * 1.8751 * std::sqrt(E * I / (7800 * A))).epsilon(1e-3));  // Euler's beam is stiffer
  std::vector<double> first;
  for (const int n : {4, 8, 16}) {
    const VectorXd omega = frequenciesOf(Statics(steelCantilever(n)));
    // Each frequency twice: the section is square.
    for (int k = 0; k < 3 && n == 16; ++k)
      CHECK(std::abs(omega[2 * k] / exact[static_cast<std::size_t>(k)] - 1) < 1e-3);  // 0.5 % are required
    first.push_back(std::abs(omega[0] / exact[0] - 1));
  }
  CAPTURE(first);
  CHECK(first[1] < 2e-4);                                               // 1.1e-4 by an independent code
  for (const double order : observedOrders(first)) CHECK(order > 2.7);  // 3, from coarse meshes

  // Without the correction of shear: what the default gains.
  rt::ModelSpec plain = steelCantilever(8);
  std::get<rt::BeamSpec>(plain.composites[0].kind).plain_shear = true;
  CHECK(std::abs(frequenciesOf(Statics(plain))[0] / exact[0] - 1) > 10 * first[1]);
}

TEST_CASE("slender beams do not lock", "[validation][beam]") {
  // L/h = 10 000, one element and four: a small end force bends as in the closed form.
  for (const int n : {1, 4}) {
    CAPTURE(n);
    const double L = 1, h = 1e-4, E = 1e9, EI = E * std::pow(h, 4) / 12, EA = E * h * h;
    Statics beam(clampedBeam({Vector3d::Zero(), L * Vector3d::UnitX()}, n, sectionOf(EA, EA / 3, EI, EI, 1, 1)));
    const Vector3d end(L / n / 6, 0, 0), before = beam.pointOfLast(end);
    const double force = 1e-5 * EI;
    beam.solve(Vector3d(0, force, 0), end, Vector3d::Zero());
    CHECK((beam.pointOfLast(end) - before).y() == Approx(force / (3 * EI)).epsilon(1e-6));  // "no locking"
  }
}

TEST_CASE("a force through the centroid of a channel twists it, one through its shear center does not",
          "[validation][beam]") {
  // UPE 100 without its fillets.
  const double L = 2, force = 1e-3;
  rt::ModelSpec spec =
      clampedBeam({Vector3d::Zero(), L * Vector3d::UnitX()}, 4, rt::ChannelSectionSpec{0.055, 0.1, 0.0075, 0.0045});
  rt::BeamSpec& beam = std::get<rt::BeamSpec>(spec.composites[0].kind);
  beam.across = Vector3d::UnitY();
  beam.material = rt::BeamMaterialSpec{210e9, 0.3, 7850};
  const rt::SectionProperties section = rt::propertiesOf(beam.stations[0].section, *beam.material);
  const double y = section.stiffness(2, 3) / section.stiffness(2, 2);  // of the shear center
  const double GJ = section.stiffness(3, 3) - y * section.stiffness(2, 3);
  CHECK(y == Approx(-0.0393).epsilon(0.02));  // tables of the profile, with fillets
  const auto twist = [&](double at) {
    Statics statics(spec);
    statics.solve(Vector3d(0, 0, force), Vector3d(L / 4 / 6, at, 0), Vector3d::Zero());
    const Matrix3d& R = statics.motions().back().R;
    return std::atan2(R(2, 1), R(2, 2));
  };
  CHECK(twist(0) == Approx(-y * force * L / GJ).epsilon(1e-6));  // of second order in an angle of 1e-7
  CHECK(std::abs(twist(y)) < 1e-6 * std::abs(twist(0)));
}

TEST_CASE("the 45 degree bend on a spline through five points is that of its arc", "[validation][beam]") {
  std::vector<Vector3d> points;
  for (int k = 0; k <= 4; ++k)
    points.emplace_back(100 * std::sin(kPi / 16 * k), -100 * (1 - std::cos(kPi / 16 * k)), 0);
  rt::ModelSpec spec = clampedBeam(points, 8, sectionOf(1e7, 4.16667e6, 8.333e5, 8.333e5, 1, 1));
  std::get<rt::BeamSpec>(spec.composites[0].kind).curve = rt::BeamCurve::kSpline;
  Statics beam(spec);
  const Vector3d end(100 * kPi / 4 / 8 / 6, 0, 0), before = beam.pointOfLast(end);
  for (int k = 1; k <= 20; ++k) beam.solve(Vector3d(0, 0, 30.0 * k), end, Vector3d::Zero());
  // Inches of 60, as on the polyline of its nodes.
  CHECK((beam.pointOfLast(end) - before - Vector3d(-23.561297, 13.605023, 53.476108)).norm() < 0.02);
}

TEST_CASE("a free beam keeps its momentum in the tick; its angular momentum to second order", "[validation][beam]") {
  rt::ModelSpec spec = rt::expand([] {
    rt::ModelSpec beam = steelCantilever(8);
    std::get<rt::BeamSpec>(beam.composites[0].kind).mounts.clear();
    return beam;
  }());
  const Vector3d omega = 6 * Vector3d(0.3, 1, 0.8).normalized(), drift(0.5, -0.25, 1);
  // As declared elements, whose names have no dots.
  const auto declared = [](std::string& name) { std::replace(name.begin(), name.end(), '.', '_'); };
  for (rt::ForceSpec& force : spec.forces) {
    auto& element = std::get<rt::BeamElementSpec>(force.kind);
    for (std::string* name : {&force.name, &element.body_1, &element.body_2}) declared(*name);
  }
  for (rt::BodySpec& body : spec.bodies) {
    declared(body.name);
    body.velocity = drift + omega.cross(body.position);
    body.angular_velocity = rt::DeclaredPose(body).rotation.transpose() * omega;
  }
  const MomentumDrift whole = momentumDrift(spec, 1e-3, 1), half = momentumDrift(spec, 5e-4, 1);
  CAPTURE(whole.angular, half.angular);
  for (const MomentumDrift& drift_of : {whole, half}) CHECK(drift_of.linear < 1e-10);  // round-off of a thousand steps
  CHECK(whole.angular < 3e-5);                // four times what an independent code has
  CHECK(half.angular < 0.3 * whole.angular);  // a quarter at order 2
}
