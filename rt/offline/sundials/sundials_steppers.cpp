#include "rt/offline/sundials/sundials_steppers.h"

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace tactus::rt::offline {

namespace {

/// Maximum number of failed tries of one step.
constexpr int kMaxFailures = 20;

_SUNContext* makeContext() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw Error("SUNDIALS: cannot create a context");
  return context;
}

void freeContext(_SUNContext* context) {
  SUNContext_Free(&context);
}

void freeLinearSolver(_generic_SUNLinearSolver* solver) {
  SUNLinSolFree(solver);
}

void freeNonlinearSolver(_generic_SUNNonlinearSolver* solver) {
  SUNNonlinSolFree(solver);
}

/// A count from a function of the library.
template <class Function>
std::int64_t countOf(Function function, void* solver) {
  long int count = 0;
  function(solver, &count);
  return count;
}

}  // namespace

SundialsStepper::SundialsStepper(const DynamicSystem& system, const MotionPoint& start,
                                 const SundialsSettings& settings, int length)
    : form_(system, start, settings.stabilization),
      settings_(settings),
      point_(start),
      context_(makeContext(), freeContext),
      y_(N_VNew_Serial(length, context_.get()), N_VDestroy),
      matrix_(nullptr, SUNMatDestroy),
      linear_(nullptr, freeLinearSolver) {}

std::span<double> SundialsStepper::valuesOf(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

void SundialsStepper::makeDenseSolver() {
  const auto n = N_VGetLength(y_.get());
  matrix_.reset(SUNDenseMatrix(n, n, context_.get()));
  linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
}

void SundialsStepper::require(int flag, char* (*nameOf)(long int), const char* what) {
  if (flag >= 0) return;
  const std::unique_ptr<char, void (*)(void*)> name(nameOf(flag), std::free);
  throw StepFailure(std::string(what) + " gave up with " + name.get());
}

int SundialsStepper::evaluate(double t, N_Vector y, N_Vector yd) noexcept {
  // No exception may pass through the library.
  try {
    MotionPoint point = form_.pointOf(t, valuesOf(y), point_);
    const VectorXd rate = form_.solve(point, valuesOf(y));
    ++statistics_.force_evaluations;
    ++statistics_.factorizations;
    std::copy(rate.begin(), rate.end(), valuesOf(yd).begin());
    return rate.allFinite() ? 0 : 1;
  } catch (const std::exception&) { return 1; }
}

void SundialsStepper::accept(double t) {
  point_ = form_.pointOf(t, valuesOf(y_.get()), point_);
  form_.learnRank(point_);
  form_.solve(point_, valuesOf(y_.get()));
}

CvodeStepper::CvodeStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings,
                           bool stiff, int max_order)
    : SundialsStepper(system, start, settings, FirstOrderForm(system, start, 0).size()),
      solver_(CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context_.get()), [](void* m) { CVodeFree(&m); }),
      nonlinear_(nullptr, freeNonlinearSolver) {
  void* m = solver_.get();
  form_.write(start, valuesOf(y_.get()));
  CVodeInit(m, rightSide, start.t, y_.get());
  CVodeSetErrFile(m, nullptr);
  CVodeSetUserData(m, this);
  CVodeSStolerances(m, settings.relative, settings.absolute);
  CVodeSetMaxOrd(m, max_order);
  CVodeSetMaxErrTestFails(m, kMaxFailures);
  if (stiff) {
    makeDenseSolver();
    CVodeSetLinearSolver(m, linear_.get(), matrix_.get());
  } else {
    nonlinear_.reset(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    CVodeSetNonlinearSolver(m, nonlinear_.get());
  }
}

int CvodeStepper::rightSide(double t, N_Vector y, N_Vector yd, void* self) {
  return static_cast<CvodeStepper*>(self)->evaluate(t, y, yd);
}

void CvodeStepper::advance(double limit) {
  void* m = solver_.get();
  double t = point_.t;
  CVodeSetStopTime(m, t + limit);
  require(CVode(m, t + limit, y_.get(), &t, CV_ONE_STEP), CVodeGetReturnFlagName, "CVODE");
  accept(t);
  ++statistics_.steps;
  statistics_.rejected = countOf(CVodeGetNumErrTestFails, m);
  statistics_.newton_iterations = countOf(CVodeGetNumNonlinSolvIters, m);
}

ArkodeStepper::ArkodeStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings,
                             bool implicit, int order)
    : SundialsStepper(system, start, settings, FirstOrderForm(system, start, 0).size()),
      solver_(nullptr, [](void* m) { ARKStepFree(&m); }) {
  form_.write(start, valuesOf(y_.get()));
  solver_.reset(
      ARKStepCreate(implicit ? nullptr : rightSide, implicit ? rightSide : nullptr, start.t, y_.get(), context_.get()));
  void* m = solver_.get();
  ARKStepSetErrFile(m, nullptr);
  ARKStepSetUserData(m, this);
  ARKStepSStolerances(m, settings.relative, settings.absolute);
  ARKStepSetOrder(m, order);
  ARKStepSetMaxErrTestFails(m, kMaxFailures);
  if (!implicit) return;
  makeDenseSolver();
  ARKStepSetLinearSolver(m, linear_.get(), matrix_.get());
}

int ArkodeStepper::rightSide(double t, N_Vector y, N_Vector yd, void* self) {
  return static_cast<ArkodeStepper*>(self)->evaluate(t, y, yd);
}

void ArkodeStepper::advance(double limit) {
  void* m = solver_.get();
  double t = point_.t;
  ARKStepSetStopTime(m, t + limit);
  require(ARKStepEvolve(m, t + limit, y_.get(), &t, ARK_ONE_STEP), ARKStepGetReturnFlagName, "ARKODE");
  accept(t);
  ++statistics_.steps;
  statistics_.rejected = countOf(ARKStepGetNumErrTestFails, m);
  statistics_.newton_iterations = countOf(ARKStepGetNumNonlinSolvIters, m);
}

IdaStepper::IdaStepper(const DynamicSystem& system, const MotionPoint& start, const SundialsSettings& settings)
    : SundialsStepper(system, start, settings, FirstOrderForm(system, start, 0).size() + system.rows()),
      yd_(N_VClone(y_.get()), N_VDestroy),
      solver_(IDACreate(context_.get()), [](void* m) { IDAFree(&m); }) {
  void* m = solver_.get();
  const auto differential = static_cast<std::size_t>(form_.size());
  const std::span<double> y = valuesOf(y_.get()), yd = valuesOf(yd_.get());
  form_.write(start, y.first(differential));
  std::copy(start.lambda.begin(), start.lambda.end(), y.begin() + static_cast<std::ptrdiff_t>(differential));
  std::fill(yd.begin(), yd.end(), 0.0);
  form_.writeRate(start, yd.first(differential));
  IDAInit(m, residual, start.t, y_.get(), yd_.get());
  IDASetErrFile(m, nullptr);
  IDASetUserData(m, this);
  IDASStolerances(m, settings.relative, settings.absolute);
  IDASetMaxErrTestFails(m, kMaxFailures);
  // The multipliers follow from the other values; their errors do not control the step.
  const Owned<_generic_N_Vector> kinds(N_VClone(y_.get()), N_VDestroy);
  std::fill_n(valuesOf(kinds.get()).begin(), differential, 1.0);
  std::fill(valuesOf(kinds.get()).begin() + static_cast<std::ptrdiff_t>(differential), valuesOf(kinds.get()).end(),
            0.0);
  IDASetId(m, kinds.get());
  IDASetSuppressAlg(m, SUNTRUE);
  makeDenseSolver();
  IDASetLinearSolver(m, linear_.get(), matrix_.get());
}

MotionPoint IdaStepper::pointOf(double t, N_Vector y, N_Vector yd) const {
  const auto differential = static_cast<std::size_t>(form_.size());
  MotionPoint point = form_.pointOf(t, valuesOf(y).first(differential), point_);
  const Eigen::Index n = point.velocity.size();
  point.acceleration = Eigen::Map<const VectorXd>(N_VGetArrayPointer(yd) + form_.size() - n, n);
  point.lambda = Eigen::Map<const VectorXd>(N_VGetArrayPointer(y) + form_.size(), form_.rows());
  point.internal_rate = Eigen::Map<const VectorXd>(
      N_VGetArrayPointer(yd) + form_.size() - n - point.internal_states.size(), point.internal_states.size());
  return point;
}

int IdaStepper::residual(double t, N_Vector y, N_Vector yd, N_Vector out, void* self) {
  IdaStepper& stepper = *static_cast<IdaStepper*>(self);
  try {
    const MotionPoint point = stepper.pointOf(t, y, yd);
    const VectorXd F = stepper.form_.residual(point, valuesOf(y), valuesOf(yd));
    ++stepper.statistics_.force_evaluations;
    std::copy(F.begin(), F.end(), valuesOf(out).begin());
    return F.allFinite() ? 0 : 1;
  } catch (const std::exception&) { return 1; }
}

void IdaStepper::advance(double limit) {
  void* m = solver_.get();
  double t = point_.t;
  IDASetStopTime(m, t + limit);
  require(IDASolve(m, t + limit, &t, y_.get(), yd_.get(), IDA_ONE_STEP), IDAGetReturnFlagName, "IDA");
  point_ = pointOf(t, y_.get(), yd_.get());
  ++statistics_.steps;
  statistics_.rejected = countOf(IDAGetNumErrTestFails, m);
  statistics_.newton_iterations = countOf(IDAGetNumNonlinSolvIters, m);
  statistics_.factorizations = countOf(IDAGetNumLinSolvSetups, m);
}

}  // namespace tactus::rt::offline
