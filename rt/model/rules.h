// Rules on single values, used by the rules of every element. Each appends its findings; none depends on another one.
#pragma once

#include "rt/model/finding_list.h"
#include "rt/model/references.h"

#include <Eigen/Core>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {

/// Points nearer than this leave a distance without a direction, m.
inline constexpr double kNearestPoints = 1e-9;

/// Where an element is, what it may refer to, and where its findings go.
struct FindingPlace {
  std::string path;  ///< "joints[2].screw"
  const References& references;
  FindingList& out;

  /// A finding on a field of the element; `field` begins with a dot, or is empty for the element itself.
  void error(const std::string& field, std::string value, std::string rule, std::string hint = {}) const {
    out.error(path + field, std::move(value), std::move(rule), std::move(hint));
  }
  FindingPlace within(const std::string& field) const { return {path + field, references, out}; }
};

/// @returns true if every number is finite
bool requireFinite(const std::string& path, double value, FindingList& out);
bool requireFinite(const std::string& path, const Eigen::Vector3d& value, FindingList& out);
void requirePositive(const std::string& path, double value, FindingList& out);
void requireNotNegative(const std::string& path, double value, FindingList& out);
void requireWithin(const std::string& path, double value, double low, double high, FindingList& out);
void requireDirection(const std::string& path, const Eigen::Vector3d& value, FindingList& out);
void requireUnitQuaternion(const std::string& path, const Eigen::Vector4d& value, FindingList& out);

/// From `fewest` to `most` numbers. @returns whether they are
bool requireCount(const std::string& path, const std::vector<double>& list, std::size_t fewest, std::size_t most,
                  FindingList& out);
/// As many numbers as `other` has. @returns whether they are
bool requireSameCount(const std::string& path, const std::vector<double>& list, const char* other, std::size_t count,
                      FindingList& out);
/// Finite and increasing; one finding at most. @returns whether they are
bool requireIncreasing(const std::string& path, const std::vector<double>& list, FindingList& out);

/// Two different ends of an element between bodies, or between a body and ground.
void requireTwoBodies(const FindingPlace& at, const std::string& body_1, const std::string& body_2);
/// Two points that are apart in the declared state. @param hint  what to use where they coincide
void requireApart(const FindingPlace& at, const std::string& body_1, const Eigen::Vector3d& point_1,
                  const std::string& body_2, const Eigen::Vector3d& point_2, const char* hint);
/// Axes of a joint that point the same way in the declared state.
void requireSameWay(const FindingPlace& at, const JointSpec& joint, const Eigen::Vector3d& axis_1,
                    const Eigen::Vector3d& axis_2);

}  // namespace tactus::rt
