// The solver in joint space, six unknowns a body, against the algorithm as printed, seven coordinates a body.
//
// They are two discretizations of the same equations: the solver takes the trapezoidal rule for p without its part
// along p, the literal one with it. So they agree to the discretization error, not to round-off.
#include "rt/offline/literal/literal_chain.h"
#include "tests/support/random_mechanisms.h"
#include "tests/validation/acceptance.h"

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

/// Strong enough that the literal algorithm shows no trace of its penalty: at 1e10 its reactions still do.
constexpr double kAlpha = 1e12;

struct Difference {
  double position = 0, reaction = 0;
};

/// Largest distance of the centers, and largest difference of the reactions on the second bodies, over a run.
Difference compare(const rt::ModelSpec& spec, double dt, double until, double alpha) {
  LiteralSettings literal_settings;
  literal_settings.dt = dt;
  literal_settings.alpha = alpha;
  literal_settings.iterations = 6;
  literal_settings.derivative = PointDerivative::kAngular;
  Simulation simulation(spec, settingsFor(dt, 4));
  LiteralChain literal(simulation.model(), simulation.state(), literal_settings);

  Difference largest;
  const auto steps = std::llround(until / dt);
  for (std::int64_t k = 0; k < steps; ++k) {
    literal.step();
    REQUIRE(simulation.step().status == rt::TickStatus::kOk);
    const rt::StateView state = simulation.state().view();
    for (int i = 0; i < literal.bodies(); ++i)
      largest.position = std::max(largest.position, (state.r(i) - literal.r(i)).norm());
    for (int k_joint = 0; k_joint < literal.joints(); ++k_joint) {
      const Eigen::Map<const Vector3d> reaction(state.lambda() + 3 * k_joint);
      largest.reaction = std::max(largest.reaction, (reaction - literal.correctedLambda(k_joint)).norm());
    }
  }
  return largest;
}

/// The published four-bar as a closed chain: spherical joints move it in its plane as revolute ones do.
rt::ModelSpec closedFourBar(FourBarReading reading) {
  rt::ModelSpec spec = fourBar(reading);
  const Vector3d left(-0.5, 0, 0), right(0.5, 0, 0), pivot(0, reading == FourBarReading::kUp ? 1 : -1, 0);
  spec.joints = {makeJoint("joint_1", "ground", "A", rt::SphericalSpec{Vector3d::Zero(), left}),
                 makeJoint("joint_2", "A", "B", rt::SphericalSpec{right, left}),
                 makeJoint("joint_3", "B", "C", rt::SphericalSpec{right, right}),
                 makeJoint("joint_4", "C", "ground", rt::SphericalSpec{left, pivot})};
  return spec;
}

}  // namespace

TEST_CASE("the solver and the literal algorithm start from the same accelerations and reactions",
          "[validation][literal]") {
  for (const rt::ModelSpec& spec :
       {doublePendulum(), chain(32), randomChain(7, 6, 3), closedFourBar(FourBarReading::kDown)}) {
    LiteralSettings settings;
    settings.alpha = 1e9;
    Simulation simulation(spec, settingsFor(0.01));
    const LiteralChain literal(simulation.model(), simulation.state(), settings);
    for (int k = 0; k < literal.joints(); ++k) {
      const Eigen::Map<const Vector3d> reaction(simulation.state().view().lambda() + 3 * k);
      // Penalties: 1e9 of the literal algorithm and 1e-8 of the rows of the solver.
      CHECK((reaction - literal.correctedLambda(k)).norm() < 1e-7 * (1 + reaction.norm()));
    }
  }
}

TEST_CASE("the solver and the literal algorithm agree far below the discretization error", "[validation][literal]") {
  // At 10 ms after 0.5 s the discretization error itself is 1e-4 m, for the spinning chain 6e-4 m. With isotropic
  // inertia the two differ in third order only; the first links of the long chain are the fastest.
  CHECK(compare(doublePendulum(), 0.01, 0.5, kAlpha).position < 2e-7);
  CHECK(compare(chain(8), 0.01, 0.5, kAlpha).position < 1e-6);
  CHECK(compare(chain(128), 0.01, 0.5, kAlpha).position < 8e-6);
  CHECK(compare(randomChain(4, 4, 1), 0.01, 0.5, kAlpha).position < 6e-5);
}

TEST_CASE("the difference between solver and literal algorithm vanishes with order 2 or higher",
          "[validation][literal]") {
  for (const rt::ModelSpec& spec : {doublePendulum(), chain(8), randomChain(4, 4, 1), randomChain(6, 4, 2)}) {
    std::vector<double> position, reaction;
    for (const double dt : {0.02, 0.01, 0.005}) {
      const Difference difference = compare(spec, dt, 0.5, kAlpha * (0.01 / dt) * (0.01 / dt));
      position.push_back(difference.position);
      reaction.push_back(difference.reaction);
    }
    CAPTURE(spec.name, position, reaction);
    // Order 2, with room for the next term of the error.
    for (const double order : observedOrders(position)) CHECK(order > 1.8);
    // Over both halvings: with 20 ms some bodies turn so far in a step that it has one acceleration pass more.
    CHECK(0.5 * std::log2(reaction[0] / reaction[2]) > 1.8);
  }
}

TEST_CASE("the solver and the literal algorithm agree on the published four-bar as a closed chain",
          "[validation][literal]") {
  for (const FourBarReading reading : {FourBarReading::kDown, FourBarReading::kUp}) {
    const rt::ModelSpec spec = closedFourBar(reading);
    std::vector<double> position, reaction;
    for (const double dt : {0.02, 0.01, 0.005}) {
      const double alpha = kAlpha * (0.01 / dt) * (0.01 / dt);
      position.push_back(compare(spec, dt, 1, alpha).position);
      // Before the flat pose, 45 degrees below the start of the lower reading: there the rows nearly depend on each
      // other, and a reaction is mostly round-off over the penalty.
      reaction.push_back(compare(spec, dt, 0.3, alpha).reaction);
    }
    CAPTURE(spec.name, position, reaction);
    // Isotropic inertia: third order, as for the chains; seen 9e-8 and 4e-7 m.
    CHECK(position[1] < 8e-7);
    for (const double order : observedOrders(position)) CHECK(order > 2.5);
    for (const double order : observedOrders(reaction)) CHECK(order > 1.8);
  }
}
