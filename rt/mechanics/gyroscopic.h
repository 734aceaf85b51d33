// How much the gyroscopic torque of a body matters to a step.
#pragma once

#include "rt/model/elements/body.h"

namespace tactus::rt {

struct Model;

/// What one Newton iteration whose tangent lacks the gyroscopic part leaves of an error in the rotation of a free
/// body: the spectral radius of (dt/2) J^-1 ([omega]x J - [J omega]x). Zero for a body that is a sphere, or spins about
/// nothing; in proportion to dt, omega and the anisotropy.
/// @param omega  body axes, rad/s
/// @param dt     s
/// @rt no allocation, no throw, fixed work
double gyroscopicContraction(const Body& body, const Vector3d& omega, double dt) noexcept;

/// A number with gyroscopicContraction(body, omega, dt) <= dt |omega| times it, for every omega: a cheap test before
/// the spectral radius. 0 for a sphere.
double gyroscopicBound(const Body& body);

/// The largest of all bodies in all named initial conditions, at a step of dt.
double largestGyroscopicContraction(const Model& model, double dt);

}  // namespace tactus::rt
