#include "server/import/mjcf_relations.h"

#include "rt/model/check_model.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace tactus::server {
namespace {

using Eigen::Vector3d;

constexpr const char* kRigid = "soft in MuJoCo (solref, solimp), rigid here";

/// Names that are looked up, for hints.
std::string nearestHint(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = rt::nearestName(name, known);
  return nearest.empty() ? "" : "did you mean \"" + nearest + "\"?";
}

/// Index of the link that an attribute names; -1: the world.
std::optional<int> linkOf(const MjcfElement& e, const char* attribute, const LinkTree& tree) {
  const std::optional<std::string> name = e.text(attribute);
  if (!name || *name == "world") return -1;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (tree.links[i].name == *name) return static_cast<int>(i);
    known.push_back(tree.links[i].name);
  }
  e.node().error(attribute, "must be the name of a body", nearestHint(*name, known));
  return std::nullopt;
}

const TreeJoint* jointOf(const MjcfElement& e, const char* attribute, const LinkTree& tree) {
  const std::string name = e.text(attribute, "");
  std::vector<std::string> known;
  for (const TreeLink& link : tree.links)
    for (const TreeJoint& joint : link.joints) {
      if (joint.name == name) return &joint;
      known.push_back(joint.name);
    }
  e.node().error(attribute, "must be the name of a joint", nearestHint(name, known));
  return nullptr;
}

void readClosure(const MjcfElement& e, const std::string& name, LinkTree& tree) {
  const XmlNode& node = e.node();
  if (!e.has("body1")) {
    if (!e.has("site1")) return node.error("body1", "must be given");
    return node.dropped(LossEffect::kMotion, "an equality of two sites");
  }
  const bool weld = node.tag() == "weld";
  const std::optional<int> link_1 = linkOf(e, "body1", tree), link_2 = linkOf(e, "body2", tree);
  if (!link_1 || !link_2) return;
  const std::optional<Vector3d> anchor = e.vector("anchor");
  if (!weld && !anchor) return node.error("anchor", "must be given");
  if (e.has("relpose"))
    node.dropped("relpose", LossEffect::kMotion, "the bodies are welded as they stand in the declared state");
  node.report().approximated(node.place(), LossEffect::kMotion, kRigid);
  // The anchor of a weld lies in body 2; where a rigid weld has its points changes nothing.
  tree.closures.push_back({name, node.place(), weld, *link_1, *link_2, weld ? Vector3d::Zero() : *anchor});
}

void readCoupling(const MjcfElement& e, const std::string& name, LinkTree& tree) {
  const XmlNode& node = e.node();
  if (!e.has("joint2"))
    return node.dropped(LossEffect::kMotion,
                        "a joint that is held at a value; a joint that does not move can be left out");
  const TreeJoint* joint = jointOf(e, "joint1", tree);
  const TreeJoint* other = jointOf(e, "joint2", tree);
  if (joint == nullptr || other == nullptr) return;
  std::vector<double> c = e.numbers("polycoef", 1, 5).value_or(std::vector<double>{0, 1});
  c.resize(5, 0);
  if (c[2] != 0 || c[3] != 0 || c[4] != 0)
    node.report().approximated(node.place(), LossEffect::kMotion,
                               "the coupling keeps the linear part of its polynomial");
  if (c[1] == 0) return node.dropped(LossEffect::kMotion, "a coupling without a linear part");
  node.report().approximated(node.place(), LossEffect::kMotion, kRigid);
  tree.couplings.push_back(
      {name, node.place(), joint->name, other->name, c[1], joint->zero + c[0] - c[1] * other->zero});
}

/// force = gain input + bias[0] + bias[1] q + bias[2] dq/dt, as MuJoCo keeps it. What the types say counts at the end:
/// an element may change one of them alone.
struct ActuatorLaw {
  double gain = 1;
  std::array<double, 3> bias{};
  std::string gain_type = "fixed", bias_type = "none", dynamics = "none";
};

/// What an element sets, itself or as a default: numbers that it does not give stay.
/// @source MuJoCo 3, user_api.cc, mjs_setToMotor, mjs_setToPosition and mjs_setToVelocity
void change(const XmlNode& node, ActuatorLaw& law) {
  const std::string tag = node.tag();
  if (tag == "general") {
    if (const auto gain = node.numbers("gainprm", 1, 10)) law.gain = gain->front();
    if (const auto bias = node.numbers("biasprm", 1, 10))
      std::copy_n(bias->begin(), std::min(bias->size(), law.bias.size()), law.bias.begin());
    law.gain_type = node.text("gaintype", law.gain_type);
    law.bias_type = node.text("biastype", law.bias_type);
    law.dynamics = node.text("dyntype", law.dynamics);
  } else if (tag == "motor") {
    law.gain = 1;
    law.gain_type = "fixed", law.bias_type = "none", law.dynamics = "none";
  } else if (tag == "position") {
    law.gain = node.number("kp", law.gain);
    law.bias[1] = -law.gain;
    law.bias[2] = node.has("kv") ? -node.number("kv", 0) : law.bias[2];
    law.gain_type = "fixed", law.bias_type = "affine";
  } else if (tag == "velocity") {
    law.gain = node.number("kv", law.gain);
    law.bias = {0, 0, -law.gain};
    law.gain_type = "fixed", law.bias_type = "affine", law.dynamics = "none";
  } else if (tag == "damper") {
    law.gain_type = "affine", law.dynamics = "none";
  } else {
    law.dynamics = tag;
  }
}

/// gain, stiffness and damping; false: the law has others than these.
bool readLaw(const MjcfElement& e, TreeActuator& actuator) {
  ActuatorLaw law;
  std::for_each(e.defaults().rbegin(), e.defaults().rend(), [&law](const XmlNode& node) { change(node, law); });
  change(e.node(), law);
  if (law.dynamics != "none" || law.gain_type != "fixed") return false;
  actuator.gain = law.gain;
  if (law.bias_type == "none") return true;
  actuator.stiffness = law.bias[1] == 0 ? 0 : -law.bias[1];
  actuator.damping = law.bias[2] == 0 ? 0 : -law.bias[2];
  return law.bias_type == "affine" && law.bias[0] == 0 && law.bias[1] <= 0 && law.bias[2] <= 0 &&
         (law.gain != 0 || (law.bias[1] == 0 && law.bias[2] == 0));
}

void readRange(const MjcfElement& e, const MjcfCompiler& compiler, TreeActuator& actuator) {
  if (e.isLimited("ctrllimited", "ctrlrange", compiler))
    if (const auto range = e.numbers("ctrlrange", 2, 2)) {
      actuator.minimum = (*range)[0];
      actuator.maximum = (*range)[1];
      if ((*range)[0] > (*range)[1]) e.node().error("ctrlrange", "must not be above its second number at the first");
    }
  if (!e.isLimited("forcelimited", "forcerange", compiler)) return;
  const auto range = e.numbers("forcerange", 2, 2);
  if (!range) return;
  if (actuator.stiffness > 0 || actuator.damping > 0 || actuator.gain <= 0)
    return e.node().report().dropped(e.node().place(), LossEffect::kMotion, "the range of the force of a servo");
  // The force is gain times the input.
  const double low = (*range)[0] / actuator.gain, high = (*range)[1] / actuator.gain;
  actuator.minimum = std::max(actuator.minimum.value_or(low), low);
  actuator.maximum = std::min(actuator.maximum.value_or(high), high);
}

}  // namespace

void refuseTendon(const XmlNode& node, bool drop_tendons) {
  if (drop_tendons)
    node.dropped(LossEffect::kMotion, "tendons are not imported");
  else
    node.refuse("", "tendons are not imported", "--drop-tendons leaves them out, with what acts on them");
}

void readEqualities(const XmlNode& equality, const MjcfDefaults& defaults, bool drop_tendons, LinkTree& tree) {
  equality.markRead();
  for (const XmlNode& node : equality.children()) {
    const bool known = node.tag() == "connect" || node.tag() == "weld" || node.tag() == "joint";
    if (node.tag() == "tendon") {
      refuseTendon(node, drop_tendons);
      continue;
    }
    if (!known) continue;
    node.markRead();
    MjcfElement e = defaults.of(node, "");
    // Of an equality of joints the defaults of joints do not count.
    if (node.tag() == "joint") e = MjcfElement(node, {});
    for (const char* soft : {"solref", "solimp", "torquescale"}) e.text(soft);
    if (e.text("active", "true") == "false") {
      node.dropped(LossEffect::kNothing, "an equality that is not active");
      continue;
    }
    std::string name = node.text("name", "");
    if (name.empty()) name = node.tag() + "_" + std::to_string(tree.closures.size() + tree.couplings.size() + 1);
    if (node.tag() == "joint")
      readCoupling(e, name, tree);
    else
      readClosure(e, name, tree);
  }
}

void readActuators(const XmlNode& actuators, const MjcfDefaults& defaults, const MjcfCompiler& compiler,
                   bool drop_tendons, LinkTree& tree) {
  actuators.markRead();
  for (const XmlNode& node : actuators.children()) {
    node.markRead();
    const MjcfElement e = defaults.of(node, "");
    if (e.has("tendon")) {
      refuseTendon(node, drop_tendons);
      continue;
    }
    const char* attribute = e.has("jointinparent") ? "jointinparent" : "joint";
    if (!e.has(attribute)) {
      node.dropped(LossEffect::kMotion, "an actuator that does not act on a joint");
      continue;
    }
    TreeActuator actuator;
    actuator.place = node.place();
    if (!readLaw(e, actuator)) {
      node.dropped(LossEffect::kMotion, "an actuator that is no motor, position or velocity servo");
      continue;
    }
    const TreeJoint* joint = jointOf(e, attribute, tree);
    if (joint == nullptr) continue;
    actuator.joint = joint->name;
    actuator.name = node.text("name", "");
    if (actuator.name.empty()) actuator.name = joint->name + '_' + node.tag();
    if (const auto gear = e.numbers("gear", 1, 6)) actuator.gear = gear->front();
    if (actuator.gear == 0 || actuator.gain == 0) {
      node.dropped(LossEffect::kNothing, "an actuator that does nothing: its gear or gain is zero");
      continue;
    }
    readRange(e, compiler, actuator);
    tree.actuators.push_back(std::move(actuator));
  }
}

}  // namespace tactus::server
