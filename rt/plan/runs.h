// Runs of a plan: batches that follow each other and go through one kernel, among them the links of a line of bodies.
#pragma once

namespace tactus::rt {

struct Plan;

/// Finds the links of a plan and the bodies between six-row joints, lays out their numbers behind all fronts, and parts
/// the batches into runs: PlanNode::link_body, link_joint, link, Plan::runs, links, lone. Called once all unknowns have
/// their offsets and all updates their targets.
void addRuns(Plan& plan);

}  // namespace tactus::rt
