// Solvers of the SUNDIALS library on a mechanism: references that share only the mechanics with the other methods. The
// library chooses steps and orders; its Jacobians are difference quotients.
#pragma once

#include "rt/offline/sundials/first_order_form.h"

#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

#include <memory>

namespace tactus::rt::offline {

struct SundialsSettings {
  double relative = 1e-8, absolute = 1e-8;  ///< tolerances
  double stabilization = 10;                ///< rate at which drift off the constraints decays, 1/s
};

/// The parts that all solvers of the library need.
class SundialsStepper : public Stepper {
 public:
  SundialsStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings, int length);

  bool choosesSteps() const override { return true; }
  const MotionPoint& point() const override { return point_; }

 protected:
  template <class T>
  using Owned = std::unique_ptr<T, void (*)(T*)>;

  /// Values of a vector of the library.
  static std::span<double> valuesOf(N_Vector v);
  /// Makes `y_` a vector, `matrix_` and `linear_` a dense linear solver for it.
  void makeDenseSolver();
  /// @throws StepFailure with the library's name of a negative return value
  static void require(int flag, char* (*nameOf)(long int), const char* what);
  /// The right side of the first-order form, for a callback. @returns 0, or 1 if the result is not finite
  int evaluate(double t, N_Vector y, N_Vector yd) noexcept;
  /// Takes over a step that the library accepted.
  void accept(double t);

  FirstOrderForm form_;
  SundialsSettings settings_;
  MotionPoint point_;
  Owned<_SUNContext> context_;
  Owned<_generic_N_Vector> y_;
  Owned<_generic_SUNMatrix> matrix_;
  Owned<_generic_SUNLinearSolver> linear_;
};

/// CVODE: Adams methods of order 1 to 12 with functional iteration, or BDF of order 1 to 5 with Newton's method.
class CvodeStepper final : public SundialsStepper {
 public:
  CvodeStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings, bool stiff,
               int max_order);
  void advance(double step) override;

 private:
  static int rightSide(double t, N_Vector y, N_Vector yd, void* self);

  Owned<void> solver_;  ///< its memory, as the library calls it
  Owned<_generic_SUNNonlinearSolver> nonlinear_;
};

/// ARKODE: explicit or diagonally implicit Runge-Kutta methods.
class ArkodeStepper final : public SundialsStepper {
 public:
  ArkodeStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings, bool implicit,
                int order);
  void advance(double step) override;

 private:
  static int rightSide(double t, N_Vector y, N_Vector yd, void* self);

  Owned<void> solver_;  ///< its memory, as the library calls it
};

/// IDA: BDF of order 1 to 5 on the differential-algebraic form of index 1.
class IdaStepper final : public SundialsStepper {
 public:
  IdaStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings);
  void advance(double step) override;

 private:
  static int residual(double t, N_Vector y, N_Vector yd, N_Vector out, void* self);
  /// The point of y and y', with accelerations and multipliers.
  MotionPoint pointOf(double t, N_Vector y, N_Vector yd) const;

  Owned<_generic_N_Vector> yd_;
  Owned<void> solver_;  ///< its memory, as the library calls it
};

}  // namespace tactus::rt::offline
