// Rows of a point and normals four joints at a time against rows one by one.
#include "rt/ali3p/tree/point_rows.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/plan/outline.h"
#include "tests/rt/mechanics/any_motions.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kRoundOff = 1e-13;  // of numbers up to about 10, sums of twenty products

/// Revolutes and prismatic joints, which have as many rows and share batches.
rt::ModelSpec slidersAndDiscs() {
  rt::ModelSpec spec;
  spec.name = "sliders_and_discs";
  spec.gravity = rt::Vector3d(0, -9.81, 0);
  const rt::Vector3d x = rt::Vector3d::UnitX(), z = rt::Vector3d::UnitZ();
  for (std::size_t i = 0; i < 6; ++i) {
    const rt::Vector3d at(static_cast<double>(i), 0, 0);
    spec.bodies.push_back(makeBody(numbered("body_", i), at));
    if (i % 3 == 1)
      spec.joints.push_back(makeJoint(numbered("axle_", i), rt::kGroundName, numbered("body_", i),
                                      rt::RevoluteSpec{at, rt::Vector3d::Zero(), z, z, 0}));
    else
      spec.joints.push_back(makeJoint(numbered("rail_", i), rt::kGroundName, numbered("body_", i),
                                      rt::PrismaticSpec{at, rt::Vector3d::Zero(), x, x}));
  }
  return spec;
}

/// Everything that PointRows evaluates, by primitives.
struct RowByRow {
  std::vector<rt::RowJacobian> jacobian;
  std::vector<double> phi, gamma, rates, left, reactions;
  std::vector<rt::Matrix3d> stiffness;

  RowByRow(const rt::Model& model, const std::vector<bool>& joints, const std::vector<rt::BodyMotion>& motions,
           const std::vector<double>& lambda)
      : jacobian(model.jacobianRows() + 1),
        phi(lambda.size()),
        gamma(lambda.size()),
        rates(lambda.size()),
        left(lambda.size()),
        reactions(6 * model.bodies.size()),
        stiffness(model.bodies.size(), rt::Matrix3d::Zero()) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (!joints[j]) continue;
      const rt::Joint& joint = model.joints[j];
      for (int i = joint.first_primitive; i < joint.first_primitive + joint.primitive_count; ++i) {
        const rt::Primitive& p = model.primitives[static_cast<std::size_t>(i)];
        const auto row = static_cast<std::size_t>(p.row);
        rt::evaluateRows(p, motions.data(), &phi[row], &jacobian[row]);
        rt::evaluateGamma(p, motions.data(), &gamma[row]);
        rt::addGeometricStiffness(p, motions.data(), &lambda[row], stiffness.data());
      }
      for (std::size_t row = static_cast<std::size_t>(joint.first_row),
                       end = row + static_cast<std::size_t>(joint.row_count);
           row < end; ++row) {
        left[row] = gamma[row];
        for (const auto& [body, side] : {std::pair{joint.body_1, 0}, std::pair{joint.body_2, 1}}) {
          if (body == rt::kGround) continue;
          const rt::BodyMotion& m = motions[static_cast<std::size_t>(body)];
          const double* h = jacobian[row].h[side];
          for (int k = 0; k < 3; ++k) {
            rates[row] += h[k] * m.v[k] + h[3 + k] * m.omega_w[k];
            left[row] -= h[k] * m.a[k] + h[3 + k] * m.alpha_w[k];
          }
          for (int k = 0; k < 6; ++k) reactions[static_cast<std::size_t>(6 * body + k)] -= lambda[row] * h[k];
        }
      }
    }
  }
};

std::vector<double> numbersOf(const std::vector<rt::Matrix3d>& matrices) {
  std::vector<double> numbers;
  for (const rt::Matrix3d& m : matrices) numbers.insert(numbers.end(), m.data(), m.data() + 9);
  return numbers;
}

double sumOfSquares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// Joints of the plan that are nodes of a rigid point and normals, or whose freedoms are eliminated.
int countOf(const rt::Plan& plan, const std::vector<bool>& joints, bool nodes) {
  return static_cast<int>(std::count_if(plan.nodes.begin(), plan.nodes.end(), [&](const rt::PlanNode& node) {
    return nodes ? node.kind == rt::NodeKind::kJoint && joints[static_cast<std::size_t>(node.element)]
                 : node.carrier >= 0;
  }));
}

}  // namespace

TEST_CASE("rows of a point and normals four joints at a time are those of their primitives", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec :
       {ladder(5), ring(9), fourBar(FourBarReading::kDown), randomTree(14, JointMix::kMixed, 3), randomForest(17, 5),
        randomLoop(9, 4, 7), slidersAndDiscs(), hubWithLoops(5, 7), star(6, JointMix::kHinged, true, 5)}) {
    const rt::Model model = rt::buildModel(spec);
    for (const rt::Plan& plan :
         {rt::compilePlan(model, rt::LaneRule::kNone), rt::layOutPlan(model, rt::HubRule::kNone),
          rt::layOutPlan(model, rt::HubRule::kHubsLast, rt::findForest(model, rt::ForestRule::kSpanning, 3))}) {
      CAPTURE(spec.name, plan.hubs);
      const std::vector<bool> joints = rt::PointRows::joints(model, plan);
      std::vector<rt::BodyMotion> motions = anyMotions(model, 11);
      std::mt19937 random(13);
      std::normal_distribution<double> normal;
      for (rt::BodyMotion& m : motions)
        for (rt::Vector3d* vector : {&m.a, &m.alpha_w})
          for (int k = 0; k < 3; ++k) (*vector)[k] = normal(random);
      std::vector<double> lambda(static_cast<std::size_t>(model.rows));
      for (double& value : lambda) value = normal(random);
      const RowByRow expected(model, joints, motions, lambda);

      rt::PointRows rows(model, plan, std::vector<unsigned char>(model.joints.size(), 1));
      std::vector<double> phi(lambda.size()), gamma(phi), rates(phi), left(phi), reactions(6 * model.bodies.size());
      std::vector<double> squares(plan.parts.size()), of_rates(squares), of_accelerations(squares);
      std::vector<rt::Matrix3d> stiffness(model.bodies.size(), rt::Matrix3d::Zero());
      std::vector<rt::RowJacobian> jacobian(model.jacobianRows() + 1);
      rows.evaluate(motions.data(), phi.data());
      CHECK(difference(phi, expected.phi) < kRoundOff);
      rows.squares(phi.data(), squares.data());
      CHECK(squares.front() == Approx(sumOfSquares(expected.phi)));
      rows.evaluateGamma(motions.data(), gamma.data());
      CHECK(difference(gamma, expected.gamma) < kRoundOff);
      rows.rates(motions.data(), rates.data(), of_rates.data());
      CHECK(difference(rates, expected.rates) < kRoundOff);
      CHECK(of_rates.front() == Approx(sumOfSquares(expected.rates)));
      rows.accelerationsLeft(motions.data(), gamma.data(), left.data());
      CHECK(difference(left, expected.left) < kRoundOff);
      rows.violation(motions.data(), gamma.data(), of_accelerations.data());
      CHECK(of_accelerations.front() == Approx(sumOfSquares(expected.left)));
      rows.subtractReactions(lambda.data(), reactions.data());
      CHECK(difference(reactions, expected.reactions) < kRoundOff);
      rows.addGeometricStiffness(lambda.data(), stiffness.data());
      CHECK(difference(numbersOf(stiffness), numbersOf(expected.stiffness)) < kRoundOff);
      rows.writeJacobian(jacobian.data());
      double largest = 0;
      for (const rt::PlanNode& node : plan.nodes) {
        if (node.kind != rt::NodeKind::kJoint || !joints[static_cast<std::size_t>(node.element)]) continue;
        for (int row = node.unknown - 6 * plan.bodies; row < node.unknown - 6 * plan.bodies + node.size; ++row)
          for (int side = 0; side < 2; ++side)
            for (int k = 0; k < 6; ++k)
              largest = rt::worst(largest, std::abs(jacobian[static_cast<std::size_t>(row)].h[side][k] -
                                                    expected.jacobian[static_cast<std::size_t>(row)].h[side][k]));
      }
      CHECK(largest < kRoundOff);
    }
  }
}

TEST_CASE("rigid joints of a point and dot-1 rows are among the point rows, nodes and carriers alike", "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(hubWithLoops(5, 7));
  const rt::Plan rows = rt::layOutPlan(model, rt::HubRule::kHubsLast);
  CHECK(countOf(rows, rt::PointRows::joints(model, rows), true) == model.jointCount());
  const rt::Plan freedoms =
      rt::layOutPlan(model, rt::HubRule::kHubsLast, rt::findForest(model, rt::ForestRule::kSpanning, 3));
  const std::vector<bool> joints = rt::PointRows::joints(model, freedoms);
  const int carriers = countOf(freedoms, joints, false);
  CHECK(carriers > 0);
  CHECK(carriers + countOf(freedoms, joints, true) == model.jointCount());
  // A distance, and a compliant joint, have rows of their own.
  const rt::Model mixed = rt::buildModel(randomTree(25, JointMix::kMixed, 3));
  const std::vector<bool> of_mixed = rt::PointRows::joints(mixed, rt::layOutPlan(mixed, rt::HubRule::kNone));
  for (std::size_t j = 0; j < mixed.joints.size(); ++j)
    CHECK(of_mixed[j] ==
          (mixed.joints[j].kind == rt::JointKind::kSpherical || mixed.joints[j].kind == rt::JointKind::kRevolute));
}
