#include "rt/ali3p/forest/workspace.h"

#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include <algorithm>
#include <new>

namespace tactus::rt {

namespace {

constexpr int kLanes = ForestGroup::kLanes;

std::size_t linesOf(std::size_t bytes) {
  return (bytes + sizeof(ForestLine) - 1) / sizeof(ForestLine);
}
std::size_t linesOfNode(int freedoms) {
  std::size_t lines = 0;
  withFreedomsOf(freedoms, [&]<int Freedoms>() { lines = linesOf(sizeof(ForestNode<Freedoms>)); });
  return lines;
}
void makeNode(int freedoms, ForestLine* at) {
  withFreedomsOf(freedoms, [&]<int Freedoms>() { new (at) ForestNode<Freedoms>; });
}

void setLane(const Vector3d& from, int lane, LaneVector& to) {
  for (int k = 0; k < 3; ++k) to[k].set(lane, from[k]);
}

/// The constants of one lane.
void setElement(const Model& model, const ForestGroup& group, int lane, ForestElement& to) {
  const auto l = static_cast<std::size_t>(lane);
  const Body& body = model.bodies[static_cast<std::size_t>(group.bodies[l])];
  to.body[lane] = kBodyStride * group.bodies[l];
  to.counts.set(lane, group.has(lane) ? 1 : 0);
  to.mass.set(lane, body.mass);
  rt::setLane<kLanes>(to.inertia, lane, body.inertia);
  if (group.freedoms == kFreeBody) return;
  const Joint& joint = model.joints[static_cast<std::size_t>(group.joints[l])];
  const Primitive* p = model.primitives.data() + joint.first_primitive;
  const bool is_first = p->body_1 == group.bodies[l];
  to.row[lane] = joint.first_row;
  to.sign.set(lane, is_first ? 1.0 : -1.0);
  setLane(is_first ? p->s_1 : p->s_2, lane, to.own_point);
  setLane(is_first ? p->s_2 : p->s_1, lane, to.carrier_point);
  for (int i = 0; i < joint.primitive_count - 1; ++i) {
    setLane(is_first ? p[1 + i].a_1 : p[1 + i].a_2, lane, to.own_direction[i]);
    setLane(is_first ? p[1 + i].a_2 : p[1 + i].a_1, lane, to.carrier_direction[i]);
  }
}

/// The numbers of each lane in blocks of memory; `otherwise` in lanes without a place.
template <class Block, class BlockOf>
LanePlaces placesIn(const std::array<ForestPlace, kLanes>& places, const Block& otherwise, BlockOf&& blockOf) {
  LanePlaces to{{}, areBeside(places) || places == std::array<ForestPlace, kLanes>{}};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const ForestPlace& place = places[lane];
    const Block* block = place.group < 0 ? &otherwise : blockOf(place.group);
    to.at[lane] = reinterpret_cast<const double*>(block) + (place.group < 0 ? static_cast<int>(lane) : place.lane);
  }
  return to;
}

/// What the parts of a forest have in common, while the shares of the threads are formed.
struct Parts {
  const ForestGroups& forest;
  int trunk;                               ///< index of its part
  const ForestBody* world;                 ///< as a carrier
  const ForestPassed* nothing;             ///< what no child passes
  std::vector<std::byte*> nodes;           ///< of the groups of units
  std::vector<ForestPassed*> to_trunk[2];  ///< of those of them whose carriers are in the trunk, on each side
};

/// @param first_lines  of each group of the trunk there
ForestShare shareOf(const Parts& parts, const std::vector<std::size_t>& first_lines, std::size_t trunk_lines) {
  ForestShare share;
  share.trunk.resize(trunk_lines);
  const auto& groups = parts.forest.groups;
  share.links.resize(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ForestLinks& links = share.links[g];
    if (groups[g].part == parts.trunk) {
      ForestLine* at = share.trunk.data() + first_lines[g];
      makeNode(groups[g].freedoms, at);
      links.node = at->bytes;
    } else {
      links.node = parts.nodes[g];
    }
    for (int side = 0; side < 2; ++side)
      links.passed[side] = parts.to_trunk[side][g] != nullptr ? parts.to_trunk[side][g] : &links.body().passed;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ForestLinks& links = share.links[g];
    const auto linksOf = [&](int group) -> const ForestLinks& { return share.links[static_cast<std::size_t>(group)]; };
    links.on_ground = groups[g].onGround();
    links.carriers = placesIn(groups[g].carriers, *parts.world, [&](int group) { return &linksOf(group).body(); });
    links.first_child = static_cast<int>(share.children[0].size());
    links.child_count = static_cast<int>(groups[g].children.size());
    for (const auto& children : groups[g].children)
      for (int side = 0; side < 2; ++side)
        share.children[side].push_back(
            placesIn(children, *parts.nothing, [&](int group) { return linksOf(group).passed[side]; }));
  }
  return share;
}

/// The world as a body at rest.
void setWorld(ForestBody& world) {
  std::fill_n(reinterpret_cast<double*>(&world), sizeof(ForestBody) / sizeof(double), 0.0);
  world.R = LaneMatrix::Identity();
}

}  // namespace

ForestWorkspace::ForestWorkspace(const Model& model, const Plan& plan, int threads)
    : elements(plan.forest->groups.size()), places(model.bodies.size()), motions(model.bodies.size()) {
  const ForestGroups& forest = *plan.forest;
  const auto& groups = forest.groups;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (int lane = 0; lane < kLanes; ++lane) {
      setElement(model, groups[g], lane, elements[g]);
      const int body = groups[g].bodies[static_cast<std::size_t>(lane)];
      if (groups[g].has(lane)) places[static_cast<std::size_t>(body)] = {static_cast<int>(g), lane};
    }
  // Nodes of units in the order of the parts, those of the trunk by themselves.
  Parts parts{forest, plan.units(), nullptr, nullptr, std::vector<std::byte*>(groups.size()), {}};
  std::vector<std::size_t> first_lines(groups.size());
  std::size_t unit_lines = 0, trunk_lines = 0;
  int ports = 0;
  const auto meetsTrunk = [&](const ForestGroup& group) {
    return group.part != parts.trunk &&
           std::any_of(group.carriers.begin(), group.carriers.end(), [&](const ForestPlace& carrier) {
             return carrier.group >= 0 && groups[static_cast<std::size_t>(carrier.group)].part == parts.trunk;
           });
  };
  for (std::size_t part = 0; part < forest.parts.size(); ++part)
    for (const int g : forest.parts[part]) {
      const auto at = static_cast<std::size_t>(g);
      std::size_t& lines = static_cast<int>(part) == parts.trunk ? trunk_lines : unit_lines;
      first_lines[at] = lines;
      lines += linesOfNode(groups[at].freedoms);
      ports += meetsTrunk(groups[at]) ? 1 : 0;
    }
  nodes.resize(unit_lines);
  const std::size_t port_lines = linesOf(sizeof(ForestPassed)), body_lines = linesOf(sizeof(ForestBody));
  passed.resize((2 * static_cast<std::size_t>(ports) + 1) * port_lines + body_lines);
  ForestLine* next = passed.data();
  const auto makePort = [&]() {
    ForestPassed* port = new (next) ForestPassed;
    std::fill_n(reinterpret_cast<double*>(port), sizeof(ForestPassed) / sizeof(double), 0.0);
    next += port_lines;
    return port;
  };
  for (auto& side : parts.to_trunk) side.resize(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].part == parts.trunk) continue;
    ForestLine* at = nodes.data() + first_lines[g];
    makeNode(groups[g].freedoms, at);
    parts.nodes[g] = at->bytes;
    if (meetsTrunk(groups[g]))
      for (auto& side : parts.to_trunk) side[g] = makePort();
  }
  parts.nothing = makePort();
  ForestBody* world = new (next) ForestBody;
  setWorld(*world);
  parts.world = world;

  for (int thread = 0; thread < threads; ++thread) {
    ForestShare share = shareOf(parts, first_lines, trunk_lines);
    share.conditions = TreeConditions(model);
    share.loads = TreeLoads(model);
    share.motions.resize(model.bodies.size());
    if (share.loads.has_force_elements) share.added.resize(groups.size());
    shares.push_back(std::move(share));
  }
  for (auto& side : totals) side.resize(static_cast<std::size_t>(plan.units()));
  const std::vector<int> thread_of = threadsOfUnits(plan, threads);
  for (int u = 0; u < plan.units(); ++u)
    shares[static_cast<std::size_t>(thread_of[static_cast<std::size_t>(u)])].units.push_back(u);
}

}  // namespace tactus::rt
