// The divide-and-conquer algorithm of [DCA3] as printed, for chains of spherical joints that begin on ground and end
// free or on ground: seven coordinates a body, delta blocks, one absolute penalty. An oracle that ships with the
// library: it shares no term of mechanics with the rest of rt.
//
// Corrections of print, each marked in literal_chain.cpp:
//   tangent factors, coupling block, sign of the leaf bias, normalization row, frozen gradients, warm-started mu.
#pragma once

#include "rt/offline/literal/literal_body.h"
#include "rt/state/state.h"

#include <vector>

namespace tactus::rt::offline {

/// Misprints of the paper. Tests switch them on and show the damage that each correction prevents.
struct Misprints {
  bool swapped_factors = false;  ///< dt/2 dQ/dq and dt^2/4 dQ/dq' in the tangent
  bool minus_bias = false;       ///< leaf bias with -Psi_q^T alpha Psi
  bool mixed_gradients = false;  ///< current p in the penalty terms beside a tangent with the frozen p
  bool reset_mu = false;         ///< mu = 0 at the start of every step
};

struct LiteralSettings {
  double dt = 0.01;
  double alpha = 1e6;
  int iterations = 3;
  bool full_newton = false;
  bool project_velocity = true;
  bool project_acceleration = true;
  PointDerivative derivative = PointDerivative::kHomogeneous;
  Misprints misprints = {};
};

class LiteralChain {
 public:
  /// @param model  bodies in order from ground; joint k is spherical and joins body k - 1 (or ground) to body k. One
  ///               more joint may close the loop, from the last body to ground. No forces or drives; actuators are left
  ///               out, so their inputs have to be zero. The model need not outlive this.
  /// @param start  positions and velocities
  /// @throws Error if the model is not such a chain
  LiteralChain(const Model& model, const State& start, const LiteralSettings& settings);

  void step();

  /// Changes the step, s, from the next one on.
  void setStep(double dt) { settings_.dt = dt; }

  int bodies() const { return static_cast<int>(bodies_.size()); }
  int joints() const { return bodies() + (closed_ ? 1 : 0); }
  Vector3d r(int i) const { return q_[static_cast<std::size_t>(i)].head<3>(); }
  Vector4d p(int i) const { return q_[static_cast<std::size_t>(i)].tail<4>(); }
  Vector3d v(int i) const { return qd_[static_cast<std::size_t>(i)].head<3>(); }
  Vector3d omega(int i) const;  ///< body axes
  Vector3d a(int i) const { return qdd_[static_cast<std::size_t>(i)].head<3>(); }
  Vector3d alpha(int i) const;  ///< body axes

  /// Multiplier of joint k, the force on its second body: of the position solve, and corrected by the acceleration
  /// projection.
  Vector3d lambda(int k) const { return lambda_[static_cast<std::size_t>(k)]; }
  Vector3d correctedLambda(int k) const;

  double kineticEnergy() const;
  double energy() const;
  double lastIncrement() const { return last_increment_; }  ///< |dq| of the last iteration
  int lastIterations() const { return last_iterations_; }   ///< of the last step
  double largestGap() const;                                ///< of all joints, m
  double velocityViolation() const;                         ///< |Phi'|, joints only
  double accelerationViolation() const;                     ///< |Phi''|, joints only
  bool finite() const;

 private:
  /// A physical or compound body between two handles: dq_i = delta_i1 dF_1 + delta_i2 dF_2 + delta_i3.
  struct Compound {
    int left = -1, right = -1;  ///< children, or -1 for a physical body
    int body = -1;              ///< of a leaf
    int joint = -1;             ///< that joins the children
    Matrix7d delta_11 = Matrix7d::Zero(), delta_12 = delta_11, delta_21 = delta_11, delta_22 = delta_11;
    Vector7d delta_13 = Vector7d::Zero(), delta_23 = delta_13;
    Matrix3d C = Matrix3d::Zero();            ///< of the joint
    Vector7d F_1 = delta_13, F_2 = delta_13;  ///< loads at the handles, on the way down
    Vector3d beta = Vector3d::Zero();
  };

  /// Jacobians of a joint by its two bodies, frozen with the tangent.
  struct JointJacobian {
    Matrix37d A, B;
  };

  /// Right sides and result of one pass up and down the tree.
  struct Pass {
    std::vector<Vector7d> g, dq;
    std::vector<double> psi;
    std::vector<Vector3d> phi, dlambda;
    Pass(std::size_t bodies, std::size_t joints)
        : g(bodies, Vector7d::Zero()), dq(g), psi(bodies, 0), phi(joints, Vector3d::Zero()), dlambda(phi) {}
  };

  int buildTree(int first, int last);
  void initialize();
  void factor(bool with_force_derivatives);
  void solve(Pass& pass);
  void solveEnds(Pass& pass);
  Pass emptyPass() const { return Pass(q_.size(), lambda_.size()); }
  JointJacobian jointJacobian(int k) const;
  Vector3d jointGap(int k) const;
  Vector3d jointRate(int k) const;
  Vector3d jointAcceleration(int k) const;
  Vector7d residual(int i) const;
  void differenceEquations();
  double penaltyScale() const { return settings_.alpha * settings_.dt * settings_.dt / 4; }

  LiteralSettings settings_;
  Vector3d gravity_, anchor_, end_anchor_;  ///< points of ground at the first joint and at the one that closes a loop
  bool closed_ = false;
  std::vector<LiteralBody> bodies_;
  std::vector<Vector7d> q_, qd_, qdd_, q_prev_, qd_prev_, qdd_prev_;
  std::vector<double> mu_;
  std::vector<Vector3d> lambda_, kappa_;

  std::vector<Compound> tree_;          ///< children before parents; the root is last
  Eigen::Matrix<double, 6, 6> C_ends_;  ///< of the joints on ground; of an open chain the first block alone
  std::vector<Matrix7d> tangent_inverse_;
  std::vector<Vector4d> p_frozen_;
  std::vector<JointJacobian> frozen_;
  double last_increment_ = 0;
  int last_iterations_ = 0;
};

}  // namespace tactus::rt::offline
