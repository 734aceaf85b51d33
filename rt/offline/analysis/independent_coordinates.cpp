#include "rt/offline/analysis/independent_coordinates.h"

#include "rt/error.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/row_derivatives.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::rt::offline {

namespace {

using Kind = Coordinate::Kind;
using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr const char* kAxes[] = {"x", "y", "z"};
/// A candidate is taken in its turn if what is new in it is above this share of the newest one.
constexpr double kFairShare = 0.5;
/// A displacement of a joint of which less than this is new leaves the place to a displacement of a body.
constexpr double kNewEnough = 1e-3;
/// Pivots below this share of the largest belong to redundant rows, or to a singular pose that is near.
constexpr double kBesideSingular = 1e-6;
/// Share of a free motion's second-order violation that no acceleration answers: above it, the pose is singular. A
/// redundant row leaves round-off.
constexpr double kUnanswered = 1e-6;

/// The row of a joint's angle or travel as a primitive, for its Jacobian and its derivatives.
Primitive rowOf(const Joint& joint, Kind kind) {
  Primitive p{};
  p.kind = kind == Kind::kJointAngle ? PrimitiveKind::kAngle : PrimitiveKind::kDot2;
  p.body_1 = joint.body_1;
  p.body_2 = joint.body_2;
  p.s_1 = joint.point_1;
  p.s_2 = joint.point_2;
  p.a_1 = joint.axis_1;
  p.a_2 = joint.axis_2;
  p.b_1 = joint.zero_1;
  p.b_2 = joint.zero_2;
  return p;
}

std::vector<Coordinate> displacementsOfJoints(const Model& model) {
  std::vector<Coordinate> list;
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (joint.law != LawKind::kRigid) continue;
    if (joint.displacement >= 0) list.push_back({Kind::kJointAngle, j, 0});
    if (joint.has_travel) list.push_back({Kind::kJointTravel, j, 0});
  }
  return list;
}

std::vector<Coordinate> displacementsOfBodies(const Model& model) {
  std::vector<Coordinate> list;
  for (int i = 0; i < model.bodyCount(); ++i)
    for (const Kind kind : {Kind::kTranslation, Kind::kRotation})
      for (int axis = 0; axis < 3; ++axis) list.push_back({kind, i, axis});
  return list;
}

/// Adds one row of twelve columns.
void addRow(int row, const Primitive& p, const Row12d& values, Triplets& entries) {
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? p.body_1 : p.body_2;
    for (int k = 0; body != kGround && k < 6; ++k) entries.emplace_back(row, 6 * body + k, values[6 * side + k]);
  }
}

/// J of the coordinates, one row each.
Sparse jacobianOf(const Model& model, const std::vector<Coordinate>& list, const std::vector<BodyMotion>& motions) {
  Triplets entries;
  for (std::size_t c = 0; c < list.size(); ++c) {
    const auto row = static_cast<int>(c);
    if (list[c].ofBody()) {
      entries.emplace_back(row, 6 * list[c].of + (list[c].kind == Kind::kRotation ? 3 : 0) + list[c].axis, 1);
      continue;
    }
    const Primitive p = rowOf(model.joints[static_cast<std::size_t>(list[c].of)], list[c].kind);
    double ignored[kMaxPrimitiveRows];
    RowJacobian rows[kMaxPrimitiveRows];
    evaluateRows(p, motions.data(), ignored, rows);
    Row12d values;
    for (int i = 0; i < 12; ++i) values[i] = rows[0].h[i / 6][i % 6];
    addRow(row, p, values, entries);
  }
  Sparse J(static_cast<int>(list.size()), 6 * model.bodyCount());
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

/// Takes candidates until `count` are taken or none has a new part above `minimum`; projects the rest on what is new.
void take(const std::vector<Coordinate>& candidates, MatrixXd rows, double minimum, std::size_t count,
          MatrixXd& taken_directions, std::vector<Coordinate>& taken) {
  if (taken_directions.cols() > 0) rows -= (rows * taken_directions) * taken_directions.transpose();
  VectorXd left = rows.rowwise().norm();
  while (taken.size() < count && left.size() > 0) {
    const double newest = left.maxCoeff();
    if (newest < minimum) return;
    Eigen::Index next = 0;
    while (left[next] < kFairShare * newest) ++next;
    const VectorXd direction = rows.row(next).transpose() / left[next];
    taken_directions.conservativeResize(rows.cols(), taken_directions.cols() + 1);
    taken_directions.rightCols(1) = direction;
    taken.push_back(candidates[static_cast<std::size_t>(next)]);
    rows -= (rows * direction) * direction.transpose();
    left = rows.rowwise().norm();
  }
}

bool inOrder(const Coordinate& a, const Coordinate& b) {
  if (a.ofBody() != b.ofBody()) return b.ofBody();
  if (a.of != b.of) return a.of < b.of;
  return a.kind != b.kind ? a.kind < b.kind : a.axis < b.axis;
}

}  // namespace

std::string nameOf(const Model& model, const Coordinate& c) {
  const auto of = static_cast<std::size_t>(c.of);
  switch (c.kind) {
    case Kind::kJointAngle: return model.joint_names[of] + ".angle";
    case Kind::kJointTravel: return model.joint_names[of] + ".travel";
    case Kind::kTranslation: return model.body_names[of] + ".r." + kAxes[c.axis];
    case Kind::kRotation: break;
  }
  return model.body_names[of] + ".phi." + kAxes[c.axis];
}

std::string rateNameOf(const Model& model, const Coordinate& c) {
  const auto of = static_cast<std::size_t>(c.of);
  switch (c.kind) {
    case Kind::kJointAngle: return model.joint_names[of] + ".rate";
    case Kind::kJointTravel: return model.joint_names[of] + ".travel_rate";
    case Kind::kTranslation: return model.body_names[of] + ".v." + kAxes[c.axis];
    case Kind::kRotation: break;
  }
  return model.body_names[of] + ".omega_w." + kAxes[c.axis];
}

const char* unitOf(const Coordinate& c) {
  return c.kind == Kind::kJointAngle || c.kind == Kind::kRotation ? "rad" : "m";
}

bool isSingularPose(const EquationsOfMotion& system, const MotionPoint& at, const TangentSpace& space) {
  const int freedoms = space.freedoms();
  if (freedoms == 0 || space.rank() == system.rows()) return false;
  // One free motion with a share of each direction stands for all.
  MotionPoint moving = at;
  VectorXd share(freedoms);
  for (int k = 0; k < freedoms; ++k) share[k] = 1 + 0.5 * std::sin(7.0 * k);
  moving.velocity = space.freeMotions() * share;
  const VectorXd wanted = system.gamma(moving);
  const VectorXd left = system.jacobian(at) * space.smallestSolution(wanted) - wanted;
  return left.norm() > kUnanswered * (moving.velocity.squaredNorm() + wanted.norm());
}

std::optional<int> singularRank(const EquationsOfMotion& system, const MotionPoint& at) {
  // Beside a singular pose only the larger threshold finds the rank lost.
  const MatrixXd H(system.jacobian(at));
  const TangentSpace here(H), beside(H, {0, {}, kBesideSingular});
  if (!isSingularPose(system, at, beside.rank() < here.rank() ? beside : here)) return std::nullopt;
  return beside.rank();
}

IndependentCoordinates::IndependentCoordinates(const EquationsOfMotion& system, const MotionPoint& at)
    : space_(MatrixXd(system.jacobian(at))) {
  if (const std::optional<int> rank = singularRank(system, at))
    throw Error("model '" + system.model().name +
                "': the pose is singular or beside a singular one: the constraint rows have rank " +
                std::to_string(*rank) + " of " + std::to_string(system.rows()) +
                ", and not all motions that this leaves free can be continued; choose a pose beside it");
  const std::vector<BodyMotion> motions = system.motionsOf(at);
  choose(system, motions);
  form(system, motions);
}

IndependentCoordinates::IndependentCoordinates(const EquationsOfMotion& system, const MotionPoint& at,
                                               std::vector<Coordinate> chosen)
    : space_(MatrixXd(system.jacobian(at))), chosen_(std::move(chosen)) {
  form(system, system.motionsOf(at));
}

void IndependentCoordinates::choose(const EquationsOfMotion& system, const std::vector<BodyMotion>& motions) {
  const Model& model = system.model();
  const auto count = static_cast<std::size_t>(space_.freedoms());
  if (count == 0) return;
  // Orthonormal where a translation by the length of the mechanism counts as a radian.
  VectorXd scale = VectorXd::Ones(system.size());
  for (int i = 0; i < model.bodyCount(); ++i) scale.segment<3>(6 * i).setConstant(1 / system.length());
  const MatrixXd N =
      orthogonalFactor(scale.asDiagonal() * space_.freeMotions()).leftCols(static_cast<Eigen::Index>(count));
  MatrixXd directions(N.cols(), 0);
  for (const std::vector<Coordinate>& list : {displacementsOfJoints(model), displacementsOfBodies(model)}) {
    if (list.empty()) continue;
    const MatrixXd rows = MatrixXd(jacobianOf(model, list, motions)) * scale.cwiseInverse().asDiagonal();
    const VectorXd size = rows.rowwise().norm();
    const MatrixXd unit = size.cwiseInverse().asDiagonal() * rows;
    take(list, unit * N, list.front().ofBody() ? 0 : kNewEnough, count, directions, chosen_);
  }
  std::sort(chosen_.begin(), chosen_.end(), inOrder);
}

void IndependentCoordinates::form(const EquationsOfMotion& system, const std::vector<BodyMotion>& motions) {
  const Model& model = system.model();
  S_ = jacobianOf(model, chosen_, motions);
  Triplets A, B, D;  // analysis (2)
  for (std::size_t c = 0; c < chosen_.size(); ++c) {
    if (chosen_[c].ofBody()) continue;  // constant rows
    const Primitive p = rowOf(model.joints[static_cast<std::size_t>(chosen_[c].of)], chosen_[c].kind);
    const RowDerivatives d = differentiateRows(p, motions.data());
    addRow(static_cast<int>(c), p, d.rate_by_position.row(0), A);
    addRow(static_cast<int>(c), p, d.second_rate_by_position.row(0), B);
    addRow(static_cast<int>(c), p, d.second_rate_by_velocity.row(0), D);
  }
  const auto assembled = [&](const Triplets& entries) {
    Sparse m(count(), system.size());
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
  };
  A_ = assembled(A);
  B_ = assembled(B);
  D_ = assembled(D);
  const MatrixXd& N = space_.freeMotions();
  T_ = count() == 0 ? N : MatrixXd(N * LuFactors(S_ * N).inverse());  // analysis (1)
}

MatrixXd IndependentCoordinates::answer(const MatrixXd& b) const {
  const MatrixXd x = space_.smallestSolution(b);
  return x - T_ * (S_ * x);
}

}  // namespace tactus::rt::offline
