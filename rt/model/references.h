// Elements by name: what the rules on references look up.
#pragma once

#include "rt/model/declared_pose.h"
#include "rt/model/field.h"
#include "rt/model/finding_list.h"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tactus::rt {

struct BodySpec;
struct JointSpec;
struct ModelSpec;

/// The rule that the name of an unknown body breaks.
inline constexpr const char* kMustNameBody = "must be the name of a body";

/// The named elements of a description. The first of several with one name counts.
class References {
 public:
  explicit References(const ModelSpec& spec);

  const BodySpec* body(const std::string& name) const;
  const JointSpec* joint(const std::string& name) const;
  /// Index of a joint by its name; none: there is no such joint.
  std::optional<std::size_t> jointIndex(const std::string& name) const;

  /// Pose of a body, or of ground, as declared; none if the body does not exist or has no pose that can be used.
  std::optional<DeclaredPose> declaredPose(const std::string& name) const;
  /// Cosine of the angle between two axes of a joint as declared; none if it is not defined.
  std::optional<double> declaredCosine(const JointSpec& joint, const Eigen::Vector3d& axis_1,
                                       const Eigen::Vector3d& axis_2) const;

  /// A finding unless `name` is what it has to be; its hint is the nearest known name.
  void require(Refers what, const std::string& path, const std::string& name, FindingList& out) const;

 private:
  using Names = std::vector<std::string>;

  void requireBody(const std::string& path, const std::string& name, bool with_ground, FindingList& out) const;
  void requireDisplacement(const std::string& path, const std::string& name, const Names& having, const char* what,
                           const std::string& kinds, FindingList& out) const;

  Names body_names_, bodies_and_ground_, joint_names_, angle_names_, travel_names_, drive_names_, road_names_,
      row_force_names_;
  std::unordered_map<std::string, const BodySpec*> bodies_;
  std::unordered_map<std::string, std::size_t> joints_;
  const ModelSpec& spec_;
};

/// Pose of a body as declared; none if it has no pose that can be used.
std::optional<DeclaredPose> usablePose(const BodySpec& body);

/// Whether the joint has an angle, or a travel: as its kind declares.
bool hasAngle(const JointSpec& joint) noexcept;
bool hasTravel(const JointSpec& joint) noexcept;

/// "did you mean \"arm\"?", or nothing; also nothing after FindingList::mayLookForNames().
std::string didYouMean(const std::string& name, const std::vector<std::string>& known, FindingList& out);

}  // namespace tactus::rt
