#include "server/import/mjcf.h"

#include "rt/math/euler_parameters.h"
#include "server/import/mjcf_element.h"
#include "server/import/mjcf_geom.h"
#include "server/import/mjcf_relations.h"
#include "server/import/placements.h"

#include <set>
#include <utility>

namespace tactus::server {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class MjcfReader {
 public:
  MjcfReader(const XmlNode& root, bool drop_tendons, std::filesystem::path& mesh_folder)
      : root_(root), drop_tendons_(drop_tendons), report_(root.report()), mesh_folder_(mesh_folder) {}

  LinkTree read() {
    tree_.name = root_.text("model", "");
    // Settings and classes count for the whole file, wherever they stand.
    for (const XmlNode& node : root_.children("compiler")) readCompiler(node);
    for (const XmlNode& node : root_.children("option")) readOption(node);
    for (const XmlNode& node : root_.children("default")) defaults_.add(node);
    for (const XmlNode& node : root_.children("asset")) readAssets(node);
    for (const XmlNode& node : root_.children("worldbody")) {
      node.markRead();
      readChildren(node, {-1, {}, node.text("childclass", "")}, nullptr);
    }
    for (const XmlNode& node : root_.children("equality")) readEqualities(node, defaults_, drop_tendons_, tree_);
    for (const XmlNode& node : root_.children("actuator"))
      readActuators(node, defaults_, compiler_, drop_tendons_, tree_);
    for (const XmlNode& node : root_.children("tendon")) {
      node.markAllRead();
      for (const XmlNode& tendon : node.children()) refuseTendon(tendon, drop_tendons_);
    }
    if (tree_.links.empty() && !report_.failed()) root_.refuse("no body", "must have a body in <worldbody>");
    scaleMasses();
    return std::move(tree_);
  }

 private:
  /// Where bodies stand: the link around them, the frame in it, and the class of what says none.
  struct Around {
    int link;
    Placement frame;
    std::string child_class;
  };

  /// What the children of a body say of it.
  struct BodyParts {
    MassProperties from_geoms;
    std::optional<MassProperties> inertial;
    std::optional<XmlNode> without_mass;  ///< a geom whose mass is not known
    bool free = false;
  };

  // ---- settings ----

  void readCompiler(const XmlNode& node) {
    node.markRead();
    // A file may have several of these elements: what one of them does not say stays.
    if (const auto angle = node.text("angle")) {
      if (*angle != "degree" && *angle != "radian") node.error("angle", "must be \"degree\" or \"radian\"");
      compiler_.degrees = *angle != "radian";
    }
    if (const auto sequence = node.text("eulerseq")) {
      if (sequence->size() == 3 && sequence->find_first_not_of("xyzXYZ") == std::string::npos)
        compiler_.euler_sequence = *sequence;
      else
        node.error("eulerseq", "must be three letters of xyzXYZ");
    }
    if (node.text("coordinate", "local") != "local")
      node.error("coordinate", "must be \"local\"", "MuJoCo writes such a file: compile and save it");
    compiler_.auto_limits = node.flag("autolimits").value_or(compiler_.auto_limits);
    tree_.balance_inertia = node.flag("balanceinertia").value_or(tree_.balance_inertia);
    if (const auto from = node.text("inertiafromgeom"))
      compiler_.inertia_from = *from == "true"    ? MjcfCompiler::InertiaFrom::kGeoms
                               : *from == "false" ? MjcfCompiler::InertiaFrom::kInertial
                                                  : MjcfCompiler::InertiaFrom::kAuto;
    if (const auto range = node.numbers("inertiagrouprange", 2, 2)) {
      compiler_.first_inertia_group = static_cast<int>((*range)[0]);
      compiler_.last_inertia_group = static_cast<int>((*range)[1]);
    }
    if (const auto total = node.number("settotalmass")) total_mass_ = *total;
    if (const auto folder = node.text("assetdir")) mesh_folder_ = *folder;
    if (const auto folder = node.text("meshdir")) mesh_folder_ = *folder;
  }

  void readOption(const XmlNode& node) {
    node.markRead();
    if (const auto gravity = node.vector("gravity")) tree_.gravity = *gravity;
    if (const auto step = node.number("timestep")) tree_.period = *step;
    node.markRead("integrator");
  }

  void readAssets(const XmlNode& assets) {
    assets.markRead();
    for (const XmlNode& node : assets.children()) {
      const MjcfElement e = defaults_.of(node, "");
      if (node.tag() == "material") {
        node.markRead();
        if (const auto rgba = e.numbers("rgba", 4, 4)) assets_.colors[node.text("name", "")] = *rgba;
      } else if (node.tag() == "mesh") {
        node.markRead();
        const std::string file = node.text("file", "");
        const std::string name = node.text("name", std::filesystem::path(file).stem().string());
        assets_.meshes[name] = {file, e.vector("scale").value_or(Vector3d::Ones())};
      }
    }
  }

  // ---- bodies ----

  /// What stands in a body, or in the world (`parts` is null), or in a frame in one of them.
  void readChildren(const XmlNode& node, const Around& around, BodyParts* parts) {
    for (const XmlNode& child : node.children()) {
      const std::string tag = child.tag();
      if (tag == "body") readBody(child, around);
      if (tag == "frame") readFrame(child, around, parts);
      if (tag == "geom") addGeom(child, around, parts);
      if (parts == nullptr) continue;
      if (tag == "joint" || tag == "freejoint") addJoint(child, around, *parts);
      if (tag == "inertial") parts->inertial = inertialOf(child, around);
    }
  }

  void readFrame(const XmlNode& node, const Around& around, BodyParts* parts) {
    node.markRead();
    node.markRead("name");
    const Placement frame = MjcfElement(node, {}).placement(compiler_);
    readChildren(node, {around.link, around.frame * frame, node.text("childclass", around.child_class)}, parts);
  }

  void readBody(const XmlNode& node, const Around& around) {
    node.markRead();
    const int index = static_cast<int>(tree_.links.size());
    TreeLink link;
    link.name = node.text("name", "");
    if (link.name.empty()) link.name = "body_" + std::to_string(index + 1);
    if (!link_names_.insert(link.name).second) node.error("name", "must be unique among bodies");
    link.place = node.place();
    link.parent = around.link;
    link.placement = around.frame * MjcfElement(node, {}).placement(compiler_);
    tree_.links.push_back(std::move(link));

    BodyParts parts;
    readChildren(node, {index, {}, node.text("childclass", around.child_class)}, &parts);
    TreeLink& made = tree_.links[static_cast<std::size_t>(index)];
    made.free = parts.free;
    if (parts.free && (made.parent >= 0 || !made.joints.empty()))
      node.refuse("\"" + made.name + '"', "a free joint must be the only one of a body of the world");
    using From = MjcfCompiler::InertiaFrom;
    const bool from_geoms =
        compiler_.inertia_from == From::kGeoms || (compiler_.inertia_from == From::kAuto && !parts.inertial);
    made.mass = from_geoms ? parts.from_geoms : parts.inertial.value_or(MassProperties{});
    if (from_geoms && parts.without_mass)
      parts.without_mass->refuse("a mesh", "the mass of a mesh is not computed", "give its body an <inertial>");
  }

  MassProperties inertialOf(const XmlNode& node, const Around& around) {
    node.markRead();
    const MjcfElement e(node, {});
    MassProperties m;
    if (!node.has("pos")) node.error("pos", "must be given");
    if (!node.has("mass")) node.error("mass", "must be given");
    m.mass = node.number("mass", 0);
    if (m.mass < 0) node.error("mass", "must not be below zero");
    if (const auto full = node.numbers("fullinertia", 6, 6)) {
      const std::vector<double>& f = *full;
      m.inertia << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
    } else if (const auto diagonal = node.vector("diaginertia")) {
      m.inertia = diagonal->asDiagonal();
    } else {
      node.refuse("no inertia", "must have diaginertia or fullinertia");
    }
    return m.in(around.frame * e.placement(compiler_));
  }

  void addGeom(const XmlNode& node, const Around& around, BodyParts* parts) {
    const MjcfGeom geom = readGeom(defaults_.of(node, around.child_class), compiler_, assets_);
    if (parts == nullptr) {
      if (geom.visual) report_.dropped(node.place(), LossEffect::kPicture, "a shape of the world");
      return;
    }
    if (geom.mass.mass < 0)
      parts->without_mass = node;
    else
      parts->from_geoms = parts->from_geoms + geom.mass.in(around.frame);
    if (!geom.visual) return;
    TreeLink& link = tree_.links[static_cast<std::size_t>(around.link)];
    rt::VisualSpec visual = *geom.visual;
    const Placement placed = around.frame * Placement{visual.position, rt::rotationMatrix(visual.orientation)};
    visual.position = placed.position;
    visual.orientation = quaternionOf(placed.rotation);
    link.visuals.push_back(std::move(visual));
    link.visual_places.push_back(node.place());
  }

  void addJoint(const XmlNode& node, const Around& around, BodyParts& parts) {
    node.markRead();
    const MjcfElement e = defaults_.of(node, around.child_class);
    const std::string type = node.tag() == "freejoint" ? "free" : e.text("type", "hinge");
    TreeLink& link = tree_.links[static_cast<std::size_t>(around.link)];
    if (type == "free") {
      parts.free = true;
      if (node.tag() == "joint")  // <freejoint> takes no defaults
        for (const char* const load : {"damping", "armature", "stiffness", "frictionloss"})
          if (e.number(load, 0) != 0)
            report_.dropped(node.place(), LossEffect::kMotion, std::string(load) + " of a free joint");
      node.markAllRead();
      return;
    }
    TreeJoint joint;
    joint.name = node.text("name", "");
    if (joint.name.empty()) joint.name = link.name + "_joint_" + std::to_string(link.joints.size() + 1);
    if (!joint_names_.insert(joint.name).second) node.error("name", "must be unique among joints");
    joint.place = node.place();
    if (type == "hinge" || type == "slide")
      joint.motion = type == "hinge" ? JointMotion::kTurn : JointMotion::kSlide;
    else if (type == "ball")
      joint.motion = JointMotion::kBall;
    else
      return node.error("type", "must be free, ball, slide or hinge");
    joint.anchor = around.frame.point(e.vector("pos").value_or(Vector3d::Zero()));
    const Vector3d axis = e.vector("axis").value_or(Vector3d::UnitZ());
    if (!(axis.stableNorm() > 0)) return node.error("axis", "must have a length above zero");
    joint.axis = around.frame.rotation * axis.stableNormalized();
    const bool turns = type != "slide";
    const auto coordinate = [&](double value) { return turns ? compiler_.angle(value) : value; };
    joint.zero = coordinate(e.number("ref", 0));
    if (e.isLimited("limited", "range", compiler_)) {
      const auto range = e.numbers("range", 2, 2);
      if (!e.has("range")) node.error("range", "must be given: the joint is limited");
      if (range && (*range)[0] > (*range)[1]) node.error("range", "must not be above its second number at the first");
      if (range) {
        joint.lower = coordinate((*range)[0]);
        joint.upper = coordinate((*range)[1]);
      }
    }
    joint.damping = e.number("damping", 0);
    joint.stiffness = e.number("stiffness", 0);
    joint.spring_zero = coordinate(e.number("springref", 0));
    joint.friction = e.number("frictionloss", 0);
    joint.armature = e.number("armature", 0);
    for (const auto& [attribute, value] :
         {std::pair("damping", joint.damping), std::pair("stiffness", joint.stiffness),
          std::pair("frictionloss", joint.friction), std::pair("armature", joint.armature)})
      if (value < 0) node.error(attribute, "must not be below zero");
    link.joints.push_back(std::move(joint));
  }

  void scaleMasses() {
    if (!(total_mass_ > 0)) return;
    double sum = 0;
    for (const TreeLink& link : tree_.links) sum += link.mass.mass;
    if (!(sum > 0)) return;
    for (TreeLink& link : tree_.links) {
      link.mass.mass *= total_mass_ / sum;
      link.mass.inertia *= total_mass_ / sum;
    }
  }

  XmlNode root_;
  bool drop_tendons_;
  ImportReport& report_;
  std::filesystem::path& mesh_folder_;
  MjcfCompiler compiler_;
  MjcfDefaults defaults_;
  MjcfAssets assets_;
  LinkTree tree_;
  std::set<std::string> link_names_, joint_names_;
  double total_mass_ = -1;
};

XmlTree::Unread whyUnread(const std::string& element, const std::string& attribute) {
  static const std::set<std::string> kPictures = {"light", "camera", "texture", "material", "visual", "skin", "layer"};
  static const std::set<std::string> kNothing = {"sensor",   "site",   "statistic", "size",
                                                 "keyframe", "custom", "custom",    "extension"};
  static const std::set<std::string> kSoft = {"solreflimit", "solimplimit", "solreffriction", "solimpfriction",
                                              "margin"};
  if (kPictures.count(element) > 0) return {LossEffect::kPicture, "only shapes and colors are imported of pictures"};
  if (kNothing.count(element) > 0) return {LossEffect::kNothing, "has no part in the motion"};
  if (element == "contact" || element == "pair" || element == "exclude")
    return {LossEffect::kMotion, "contacts are not simulated"};
  if (element == "flag" || element == "option") return {LossEffect::kMotion, "a setting of MuJoCo's solver or medium"};
  if (kSoft.count(attribute) > 0) return {LossEffect::kMotion, "limits and friction have laws of their own here"};
  if (attribute == "user" || attribute == "group" || attribute == "class" || attribute == "material" ||
      attribute == "model")
    return {LossEffect::kNothing, "has no part in the motion"};
  if (attribute == "texturedir" || attribute == "strippath")
    return {LossEffect::kPicture, "only shapes and colors are imported of pictures"};
  if (element == "compiler") return {LossEffect::kMotion, "a setting of MuJoCo's compiler"};
  if (!attribute.empty()) return {LossEffect::kMotion, "is no attribute that is imported"};
  return {LossEffect::kMotion, "is no element that is imported"};
}

}  // namespace

LinkTree readMjcf(const XmlNode& root, bool drop_tendons, std::filesystem::path& mesh_folder) {
  LinkTree tree = MjcfReader(root, drop_tendons, mesh_folder).read();
  root.tree().reportUnread(whyUnread);
  return tree;
}

}  // namespace tactus::server
