// Derivatives of a trajectory with respect to parameters of the model, by the equations of motion linearized along it.
// rt/doc/analysis.md derives the equations.
#pragma once

#include "rt/model/model.h"
#include "rt/offline/analysis/linearization.h"

#include <memory>
#include <vector>

namespace tactus::rt::offline {

/// The model with another value of a parameter. It must have the structure of the nominal one and outlive its user.
struct VariedSide {
  const Model* model;
  const State* start;  ///< in which its run begins
  Outputs outputs;
  double offset;  ///< of the parameter from its nominal value, in its unit
};

/// A parameter: two sides, at d and -d, give central differences; three, at 0, d and 2 d, one-sided ones, also of
/// second order, for a parameter that stands at a limit. d may be negative.
using VariedModel = std::vector<VariedSide>;

/// Offsets of the sides of a VariedModel as shares of a step.
/// @param[in] side  to which the parameter can move: 0 both, 1 above, -1 below
std::vector<double> sharesOf(int side);

class TrajectorySensitivity {
 public:
  /// Begins where the nominal trajectory begins, at time 0. The model must outlive this.
  /// @param[in] input  values of the actuators that this state was computed with
  /// @throws Error at a singular pose, for other sides than VariedModel allows, and if a varied model has other rows or
  ///         states than the nominal one
  TrajectorySensitivity(const Model& model, const State& start, const std::vector<double>& input,
                        std::vector<VariedModel> parameters);
  TrajectorySensitivity(const TrajectorySensitivity&) = delete;
  TrajectorySensitivity& operator=(const TrajectorySensitivity&) = delete;

  /// Goes on to a later state of the nominal trajectory, by the trapezoidal rule. analysis (19)
  /// @param[in] t  its time, s
  /// @throws Error at a singular pose
  void advance(const State& next, double t, const std::vector<double>& input);

  /// Derivatives of the outputs at this state.
  /// @return one column for each parameter, in the unit of the output over that of the parameter
  MatrixXd outputs() const;

 private:
  /// The equations at one state: dx'/dp = A dx/dp + B.
  struct Tangent {
    std::unique_ptr<Linearization> at;
    std::vector<Change> by_parameter;  ///< with the states held
    MatrixXd A, B;
  };

  Tangent tangentAt(const State& state, double t, std::vector<Coordinate> chosen);
  Change changeOf(std::size_t parameter) const;
  void begin(const State& start);
  void useCoordinatesOf(Tangent next);

  const Model& model_;
  std::vector<double> input_;
  const EquationsOfMotion nominal_;
  const std::vector<VariedModel> parameters_;
  std::vector<std::unique_ptr<const EquationsOfMotion>> systems_;  ///< of all sides
  std::vector<ParameterDifferences> differences_;
  State state_;
  double t_ = 0;
  Tangent tangent_;
  MatrixXd x_;  ///< derivatives of the states z, w, m; one column for each parameter
};

}  // namespace tactus::rt::offline
