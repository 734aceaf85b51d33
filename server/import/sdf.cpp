#include "server/import/sdf.h"

#include "rt/model/check_model.h"
#include "server/import/placements.h"
#include "server/import/sdf_values.h"
#include "server/import/sdf_visual.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace tactus::server {
namespace {

using Eigen::Vector3d;

constexpr const char* kModelFrame = "__model__";
/// SDF writes limits of this size where there are none.
constexpr double kNoLimit = 1e15;

class SdfReader {
 public:
  /// @param model_axes  joint axes are in the frame of the model where the file does not say otherwise
  SdfReader(const XmlNode& model, LinkTree& tree, bool model_axes)
      : model_(model), report_(model.report()), tree_(tree), model_axes_(model_axes) {}

  void read() {
    model_.markRead();
    tree_.name = model_.text("name", "");
    for (const XmlNode& node : model_.children()) {
      const std::string tag = node.tag();
      if (tag == "include" || tag == "model") {
        node.markAllRead();
        node.refuse("", "models in a model are not imported", "write its links and joints into the model");
      }
      if (tag != "link" && tag != "joint" && tag != "frame") continue;
      node.markRead();
      const std::string name = node.text("name", "");
      if (name.empty() || !frames_.emplace(name, node).second) {
        node.error("name", "must be given, and unique among links, joints and frames");
        continue;
      }
      if (tag == "link") links_.push_back(name);
      if (tag == "joint") {
        joints_.push_back(node);
        joint_names_.insert(name);
      }
    }
    if (links_.empty()) return model_.refuse("no link", "must have a link");
    canonical_ = model_.text("canonical_link", links_.front());
    if (std::find(links_.begin(), links_.end(), canonical_) == links_.end()) {
      const std::string nearest = rt::nearestName(canonical_, links_);
      model_.error("canonical_link", "must be the name of a link",
                   nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    }
    model_placement_ = poseIn(model_);
    if (!report_.failed()) buildTree();
  }

 private:
  // ---- frames ----

  /// The frame in which the pose of an element is given.
  std::string around(const XmlNode& node) {
    const auto pose = node.child("pose");
    const std::string given = pose ? pose->text("relative_to", "") : "";
    if (!given.empty()) return given;
    if (node.tag() == "joint") return textIn(node, "child");
    const std::string attached = node.tag() == "frame" ? node.text("attached_to", "") : "";
    return attached.empty() ? kModelFrame : attached;
  }

  /// A frame of the model in that of the model, by name. Each is worked out once.
  Placement inModel(const std::string& name, const XmlNode& asking) {
    // From the frame back to one that is known, and forward again.
    std::vector<std::string> way;
    XmlNode from = asking;
    std::string at = name;
    while (at != kModelFrame && at != "world" && in_model_.count(at) == 0) {
      const auto found = frames_.find(at);
      if (found == frames_.end() || way.size() > frames_.size()) {
        refuseFrame(at, found == frames_.end(), from);
        return {};
      }
      way.push_back(at);
      from = found->second;
      at = around(from);
    }
    Placement placed = at == kModelFrame ? Placement{} : at == "world" ? model_placement_.inverse() : in_model_.at(at);
    for (; !way.empty(); way.pop_back()) in_model_[way.back()] = placed = placed * poseIn(frames_.at(way.back()));
    return placed;
  }

  void refuseFrame(const std::string& name, bool unknown, const XmlNode& asking) {
    std::vector<std::string> known;
    for (const auto& [other, unused] : frames_) known.push_back(other);
    const std::string nearest = unknown ? rt::nearestName(name, known) : "";
    asking.refuse('"' + name + '"',
                  unknown ? "must be the name of a link, joint or frame" : "must not be given in a loop of frames",
                  nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
  }

  /// The link that a name stands for, itself or by frames: its name; empty for the world.
  std::string linkNamed(std::string name, const XmlNode& joint) {
    for (std::size_t k = 0; k <= frames_.size(); ++k) {
      if (name == "world") return "";
      if (name == kModelFrame) name = canonical_;
      const auto found = frames_.find(name);
      if (found == frames_.end()) break;
      if (found->second.tag() == "link") return name;
      if (found->second.tag() == "joint") break;
      name = found->second.text("attached_to", canonical_);
    }
    const std::string nearest = rt::nearestName(name, links_);
    joint.refuse('"' + name + '"', "must be the name of a link",
                 nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    return "";
  }

  // ---- links ----

  void buildTree() {
    std::map<std::string, std::vector<const XmlNode*>> below;
    std::set<std::string> has_parent;
    std::vector<const XmlNode*> closing;
    for (const XmlNode& joint : joints_) {
      if (!joint.child("parent") || !joint.child("child")) {
        joint.refuse("", "must have a <parent> and a <child>");
        continue;
      }
      const std::string parent = linkNamed(textIn(joint, "parent"), joint);
      const std::string child = linkNamed(textIn(joint, "child"), joint);
      if (report_.failed()) return;
      if (child.empty()) {
        joint.refuse("\"world\"", "must not be the child of a joint", "exchange parent and child");
      } else if (has_parent.insert(child).second) {
        below[parent].push_back(&joint);
      } else {
        closing.push_back(&joint);
      }
    }
    if (report_.failed()) return;
    std::vector<std::pair<std::string, int>> open = {{"", -1}};
    for (const std::string& name : links_)
      if (has_parent.count(name) == 0) { open.emplace_back(name, addLink(name, -1, nullptr)); }
    while (!open.empty() && !report_.failed()) {
      const auto [name, index] = open.back();
      open.pop_back();
      for (const XmlNode* joint : below[name]) {
        const std::string child = linkNamed(textIn(*joint, "child"), *joint);
        open.emplace_back(child, addLink(child, index, joint));
      }
    }
    if (report_.failed()) return;
    for (const std::string& name : links_)
      if (index_.count(name) == 0)
        return frames_.at(name).refuse('"' + name + '"', "must hang on the world or a free link",
                                       "its joints form a loop of parents and children");
    for (const XmlNode* joint : closing) close(*joint);
  }

  int addLink(const std::string& name, int parent, const XmlNode* joint) {
    const XmlNode& node = frames_.at(name);
    TreeLink link;
    link.name = name;
    link.place = node.place();
    link.parent = parent;
    const Placement placed = model_placement_ * inModel(name, node);
    link.placement = parent < 0 ? placed : in_world_[static_cast<std::size_t>(parent)].inverse() * placed;
    if (const auto inertial = node.child("inertial")) {
      link.mass = massOf(*inertial, link.without);
    } else {
      report_.defaulted(link.place, LossEffect::kMotion, "the mass is 1 kg, the moments are 1 kg m^2");
      link.mass = {1, Vector3d::Zero(), Eigen::Matrix3d::Identity()};
      link.without = "<inertial>";
    }
    link.free = joint == nullptr && link.mass.mass > 0;
    if (joint == nullptr && !link.free)
      report_.defaulted(link.place, LossEffect::kMotion, "is fixed to ground: it has no mass");
    for (const XmlNode& visual : node.children("visual"))
      if (auto made = visualIn(visual)) {
        link.visuals.push_back(std::move(*made));
        link.visual_places.push_back(visual.place());
      }
    if (joint != nullptr) addJoints(*joint, placed, link);
    index_[name] = static_cast<int>(tree_.links.size());
    in_world_.push_back(placed);
    tree_.links.push_back(std::move(link));
    return index_[name];
  }

  /// A number that is 1 where the file does not say it.
  double numberOr1(const XmlNode& node, const char* tag, const char* unit, std::string& without) {
    if (!node.child(tag)) {
      report_.defaulted(node.place(), LossEffect::kMotion, std::string("has no <") + tag + ">: it is 1 " + unit);
      without += (without.empty() ? "" : ", ") + std::string(tag);
    }
    return numberIn(node, tag, 1);
  }

  MassProperties massOf(const XmlNode& inertial, std::string& without) {
    MassProperties m;
    m.mass = numberOr1(inertial, "mass", "kg", without);
    m.inertia.setIdentity();
    if (m.mass < 0) inertial.refuse("mass below zero", "must not be below zero");
    if (const auto tensor = inertial.child("inertia")) {
      const auto moment = [&](const char* tag) { return numberOr1(*tensor, tag, "kg m^2", without); };
      const double xx = moment("ixx"), yy = moment("iyy"), zz = moment("izz");
      const double xy = numberIn(*tensor, "ixy", 0), xz = numberIn(*tensor, "ixz", 0), yz = numberIn(*tensor, "iyz", 0);
      m.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    } else {
      report_.defaulted(inertial.place(), LossEffect::kMotion, "the moments of inertia are 1 kg m^2");
      without += (without.empty() ? "" : ", ") + std::string("<inertia>");
    }
    return m.in(poseIn(inertial));
  }

  // ---- joints ----

  void addJoints(const XmlNode& node, const Placement& link_in_world, TreeLink& link) {
    const std::string name = node.text("name", ""), type = node.text("type", "");
    if (type == "fixed") return;
    const bool two_axes = type == "universal" || type == "revolute2";
    if (!two_axes && type != "revolute" && type != "continuous" && type != "prismatic" && type != "ball")
      return node.error("type",
                        "must be fixed, revolute, continuous, prismatic, ball, "
                        "universal or revolute2",
                        type == "screw" || type == "gearbox" ? "joints of this type are not imported" : "");
    const Placement in_link = link_in_world.inverse() * model_placement_ * inModel(name, node);
    TreeJoint joint;
    joint.name = name;
    joint.place = node.place();
    joint.anchor = in_link.position;
    joint.motion = type == "ball" ? JointMotion::kBall : type == "prismatic" ? JointMotion::kSlide : JointMotion::kTurn;
    const auto axis = node.child("axis"), axis_2 = node.child("axis2");
    if (axis) readAxis(*axis, in_link, link_in_world, joint);
    if (type == "continuous" && (joint.lower || joint.upper)) {
      report_.dropped(node.place(), LossEffect::kMotion, "its limits: a continuous joint has none");
      joint.lower = joint.upper = std::nullopt;
    }
    addInput(joint, axis);
    link.joints.push_back(joint);
    if (!two_axes) return;
    TreeJoint second = joint;
    for (int k = 2; joint_names_.count(second.name = name + '_' + std::to_string(k)) > 0; ++k) {}
    joint_names_.insert(second.name);
    if (second.name != name + "_2")
      report_.approximated(
          node.place(), LossEffect::kNothing,
          "its second axis is the joint \"" + second.name + "\": the file has another \"" + name + "_2\"");
    second.lower = second.upper = std::nullopt;
    second.damping = second.friction = second.stiffness = 0;
    if (axis_2) readAxis(*axis_2, in_link, link_in_world, second);
    addInput(second, axis_2);
    link.joints.push_back(second);
  }

  void readAxis(const XmlNode& axis, const Placement& in_link, const Placement& link_in_world, TreeJoint& joint) {
    Vector3d direction = Vector3d::UnitZ();
    std::string expressed;
    if (const auto xyz = axis.child("xyz")) {
      if (const auto v = xyz->contentNumbers(3, 3)) direction = {(*v)[0], (*v)[1], (*v)[2]};
      expressed = xyz->text("expressed_in", "");
    }
    // Before version 1.7 a flag says what the frame says since then; a frame that is named counts.
    if (expressed.empty()) {
      const std::string in_model = textIn(axis, "use_parent_model_frame");
      if (in_model == "true" || in_model == "1" || (in_model.empty() && model_axes_)) expressed = kModelFrame;
    }
    const Eigen::Matrix3d rotation =
        expressed.empty() ? in_link.rotation
                          : (link_in_world.inverse() * model_placement_ * inModel(expressed, axis)).rotation;
    if (!(direction.stableNorm() > 0)) return axis.refuse("xyz of zero length", "must have a length above zero");
    joint.axis = rotation * direction.stableNormalized();
    if (const auto limit = axis.child("limit")) {
      const double lower = limitIn(*limit, "lower", -kNoLimit), upper = limitIn(*limit, "upper", kNoLimit);
      if (lower > upper) limit->refuse("lower above upper", "lower must not be above upper");
      if (lower > -kNoLimit) joint.lower = lower;
      if (upper < kNoLimit) joint.upper = upper;
    }
    if (const auto dynamics = axis.child("dynamics")) {
      joint.damping = numberIn(*dynamics, "damping", 0);
      joint.friction = numberIn(*dynamics, "friction", 0);
      joint.stiffness = numberIn(*dynamics, "spring_stiffness", 0);
      joint.spring_zero = numberIn(*dynamics, "spring_reference", 0);
      if (std::min({joint.damping, joint.friction, joint.stiffness}) < 0)
        dynamics->refuse("a number below zero", "damping, friction and stiffness must not be below zero");
    }
  }

  void addInput(const TreeJoint& joint, const std::optional<XmlNode>& axis) {
    if (joint.motion == JointMotion::kBall) return;
    const bool along = joint.motion == JointMotion::kSlide;
    TreeActuator actuator;
    actuator.name = joint.name + (along ? "_force" : "_torque");
    actuator.place = joint.place;
    actuator.joint = joint.name;
    const auto limit = axis ? axis->child("limit") : std::nullopt;
    // Below zero stands for none.
    const double effort = limit ? limitIn(*limit, "effort", -1) : -1;
    if (effort == 0)
      return report_.defaulted(joint.place, LossEffect::kNothing, "no input is made: its effort is zero");
    if (effort > 0 && effort < kNoLimit) {
      actuator.minimum = -effort;
      actuator.maximum = effort;
    }
    report_.defaulted(joint.place, LossEffect::kNothing,
                      "an input is made: a force along the joint or a torque about it");
    tree_.actuators.push_back(std::move(actuator));
  }

  /// A joint to a link that has a parent already.
  void close(const XmlNode& node) {
    const std::string type = node.text("type", "");
    if (type != "ball" && type != "fixed")
      return node.error("type", "a joint that closes a loop must be ball or fixed", "its child has a parent already");
    LoopClosure closure{node.text("name", ""), node.place(), type == "fixed", -1, -1, Vector3d::Zero()};
    const std::string parent = linkNamed(textIn(node, "parent"), node);
    if (!parent.empty()) closure.link_1 = index_.at(parent);
    closure.link_2 = index_.at(linkNamed(textIn(node, "child"), node));
    const Placement joint = model_placement_ * inModel(closure.name, node);
    closure.anchor = closure.link_1 < 0
                         ? joint.position
                         : in_world_[static_cast<std::size_t>(closure.link_1)].inverse().point(joint.position);
    tree_.closures.push_back(std::move(closure));
  }

  XmlNode model_;
  ImportReport& report_;
  LinkTree& tree_;
  std::map<std::string, XmlNode> frames_;  ///< links, joints and frames
  std::vector<std::string> links_;
  std::string canonical_;  ///< the link that the frame of the model is fixed to
  std::vector<XmlNode> joints_;
  std::map<std::string, Placement> in_model_;  ///< frames that are worked out
  std::set<std::string> joint_names_;          ///< of the file, and of second axes
  std::map<std::string, int> index_;           ///< of links in the tree
  std::vector<Placement> in_world_;            ///< of links in the tree
  Placement model_placement_;
  const bool model_axes_;
};

/// Whether axes of joints are in the frame of the model where nothing else is said: before version 1.5.
bool hasModelAxes(const XmlNode& root) {
  const std::string version = root.text("version", "1.9");
  int major = 0, minor = 0;
  const char* const end = version.data() + version.size();
  auto read = std::from_chars(version.data(), end, major);
  const bool has_dot = read.ec == std::errc() && read.ptr != end && *read.ptr == '.';
  if (has_dot) read = std::from_chars(read.ptr + 1, end, minor);
  if (!has_dot || read.ec != std::errc() || major < 0 || minor < 0)
    root.error("version", "must be two whole numbers with a point between them, such as 1.9");
  return major == 1 && minor < 5;
}

}  // namespace

LinkTree readSdf(const XmlNode& root) {
  LinkTree tree;
  tree.gravity = {0, 0, -9.8};
  const bool model_axes = hasModelAxes(root);
  std::optional<XmlNode> model = modelIn(root);
  const std::optional<XmlNode> world = root.child("world");
  if (!model && world) {
    world->markRead("name");
    if (const auto gravity = vectorIn(*world, "gravity"))
      tree.gravity = *gravity;
    else
      root.report().defaulted(world->place(), LossEffect::kMotion, "gravity is [0, 0, -9.8] m/s^2");
    model = modelIn(*world);
  } else if (model) {
    root.report().defaulted(root.place(), LossEffect::kMotion, "gravity is [0, 0, -9.8] m/s^2: the file has no world");
  }
  if (model && isStatic(*model))
    model->refuse("static", "must not be static: no link of such a model moves",
                  "remove <static> to import its links and joints");
  else if (model)
    SdfReader(*model, tree, model_axes).read();
  else
    root.refuse("no model", "must have a <model>, in <sdf> or in its <world>");
  root.tree().reportUnread([](const std::string& element, const std::string& attribute) -> XmlTree::Unread {
    if (element == "collision" || element == "surface" || element == "self_collide" || element == "physics")
      return {LossEffect::kMotion, "contacts and settings of another solver are not imported"};
    if (element == "sensor" || element == "plugin")
      return {LossEffect::kNothing, "sensors and plugins are not imported"};
    if (element == "light" || element == "scene" || element == "gui" || element == "ambient" || element == "specular" ||
        element == "emissive" || element == "script" || element == "cast_shadows")
      return {LossEffect::kPicture, "only shapes and their diffuse color are imported of pictures"};
    if (element == "velocity") return {LossEffect::kMotion, "a limit of the rate"};
    if (element == "model") return {LossEffect::kMotion, "one model is imported, the first that is not static"};
    if (!attribute.empty()) return {LossEffect::kMotion, "is no attribute that is imported"};
    return {LossEffect::kMotion, "is no element that is imported"};
  });
  return tree;
}

}  // namespace tactus::server
