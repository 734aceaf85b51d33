#include "server/import/link_tree.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "server/import/joint_loads.h"
#include "server/import/placements.h"
#include "server/import/tree_names.h"
#include "server/import/tree_starts.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::server {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A body of the model, or ground.
struct MadeBody {
  std::string name = rt::kGroundName;
  Placement world;  ///< center of mass, body axes

  Vector3d point(const Vector3d& in_world) const { return world.rotation.transpose() * (in_world - world.position); }
  Vector3d axis(const Vector3d& in_world) const { return world.rotation.transpose() * in_world; }
};

/// Loops close up to this: what users print of a start, times a few joints. m and rad.
constexpr double kClosed = 1e-5;

class TreeModel {
 public:
  TreeModel(const LinkTree& tree, const TreeOptions& options, ImportReport& report)
      : tree_(tree), options_(options), report_(report), count_(tree.links.size()) {}

  ImportedModel make() {
    made_.spec.name = asName(tree_.name).empty() ? "imported" : asName(tree_.name);
    made_.spec.description = tree_.description;
    made_.spec.gravity = tree_.gravity;
    if (tree_.period) made_.spec.solver.period = *tree_.period;
    starts_ = startsOf(tree_, options_.starts, report_);
    placeLinks();
    joinFixedLinks();
    if (report_.failed()) return std::move(made_);
    addBodies();
    addJoints();
    for (const JointCoupling& coupling : tree_.couplings) addCoupler(coupling);
    for (const LoopClosure& closure : tree_.closures) addClosure(closure);
    for (const MadeJoint& joint : joints_) addJointLoads(joint, made_, names_, report_);
    for (const TreeActuator& actuator : tree_.actuators)
      if (const MadeJoint* joint = find(actuator.joint)) addActuator(actuator, *joint, made_, names_, report_);
    return std::move(made_);
  }

 private:
  const TreeLink& link(std::size_t i) const { return tree_.links[i]; }

  // ---- the declared state ----

  /// The motion of a link by one of its joints, in axes of the link.
  Placement motionOf(const TreeJoint& joint) const {
    const double change = starts_.at(joint.name) - joint.zero;
    Placement motion;
    if (joint.motion == JointMotion::kSlide) motion.position = change * joint.axis;
    if (joint.motion != JointMotion::kTurn) return motion;
    motion.rotation = Eigen::AngleAxisd(change, joint.axis).toRotationMatrix();
    motion.position = joint.anchor - motion.rotation * joint.anchor;
    return motion;
  }

  void placeLinks() {
    for (std::size_t i = 0; i < count_; ++i) {
      at_zero_.push_back(link(i).parent < 0 ? link(i).placement : at_zero_[parentOf(i)] * link(i).placement);
      Placement world = link(i).parent < 0 ? link(i).placement : world_[parentOf(i)] * link(i).placement;
      std::vector<Placement> stages;
      for (const TreeJoint& joint : link(i).joints) stages.push_back(world = world * motionOf(joint));
      world_.push_back(world);
      stages_.push_back(std::move(stages));
    }
  }

  std::size_t parentOf(std::size_t i) const { return static_cast<std::size_t>(link(i).parent); }

  // ---- bodies ----

  /// The link whose body carries a link; -1: ground.
  void joinFixedLinks() {
    for (std::size_t i = 0; i < count_; ++i) {
      const bool fixed = link(i).joints.empty() && !link(i).free;
      carrier_.push_back(!fixed ? static_cast<int>(i) : link(i).parent < 0 ? -1 : carrier_[parentOf(i)]);
      mass_.push_back({});
      visuals_.push_back({});
      if (!fixed) names_of_[i] = names_.take(link(i).name, "_link", link(i).place, report_);
      if (carrier_[i] < 0)
        leaveOut(link(i));
      else
        join(i, static_cast<std::size_t>(carrier_[i]), fixed);
    }
    subtree_.resize(count_);
    for (std::size_t i = count_; i-- > 0;) {
      subtree_[i] = subtree_[i] + link(i).mass.in(world_[i]);
      if (link(i).parent >= 0) subtree_[parentOf(i)] = subtree_[parentOf(i)] + subtree_[i];
    }
    for (std::size_t i = 0; i < count_; ++i)
      if (carrier_[i] == static_cast<int>(i)) {
        fillMass(i);
        addArmature(i);
        checkMass(i);
      }
  }

  void leaveOut(const TreeLink& fixed) {
    report_.approximated(fixed.place, LossEffect::kNothing, "is fixed to ground and part of it; ground has no mass");
    for (const SourcePlace& place : fixed.visual_places)
      report_.dropped(place, LossEffect::kPicture, "a shape of what is fixed to ground");
  }

  void join(std::size_t i, std::size_t carrier, bool fixed) {
    const Placement inside = world_[carrier].inverse() * world_[i];
    mass_[carrier] = mass_[carrier] + link(i).mass.in(inside);
    if (fixed)
      report_.approximated(
          link(i).place, LossEffect::kNothing,
          "is fixed to \"" + link(carrier).name + "\" and part of its body; it has no signals of its own");
    for (std::size_t v = 0; v < link(i).visuals.size(); ++v) {
      rt::VisualSpec visual = link(i).visuals[v];
      visual.position = inside.point(visual.position);
      visual.orientation = quaternionOf(inside.rotation * rt::rotationMatrix(visual.orientation));
      visuals_[carrier].push_back({std::move(visual), link(i).visual_places[v]});
    }
  }

  /// A link between two joints needs no mass of its own; its body does.
  void fillMass(std::size_t i) {
    if (mass_[i].mass != 0 || !mass_[i].inertia.isZero(0) || link(i).joints.empty()) return;
    const MassProperties& carried = subtree_[i];
    if (!(carried.mass > 0)) return;
    mass_[i] = {kSmallShare * carried.mass, Vector3d::Zero(),
                kSmallShare * carried.inertia.trace() / 3 * Matrix3d::Identity()};
    report_.approximated(
        link(i).place, LossEffect::kMotion,
        "has no mass; its body has " + rt::printed(mass_[i].mass) + " kg, a small share of what it carries");
  }

  /// A rotor that turns with the coordinate of a joint counts to the link: exact if its other side is ground.
  void addArmature(std::size_t i) {
    const bool on_ground = link(i).parent < 0 || carrier_[parentOf(i)] < 0;
    for (const TreeJoint& joint : link(i).joints) {
      if (joint.armature == 0) continue;
      if (joint.motion != JointMotion::kTurn) {
        report_.dropped(joint.place, LossEffect::kMotion, "armature of a joint that does not turn about one axis");
        continue;
      }
      mass_[i].inertia += joint.armature * joint.axis * joint.axis.transpose();
      const Matrix3d balanced = balancedInertia(mass_[i].inertia);
      const bool raised = balanced != mass_[i].inertia;
      mass_[i].inertia = balanced;
      if (!on_ground || raised || link(i).joints.size() > 1)
        report_.approximated(joint.place, LossEffect::kMotion,
                             std::string("armature is inertia of the link about the axis") +
                                 (raised ? ", with as much across it as a rotor has that can be built" : "") +
                                 (on_ground ? "" : "; it also resists the motion of the parent"));
    }
  }

  /// Numbers of a body that the file does not say, for a hint.
  std::string ofDefaults(std::size_t carrier) const {
    std::string text;
    for (std::size_t i = 0; i < count_; ++i)
      if (carrier_[i] == static_cast<int>(carrier) && !link(i).without.empty())
        text += "; the file does not give " + link(i).without + " of \"" + link(i).name + "\": 1 is taken";
    return text;
  }

  void checkMass(std::size_t i) {
    MassProperties& m = mass_[i];
    const SourcePlace& place = link(i).place;
    if (!(m.mass > 0))
      return report_.error(
          place, rt::printed(m.mass) + " kg", "must have a mass above zero, with the links that are fixed to it",
          link(i).joints.empty()
              ? "nothing holds it"
              : "joint \"" + link(i).joints.front().name + "\" moves it; fix the joint, or give it an inertial");
    const Vector3d moments = rt::symmetricEigen3(m.inertia).values;
    if (!(moments[0] > 1e-12 * std::abs(moments[2])))  // round-off of a moment that is zero
      return report_.error(place, "principal moments " + rt::printed(moments) + " kg m^2", "must all be above zero",
                           "the tensor is about the center of mass" + ofDefaults(i));
    if (moments[0] + moments[1] >= moments[2] * (1 - 1e-9)) return;  // the rounding that a model may have
    if (!options_.balance_inertia && !tree_.balance_inertia)
      return report_.error(place, "principal moments " + rt::printed(moments) + " kg m^2",
                           "none may be above the sum of the other two",
                           "--balance-inertia raises the smallest one" + ofDefaults(i));
    m.inertia = balancedInertia(m.inertia);
    report_.approximated(place, LossEffect::kMotion,
                         "its smallest principal moment, " + rt::printed(moments[0]) + " kg m^2, is raised to " +
                             rt::printed(moments[2] - moments[1]) + ", the difference of the other two");
  }

  void addBody(const MadeBody& body, const MassProperties& mass, const SourcePlace& place) {
    rt::BodySpec spec;
    spec.name = body.name;
    spec.mass = mass.mass;
    spec.inertia = 0.5 * (mass.inertia + mass.inertia.transpose());
    spec.position = body.world.position;
    spec.orientation = quaternionOf(body.world.rotation);
    made_.places["bodies[" + std::to_string(made_.spec.bodies.size()) + ']'] = place;
    made_.spec.bodies.push_back(std::move(spec));
  }

  void addBodies() {
    bodies_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      if (carrier_[i] != static_cast<int>(i)) continue;
      bodies_[i] = {names_of_[i], {world_[i].point(mass_[i].center), world_[i].rotation}};
      addBody(bodies_[i], mass_[i], link(i).place);
      rt::BodySpec& body = made_.spec.bodies.back();
      const std::string path = "bodies[" + std::to_string(made_.spec.bodies.size() - 1) + "].visuals[";
      for (auto& [visual, place] : visuals_[i]) {
        if (body.visuals.size() == rt::kMaxVisuals) {
          report_.dropped(place, LossEffect::kPicture, "a body has at most 256 shapes");
          continue;
        }
        visual.position -= mass_[i].center;
        made_.places[path + std::to_string(body.visuals.size()) + ']'] = place;
        body.visuals.push_back(visual);
      }
    }
  }

  /// The body that carries a link; of -1 and of links that are fixed to it: ground.
  MadeBody bodyOf(int link) const {
    const int carrier = link < 0 ? -1 : carrier_[static_cast<std::size_t>(link)];
    return carrier < 0 ? MadeBody{} : bodies_[static_cast<std::size_t>(carrier)];
  }

  /// The same with all joints at their zero.
  MadeBody bodyAtZero(int link) const {
    MadeBody body = bodyOf(link);
    const int carrier = link < 0 ? -1 : carrier_[static_cast<std::size_t>(link)];
    if (carrier < 0) return body;
    const auto i = static_cast<std::size_t>(carrier);
    body.world = {at_zero_[i].point(mass_[i].center), at_zero_[i].rotation};
    return body;
  }

  // ---- joints ----

  void addJoints() {
    for (std::size_t i = 0; i < count_; ++i) {
      MadeBody before = bodyOf(link(i).parent);
      const std::vector<TreeJoint>& joints = link(i).joints;
      for (std::size_t k = 0; k < joints.size(); ++k) {
        const MadeBody after = k + 1 == joints.size() ? bodies_[i] : addSmallBody(i, k);
        addJoint(joints[k], stages_[i][k], before, after, subtree_[i]);
        before = after;
      }
    }
  }

  MadeBody addSmallBody(std::size_t i, std::size_t k) {
    const TreeJoint& joint = link(i).joints[k];
    const MadeBody body{names_.take(names_of_[i] + '_' + joint.name, "_2", joint.place, report_),
                        {stages_[i][k].point(link(i).joints[k + 1].anchor), stages_[i][k].rotation}};
    const MassProperties small{kSmallShare * mass_[i].mass, Vector3d::Zero(),
                               kSmallShare * mass_[i].inertia.trace() / 3 * Matrix3d::Identity()};
    addBody(body, small, joint.place);
    report_.approximated(joint.place, LossEffect::kMotion,
                         "between it and the next joint of the link is a body of " + rt::printed(small.mass) + " kg");
    return body;
  }

  void addJoint(const TreeJoint& source, const Placement& stage, const MadeBody& before, const MadeBody& after,
                const MassProperties& moved) {
    const Vector3d anchor = stage.point(source.anchor), axis = stage.rotation * source.axis;
    MadeJoint joint{&source, names_.take(source.name, "_joint", source.place, report_), before.name, after.name};
    joint.start = starts_.at(source.name);
    joint.axis_1 = before.axis(axis);
    joint.point_1 = before.point(anchor);
    joint.point_2 = after.point(anchor);
    joint.inertia = source.motion == JointMotion::kSlide ? moved.mass : moved.momentAbout(anchor, axis);
    rt::JointSpec spec{joint.name, "", before.name, after.name, {}};
    switch (source.motion) {
      case JointMotion::kTurn:
        spec.kind = rt::RevoluteSpec{joint.point_1, joint.point_2, joint.axis_1, after.axis(axis), joint.start};
        break;
      case JointMotion::kSlide:
        joint.point_1 -= joint.start * joint.axis_1;
        spec.kind = rt::PrismaticSpec{joint.point_1, joint.point_2, joint.axis_1, after.axis(axis)};
        break;
      case JointMotion::kBall: spec.kind = rt::SphericalSpec{joint.point_1, joint.point_2}; break;
      case JointMotion::kPlane:
        spec.kind = rt::PlanarSpec{joint.point_1, joint.point_2, joint.axis_1, after.axis(axis)};
        break;
    }
    add(std::move(spec), source.place);
    joints_.push_back(std::move(joint));
  }

  void add(rt::JointSpec spec, const SourcePlace& place) {
    made_.places["joints[" + std::to_string(made_.spec.joints.size()) + ']'] = place;
    made_.spec.joints.push_back(std::move(spec));
  }

  const MadeJoint* find(const std::string& source) const {
    const auto found =
        std::find_if(joints_.begin(), joints_.end(), [&](const MadeJoint& j) { return j.source->name == source; });
    return found == joints_.end() ? nullptr : &*found;
  }

  void addCoupler(const JointCoupling& coupling) {
    const MadeJoint* joint = find(coupling.joint);
    const MadeJoint* other = find(coupling.other);
    if (joint == nullptr || other == nullptr) return;
    rt::CouplerSpec coupler;
    for (const auto& [made, ratio] : {std::pair(joint, 1.0), std::pair(other, -coupling.factor)}) {
      if (!made->source->hasOneCoordinate())
        return report_.dropped(coupling.place, LossEffect::kMotion, "a coupling of a joint with several freedoms");
      coupler.coordinates.push_back({made->name, ratio, made->source->motion == JointMotion::kSlide});
    }
    add({names_.take(coupling.name, "_coupling", coupling.place, report_), "", "", "", coupler}, coupling.place);
  }

  void addClosure(const LoopClosure& closure) {
    const MadeBody body_1 = bodyOf(closure.link_1), body_2 = bodyOf(closure.link_2);
    if (body_1.name == body_2.name)
      return report_.dropped(closure.place, LossEffect::kNothing, "both links are parts of one body");
    const MadeBody zero_1 = bodyAtZero(closure.link_1), zero_2 = bodyAtZero(closure.link_2);
    const Vector3d anchor =
        closure.link_1 < 0 ? closure.anchor : at_zero_[static_cast<std::size_t>(closure.link_1)].point(closure.anchor);
    rt::JointSpec spec{names_.take(closure.name, "_closure", closure.place, report_), "", body_1.name, body_2.name, {}};
    const Vector3d point_1 = zero_1.point(anchor), point_2 = zero_2.point(anchor);
    const double gap = (body_2.world.point(point_2) - body_1.world.point(point_1)).norm();
    if (gap > kClosed) made_.open_loops.push_back({closure.place, gap});
    // A weld of the model holds the angle in the declared state: no assembly turns it back.
    const Matrix3d turned = body_1.world.rotation.transpose() * body_2.world.rotation *
                            (zero_1.world.rotation.transpose() * zero_2.world.rotation).transpose();
    if (const double angle = Eigen::AngleAxisd(turned).angle(); closure.weld && angle > kClosed)
      report_.error(closure.place, "links turned by " + rt::printed(angle) + " rad where the joints start",
                    "must start at the angle to each other that they have at the zero of all joints",
                    "give the joints between them other starts: --start JOINT=VALUE");
    if (closure.weld)
      spec.kind = rt::WeldSpec{point_1, point_2};
    else
      spec.kind = rt::SphericalSpec{point_1, point_2};
    add(std::move(spec), closure.place);
  }

  const LinkTree& tree_;
  const TreeOptions& options_;
  ImportReport& report_;
  const std::size_t count_;
  TreeNames names_;
  ImportedModel made_;
  std::map<std::string, double> starts_;        ///< by the names of joints in the file
  std::vector<Placement> world_, at_zero_;      ///< of links, in the declared state and with all joints at their zero
  std::vector<std::vector<Placement>> stages_;  ///< of a link behind each of its joints
  std::vector<int> carrier_;                    ///< the link whose body a link is part of; -1: ground
  std::vector<MassProperties> mass_, subtree_;  ///< of a carrier, in its axes; of everything behind, in the world
  std::vector<std::vector<std::pair<rt::VisualSpec, SourcePlace>>> visuals_;  ///< of a carrier
  std::map<std::size_t, std::string> names_of_;                               ///< of carriers
  std::vector<MadeBody> bodies_;
  std::vector<MadeJoint> joints_;
};

}  // namespace

ImportedModel makeModel(const LinkTree& tree, const TreeOptions& options, ImportReport& report) {
  if (tree.links.empty()) return {};
  return TreeModel(tree, options, report).make();
}

}  // namespace tactus::server
