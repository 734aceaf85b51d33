#include "rt/model/elements/beam_mount.h"

#include "rt/model/references.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {
namespace {

bool holdsToGround(const BeamMountSpec& mount) {
  return mount.body == kGroundName && mount.kind == BeamMountKind::kRigid;
}

/// Mounts of one node that hold it in two ways: by one body, or beside ground, which leaves no node to hold.
std::vector<std::size_t> holdingTwice(const BeamSpec& spec, const std::vector<std::size_t>& of_node) {
  std::vector<std::size_t> twice;
  std::map<std::string, std::size_t> by_body;
  bool grounded = false;
  for (const std::size_t i : of_node) {
    ++by_body[spec.mounts[i].body];
    grounded = grounded || holdsToGround(spec.mounts[i]);
  }
  for (const std::size_t i : of_node)
    if (of_node.size() > 1 && (grounded || by_body[spec.mounts[i].body] > 1)) twice.push_back(i);
  return twice;
}

/// "mounts[0], mounts[2] and mounts[3]"
std::string mountNames(const std::vector<std::size_t>& mounts) {
  constexpr std::size_t kMaxShown = 8;
  const std::size_t left = mounts.size() > kMaxShown ? mounts.size() - kMaxShown : 0, shown = mounts.size() - left;
  std::string names;
  for (std::size_t i = 0; i < shown; ++i)
    names += (i == 0 ? "" : i + 1 == mounts.size() ? " and " : ", ") + element("mounts", mounts[i]);
  return left == 0 ? names : names + " and " + std::to_string(left) + " more";
}

/// One finding for each node that is held twice: at the last of its mounts, with the names of the others.
void checkHeldOnce(const BeamSpec& spec, const FindingPlace& at) {
  std::map<int, std::vector<std::size_t>> of_nodes;
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) of_nodes[spec.mounts[i].node].push_back(i);
  for (const auto& [node, of_node] : of_nodes) {
    std::vector<std::size_t> mounts = holdingTwice(spec, of_node);
    if (mounts.empty()) continue;
    const std::size_t last = mounts.back();
    mounts.pop_back();
    at.error('.' + element("mounts", last) + ".node", std::to_string(node),
             "must not be held twice: " + mountNames(mounts) + (mounts.size() > 1 ? " hold it, too" : " holds it, too"),
             "keep one mount for each body, and no other where ground holds the node rigidly");
  }
}

}  // namespace

RigidMounts rigidMounts(const BeamSpec& spec) {
  RigidMounts mounts;
  for (const BeamMountSpec& mount : spec.mounts)
    if (mount.kind == BeamMountKind::kRigid) mounts.emplace(mount.node, &mount);
  return mounts;
}

void checkMounts(const BeamSpec& spec, const FindingPlace& at) {
  if (spec.mounts.size() > kMaxJoints)
    return at.error(".mounts", std::to_string(spec.mounts.size()) + " elements",
                    "must be at most " + std::to_string(kMaxJoints), "a mount is a joint of the model");
  const RigidMounts rigid = rigidMounts(spec);
  std::set<int> grounded;
  for (const BeamMountSpec& mount : spec.mounts)
    if (holdsToGround(mount)) grounded.insert(mount.node);
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    const BeamMountSpec& mount = spec.mounts[i];
    const FindingPlace of_mount = at.within('.' + element("mounts", i));
    if (mount.node < 0 || mount.node > spec.elements)
      of_mount.error(".node", std::to_string(mount.node),
                     "must be from 0 to `elements`: " + std::to_string(spec.elements));
    if (mount.kind == BeamMountKind::kRevolute) requireDirection(of_mount.path + ".axis", mount.axis, of_mount.out);
    const bool is_first = holdsToGround(mount) && rigid.at(mount.node) == &mount;
    if (is_first && mount.node < kMaxBeamElements && grounded.count(mount.node + 1) > 0)
      of_mount.error(".node", std::to_string(mount.node), "must not be the neighbor of a node that ground holds, too",
                     "an element needs a node that moves");
  }
  checkHeldOnce(spec, at);
}

std::optional<BeamCarrier> carrierOf(const BeamSpec& spec, const std::vector<Vector3d>& nodes) {
  if (spec.mounts.empty()) return {};
  const auto rigid = std::find_if(spec.mounts.begin(), spec.mounts.end(),
                                  [](const BeamMountSpec& mount) { return mount.kind == BeamMountKind::kRigid; });
  if (rigid != spec.mounts.end()) return BeamCarrier{rigid->body, {}};
  const BeamMountSpec& mount = spec.mounts.front();
  const Vector3d point = nodes[static_cast<std::size_t>(mount.node)] + mount.offset;
  return BeamCarrier{mount.body, [&mount, point](BodySpec carrier) {
                       const Matrix3d rotation = DeclaredPose(carrier).rotation;
                       const Vector3d omega = rotation * carrier.angular_velocity;
                       const Vector3d axis = mount.axis.stableNormalized();
                       carrier.velocity += omega.cross(point - carrier.position);
                       carrier.position = point;
                       const bool turns_about_axis = mount.kind == BeamMountKind::kRevolute;
                       carrier.angular_velocity =
                           turns_about_axis ? Vector3d(rotation.transpose() * (omega - axis.dot(omega) * axis))
                                            : Vector3d(Vector3d::Zero());
                       return carrier;
                     }};
}

Fields BeamMountSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BeamMountSpec::node>("node", "Number of the node: 0 at the start, `elements` at the end.",
                                  {.unit = "1", .rule = "at most `elements`; held once by a body"}),
      field<&BeamMountSpec::body>("body", "Name of a body, or \"ground\".", {.refers = Refers::kBodyOrGround}),
      field<&BeamMountSpec::kind>("kind", "How the body holds the node where it is in the declared state."),
      field<&BeamMountSpec::axis>("axis", "Of a revolute joint, world frame in the declared state.",
                                  {.unit = "1", .rule = "a direction, of BEAM_MOUNT_KIND_REVOLUTE"}),
      field<&BeamMountSpec::offset>("offset",
                                    "Of the joint from the axis of the beam at the node, world frame in the declared "
                                    "state; a rigid arm of the node.",
                                    {.unit = "m", .range = Range::kFinite}),
  };
  return kFields;
}

}  // namespace tactus::rt
