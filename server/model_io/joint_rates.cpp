#include "rt/mechanics/initial_state.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "rt/model/model_spec.h"
#include "server/model_io/attached_vectors.h"
#include "server/model_io/body_motion.h"
#include "server/model_io/joint_tree.h"
#include "server/model_io/model_message.h"
#include "server/model_io/rated_joint.h"
#include "server/model_io/resolve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tactus::server {
namespace {

using Eigen::Vector3d;
using Rates = google::protobuf::RepeatedPtrField<v1::InitialRate>;

/// A rate that comes out other than it was given by more than this is impossible, rad/s and m/s over the largest rate.
constexpr double kKept = 1e-6;

constexpr const char* kAsManyAsFreedoms = "of joints in a loop give as many rates as the loop has freedoms";
constexpr const char* kGiveVelocities = "give the velocities of the bodies instead";

/// The state that rates belong to: of the model, or of one initial condition.
class RatedState {
 public:
  /// @param condition  index of the initial condition, or -1
  /// @param declared   velocities that the bodies of the model give before rates of joints change them
  /// @param moved      bodies whose velocity follows from their angular velocity, as one of a moved origin
  RatedState(v1::Model& model, int condition, const Rates& rates, std::string path, const GivenVelocities& declared,
             const std::set<std::string>& moved, rt::FindingList& out)
      : model_(model), condition_(condition), rates_(rates), path_(std::move(path)), out_(out), declared_(declared) {
    for (int i = 0; i < model.bodies_size(); ++i) bodies_.emplace(model.bodies(i).name(), i);
    for (const v1::Joint& joint : model.joints()) {
      joint_places_.emplace(joint.name(), joints_.size());
      joints_.push_back(ratedJoint(joint, bodies_));
    }
    for (const v1::Composite& composite : model.composites()) composites_.insert(composite.name());
    motions_.resize(static_cast<std::size_t>(model.bodies_size()));
    poses_.resize(motions_.size());
    given_.resize(motions_.size());
    readState(moved);
  }

  void run() {
    if (!takeRates() || !followTree()) return;
    if (has_loops_ && !project()) return;
    requireDeclared();
    write();
  }

 private:
  std::string pathOf(int rate, const char* field) const {
    return path_ + rt::element("joint_rates", static_cast<std::size_t>(rate)) + field;
  }

  /// Of the declared state and, if there is one, the initial condition.
  void readState(const std::set<std::string>& moved) {
    const auto take = [&](std::size_t i, const auto& state, bool is_this_state) {
      if (state.position_size() == 3) poses_[i].position = vectorOf(state.position());
      if (state.orientation_size() == 4) poses_[i].rotation = quaternionOf(state.orientation());
      if (state.velocity_size() == 3) motions_[i].v = vectorOf(state.velocity());
      if (state.angular_velocity_size() == 3)
        motions_[i].omega = poses_[i].rotation * vectorOf(state.angular_velocity());
      const bool is_own = moved.count(model_.bodies(static_cast<int>(i)).name()) == 0;
      if (is_this_state) given_[i] = {isGiven(state.velocity()) && is_own, isGiven(state.angular_velocity())};
    };
    for (std::size_t i = 0; i < motions_.size(); ++i) take(i, model_.bodies(static_cast<int>(i)), condition_ < 0);
    if (condition_ < 0) return;
    for (const v1::BodyState& state : model_.initial_conditions(condition_).bodies())
      if (const auto found = bodies_.find(state.body()); found != bodies_.end())
        take(static_cast<std::size_t>(found->second), state, true);
  }

  bool takeRates() {
    bool good = true;
    const auto refuse = [&](int i, const char* field, const std::string& value, const std::string& rule,
                            const std::string& hint = {}) {
      out_.error(pathOf(i, field), value, rule, hint);
      good = false;
    };
    for (int i = 0; i < rates_.size(); ++i) {
      const v1::InitialRate& rate = rates_[i];
      const auto found = joint_places_.find(rate.joint());
      if (found == joint_places_.end()) {
        std::string near;
        if (out_.mayLookForNames()) {
          std::vector<std::string> known;
          for (const v1::Joint& joint : model_.joints()) known.push_back(joint.name());
          near = rt::nearestName(rate.joint(), known);
        }
        refuse(i, ".joint", rt::printed(rate.joint()), "must be a joint of the model",
               near.empty() ? "" : "did you mean \"" + near + "\"?");
        continue;
      }
      if (isOfPart(found->second))
        refuse(i, ".joint", rt::printed(rate.joint()), "must not be a joint with a part of a composite",
               kGiveVelocities);
      good = takeRate(rate, pathOf(i, ""), joints_[found->second], out_) && good;
    }
    return good;
  }

  /// Whether the joint holds a part of a composite, whose motion is not known here.
  bool isOfPart(std::size_t joint) const {
    const auto is_part = [this](const std::string& body) {
      return composites_.count(body.substr(0, body.find('.'))) > 0;
    };
    const v1::Joint& declared = model_.joints(static_cast<int>(joint));
    return is_part(declared.body_1()) || is_part(declared.body_2());
  }

  /// Sets the motions of all bodies that joints connect with a rate. @returns whether they can be known
  bool followTree() {
    std::vector<bool> of_part(joints_.size());
    for (std::size_t i = 0; i < joints_.size(); ++i) of_part[i] = isOfPart(i);
    JointTree tree(model_.bodies_size(), joints_, of_part);
    has_loops_ = tree.hasLoops();
    const auto followFrom = [&](int root) {
      tree.walk(root, [this](const RatedJoint& joint, int from, int to) { follow(joint, from, to); });
    };
    followFrom(kGroundBody);
    for (const auto& [group, root] : rootsOf(tree)) {
      followFrom(root);
      roots_.insert(root);
    }
    for (int i = 0; i < model_.bodies_size(); ++i) moved_.push_back(tree.isMoved(i));
    for (std::size_t i = 0; i < joints_.size(); ++i)
      for (const int body : {joints_[i].body_1, joints_[i].body_2})
        if (body != kGroundBody && of_part[i] && tree.isMoved(body)) {
          out_.error(path_ + "joint_rates", rt::printed(model_.joints(static_cast<int>(i)).name()),
                     "must not be a joint of a body that the rates move with a part of a composite", kGiveVelocities);
          return false;
        }
    return true;
  }

  /// The body of each group without ground whose motion the others follow: one whose velocity this state gives, else
  /// one that the model moves, else the first; best with an angular velocity that this state gives.
  std::map<int, int> rootsOf(JointTree& tree) const {
    const auto rank = [this](int body) {
      const auto i = static_cast<std::size_t>(body);
      const Given &here = given_[i], &declared = declared_[i];
      const int speed = here.velocity ? 0 : declared.velocity ? 1 : 2;
      const int spin = here.angular_velocity ? 0 : speed == 2 && declared.angular_velocity ? 1 : 2;
      return std::tuple(speed, spin, motions_[i].v.isZero(0) && motions_[i].omega.isZero(0));
    };
    std::map<int, int> roots;
    for (int i = 0; i < model_.bodies_size(); ++i) {
      if (!tree.isMoved(i) || tree.groupOf(i) == tree.groupOf(kGroundBody)) continue;
      const auto [root, is_first] = roots.emplace(tree.groupOf(i), i);
      if (!is_first && rank(i) < rank(root->second)) root->second = i;
    }
    return roots;
  }

  /// A velocity that a body declares holds beside the rates: a finding if they leave another one. What the assembly of
  /// an initial state may change is no contradiction.
  void requireDeclared() {
    const double most =
        model_.assembly().has_velocity() ? model_.assembly().velocity() : rt::AssemblyLimitsSpec().velocity;
    const auto require = [&](const std::string& path, const Numbers& declared, const Vector3d& found) {
      if (declared.size() == 3 && isMotion(declared) && (vectorOf(declared) - found).norm() > most)
        out_.error(path, rt::printed(Vector3d(vectorOf(declared))),
                   "must agree with the rates of joints, which give " + rt::printed(found), "leave it out");
    };
    const auto check = [&](const std::string& path, const auto& state, std::size_t i) {
      if (!moved_[i] || roots_.count(static_cast<int>(i)) > 0) return;
      if (given_[i].velocity) require(path + ".velocity", state.velocity(), motions_[i].v);
      require(path + ".angular_velocity", state.angular_velocity(), poses_[i].rotation.conjugate() * motions_[i].omega);
    };
    if (condition_ < 0) {
      for (std::size_t i = 0; i < motions_.size(); ++i)
        check(rt::element("bodies", i), model_.bodies(static_cast<int>(i)), i);
      return;
    }
    const auto& states = model_.initial_conditions(condition_).bodies();
    for (int k = 0; k < states.size(); ++k)
      if (const auto found = bodies_.find(states[k].body()); found != bodies_.end())
        check(path_ + rt::element("bodies", static_cast<std::size_t>(k)), states[k],
              static_cast<std::size_t>(found->second));
  }

  Isometry poseOf(int body) const { return server::poseOf(body, poses_); }
  Motion motionOf(int body) const { return body == kGroundBody ? Motion{} : motions_[static_cast<std::size_t>(body)]; }

  /// The motion of a body from that of its neighbor.
  void follow(const RatedJoint& joint, int from, int to) {
    const Isometry first = poseOf(joint.body_1), second = poseOf(joint.body_2);
    const Vector3d axis = first.rotation * joint.axis_1;
    const Vector3d turn = joint.angle.value_or(0) * axis, slide = joint.travel.value_or(0) * axis;
    const Vector3d arm_2 = second.rotation * joint.point_2;
    const Vector3d at = second.position + arm_2;  // where both motions are compared
    const Motion known = motionOf(from);
    Motion& next = motions_[static_cast<std::size_t>(to)];
    if (to == joint.body_2) {
      next.omega = known.omega + turn;
      next.v = known.at(at - first.position) + slide - next.omega.cross(arm_2);
    } else {
      next.omega = known.omega - turn;
      next.v = known.at(arm_2) - slide - next.omega.cross(at - first.position);
    }
  }

  /// The model, without what the velocities of the declared state do not depend on.
  v1::Model mechanism() const {
    // The initial conditions are not copied: there may be thousands.
    google::protobuf::RepeatedPtrField<v1::InitialCondition> conditions;
    model_.mutable_initial_conditions()->Swap(&conditions);
    v1::Model trial = model_;
    model_.mutable_initial_conditions()->Swap(&conditions);
    trial.clear_joint_rates();
    trial.clear_parameters();
    return trial;
  }

  /// @param spec  becomes the description of the model
  static std::optional<rt::Finding> firstError(const v1::Model& model, rt::ModelSpec& spec) {
    auto findings = fromProto(model, spec);
    const auto more = rt::checkModel(spec);
    findings.insert(findings.end(), more.begin(), more.end());
    const auto first = std::find_if(findings.begin(), findings.end(),
                                    [](const rt::Finding& f) { return f.severity == rt::Severity::kError; });
    return first == findings.end() ? std::nullopt : std::optional(*first);
  }

  /// The nearest velocities that satisfy the loops, with the rates as drives.
  bool project() {
    v1::Model trial = mechanism();
    writeTo(trial, -1);
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      setVector(poses_[i].position, *trial.mutable_bodies(static_cast<int>(i))->mutable_position());
      setQuaternion(poses_[i].rotation, *trial.mutable_bodies(static_cast<int>(i))->mutable_orientation());
    }
    rt::ModelSpec spec;
    const int own_drives = trial.drives_size();
    addDrives(joints_, poses_, trial);
    if (const auto problem = firstError(trial, spec)) {
      // What is wrong with the model itself is found by its rules.
      trial.mutable_drives()->DeleteSubrange(own_drives, trial.drives_size() - own_drives);
      rt::ModelSpec without;
      if (!firstError(trial, without))
        out_.error(path_ + "joint_rates", "the rates",
                   "must be possible together: as drives of their joints " + problem->value + ' ' + problem->rule,
                   problem->hint);
      return false;
    }
    constexpr double kAnyMove = 1e9;
    spec.assembly = {kAnyMove, kAnyMove};
    try {
      const rt::Model model = rt::buildModel(spec);
      rt::State state = rt::initialState(model).state;
      for (std::size_t i = 0; i < motions_.size(); ++i) {
        motions_[i].v = state.v(static_cast<int>(i));
        motions_[i].omega = poses_[i].rotation * Vector3d(state.omega(static_cast<int>(i)));
      }
    } catch (const Error& error) {
      out_.error(path_ + "joint_rates", "the rates", std::string("must be possible together: ") + error.what(),
                 kAsManyAsFreedoms);
      return false;
    }
    return requireKept();
  }

  bool requireKept() {
    double largest = 0;
    for (const RatedJoint& joint : joints_)
      largest = std::max({largest, std::abs(joint.angle.value_or(0)), std::abs(joint.travel.value_or(0))});
    for (int i = 0; i < rates_.size(); ++i) {
      const RatedJoint& joint = joints_[joint_places_.at(rates_[i].joint())];
      const Isometry first = poseOf(joint.body_1), second = poseOf(joint.body_2);
      const Motion m_1 = motionOf(joint.body_1), m_2 = motionOf(joint.body_2);
      const Vector3d axis = first.rotation * joint.axis_1, arm_2 = second.rotation * joint.point_2;
      const double angle = axis.dot(m_2.omega - m_1.omega);
      const double travel = axis.dot(m_2.at(arm_2) - m_1.at(second.position + arm_2 - first.position));
      const bool kept = std::abs(angle - joint.angle.value_or(angle)) <= kKept * largest &&
                        std::abs(travel - joint.travel.value_or(travel)) <= kKept * largest;
      if (kept) continue;
      out_.error(pathOf(i, ""), rt::printed(rates_[i].joint()),
                 "must be possible together with the other rates and the loops", kAsManyAsFreedoms);
      return false;
    }
    return true;
  }

  void write() { writeTo(model_, condition_); }

  void writeTo(v1::Model& model, int condition) const {
    std::unordered_map<std::string, int> states;
    if (condition >= 0)
      for (int k = 0; k < model.initial_conditions(condition).bodies_size(); ++k)
        states.emplace(model.initial_conditions(condition).bodies(k).body(), k);
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      if (!moved_[i]) continue;
      const Vector3d spin = poses_[i].rotation.conjugate() * motions_[i].omega;
      // Numbers that the rules refuse stay.
      const auto put = [&](auto& state) {
        if (isMotion(state.velocity())) setVector(motions_[i].v, *state.mutable_velocity());
        if (isMotion(state.angular_velocity())) setVector(spin, *state.mutable_angular_velocity());
      };
      v1::Body& body = *model.mutable_bodies(static_cast<int>(i));
      if (condition < 0) {
        put(body);
        continue;
      }
      auto& list = *model.mutable_initial_conditions(condition)->mutable_bodies();
      const auto found = states.find(body.name());
      v1::BodyState& state = found == states.end() ? *list.Add() : list[found->second];
      state.set_body(body.name());
      put(state);
    }
  }

  v1::Model& model_;
  int condition_;
  const Rates rates_;
  std::string path_;
  rt::FindingList& out_;
  std::map<std::string, int> bodies_;
  std::unordered_map<std::string, std::size_t> joint_places_;  ///< the first of each name
  std::vector<RatedJoint> joints_;
  std::vector<Isometry> poses_;
  std::vector<Motion> motions_;
  std::vector<bool> moved_;
  std::set<std::string> composites_;
  const GivenVelocities& declared_;
  GivenVelocities given_;  ///< by this state, zero or not
  std::set<int> roots_;    ///< bodies whose own velocity the others of their group follow
  bool has_loops_ = false;
};

}  // namespace

void resolveJointRates(v1::Model& model, const MovedOrigins& moved, rt::FindingList& out) {
  const GivenVelocities declared = declaredVelocities(model, moved.moved_velocities);
  // An initial condition begins from the velocities of the declared state.
  if (!model.joint_rates().empty()) {
    RatedState(model, -1, model.joint_rates(), "", declared, moved.moved_velocities, out).run();
    model.clear_joint_rates();
  }
  for (int i = 0; i < model.initial_conditions_size(); ++i) {
    v1::InitialCondition& condition = *model.mutable_initial_conditions(i);
    const std::set<std::string> moved_here = moveVelocities(model, condition, moved);
    if (condition.joint_rates().empty()) continue;
    const std::string path = rt::element("initial_conditions", static_cast<std::size_t>(i)) + '.';
    RatedState(model, i, condition.joint_rates(), path, declared, moved_here, out).run();
    condition.clear_joint_rates();
  }
}

}  // namespace tactus::server
