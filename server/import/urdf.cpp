#include "server/import/urdf.h"

#include "rt/model/check_model.h"
#include "server/import/placements.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tactus::server {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A joint as it is written, before the tree is known.
struct UrdfJoint {
  XmlNode node;
  std::string name, type, parent, child;
};

Placement originOf(const XmlNode& node) {
  Placement placement;
  const std::optional<XmlNode> origin = node.child("origin");
  if (!origin) return placement;
  placement.position = origin->vector("xyz").value_or(Vector3d::Zero());
  placement.rotation = rollPitchYaw(origin->vector("rpy").value_or(Vector3d::Zero()));
  return placement;
}

/// A number that must be given. @returns 0 where it is not
double required(const XmlNode& node, const char* attribute) {
  if (!node.has(attribute)) node.error(attribute, "must be given");
  return node.number(attribute, 0);
}

/// A size of a shape. @returns none, and reports it, unless it is above zero: a shape has no part in the motion
std::optional<double> size(const XmlNode& node, const char* attribute) {
  const std::optional<double> value = node.number(attribute);
  if (value && *value > 0) return value;
  node.dropped(attribute, LossEffect::kPicture, "a size must be above zero; the shape is left out");
  return std::nullopt;
}

std::optional<rt::VisualShapes> shapeOf(const XmlNode& geometry) {
  if (const auto box = geometry.child("box")) {
    const Vector3d sides = box->vector("size").value_or(Vector3d::Zero());
    if (sides.minCoeff() > 0) return rt::BoxVisualSpec{sides};
    box->dropped("size", LossEffect::kPicture, "a size must be above zero; the shape is left out");
    return std::nullopt;
  }
  if (const auto sphere = geometry.child("sphere")) {
    const auto radius = size(*sphere, "radius");
    return radius ? std::optional<rt::VisualShapes>(rt::SphereVisualSpec{*radius}) : std::nullopt;
  }
  for (const char* tag : {"cylinder", "capsule"}) {
    const auto round = geometry.child(tag);
    if (!round) continue;
    const auto radius = size(*round, "radius"), length = size(*round, "length");
    if (!radius || !length) return std::nullopt;
    if (round->tag() == "capsule") return rt::CapsuleVisualSpec{*radius, *length};
    return rt::CylinderVisualSpec{*radius, *length};
  }
  const auto mesh = geometry.child("mesh");
  if (!mesh) return std::nullopt;
  const Vector3d scale = mesh->vector("scale").value_or(Vector3d::Ones());
  if (scale[0] != scale[1] || scale[0] != scale[2] || !(scale[0] > 0)) {
    mesh->dropped("scale", LossEffect::kPicture, "a mesh has one scale, above zero; its shape is left out");
    mesh->markRead("filename");
    return std::nullopt;
  }
  return rt::MeshVisualSpec{mesh->text("filename", ""), scale[0]};
}

class UrdfReader {
 public:
  UrdfReader(const XmlNode& root, bool free) : root_(root), free_(free), report_(root.report()) {}

  LinkTree read() {
    tree_.name = root_.text("name", "");
    root_.markRead("version");
    report_.defaulted(root_.place(), LossEffect::kMotion, "gravity is [0, 0, -9.81] m/s^2: URDF has none");
    for (const XmlNode& node : root_.children()) {
      if (node.tag() == "material") addColor(node);
      if (node.tag() == "link") addLink(node);
      if (node.tag() == "joint") addJoint(node);
      if (node.tag().rfind("xacro:", 0) == 0)
        node.refuse("", "must be URDF, not xacro", "expand the file first: xacro FILE.xacro > FILE.urdf");
    }
    for (const XmlNode& node : root_.children("link")) readVisuals(node);
    if (links_.empty() && !report_.failed()) root_.refuse("no link", "must have a link");
    if (!report_.failed()) orderLinks();
    for (const UrdfJoint& joint : joints_) addMimic(joint);
    return std::move(tree_);
  }

 private:
  void addColor(const XmlNode& material) {
    material.markRead();
    if (const auto color = material.child("color"))
      if (const auto rgba = color->numbers("rgba", 4, 4)) colors_[material.text("name", "")] = *rgba;
  }

  void addLink(const XmlNode& node) {
    node.markRead();
    const std::string name = node.text("name", "");
    if (name.empty()) return node.error("name", "must be given");
    TreeLink link;
    link.name = name;
    link.place = node.place();
    if (const auto inertial = node.child("inertial")) link.mass = massOf(*inertial);
    if (!links_.emplace(name, std::move(link)).second) return node.error("name", "must be unique among links");
    order_.push_back(name);
  }

  MassProperties massOf(const XmlNode& inertial) {
    MassProperties m;
    const Placement origin = originOf(inertial);
    if (const auto mass = inertial.child("mass"))
      m.mass = required(*mass, "value");
    else
      inertial.refuse("no mass", "must have a <mass value=...>");
    if (m.mass < 0) inertial.child("mass")->error("value", "must not be below zero");
    if (const auto tensor = inertial.child("inertia")) {
      const double xx = required(*tensor, "ixx"), yy = required(*tensor, "iyy"), zz = required(*tensor, "izz");
      const double xy = tensor->number("ixy", 0), xz = tensor->number("ixz", 0), yz = tensor->number("iyz", 0);
      m.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      if (xx < 0 || yy < 0 || zz < 0) tensor->refuse("a negative moment", "moments of inertia must not be below zero");
    } else {
      inertial.refuse("no inertia", "must have an <inertia ixx=... iyy=... izz=...>");
    }
    return m.in(origin);
  }

  void readVisuals(const XmlNode& node) {
    const auto link = links_.find(node.text("name", ""));
    if (link == links_.end() || !(link->second.place.line == node.place().line)) return;
    for (const XmlNode& visual : node.children("visual")) {
      visual.markRead();
      rt::VisualSpec spec;
      const Placement origin = originOf(visual);
      spec.name = visual.text("name", "");
      spec.position = origin.position;
      spec.orientation = quaternionOf(origin.rotation);
      readMaterial(visual, spec);
      const auto geometry = visual.child("geometry");
      const std::optional<rt::VisualShapes> shape = geometry ? shapeOf(*geometry) : std::nullopt;
      if (!shape) continue;
      spec.shape = *shape;
      link->second.visuals.push_back(std::move(spec));
      link->second.visual_places.push_back(visual.place());
    }
  }

  void readMaterial(const XmlNode& visual, rt::VisualSpec& spec) {
    const auto material = visual.child("material");
    if (!material) return;
    if (material->child("color")) addColor(*material);
    const auto color = colors_.find(material->text("name", ""));
    if (color == colors_.end()) return;
    const std::vector<double>& rgba = color->second;
    spec.color = Vector3d(rgba[0], rgba[1], rgba[2]).cwiseMax(0).cwiseMin(1);
    spec.opacity = std::min(std::max(rgba[3], 0.0), 1.0);
  }

  void addJoint(const XmlNode& node) {
    node.markRead();
    UrdfJoint joint{node, node.text("name", ""), node.text("type", ""), "", ""};
    if (joint.name.empty()) return node.error("name", "must be given");
    if (!joint_index_.emplace(joint.name, joints_.size()).second)
      return node.error("name", "must be unique among joints");
    static const std::vector<std::string> kTypes = {"revolute", "continuous", "prismatic",
                                                    "fixed",    "floating",   "planar"};
    if (std::find(kTypes.begin(), kTypes.end(), joint.type) == kTypes.end()) {
      const std::string nearest = rt::nearestName(joint.type, kTypes);
      node.error("type", "must be revolute, continuous, prismatic, fixed, floating or planar",
                 nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    }
    for (const auto& [tag, name] : {std::pair("parent", &joint.parent), std::pair("child", &joint.child)}) {
      const auto end = node.child(tag);
      if (!end || !end->has("link"))
        node.refuse(std::string("no ") + tag, std::string("must have a <") + tag + " link=...>");
      else
        *name = *end->text("link");
    }
    joints_.push_back(std::move(joint));
  }

  /// Each link behind its parent, from the one root.
  void orderLinks() {
    std::map<std::string, std::size_t> above;  // joint above a link
    std::map<std::string, std::vector<std::size_t>> below;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const UrdfJoint& joint = joints_[j];
      for (const auto& [tag, name] : {std::pair("parent", joint.parent), std::pair("child", joint.child)})
        if (links_.count(name) == 0) {
          const std::string nearest = rt::nearestName(name, order_);
          joint.node.child(tag)->error("link", "must be the name of a link",
                                       nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
        }
      if (const auto [first, is_new] = above.emplace(joint.child, j); !is_new)
        joint.node.child("child")->error("link", "must be the child of one joint",
                                         "joint \"" + joints_[first->second].name + "\" has it already");
      below[joint.parent].push_back(j);
    }
    if (report_.failed()) return;
    std::vector<std::string> roots;
    for (const std::string& name : order_)
      if (above.count(name) == 0) roots.push_back(name);
    if (roots.empty())
      return joints_.front().node.refuse("\"" + joints_.front().name + '"',
                                         "joints must form a tree: every link has a parent",
                                         "URDF cannot close a loop");
    for (std::size_t k = 1; k < roots.size(); ++k)
      report_.error(links_.at(roots[k]).place, '"' + roots[k] + '"',
                    "must be the child of a joint: a robot has one root", "the root is \"" + roots.front() + '"');
    if (report_.failed()) return;

    placeRoot(links_.at(roots.front()), fixedMass(roots.front(), below));
    std::vector<std::pair<std::string, int>> open = {{roots.front(), 0}};
    while (!open.empty()) {
      const auto [name, index] = open.back();
      open.pop_back();
      const std::vector<std::size_t>& next = below[name];
      for (const std::size_t j : next) {
        tree_.links.push_back(linkBehind(joints_[j], index));
        open.emplace_back(joints_[j].child, static_cast<int>(tree_.links.size()) - 1);
      }
    }
    if (tree_.links.size() < order_.size())
      for (const UrdfJoint& joint : joints_)
        if (!reached(joint.child))
          return joint.node.refuse("\"" + joint.name + '"', "must not be part of a loop of joints: links form a tree",
                                   "URDF cannot close a loop");
  }

  bool reached(const std::string& name) const {
    return std::any_of(tree_.links.begin(), tree_.links.end(), [&](const TreeLink& link) { return link.name == name; });
  }

  /// Mass of a link and of all that is fixed to it.
  double fixedMass(const std::string& link, const std::map<std::string, std::vector<std::size_t>>& below) const {
    double mass = 0;
    for (std::vector<std::string> open = {link}; !open.empty();) {
      const std::string name = open.back();
      open.pop_back();
      mass += links_.at(name).mass.mass;
      const auto joints = below.find(name);
      if (joints == below.end()) continue;
      for (const std::size_t j : joints->second)
        if (joints_[j].type == "fixed") open.push_back(joints_[j].child);
    }
    return mass;
  }

  void placeRoot(TreeLink link, double mass) {
    // A root that is fixed by its name, or without mass, is the world itself.
    if (!free_ || link.name == "world" || !(mass > 0)) {
      if (free_)
        report_.defaulted(link.place, LossEffect::kMotion,
                          std::string("the root is fixed to ground: ") +
                              (link.name == "world" ? "its name is world" : "it has no mass"));
      else if (mass > 0 && link.name != "world")  // which --base free leaves fixed
        report_.defaulted(link.place, LossEffect::kMotion, "the root is fixed to ground; --base free lets it move");
    } else {
      link.free = true;
    }
    tree_.links.push_back(std::move(link));
  }

  TreeLink linkBehind(const UrdfJoint& joint, int parent) {
    TreeLink link = links_.at(joint.child);
    link.parent = parent;
    link.placement = originOf(joint.node);
    const auto axis_node = joint.node.child("axis");
    const auto limit = joint.node.child("limit");
    const auto dynamics = joint.node.child("dynamics");
    if (joint.type == "floating") link.free = true;
    if (joint.type == "floating" || joint.type == "fixed") return link;

    TreeJoint made;
    made.name = joint.name;
    made.place = joint.node.place();
    made.motion = joint.type == "prismatic" ? JointMotion::kSlide
                  : joint.type == "planar"  ? JointMotion::kPlane
                                            : JointMotion::kTurn;
    made.axis = Vector3d::UnitX();
    if (const auto axis = axis_node ? axis_node->vector("xyz") : std::nullopt) {
      if (axis->stableNorm() > 0)
        made.axis = axis->stableNormalized();
      else
        axis_node->error("xyz", "must have a length above zero");
    } else {
      report_.defaulted(made.place, LossEffect::kMotion, "the axis is [1, 0, 0]");
    }
    if (dynamics) {
      made.damping = dynamics->number("damping", 0);
      made.friction = dynamics->number("friction", 0);
      if (made.damping < 0) dynamics->error("damping", "must not be below zero");
      if (made.friction < 0) dynamics->error("friction", "must not be below zero");
    }
    readLimits(joint, limit, made);
    link.joints.push_back(std::move(made));
    return link;
  }

  void readLimits(const UrdfJoint& joint, const std::optional<XmlNode>& limit, TreeJoint& made) {
    const bool is_limited = joint.type == "revolute" || joint.type == "prismatic";
    if (is_limited && !limit)
      return joint.node.refuse("no limit", "a " + joint.type + " joint must have a <limit>",
                               joint.type == "revolute" ? "a joint without limits is continuous" : "");
    std::optional<double> effort;
    if (limit) {
      const double lower = limit->number("lower", 0), upper = limit->number("upper", 0);
      effort = limit->number("effort");
      if (is_limited && lower > upper) limit->error("lower", "must not be above upper");
      if (is_limited) {
        made.lower = lower;
        made.upper = upper;
      }
      for (const char* unused : {"lower", "upper"})
        if (!is_limited && limit->has(unused))
          limit->dropped(unused, LossEffect::kNothing, "a " + joint.type + " joint has no limits");
      if (effort && *effort < 0) limit->error("effort", "must not be below zero");
      if (limit->number("velocity", 0) != 0) limit->dropped("velocity", LossEffect::kMotion, "a limit of the rate");
    }
    if (made.motion == JointMotion::kPlane || joint.node.child("mimic")) return;
    if (effort && *effort == 0)
      return report_.defaulted(made.place, LossEffect::kNothing, "no input is made: its effort is zero");
    TreeActuator actuator;
    const bool along = made.motion == JointMotion::kSlide;
    actuator.name = joint.name + (along ? "_force" : "_torque");
    actuator.place = made.place;
    actuator.joint = joint.name;
    if (effort && *effort > 0) {
      actuator.minimum = -*effort;
      actuator.maximum = *effort;
    }
    const std::string kind = along ? "force along it" : "torque about it";
    report_.defaulted(made.place, LossEffect::kNothing,
                      "an input is made, a " + kind +
                          (actuator.maximum ? ", within its effort" : ", without limits: it has no effort"));
    tree_.actuators.push_back(std::move(actuator));
  }

  void addMimic(const UrdfJoint& joint) {
    const auto mimic = joint.node.child("mimic");
    if (!mimic) return;
    const std::string other = mimic->text("joint", "");
    const auto known = joint_index_.find(other);
    if (known == joint_index_.end() || other == joint.name)
      return mimic->error("joint", "must be the name of another joint");
    const auto moves = [](const UrdfJoint& j) {
      return j.type == "revolute" || j.type == "continuous" || j.type == "prismatic";
    };
    if (!moves(joint) || !moves(joints_[known->second]))
      return mimic->dropped(LossEffect::kMotion, "only joints with one freedom can follow each other");
    const double factor = mimic->number("multiplier", 1), offset = mimic->number("offset", 0);
    if (factor == 0) return mimic->error("multiplier", "must not be zero", "a joint that does not move is fixed");
    tree_.couplings.push_back({joint.name + "_mimic", mimic->place(), joint.name, other, factor, offset});
  }

  XmlNode root_;
  bool free_;
  ImportReport& report_;
  LinkTree tree_;
  std::map<std::string, TreeLink> links_;
  std::vector<std::string> order_;
  std::vector<UrdfJoint> joints_;
  std::map<std::string, std::size_t> joint_index_;
  std::map<std::string, std::vector<double>> colors_;
};

}  // namespace

LinkTree readUrdf(const XmlNode& root, bool free) {
  LinkTree tree = UrdfReader(root, free).read();
  root.tree().reportUnread([](const std::string& element, const std::string& attribute) -> XmlTree::Unread {
    if (element == "collision") return {LossEffect::kMotion, "contacts are not simulated"};
    if (element == "transmission") return {LossEffect::kNothing, "every joint that moves has an input"};
    if (element == "texture") return {LossEffect::kPicture, "shapes have one color"};
    if (element == "gazebo" || element == "ros2_control" || element == "sensor")
      return {LossEffect::kMotion, "an extension that is not of URDF's robot itself"};
    if (element == "safety_controller" || element == "calibration")
      return {LossEffect::kNothing, "data of a controller"};
    if (element == "verbose" || element == "contact" || element == "self_collision_checking")
      return {LossEffect::kMotion, "contacts are not simulated"};
    if (element == "material") return {LossEffect::kPicture, "a material that is not used"};
    if (element == "limit" && attribute.empty()) return {LossEffect::kNothing, "the joint has no limits"};
    if (element == "axis") return {LossEffect::kNothing, "the joint has no axis"};
    if (!attribute.empty()) return {LossEffect::kMotion, "is no attribute that is imported"};
    return {LossEffect::kMotion, "is no element that is imported"};
  });
  return tree;
}

}  // namespace tactus::server
