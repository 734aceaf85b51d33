// Rosenbrock-Nystrom methods on the equations of motion in minimal coordinates, s'' = f(t, s, s'):
//
//   S z_i = h gamma f(t + alpha_i h, S_i, S'_i) + h^2 gamma gamma_i (f_t + J1 s') + gamma sum_j c_ij z_j
//           + h^2 gamma J1 sum_j delta_ij z_j,          S = I - h gamma J2 - h^2 gamma^2 J1
//   S_i = s + h alpha_i s' + h sum_j theta_ij z_j,      S'_i = s' + sum_j a_ij z_j
//   s_new = s + h s' + h sum_i mu_i z_i,                s'_new = s' + sum_i m_i z_i
//
// with the exact Jacobians J1 = df/ds and J2 = df/ds' at the start of the step, from linearize() in tangent_point.h.
// Only the constraints are iterated. The internal states m of elements takes part as more
// entries of s', f and z that belong to no position: m' = g(t, s, s', m), J1 with g_s below f_s, J2 with (f_m; g_s',
// g_m) added.
//
// Source: [RN] Theorem 2.1, Eqs. (13)-(16), and section 4 for the partition: a subset of the coordinates is free, and
// the condition of the block of H that belongs to the others is monitored. Next to a singular pose, where no partition
// is well conditioned, and everywhere with Coordinates::kOrthonormal, an orthonormal basis of the free motions is used
// instead.
#pragma once

#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/step_control.h"
#include "rt/offline/core/tangent_point.h"

#include <memory>

namespace tactus::rt::offline {

/// A Rosenbrock method: its matrices A (strictly lower) and G (lower, gamma on the diagonal), its weights, and the
/// coefficients of Theorem 2.1.
struct RosenbrockNystrom {
  RosenbrockNystrom(const MatrixXd& A, const MatrixXd& G, const VectorXd& b, const VectorXd& b_embedded, int order,
                    int embedded_order);

  double gamma;
  int order, embedded_order;
  MatrixXd a, c, delta, theta;  ///< c: below the diagonal only
  VectorXd m, mu, m_embedded, mu_embedded;
  VectorXd alpha_sum, gamma_sum;  ///< row sums
};

const RosenbrockNystrom& rn4();    ///< order 4(3), L-stable
const RosenbrockNystrom& ros2w();  ///< order 2(1), L-stable, gamma = 1 + 1/sqrt 2; keeps its order with any Jacobian

class RosenbrockStepper final : public Stepper {
 public:
  enum class Jacobian { kExact, kPosition, kNone };
  enum class Coordinates { kPartitioned, kOrthonormal };
  struct Settings {
    const RosenbrockNystrom* method = &rn4();
    Tolerances tolerances;
    Jacobian jacobian = Jacobian::kExact;  ///< kPosition omits J2, kNone omits J1, too
    Coordinates coordinates = Coordinates::kPartitioned;
    /// Growth of the condition of a partition above which a new partition is chosen. [RN] section 4.
    double part_anew_above = 1.25;
  };
  RosenbrockStepper(const DynamicSystem& system, const MotionPoint& start, const Settings& settings);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }
  bool choosesSteps() const override { return settings_.tolerances.adaptive; }
  /// condition: condition of the partition of the last step; 0 without a partition.
  std::vector<std::string> ownNames() const override { return {"condition"}; }
  std::vector<double> ownValues() const override { return {in_use_}; }

 private:
  struct Trial {
    MotionPoint point;
    double error;  ///< error of the embedded solution; 1 meets the tolerances
  };
  /// Derivatives of (s'', m') by the free coordinates and by (s', m) at the start of a step; square.
  struct Jacobians {
    MatrixXd by_position, by_rate;
  };
  Jacobians jacobiansOf(const TangentPoint& tangent) const;
  Trial tryStep(double h, const MinimalCoordinates& coordinates, const Jacobians& jacobians, const VectorXd& f_t);
  /// Calls tryStep(). With step control, a step that does not converge gets an error that asks for a shorter one.
  Trial attempt(double h, const MinimalCoordinates& coordinates, const Jacobians& jacobians, const VectorXd& f_t);
  /// Partial derivative of (s'', m') by time. @param[in] T  motions of the free coordinates
  VectorXd forceRate(const MinimalCoordinates& coordinates, const MatrixXd& T, const MatrixXd& M, double h);
  /// The free coordinates of the step that begins at the last point.
  std::unique_ptr<MinimalCoordinates> chooseCoordinates();

  const DynamicSystem& system_;
  Settings settings_;
  MotionPoint point_;
  StepControl control_;
  RankRule rule_;          ///< from the accepted points
  bool singular_ = false;  ///< whether the last accepted point is next to a singular pose
  MatrixXd free_;          ///< orthonormal basis of the free motions at the last regular point
  MotionBasis partition_;  ///< empty before the first step
  double in_use_ = 0;      ///< condition of the partition of the last step
  double condition_ = 0;   ///< condition of the partition when it was chosen
};

}  // namespace tactus::rt::offline
