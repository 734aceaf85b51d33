// A Model in the making: names become indices, and elements append their constants.
#pragma once

#include "rt/model/declared_pose.h"
#include "rt/model/model.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace tactus::rt {

/// Index of every element of one family by its name.
class NameIndex {
 public:
  void add(const std::string& name) { index_.emplace(name, static_cast<int>(index_.size())); }
  /// The name exists: checkModel() has seen to it.
  int of(const std::string& name) const { return index_.at(name); }

 private:
  std::unordered_map<std::string, int> index_;
};

class ModelBuilder {
 public:
  /// @param spec   without findings
  /// @param model  empty
  ModelBuilder(const ModelSpec& spec, Model& model);

  /// Appends everything that the description declares.
  void build();

  Model& model() noexcept { return model_; }
  int body(const std::string& name) const { return name == kGroundName ? kGround : bodies_.of(name); }
  const DeclaredPose& pose(int body) const {
    return body == kGround ? ground_ : poses_[static_cast<std::size_t>(body)];
  }
  /// Index of a joint, of a force element with rows or of a drive among the joints of the Model so far.
  int row(const std::string& name) const { return rows_.of(name); }
  int road(const std::string& name) const { return roads_.of(name); }
  int drive(const std::string& name) const { return drives_.of(name); }
  /// Index of a friction element or a brake among Model::frictions.
  int friction(const std::string& name) const { return frictions_.of(name); }
  int powertrain(const std::string& name) const { return powertrains_.of(name); }

  /// Appends a joint, or the rows of a force element or of a drive.
  void append(const Joint& joint, const std::string& name, const std::string& description);
  /// Appends a joint of one row, the sum of `terms`, over all bodies of the terms.
  /// @param point_1, point_2  where the reaction is reported, on both bodies of the first term
  /// @param terms             1 to kMaxTerms, with the next row of the Model
  /// @param law               index into Model::compliant_laws of a compliant row; -1: a rigid one
  void append(JointKind kind, const Vector3d& point_1, const Vector3d& point_2, std::vector<Primitive> terms, int law,
              const std::string& name, const std::string& description);
  /// Appends elements that others address by name.
  void append(const JointFriction& friction, const std::string& name);
  void append(const Powertrain& powertrain, const std::string& name);
  /// Values that an element keeps in State. @returns the place of the first
  int takeInternalStates(int count);

 private:
  void addBodies();
  void addJoint(const JointSpec& joint);
  void addForces();
  void addDrive(const DriveSpec& drive);
  void addActuator(const ActuatorSpec& actuator);
  void addSensor(const SensorSpec& sensor);
  void addInitialConditions();

  const ModelSpec& spec_;
  Model& model_;
  std::vector<DeclaredPose> poses_;
  DeclaredPose ground_;
  NameIndex bodies_, rows_, roads_, drives_, frictions_, powertrains_;
};

}  // namespace tactus::rt
