// What an element is: one pair of files for each kind, and nothing about the kind elsewhere but its line in elements.h.
//
// A kind has
//   a spec        struct XSpec, an aggregate with members named as the fields of its message in model.proto;
//                 kName, its name in the oneof, and kTitle, its name for people
//   fields()      static Fields XSpec::fields(): the table from which reading, writing, the generic rules (required,
//                 finite, range, reference), the reference page and the tests of the format follow
//   check()       the rules that fields() cannot state
//   build()       appends the constants of the element to a Model
//   constants     struct X, if the kind has constants of its own, with constants(visit): what the hash of the model and
//                 the comparison of structures take of it, in the order of the hash
//
// check() and build() are free functions, found by the type of their first argument. A kind may have neither.
//   joints       check(spec, joint, place)      build(spec, joint_builder)
//                kNumber: its JointKind; kHasAngle, kHasTravel: the displacements that it has
//   forces       check(spec, place)             build(spec, force, builder)
//                kNumber, if it adds rows; kHasForceValue: a sensor can read the force of its row
//   drives       check(spec, place)             target: build(spec, drive, builder); function: build(spec, drive)
//   actuators    check(spec, actuator, place)   build(spec, actuator, builder), connect(spec, index, builder)
//   sensors      check(spec, place)             build(spec, sensor, builder)
//   composites   check(spec, place)             expand(spec, expansion) in place of build()
// Rules that look at the whole model are static void XSpec::checkAll(model_spec, findings).
#pragma once

#include "rt/model/field.h"

#include <Eigen/Core>

#include <string>

namespace tactus::rt {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

/// The name that stands for the world in joints.
inline constexpr const char* kGroundName = "ground";
inline constexpr int kGround = -1;  ///< body index of the world

class Expansion;
class FindingList;
class JointBuilder;
class ModelBuilder;
struct Actuator;
struct ActuatorSpec;
struct Drive;
struct DriveSpec;
struct ForceSpec;
struct JointSpec;
struct ModelSpec;
struct FindingPlace;
struct Sensor;

}  // namespace tactus::rt
