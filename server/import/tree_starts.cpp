#include "server/import/tree_starts.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
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

/// A joint that follows itself by others has no place of its own: nothing could move any joint of the circle.
void refuseCircles(const LinkTree& tree, ImportReport& report) {
  std::map<std::string, std::vector<const JointCoupling*>> leaders;  // of each joint that follows
  for (const JointCoupling& c : tree.couplings) leaders[c.joint].push_back(&c);
  struct Step {
    std::string joint;
    std::size_t next;
    const JointCoupling* by;  ///< leads to the step behind it
  };
  std::set<std::string> done;
  for (const JointCoupling& first : tree.couplings) {
    if (done.count(first.joint) > 0) continue;
    std::vector<Step> way = {{first.joint, 0, nullptr}};
    while (!way.empty()) {
      Step& step = way.back();
      const auto found = leaders.find(step.joint);
      if (found == leaders.end() || step.next == found->second.size()) {
        done.insert(step.joint);
        way.pop_back();
        continue;
      }
      step.by = found->second[step.next++];
      const std::string& other = step.by->other;
      const auto circle = std::find_if(way.begin(), way.end(), [&](const Step& one) { return one.joint == other; });
      if (circle == way.end()) {
        if (done.count(other) == 0) way.push_back({other, 0, nullptr});
        continue;
      }
      std::string text = '"' + other + '"';
      for (auto at = circle; at != way.end(); ++at)
        text += (at == circle ? "" : ", which") + (" follows \"" + at->by->other + "\" (line ") +
                std::to_string(at->by->place.line) + ')';
      report.error(circle->by->place, "a circle", "must not lead back to a joint that follows: " + text);
    }
  }
}

/// A follower has no start of its own: limits that its leader takes it beyond push from the first tick.
void reportBeyond(const TreeJoint& joint, const JointCoupling& coupling, double start, ImportReport& report) {
  const bool below = joint.lower && start < *joint.lower - kSame, above = joint.upper && start > *joint.upper + kSame;
  if (below || above)
    report.defaulted(coupling.place, LossEffect::kMotion,
                     fmt::format("starts at {:.6g}, beyond its limit ", start) +
                         rt::printed(below ? *joint.lower : *joint.upper) +
                         ": the stop pushes the joint back; choose another start of \"" + coupling.other + '"');
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
  refuseCircles(tree, report);
  // A coupling may follow another one.
  for (std::size_t pass = 0; pass < tree.couplings.size(); ++pass)
    for (const JointCoupling& c : tree.couplings)
      if (starts.count(c.other) > 0) starts[c.joint] = c.offset + c.factor * starts[c.other];
  for (const JointCoupling& c : tree.couplings) {
    const auto own = given.find(c.joint);
    if (starts.count(c.joint) == 0 || starts.count(c.other) == 0) continue;
    const double start = c.offset + c.factor * starts[c.other];
    const std::string must_be = fmt::format("must be {:.6g}", start) + ": the joint follows \"" + c.other + '"';
    if (own != given.end() && std::abs(own->second - start) > kSame)
      report.error(c.place, optionText(c.joint, own->second), must_be, "give the start of \"" + c.other + "\" instead");
    else if (own == given.end() && !report.failed() && std::abs(starts[c.joint] - start) > kSame)
      report.error(c.place, '"' + c.joint + fmt::format("\" at {:.6g}", starts[c.joint]), must_be,
                   "it follows another joint, too: give the joints that it follows starts that agree");
  }
  for (const TreeLink& link : tree.links)
    for (const TreeJoint& joint : link.joints)
      for (const JointCoupling& c : tree.couplings)
        if (c.joint == joint.name && starts.count(joint.name) > 0) reportBeyond(joint, c, starts[joint.name], report);
  return starts;
}

}  // namespace tactus::server
