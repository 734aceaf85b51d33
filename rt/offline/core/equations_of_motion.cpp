#include "rt/offline/core/equations_of_motion.h"

#include "rt/error.h"
#include "rt/mechanics/actuators.h"
#include "rt/mechanics/compliant_loads.h"
#include "rt/mechanics/force_element_derivatives.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/load_derivatives.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"

#include <algorithm>
#include <utility>

namespace tactus::rt::offline {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Sparse assembled(int rows, int columns, const Triplets& entries) {
  Sparse m(rows, columns);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// Adds a dense block; zeros are kept, so that the pattern does not depend on the values.
template <class Block>
void addBlock(int row, int column, const Block& block, Triplets& entries) {
  for (int c = 0; c < block.cols(); ++c)
    for (int r = 0; r < block.rows(); ++r) entries.emplace_back(row + r, column + c, block(r, c));
}

}  // namespace

InputSignal declaredInput(const Model& model) {
  return [values = ActuatorInput(model).values](double, std::span<double> out) {
    std::copy(values.begin(), values.end(), out.begin());
  };
}

const EquationsOfMotion& mechanismOf(const DynamicSystem& system) {
  const auto* equations = dynamic_cast<const EquationsOfMotion*>(&system);
  if (equations == nullptr) throw Error("ALi3p needs a mechanism that is given as a Model");
  return *equations;
}

EquationsOfMotion::EquationsOfMotion(const Model& model, InputSignal input, const std::atomic<bool>* interrupt)
    : model_(model),
      input_(std::move(input)),
      interrupt_(interrupt),
      integrated_states_(integratedInternalStates(model)) {
  for (int i = 0; i < model.bodyCount(); ++i) rotations_.push_back(6 * i + 3);
  for (const Joint& joint : model.joints) {
    if (joint.compliant()) {
      compliant_.push_back(&joint);
      continue;
    }
    for (int i = 0; i < joint.primitive_count; ++i) {
      const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
      constraints_.push_back({&p, rows_, joint.law == LawKind::kDriven ? joint.law_index : -1});
      rows_ += rowsOf(p.kind);
    }
    for (const Coupler& coupler : model.couplers) {
      if (coupler.joint != static_cast<int>(&joint - model.joints.data())) continue;
      for (const Primitive& term : coupler.terms) constraints_.push_back({&term, rows_, -1});
      ++rows_;
    }
  }
}

void EquationsOfMotion::addRows(const Constraint& c, const RowDerivatives::Rows& m, Triplets& entries) {
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? c.primitive->body_1 : c.primitive->body_2;
    if (body != kGround) addBlock(c.row, 6 * body, m.block(0, 6 * side, rowsOf(c.primitive->kind), 6), entries);
  }
}

void EquationsOfMotion::requireNoInterrupt() const {
  if (interrupt_ && interrupt_->load(std::memory_order_relaxed)) throw Interrupted();
}

int EquationsOfMotion::size() const {
  return 6 * model_.bodyCount();
}

double EquationsOfMotion::length() const {
  return model_.length;
}

bool EquationsOfMotion::driven() const {
  return !model_.drives.empty();
}

std::vector<double> EquationsOfMotion::inputAt(double t) const {
  std::vector<double> values(model_.actuators.size());
  input_(t, values);
  return values;
}

std::vector<DriveValue> EquationsOfMotion::drivesAt(double t) const {
  std::vector<DriveValue> values;
  if (model_.drives.empty()) return values;
  const std::vector<double> input = inputAt(t);
  for (const Drive& drive : model_.drives) values.push_back(evaluateDrive(drive, t, input));
  return values;
}

std::vector<BodyMotion> EquationsOfMotion::motionsOf(const MotionPoint& at) const {
  std::vector<BodyMotion> motions(model_.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(6 * i);
    motions[i] = {at.position.segment<3>(k),     rotationMatrix(at.orientation[i]), at.velocity.segment<3>(k),
                  at.velocity.segment<3>(k + 3), at.acceleration.segment<3>(k),     at.acceleration.segment<3>(k + 3)};
  }
  return motions;
}

VectorXd EquationsOfMotion::constraints(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  const std::vector<DriveValue> drives = drivesAt(at.t);
  VectorXd phi = VectorXd::Zero(rows_);
  RowJacobian ignored[kMaxPrimitiveRows];
  for (const Constraint& c : constraints_) {
    double value[kMaxPrimitiveRows];
    evaluateRows(*c.primitive, motions.data(), value, ignored);
    if (c.drive >= 0) {
      const double wanted = drives[static_cast<std::size_t>(c.drive)].value;
      if (c.primitive->kind == PrimitiveKind::kAngle) value[0] = unwrapAngle(value[0], wanted);
      value[0] -= wanted;
    } else if (c.primitive->displacement >= 0) {
      value[0] = continueRow(*c.primitive, motions.data(), at.angles.data(), value[0]);
    }
    for (int k = 0; k < rowsOf(c.primitive->kind); ++k) phi[c.row + k] += value[k];
  }
  return phi;
}

VectorXd EquationsOfMotion::rowRates(double t) const {
  const std::vector<DriveValue> drives = drivesAt(t);
  VectorXd rates = VectorXd::Zero(rows_);
  for (const Constraint& c : constraints_)
    if (c.drive >= 0) rates[c.row] = drives[static_cast<std::size_t>(c.drive)].rate;
  return rates;
}

Sparse EquationsOfMotion::jacobian(const MotionPoint& at) const {
  requireNoInterrupt();
  const std::vector<BodyMotion> motions = motionsOf(at);
  Triplets entries;
  for (const Constraint& c : constraints_) {
    double phi[kMaxPrimitiveRows];
    RowJacobian rows[kMaxPrimitiveRows];
    evaluateRows(*c.primitive, motions.data(), phi, rows);
    RowDerivatives::Rows H;
    for (int k = 0; k < rowsOf(c.primitive->kind); ++k)
      for (int i = 0; i < 12; ++i) H(k, i) = rows[k].h[i / 6][i % 6];
    addRows(c, H, entries);
  }
  return assembled(rows(), size(), entries);
}

VectorXd EquationsOfMotion::gamma(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  const std::vector<DriveValue> drives = drivesAt(at.t);
  VectorXd gamma = VectorXd::Zero(rows_);
  for (const Constraint& c : constraints_) {
    double value[kMaxPrimitiveRows];
    evaluateGamma(*c.primitive, motions.data(), value);
    for (int k = 0; k < rowsOf(c.primitive->kind); ++k) gamma[c.row + k] += value[k];
    if (c.drive >= 0) gamma[c.row] += drives[static_cast<std::size_t>(c.drive)].acceleration;
  }
  return gamma;
}

VectorXd EquationsOfMotion::residual(const MotionPoint& at) const {
  requireNoInterrupt();
  const std::vector<BodyMotion> motions = motionsOf(at);
  std::vector<Load> loads(model_.bodies.size());
  const std::vector<double> input = inputAt(at.t);
  addActuatorLoads(model_, input, motions.data(), loads.data());
  addDirectLoads(model_, motions.data(), at.angles.data(), loads.data());
  double lambda[kMaxJointRows];
  for (const Joint* joint : compliant_)
    addCompliantLoad(model_, *joint, motions.data(), at.angles.data(), input.data(), lambda, loads.data());
  if (hasElements(model_))
    addElementLoads(model_, elementsAt(at, motions.data(), internalStatesOf(at), input), motions.data(), loads.data());
  VectorXd F(size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Body& body = model_.bodies[i];
    const BodyMotion& m = motions[i];
    const Matrix3d to_body = m.R.transpose();
    const auto k = static_cast<Eigen::Index>(6 * i);
    F.segment<3>(k) = body.mass * (m.a - model_.gravity) - loads[i].force;
    F.segment<3>(k + 3) = inertiaTorque(body, m.R, to_body * m.omega_w, to_body * m.alpha_w) - loads[i].torque;
  }
  return F;
}

std::vector<double> EquationsOfMotion::internalStatesOf(const MotionPoint& at) const {
  std::vector<double> internal_states(static_cast<std::size_t>(model_.internal_states), 0.0);
  for (int k = 0; k < internalStateCount(); ++k)
    internal_states[static_cast<std::size_t>(integrated_states_[static_cast<std::size_t>(k)])] = at.internal_states[k];
  return internal_states;
}

ElementStates EquationsOfMotion::elementsAt(const MotionPoint& at, const BodyMotion* motions,
                                            std::span<const double> internal_states,
                                            std::span<const double> input) const {
  ElementStates elements(model_);
  evaluateElements(model_, motions, {at.angles.data(), internal_states.data(), input, 0}, elements);
  return elements;
}

VectorXd EquationsOfMotion::internalStateRates(const MotionPoint& at) const {
  VectorXd rates(internalStateCount());
  if (internalStateCount() == 0) return rates;
  const std::vector<double> internal_states = internalStatesOf(at), input = inputAt(at.t);
  const std::vector<double> all = rt::internalStateRates(
      model_, elementsAt(at, motionsOf(at).data(), internal_states, input), internal_states.data());
  for (int k = 0; k < internalStateCount(); ++k)
    rates[k] = all[static_cast<std::size_t>(integrated_states_[static_cast<std::size_t>(k)])];
  return rates;
}

InternalStateDerivatives EquationsOfMotion::addElements(const MotionPoint& at, const BodyMotion* motions,
                                                        std::span<const double> input, Triplets& C, Triplets& K) const {
  const std::vector<double> internal_states = internalStatesOf(at);
  const ElementDerivatives d =
      differentiateElements(model_, motions, {at.angles.data(), internal_states.data(), input, 0});
  std::vector<int> state_of(internal_states.size(), 0);
  for (int k = 0; k < internalStateCount(); ++k)
    state_of[static_cast<std::size_t>(integrated_states_[static_cast<std::size_t>(k)])] = k;
  const auto state = [&](int index) { return state_of[static_cast<std::size_t>(index)]; };
  for (const BodyLoadDerivative& load : d.loads) {
    addBlock(6 * load.loaded, 6 * load.moved, Matrix6d(-load.by_position), K);
    addBlock(6 * load.loaded, 6 * load.moved, Matrix6d(-load.by_velocity), C);
  }
  Triplets F_m, g_q, g_u, g_m;
  for (const auto& load : d.loads_by_internal_state)
    addBlock(6 * load.loaded, state(load.internal_state), Vector6d(-load.value), F_m);
  for (const auto& rate : d.rates_by_motion) {
    addBlock(state(rate.internal_state), 6 * rate.moved, rate.by_position.transpose(), g_q);
    addBlock(state(rate.internal_state), 6 * rate.moved, rate.by_velocity.transpose(), g_u);
  }
  for (const auto& rate : d.rates_by_internal_state)
    g_m.emplace_back(state(rate.internal_state), state(rate.by), rate.value);
  return {assembled(size(), internalStateCount(), F_m), assembled(internalStateCount(), size(), g_q),
          assembled(internalStateCount(), size(), g_u), assembled(internalStateCount(), internalStateCount(), g_m)};
}

Sparse EquationsOfMotion::mass(const MotionPoint& at) const {
  Triplets entries;
  for (int i = 0; i < model_.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = model_.bodies[k];
    addBlock(6 * i, 6 * i, Matrix3d(body.mass * Matrix3d::Identity()), entries);
    addBlock(6 * i + 3, 6 * i + 3, worldInertia(body, rotationMatrix(at.orientation[k])), entries);
  }
  return assembled(size(), size(), entries);
}

ResidualDerivatives EquationsOfMotion::residualDerivatives(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  Triplets M, C, K;
  for (int i = 0; i < model_.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const InertiaTorqueDerivatives d = differentiateInertiaTorque(model_.bodies[k], motions[k]);
    addBlock(6 * i, 6 * i, Matrix3d(model_.bodies[k].mass * Matrix3d::Identity()), M);
    addBlock(6 * i + 3, 6 * i + 3, d.by_acceleration, M);
    addBlock(6 * i + 3, 6 * i + 3, d.by_rate, C);
    addBlock(6 * i + 3, 6 * i + 3, d.by_rotation, K);
  }
  const std::vector<double> input = inputAt(at.t);
  for (const LoadDerivative& d : differentiateActuatorLoads(model_, input, motions.data()))
    addBlock(6 * d.loaded, 6 * d.turned + 3, Eigen::Matrix<double, 6, 3>(-d.by_rotation), K);
  for (const BodyLoadDerivative& d : differentiateDirectLoads(model_, motions.data(), at.angles.data())) {
    addBlock(6 * d.loaded, 6 * d.moved, Matrix6d(-d.by_position), K);
    addBlock(6 * d.loaded, 6 * d.moved, Matrix6d(-d.by_velocity), C);
  }
  // A matrix of twelve rows and columns belongs to two bodies.
  const auto addPair = [](int body_1, int body_2, const Matrix12d& S, Triplets& entries) {
    const int bodies[2] = {body_1, body_2};
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c)
        if (bodies[r] != kGround && bodies[c] != kGround)
          addBlock(6 * bodies[r], 6 * bodies[c], S.block<6, 6>(6 * r, 6 * c), entries);
  };
  for (const Constraint& c : constraints_)
    addPair(c.primitive->body_1, c.primitive->body_2,
            differentiateReaction(*c.primitive, motions.data(), at.lambda.data() + c.row), K);
  for (const Joint* joint : compliant_) {
    if (joint->coupler >= 0) {
      for (const BodyLoadDerivative& d :
           differentiateCompliantCoupler(model_, *joint, motions.data(), at.angles.data(), input.data())) {
        addBlock(6 * d.loaded, 6 * d.moved, d.by_position, K);
        addBlock(6 * d.loaded, 6 * d.moved, d.by_velocity, C);
      }
      continue;
    }
    const CompliantDerivatives d =
        differentiateCompliantLoad(model_, *joint, motions.data(), at.angles.data(), input.data());
    addPair(joint->body_1, joint->body_2, d.by_position, K);
    addPair(joint->body_1, joint->body_2, d.by_velocity, C);
  }
  InternalStateDerivatives internal_states;
  if (hasElements(model_)) internal_states = addElements(at, motions.data(), input, C, K);
  return {assembled(size(), size(), M), assembled(size(), size(), C), assembled(size(), size(), K),
          std::move(internal_states)};
}

RowRateDerivatives EquationsOfMotion::rowRateDerivatives(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  Triplets A, B, D;
  for (const Constraint& c : constraints_) {
    const RowDerivatives d = differentiateRows(*c.primitive, motions.data());
    addRows(c, d.rate_by_position, A);
    addRows(c, d.second_rate_by_position, B);
    addRows(c, d.second_rate_by_velocity, D);
  }
  return {assembled(rows(), size(), A), assembled(rows(), size(), B), assembled(rows(), size(), D)};
}

void EquationsOfMotion::continueAngles(MotionPoint& at) const {
  if (at.angles.empty()) return;
  std::vector<BodyMotion> motions(model_.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i].r = at.position.segment<3>(static_cast<Eigen::Index>(6 * i));
    motions[i].R = rotationMatrix(at.orientation[i]);
  }
  countAngles(model_, motions.data(), at.angles.data(), at.angles.data());
}

MotionPoint EquationsOfMotion::pointOf(const State& state, double t) const {
  const StateView s = state.view();
  const int n = s.layout().bodies;
  MotionPoint point;
  point.t = t;
  point.position = VectorXd::Zero(6 * n);
  point.velocity.resize(6 * n);
  point.acceleration.resize(6 * n);
  for (int i = 0; i < n; ++i) {
    const BodyMotion m = bodyMotion(s, i);
    point.position.segment<3>(6 * i) = m.r;
    point.orientation.emplace_back(s.p(i));
    point.velocity.segment<6>(6 * i) << m.v, m.omega_w;
    point.acceleration.segment<6>(6 * i) << m.a, m.alpha_w;
  }
  point.lambda.resize(rows_);
  for (const Constraint& c : constraints_)
    std::copy_n(s.lambda() + c.primitive->row, rowsOf(c.primitive->kind), point.lambda.data() + c.row);
  point.angles.assign(s.jointDisplacements(), s.jointDisplacements() + s.layout().displacements);
  point.internal_states.resize(internalStateCount());
  for (int k = 0; k < internalStateCount(); ++k)
    point.internal_states[k] = s.internalStates()[integrated_states_[static_cast<std::size_t>(k)]];
  point.internal_rate = internalStateRates(point);
  return point;
}

void EquationsOfMotion::writeMotion(const MotionPoint& point, State& state) const {
  for (int i = 0; i < state.layout().bodies; ++i) {
    const Vector4d& p = point.orientation[static_cast<std::size_t>(i)];
    const Matrix3d to_body = rotationMatrix(p).transpose();
    state.r(i) = point.position.segment<3>(6 * i);
    state.p(i) = p;
    state.v(i) = point.velocity.segment<3>(6 * i);
    state.omega(i) = to_body * point.velocity.segment<3>(6 * i + 3);
    state.a(i) = point.acceleration.segment<3>(6 * i);
    state.alpha(i) = to_body * point.acceleration.segment<3>(6 * i + 3);
  }
  std::copy(point.angles.begin(), point.angles.end(), state.jointDisplacements());

  const std::vector<BodyMotion> motions = motionsOf(point);
  const std::vector<DriveValue> drives = drivesAt(point.t);
  const std::vector<double> input = inputAt(point.t);
  state.powerInput() = actuatorPower(model_, input, motions.data());
  for (const Constraint& c : constraints_) {
    std::copy_n(point.lambda.data() + c.row, rowsOf(c.primitive->kind), state.lambda() + c.primitive->row);
    if (c.drive >= 0) state.powerInput() -= point.lambda[c.row] * drives[static_cast<std::size_t>(c.drive)].rate;
  }
  const ElementPower power_of_loads = directLoadPower(model_, motions.data(), point.angles.data());
  state.powerDissipated() = power_of_loads.dissipated;
  state.powerInput() += power_of_loads.input;
  std::vector<Load> loads(model_.bodies.size());
  for (const Joint* joint : compliant_) {
    const ElementPower power = addCompliantLoad(model_, *joint, motions.data(), point.angles.data(), input.data(),
                                                state.lambda() + joint->first_row, loads.data());
    state.powerDissipated() += power.dissipated;
    state.powerInput() += power.input;
  }
  if (!hasElements(model_)) return;
  const ElementStates elements = elementsAt(point, motions.data(), internalStatesOf(point), input);
  storeInternalStates(model_, elements, state.internalStates());
  const ElementPower power_of_elements = powerOf(model_, elements);
  state.powerDissipated() += power_of_elements.dissipated;
  state.powerInput() += power_of_elements.input;
}

}  // namespace tactus::rt::offline
