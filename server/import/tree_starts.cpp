#include "server/import/tree_starts.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace tactus::server {
namespace {

/// A start that a coupling gives in two ways agrees up to this, rad or m: what users print of a number.
constexpr double kSame = 1e-6;

std::string optionText(const std::string& joint, double start) {
  return "--start " + joint + '=' + rt::printed(start);
}

void checkGiven(const TreeJoint& joint, double start, ImportReport& report) {
  const std::string value = optionText(joint.name, start);
  const auto shown = [](const std::optional<double>& limit) { return limit ? rt::printed(*limit) : "no limit"; };
  if (!joint.hasOneCoordinate())
    report.error(joint.place, value, "must be of a joint that turns about an axis or slides along one");
  else if (start < joint.lower.value_or(start) || start > joint.upper.value_or(start))
    report.error(joint.place, value,
                 "must be within the limits of the joint: " + shown(joint.lower) + " to " + shown(joint.upper) +
                     (joint.motion == JointMotion::kSlide ? " m" : " rad"));
}

/// The start of a joint whose start the user does not give.
double ownStart(const LinkTree& tree, const TreeJoint& joint, ImportReport& report) {
  if (joint.start) return *joint.start;
  double start = joint.zero;
  if (joint.lower) start = std::max(start, *joint.lower);
  if (joint.upper) start = std::min(start, *joint.upper);
  const bool follows = std::any_of(tree.couplings.begin(), tree.couplings.end(),
                                   [&](const JointCoupling& c) { return c.joint == joint.name; });
  if (start != joint.zero && !follows)
    report.defaulted(joint.place, LossEffect::kMotion,
                     "starts at its limit " + rt::printed(start) + ": its zero lies outside the limits");
  return start;
}

}  // namespace

std::map<std::string, double> startsOf(const LinkTree& tree, const std::map<std::string, double>& given,
                                       ImportReport& report) {
  std::map<std::string, double> starts;
  std::vector<std::string> known;
  for (const TreeLink& link : tree.links)
    for (const TreeJoint& joint : link.joints) {
      known.push_back(joint.name);
      const auto own = given.find(joint.name);
      if (own != given.end()) checkGiven(joint, own->second, report);
      starts[joint.name] = own != given.end() ? own->second : ownStart(tree, joint, report);
    }
  for (const auto& [name, value] : given) {
    if (starts.count(name) > 0) continue;
    const std::string nearest = rt::nearestName(name, known);
    report.error({tree.links.front().place.file, 0, ""}, '"' + name + '"', "must be a joint that moves",
                 nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
  }
  // A coupling may follow another one.
  for (std::size_t pass = 0; pass < tree.couplings.size(); ++pass)
    for (const JointCoupling& c : tree.couplings)
      if (starts.count(c.other) > 0) starts[c.joint] = c.offset + c.factor * starts[c.other];
  for (const JointCoupling& c : tree.couplings) {
    const auto own = given.find(c.joint);
    if (own == given.end() || starts.count(c.other) == 0 || std::abs(own->second - starts[c.joint]) <= kSame) continue;
    report.error(c.place, optionText(c.joint, own->second),
                 "must be " + rt::printed(starts[c.joint]) + ": the joint follows \"" + c.other + '"',
                 "give the start of \"" + c.other + "\" instead");
  }
  return starts;
}

}  // namespace tactus::server
