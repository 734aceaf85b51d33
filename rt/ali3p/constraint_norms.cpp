#include "rt/ali3p/constraint_norms.h"

#include "rt/ali3p/tree/project.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

namespace tactus::rt {

void recordConstraintNorms(const Model& model, const Settings& settings, const State& state, Workspace& workspace,
                           StepReport& report) noexcept {
  TreeWorkspace& ws = workspace.solver.tree;
  beginStep(model, settings.dt(), settings.timeAt(state.tick), {state.view().input(), model.actuators.size()}, state,
            ws.conditions);
  loadIterate(model, state, ws.iterate);
  evaluateConstraints(model, ws.iterate, ws.conditions, ws.rows);
  report.constraint_position = positionViolation(ws.rows);
  report.constraint_velocity = velocityViolation(model, ws.iterate, ws.conditions, ws.rows);
  evaluateGamma(model, ws.iterate, ws.rows, settings.order() > 2);
  report.constraint_acceleration = accelerationViolation(model, ws.iterate, ws.conditions, ws.rows);
}

}  // namespace tactus::rt
