#include "rt/ali3p/tree/workspace.h"

#include "rt/math/euler_parameters.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/gyroscopic.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/model/model.h"
#include "rt/plan/topology.h"

#include <Eigen/LU>

#include <algorithm>

namespace tactus::rt {

namespace {

std::size_t rowsOf(const Model& model) {
  return static_cast<std::size_t>(model.rows);
}

/// The rows of joints that are no PointRows, in order, and those of a group of joints together.
std::vector<RowGroup> rowGroups(const Model& model, const Plan& plan, const TreeShare& share, const RowLanes& lanes) {
  std::vector<bool> is_left_out = PointRows::joints(model, plan);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const bool by_parts = lanes.couplers().has(model.joints[j].first_row);
    is_left_out[j] = is_left_out[j] || by_parts || share.has_joint[j] == 0;
  }
  std::vector<RowGroup> groups;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (is_left_out[j]) continue;
    if (j > 0 && !is_left_out[j - 1] && groups.back().row_count < kMaxJointRows &&
        continuesGroup(model, model.joints[j - 1], joint)) {
      ++groups.back().row_count;
      continue;
    }
    groups.push_back({joint.first_row, joint.row_count, joint.body_1, joint.body_2, model.rows + joint.first_pair,
                      joint.pair_count, joint.first_pair, joint.law == LawKind::kDriven ? joint.law_index : -1,
                      joint.compliant(), plan.part_of_joint[j]});
  }
  return groups;
}

/// The rigid rows of groups, in order: those of one part that follow each other together.
std::vector<RigidRows> rigidRows(const std::vector<RowGroup>& groups) {
  std::vector<RigidRows> rigid;
  for (const RowGroup& group : groups) {
    if (group.compliant) continue;
    const int end = group.first_row + group.row_count;
    if (!rigid.empty() && rigid.back().part == group.part && rigid.back().rows.end == group.first_row)
      rigid.back().rows.end = end;
    else
      rigid.push_back({{group.first_row, end}, group.part});
  }
  return rigid;
}

/// Whether each primitive belongs to one of these joints.
std::vector<bool> primitivesOf(const Model& model, const std::vector<bool>& joints) {
  std::vector<bool> among(model.primitives.size(), false);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j]) std::fill_n(among.begin() + model.joints[j].first_primitive, model.joints[j].primitive_count, true);
  return among;
}

/// Rows of the joints that a share evaluates.
std::vector<bool> rowsOfShare(const Model& model, const TreeShare& share) {
  std::vector<bool> has(rowsOf(model), false);
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    for (int k = 0; k < model.joints[j].row_count; ++k)
      has[static_cast<std::size_t>(model.joints[j].first_row + k)] = share.has_joint[j] != 0;
  return has;
}

/// Joints of units that meet bodies of the trunk, or joints of the trunk that meet bodies of units.
std::vector<int> jointsBetween(const Model& model, const Plan& plan, bool of_trunk) {
  std::vector<int> joints;
  for (int j = 0; j < model.jointCount() && plan.units() > 0; ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    const auto isTrunk = [&](int part) { return part == plan.units(); };
    const auto isOnOtherSide = [&](int body) {
      return body != kGround && isTrunk(plan.part_of_body[static_cast<std::size_t>(body)]) != of_trunk;
    };
    if (isTrunk(plan.part_of_joint[static_cast<std::size_t>(j)]) == of_trunk &&
        (isOnOtherSide(joint.body_1) || isOnOtherSide(joint.body_2)))
      joints.push_back(j);
  }
  return joints;
}

/// The bodies of units at joints of both kinds, each once.
std::vector<int> unitBodiesBetween(const Model& model, const Plan& plan) {
  std::vector<int> bodies;
  for (const bool of_trunk : {false, true})
    for (int j : jointsBetween(model, plan, of_trunk)) {
      const Joint& joint = model.joints[static_cast<std::size_t>(j)];
      for (int body : {joint.body_1, joint.body_2})
        if (body != kGround && plan.part_of_body[static_cast<std::size_t>(body)] != plan.units())
          bodies.push_back(body);
    }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace

std::vector<int> threadsOfUnits(const Plan& plan, int threads) {
  double all = 0, before = 0;
  for (int u = 0; u < plan.units(); ++u) all += plan.parts[static_cast<std::size_t>(u)].cost;
  std::vector<int> thread_of;
  for (int u = 0; u < plan.units(); ++u) {
    const double cost = plan.parts[static_cast<std::size_t>(u)].cost;
    thread_of.push_back(std::min(threads - 1, static_cast<int>((before + 0.5 * cost) / all * threads)));
    before += cost;
  }
  return thread_of;
}

TreeShare::TreeShare(const Model& model, const Plan& plan)
    : own_bodies(model.bodies.size()), own_rows(1), has_joint(model.joints.size(), 1) {
  for (int u = 0; u < plan.units(); ++u) units.push_back(u);
  for (int b = 0; b < model.bodyCount(); ++b) moved.push_back(b);
  known = moved;
  rows.push_back({0, model.rows});
}

TreeShare::TreeShare(const Model& model, const Plan& plan, int thread, int threads)
    : has_joint(model.joints.size(), 0) {
  const std::vector<int> thread_of = threadsOfUnits(plan, threads);
  const int trunk = plan.units();
  const auto isOwn = [&](int part) { return part != trunk && thread_of[static_cast<std::size_t>(part)] == thread; };
  for (int u = 0; u < trunk; ++u)
    if (isOwn(u)) units.push_back(u);
  const bool leads = thread == 0;
  // What is its own, then the trunk.
  for (const bool of_trunk : {false, true}) {
    const auto belongs = [&](int part) { return of_trunk ? part == trunk : isOwn(part); };
    for (int b = 0; b < model.bodyCount(); ++b)
      if (belongs(plan.part_of_body[static_cast<std::size_t>(b)])) moved.push_back(b);
    for (int j = 0; j < model.jointCount(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const Joint& joint = model.joints[at];
      if (!belongs(plan.part_of_joint[at])) continue;
      has_joint[at] = 1;
      if (joint.displacement >= 0 && (leads || !of_trunk)) angles.push_back(j);
      const std::size_t first = of_trunk ? own_rows : 0;
      if (rows.size() > first && rows.back().end == joint.first_row)
        rows.back().end += joint.row_count;
      else
        rows.push_back({joint.first_row, joint.first_row + joint.row_count});
    }
    if (of_trunk && !leads) break;
    own_bodies = moved.size();
    own_rows = rows.size();
  }
  known = moved;
  for (int j : jointsBetween(model, plan, false)) has_joint[static_cast<std::size_t>(j)] = 1;
  for (int body : unitBodiesBetween(model, plan))
    if (!isOwn(plan.part_of_body[static_cast<std::size_t>(body)])) known.push_back(body);
}

TreeExchange::TreeExchange(const Model& model, const Plan& plan, const std::vector<TreeShare>& shares)
    : meeting_bodies(unitBodiesBetween(model, plan)),
      meeting_joints(jointsBetween(model, plan, false)),
      thread_of_part(plan.parts.size(), 0) {
  motions.resize(meeting_bodies.size());
  std::size_t numbers = 0;
  for (int j : meeting_joints) numbers += static_cast<std::size_t>(model.joints[static_cast<std::size_t>(j)].row_count);
  lambda.resize(numbers);
  for (Side& side : sides) {
    side.ports.resize(plan.ports.size());
    for (std::vector<double>& squares : side.squares) squares.resize(plan.parts.size());
    side.of_threads.resize(shares.size());
  }
  numbers = 0;
  for (const FrontSpan& span : plan.updates) {
    update_at.push_back(numbers);
    numbers += span.count;
  }
  updates.resize(numbers);
  for (std::size_t t = 0; t < shares.size(); ++t)
    for (int u : shares[t].units) thread_of_part[static_cast<std::size_t>(u)] = static_cast<int>(t);
}

TreeWorkspace::TreeWorkspace(const Model& model, const Plan& plan, int threads)
    : TreeWorkspace(model, plan, TreeShare(model, plan)) {
  if (threads < 2) return;
  std::vector<TreeShare> shares;
  for (int t = 0; t < threads; ++t) shares.emplace_back(model, plan, t, threads);
  of_threads.reserve(shares.size());
  for (const TreeShare& share : shares) {
    of_threads.emplace_back(model, plan, share);
    for (std::vector<double>& of_level : of_threads.back().squares) of_level.resize(plan.parts.size());
  }
  exchange = TreeExchange(model, plan, shares);
}

TreeIterate::TreeIterate(const Model& model, const TreeShare& of)
    : share(of), motions(model.bodies.size()), rotations(model.bodies.size()), lambda(rowsOf(model)) {}

TreeConditions::TreeConditions(const Model& model)
    : input(model.actuators.size()),
      drives(model.drives.size()),
      displacements(static_cast<std::size_t>(model.displacements)),
      internal_states(static_cast<std::size_t>(model.internal_states)),
      spins_fast(model.bodies.size()),
      start_phi(rowsOf(model)) {
  for (const Body& body : model.bodies) gyroscopic_bound.push_back(gyroscopicBound(body));
}

TreeRows::TreeRows(const Model& model, const Plan& plan, const TreeShare& share)
    : solved(share.rows),
      points(model, plan, share.has_joint),
      lanes(model, primitivesOf(model, PointRows::joints(model, plan))),
      jacobian(model.jacobianRows() + 1),
      phi(rowsOf(model)),
      rates(phi.size()),
      gamma(phi.size()),
      squares(plan.parts.size()) {
  lanes.keep(model, rowsOfShare(model, share));
  groups = rowGroups(model, plan, share, lanes);
  rigid = rigidRows(groups);
  by_parts = !lanes.couplers().rows().empty();
  if (by_parts) scalar_laws = ScalarLaws(model, lanes.couplers().rows());
  for (int i = 0; i < static_cast<int>(model.compliant_laws.size()); ++i) {
    const CompliantLaw& of_rows = model.compliant_laws[static_cast<std::size_t>(i)];
    const bool damped = !of_rows.linear() || of_rows.has_input || !of_rows.C.isZero(0);
    law_is_damped.push_back(damped && !scalar_laws.has(i) ? 1 : 0);
  }
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (!joint.compliant() || scalar_laws.has(joint.law_index)) continue;
    const CompliantLaw& own = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
    laws.push_back({j, joint.first_row, joint.row_count, joint.law_index, own.linear() && !own.has_input,
                    hasDamping(joint), proportionalDamping(own).has_value()});
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto inGroup = [&group = groups[i]](const LawRows& of) {
      return of.damped && of.first_row >= group.first_row && of.first_row < group.first_row + group.row_count;
    };
    if (std::any_of(laws.begin(), laws.end(), inGroup)) damped_groups.push_back(static_cast<int>(i));
  }
}

TreeLoads::TreeLoads(const Model& model)
    : bodies(model.bodies.size()), elements(model), has_force_elements(hasForceElements(model)) {}

namespace {

/// TreeTangent::inverse_masses.
std::vector<double> inverseMassesOfParts(const Model& model, const TreeRows& rows) {
  if (!rows.by_parts) return {};
  const InitialCondition& declared = model.initial_conditions.front();
  std::vector<BodyMotion> motions(model.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i].r = declared.position[i];
    motions[i].R = rotationMatrix(declared.orientation[i]);
  }
  std::vector<double> phi(rowsOf(model));
  std::vector<RowJacobian> H(model.jacobianRows());
  const CouplerLanes& parts = rows.lanes.couplers();
  parts.evaluate(motions.data(), phi.data());
  parts.writeJacobian(H.data());
  std::vector<double> masses;
  for (const int row : parts.rows()) {
    const auto joint =
        std::find_if(model.joints.begin(), model.joints.end(), [row](const Joint& of) { return of.first_row == row; });
    double sum = 0;
    forEachSide(model, *joint, row, H.data(), [&](int body, const double* h) {
      const auto b = static_cast<std::size_t>(body);
      const Vector3d turning(h[3], h[4], h[5]);
      sum += Vector3d(h[0], h[1], h[2]).squaredNorm() / model.bodies[b].mass +
             turning.dot(worldInertia(model.bodies[b], motions[b].R).inverse() * turning);
    });
    masses.push_back(sum);
  }
  return masses;
}

}  // namespace

TreeTangent::TreeTangent(const Model& model, const Plan& plan, const TreeShare& share, const TreeRows& rows)
    : laws(model),
      scalar_laws(rows.scalar_laws),
      inverse_masses(inverseMassesOfParts(model, rows)),
      stiffness(model.bodies.size()),
      bodies(model.bodies.size()),
      compliance_scale(rowsOf(model)),
      epsilon(rowsOf(model)),
      compliance(model.compliant_laws.size()),
      elastic_share(model.compliant_laws.size()),
      rigidity(rowsOf(model), 1.0) {
  for (std::size_t i = 0; i < model.couplers.size(); ++i) {
    const Joint& joint = model.joints[static_cast<std::size_t>(model.couplers[i].joint)];
    if (!rows.lanes.couplers().has(joint.first_row)) regularized_couplers.push_back(static_cast<int>(i));
  }
  const std::vector<bool> is_point = primitivesOf(model, PointRows::joints(model, plan));
  std::vector<bool> is_solved(rowsOf(model), false);
  for (const RowRange& range : share.rows)
    std::fill(is_solved.begin() + range.first, is_solved.begin() + range.end, true);
  const std::vector<bool> compliant = compliantRows(model);
  std::vector<bool> is_between(rowsOf(model), false);
  for (const int j : jointsBetween(model, plan, true)) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    std::fill_n(is_between.begin() + joint.first_row, joint.row_count, true);
    for (const int body : {joint.body_1, joint.body_2})
      if (body != kGround) between_bodies.push_back(body);
  }
  if (!between_bodies.empty()) masses.resize(model.bodies.size());
  for (const PointJoints& joints : rows.points.groups()) {
    unsigned lanes = 0;
    for (std::size_t lane = 0; lane < joints.row.size(); ++lane)
      if (is_between[static_cast<std::size_t>(joints.row[lane])]) lanes |= 1U << lane;
    points_between.push_back(static_cast<unsigned char>(lanes));
  }
  for (std::size_t i = 0; i < model.primitives.size(); ++i) {
    const auto row = static_cast<std::size_t>(model.primitives[i].row);
    if (is_point[i] || !is_solved[row]) continue;
    const bool elastic = model.primitives[i].kind == PrimitiveKind::kSection && compliant[row];
    (is_between[row] ? regularized_between : elastic ? elastic_sections : regularized).push_back(static_cast<int>(i));
  }
}

TreeFronts::TreeFronts(const Plan& plan) : symmetric(plan.front_doubles), square(plan.square_doubles) {}

TreeUnknowns::TreeUnknowns(const Plan& plan)
    : values(static_cast<std::size_t>(plan.in_place ? plan.permuted_size : plan.unknowns())),
      permuted(static_cast<std::size_t>(plan.permuted_size)),
      filtered(static_cast<std::size_t>(plan.rows)) {}

}  // namespace tactus::rt
