// Paths of the numbers in a model message that a parameter may change: "bodies.payload.mass", "gravity[1]".
#pragma once

#include "rt/model/finding_list.h"

#include "tactus/v1/model.pb.h"

#include <optional>
#include <string>

namespace tactus::server {

/// Why a path is no target.
struct TargetProblem {
  std::string rule, hint;
  rt::FindingList* findings = nullptr;  ///< in: limits how often a near name is looked for; null: no limit
};

/// The number at a path; none, with the reason in `problem`, if there is none or if no parameter may change it.
std::optional<double> readTarget(const v1::Model& model, const std::string& path, TargetProblem& problem);

/// Where a path leads.
struct TargetPlace {
  std::string place;          ///< one text for all paths of a number, by indices: "forces[0].bushing.stiffness[3]"
  bool is_number = false;     ///< else the path leads no further
  std::string searched_list;  ///< if it ends at a name that no element of this list of the model has: "forces"
};
TargetPlace placeOfTarget(const v1::Model& model, const std::string& path);

/// Whether the number at a path has become NaN in `probe`, a copy of the model in which whatever would change is NaN.
bool isUnknownIn(const v1::Model& probe, const v1::Model& model, const std::string& path);

/// Puts a number there. The path must be one that readTarget() can read.
void writeTarget(v1::Model& model, const std::string& path, double value);

}  // namespace tactus::server
