// What a model message says in terms of other parts of it, in plain terms: tables, placements, points of mass and rates
// of joints become the numbers that a description of a model holds.
#pragma once

#include "rt/model/finding_list.h"

#include "tactus/v1/model.pb.h"

namespace tactus::server {

/// Gives each body with a placement its position and orientation, as far as the bodies it depends on have theirs. A
/// placement that breaks a rule is a finding and goes.
void resolvePlacements(v1::Model& model, rt::FindingList& out);

/// A finding for each placement that is left: it leads to itself, or to a body or joint that is not there.
void refusePlacements(v1::Model& model, rt::FindingList& out);

/// A message names no files: a finding for each include, which goes.
void refuseIncludes(v1::Model& model, rt::FindingList& out);

/// Placements, tables, points of mass and rates of joints, in this order.
void resolve(v1::Model& model, rt::FindingList& out);

/// Copies named tables into the curves and tables that name them; the model has no tables then.
void resolveTables(v1::Model& model, rt::FindingList& out);

/// Adds points of mass to mass and inertia, and moves the frames of their bodies to the new centers of mass.
void resolvePointMasses(v1::Model& model, rt::FindingList& out);

/// Velocities of bodies from rates of joints, of the declared state and of initial conditions.
///
/// Each body moves as its neighbor in a tree of joints does, with the rate of the joint between them; joints with a
/// rate come first into the tree. Where loops of joints contradict, velocities move to the nearest ones, in the metric
/// of the masses, that satisfy all joints and the rates. A body that no joint leads to from ground keeps its declared
/// velocity.
void resolveJointRates(v1::Model& model, rt::FindingList& out);

}  // namespace tactus::server
