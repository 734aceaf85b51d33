#include "server/import/road_links.h"

#include "rt/model/finding_list.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>

namespace tactus::server {
namespace {

/// A road of the list and one of its ends.
struct End {
  std::size_t road = 0;
  bool at_start = false;

  auto operator<=>(const End&) const = default;
};

class RoadLinks {
 public:
  explicit RoadLinks(const std::vector<DriveRoad>& roads) : roads_(roads) {
    for (std::size_t i = 0; i < roads.size(); ++i) indices_.emplace(roads[i].id(), i);
    for (std::size_t i = 0; i < roads.size(); ++i)
      if (const auto link = roads[i].node().child("link")) {
        link->markRead();
        read(*link, "predecessor", {i, true});
        read(*link, "successor", {i, false});
      }
    for (const auto& [end, node] : at_junction_)
      if (!partners_.contains(end))
        node.dropped(LossEffect::kMotion,
                     "the road ends at a junction of which no road is imported: --road ID takes a road of it as well");
    for (const auto& [end, others] : partners_)
      if (others.size() > 1)
        roads_[end.road].node().report().dropped(roads_[end.road].node().place(), LossEffect::kMotion,
                                                 std::string("several roads follow its ") +
                                                     (end.at_start ? "start" : "end") +
                                                     ", and none is joined: choose one by --road ID");
    for (const auto& [end, others] : partners_)
      if (end < *others.begin() && matched(end) && !meets(end, *others.begin())) apart_.insert(end);
  }

  /// The end of another road that goes on from this one.
  std::optional<End> partner(const End& end) const {
    if (!matched(end)) return std::nullopt;
    const End other = *partners_.at(end).begin();
    if (apart_.contains(std::min(end, other))) return std::nullopt;
    return other;
  }

  /// Whether links lead from one end to the other and to no third one: what lies between them is in the report.
  bool compared(const End& end, const End& other) const { return matched(end) && *partners_.at(end).begin() == other; }

 private:
  void read(const XmlNode& link, const char* tag, const End& end) {
    const auto node = link.child(tag);
    if (!node) return;
    node->markRead();
    const std::string type = node->text("elementType", "road"), id = node->text("elementId", "");
    if (type == "junction") {
      at_junction_.emplace(end, *node);
      return;
    }
    const std::string contact = node->text("contactPoint", "");
    const auto found = indices_.find(id);
    if (type != "road" || found == indices_.end()) {
      node->dropped(LossEffect::kMotion, "leads to no road that is imported");
      return;
    }
    if (contact != "start" && contact != "end")
      return node->error("contactPoint", "must be start or end: that of road " + id);
    const End other{found->second, contact == "start"};
    if (other == end) return node->refuse("", "must lead to another end than its own");
    partners_[end].insert(other);
    partners_[other].insert(end);
  }

  bool matched(const End& end) const {
    const auto found = partners_.find(end);
    return found != partners_.end() && found->second.size() == 1 && partners_.at(*found->second.begin()).size() == 1;
  }

  /// Whether the roads are near enough to be one there; a loss if they are not.
  bool meets(const End& end, const End& other) const {
    const RoadStep step =
        stepBetween(endOf({&roads_[end.road], end.at_start}), beginOf({&roads_[other.road], !other.at_start}));
    const std::string what = step.text() + " to road " + roads_[other.road].id();
    const XmlNode& node = roads_[end.road].node();
    if (!step.isBelow(DriveRoad::kLargestGap)) {
      node.report().dropped(node.place(), LossEffect::kMotion, what + ": above 0.05, the roads are not joined");
      return false;
    }
    if (!step.isBelow(DriveRoad::kSmallGap))
      node.report().approximated(node.place(), LossEffect::kMotion,
                                 what + " are smoothed: the gap over 4 m, the others over 1 m");
    return true;
  }

  const std::vector<DriveRoad>& roads_;
  std::map<std::string, std::size_t> indices_;
  std::map<End, XmlNode> at_junction_;
  std::map<End, std::set<End>> partners_;
  std::set<End> apart_;  ///< the first of two ends
};

}  // namespace

std::vector<LinkedRoads> chainsOf(const std::vector<DriveRoad>& roads) {
  const RoadLinks links(roads);
  std::vector<LinkedRoads> chains;
  std::vector<bool> taken(roads.size());
  for (std::size_t i = 0; i < roads.size(); ++i) {
    if (taken[i]) continue;
    // Back to where the chain begins; around a ring to this road.
    End begin{i, true};
    while (const auto before = links.partner(begin)) {
      begin = {before->road, !before->at_start};
      if (begin.road == i) break;
    }
    LinkedRoads chain;
    End last = begin;
    for (std::optional<End> at = begin; at && !taken[at->road]; at = links.partner({at->road, !at->at_start})) {
      taken[at->road] = true;
      chain.stretches.push_back({&roads[at->road], !at->at_start});
      last = {at->road, !at->at_start};
    }
    chain.compared = links.compared(last, begin);
    chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace tactus::server
