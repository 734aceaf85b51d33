#include "rt/plan/forest_groups.h"

#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tactus::rt {

namespace {

constexpr int kLanes = ForestGroup::kLanes;

/// Every joint carries one body.
bool isForest(const Model& model, const Forest& forest) {
  std::vector<bool> carries(model.joints.size(), false);
  for (const int joint : forest)
    if (joint >= 0) carries[static_cast<std::size_t>(joint)] = true;
  return std::find(carries.begin(), carries.end(), false) == carries.end();
}

class Grouping {
 public:
  Grouping(const Model& model, const Plan& plan, const Forest& forest)
      : model_(model), plan_(plan), forest_(forest), children_(forest.size()), shape_(forest.size()) {
    for (int body = 0; body < model.bodyCount(); ++body)
      if (const int carrier = carrierOfBody(body); carrier != kGround)
        children_[static_cast<std::size_t>(carrier)].push_back(body);
  }

  ForestGroups form() {
    std::vector<int> level;
    for (int body = 0; body < model_.bodyCount(); ++body)
      if (carrierOfBody(body) == kGround) level.push_back(body);
    for (const int root : level) findShape(root);
    sortByShape(level);
    pool(level);
    // The groups of each level are those that the level before has formed.
    for (std::size_t first = 0; first < result_.groups.size();) {
      const std::size_t end = result_.groups.size();
      std::vector<int> left;
      for (std::size_t g = first; g < end; ++g) takeChildren(g, left);
      pool(left);
      first = end;
    }
    addChildren();
    result_.parts.resize(plan_.parts.size());
    for (std::size_t g = 0; g < result_.groups.size(); ++g)
      result_.parts[static_cast<std::size_t>(result_.groups[g].part)].push_back(static_cast<int>(g));
    return std::move(result_);
  }

 private:
  int jointOf(int body) const { return forest_[static_cast<std::size_t>(body)]; }
  int carrierOfBody(int body) const {
    const int joint = jointOf(body);
    return joint < 0 ? kGround : carrierOf(model_.joints[static_cast<std::size_t>(joint)], body);
  }
  int freedomsOf(int body) const {
    const int joint = jointOf(body);
    return joint < 0 ? kFreeBody : 6 - model_.joints[static_cast<std::size_t>(joint)].row_count;
  }
  int partOf(int body) const { return plan_.part_of_body[static_cast<std::size_t>(body)]; }
  const std::vector<int>& childrenOf(int body) const { return children_[static_cast<std::size_t>(body)]; }

  /// A number for each shape of a subtree: freedoms of its root, and the shapes of what that carries. Children are in
  /// the order of their shapes from then on, so that equal ones share groups.
  void findShape(int root) {
    std::vector<int> order = {root};
    for (std::size_t next = 0; next < order.size(); ++next)
      for (const int child : childrenOf(order[next])) order.push_back(child);
    for (auto body = order.rbegin(); body != order.rend(); ++body) {
      std::vector<int>& children = children_[static_cast<std::size_t>(*body)];
      sortByShape(children);
      std::vector<int> key = {freedomsOf(*body)};
      for (const int child : children) key.push_back(shape_[static_cast<std::size_t>(child)]);
      shape_[static_cast<std::size_t>(*body)] =
          shapes_.try_emplace(key, static_cast<int>(shapes_.size())).first->second;
    }
  }
  void sortByShape(std::vector<int>& bodies) const {
    std::stable_sort(bodies.begin(), bodies.end(), [&](int a, int b) {
      return shape_[static_cast<std::size_t>(a)] > shape_[static_cast<std::size_t>(b)];
    });
  }

  /// Where a body is, seen from a lane: in the same lane if that lane repeats it.
  ForestPlace placeOf(int body, int lane) const {
    const ForestPlace place = places_.at(body);
    const bool repeats =
        result_.groups[static_cast<std::size_t>(place.group)].bodies[static_cast<std::size_t>(lane)] == body;
    return repeats ? ForestPlace{place.group, lane} : place;
  }
  std::pair<int, int> keyOf(int body) const { return {freedomsOf(body), partOf(body)}; }

  void addGroup(const std::array<int, kLanes>& bodies) {
    ForestGroup group{};
    const int some = *std::find_if(bodies.begin(), bodies.end(), [](int body) { return body >= 0; });
    group.freedoms = freedomsOf(some);
    group.part = partOf(some);
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      if (bodies[l] >= 0) {
        group.filled |= 1 << lane;
        places_[bodies[l]] = {static_cast<int>(result_.groups.size()), lane};
      }
      group.bodies[l] = bodies[l] >= 0 ? bodies[l] : some;
      group.joints[l] = jointOf(group.bodies[l]);
      const int carrier = carrierOfBody(group.bodies[l]);
      group.carriers[l] = carrier == kGround ? ForestPlace{} : placeOf(carrier, lane);
    }
    result_.groups.push_back(group);
  }

  /// Children beside their carriers, where a full group has a child of one kind in each lane; the others are left.
  void takeChildren(std::size_t of_group, std::vector<int>& left) {
    const ForestGroup group = result_.groups[of_group];
    for (std::size_t k = 0;; ++k) {
      std::array<int, kLanes> bodies{-1, -1, -1, -1};
      int count = 0;
      bool equal = true;
      for (int lane = 0; lane < kLanes; ++lane) {
        const auto& children = childrenOf(group.bodies[static_cast<std::size_t>(lane)]);
        if (!group.has(lane) || k >= children.size()) continue;
        bodies[static_cast<std::size_t>(lane)] = children[k];
        const int first = *std::find_if(bodies.begin(), bodies.end(), [](int body) { return body >= 0; });
        equal = equal && keyOf(children[k]) == keyOf(first);
        ++count;
      }
      if (count == 0) return;
      if (count == kLanes && equal) {
        addGroup(bodies);
        continue;
      }
      for (const int body : bodies)
        if (body >= 0) left.push_back(body);
    }
  }

  /// Groups of four of one kind in the order of a list, those on ground apart.
  void pool(const std::vector<int>& bodies) {
    std::map<std::pair<int, int>, std::vector<int>> kinds;
    for (const int body : bodies) kinds[keyOf(body)].push_back(body);
    for (const auto& [key, of_kind] : kinds)
      for (std::size_t k = 0; k < of_kind.size(); k += kLanes) {
        std::array<int, kLanes> group{-1, -1, -1, -1};
        for (std::size_t i = 0; i < kLanes && k + i < of_kind.size(); ++i) group[i] = of_kind[k + i];
        addGroup(group);
      }
  }

  void addChildren() {
    for (ForestGroup& group : result_.groups)
      for (int lane = 0; lane < kLanes; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        const auto& children = childrenOf(group.bodies[l]);
        if (group.children.size() < children.size()) group.children.resize(children.size());
        for (std::size_t k = 0; k < children.size(); ++k) group.children[k][l] = placeOf(children[k], lane);
      }
  }

  const Model& model_;
  const Plan& plan_;
  const Forest& forest_;
  std::vector<std::vector<int>> children_;  ///< of each body
  std::vector<int> shape_;
  std::map<std::vector<int>, int> shapes_;
  std::map<int, ForestPlace> places_;  ///< of each body
  ForestGroups result_;
};

}  // namespace

bool areBeside(const std::array<ForestPlace, ForestGroup::kLanes>& places) noexcept {
  for (int lane = 0; lane < kLanes; ++lane)
    if (places[static_cast<std::size_t>(lane)] != ForestPlace{places[0].group, lane}) return false;
  return true;
}

std::optional<ForestGroups> findForestGroups(const Model& model, const Plan& plan) {
  const Forest forest = findForest(model, ForestRule::kTrees, 3);
  if (model.bodyCount() == 0 || !isForest(model, forest)) return std::nullopt;
  ForestGroups groups = Grouping(model, plan, forest).form();
  const auto isApart = [&](const ForestGroup& group) {
    const int carrier = group.carriers[0].group;
    const int part = carrier < 0 ? group.part : groups.groups[static_cast<std::size_t>(carrier)].part;
    return part != group.part && part != plan.units();
  };
  if (std::any_of(groups.groups.begin(), groups.groups.end(), isApart)) return std::nullopt;
  return groups;
}

}  // namespace tactus::rt
