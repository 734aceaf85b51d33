// What a model message says in terms of other parts of it, in plain terms: tables, placements, points of mass and rates
// of joints become the numbers that a description of a model holds.
#pragma once

#include "rt/model/finding_list.h"

#include "tactus/v1/model.pb.h"

#include <Eigen/Core>

#include <map>
#include <set>
#include <string>

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

/// Bodies whose origin points of mass have moved.
struct MovedOrigins {
  struct Origin {
    Eigen::Vector3d center;  ///< new origin, in the old frame, m
    int body;                ///< index
  };
  std::map<std::string, Origin> origins;   ///< by name of the body
  std::set<std::string> moved_velocities;  ///< of bodies that declare no velocity
};

/// Adds points of mass to mass and inertia, and moves the frames of their bodies to the new centers of mass. Leaves the
/// velocities of initial conditions to moveVelocities().
MovedOrigins resolvePointMasses(v1::Model& model, rt::FindingList& out);

/// Gives bodies of an initial condition the velocity of their new origin. The old one moves as the condition says, else
/// as in the declared state, whose rates of joints are resolved. @returns names of bodies for which the condition does
/// not say it
std::set<std::string> moveVelocities(const v1::Model& model, v1::InitialCondition& condition,
                                     const MovedOrigins& moved);

/// Velocities of bodies from rates of joints, of the declared state and of initial conditions.
///
/// Each body moves as its neighbor in a tree of joints does, with the rate of the joint between them; joints with a
/// rate come first into the tree. Where loops of joints contradict, velocities move to the nearest ones, in the metric
/// of the masses, that satisfy all joints and the rates. In a group of bodies that no joint leads to from ground, the
/// first body keeps its velocities whose velocity the state gives, in an initial condition else the first one whose
/// velocity the model gives; first of all one with an angular velocity.
void resolveJointRates(v1::Model& model, const MovedOrigins& moved, rt::FindingList& out);

}  // namespace tactus::server
