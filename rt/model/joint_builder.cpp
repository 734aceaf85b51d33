#include "rt/model/joint_builder.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/directions.h"
#include "rt/model/spring_builder.h"

#include <algorithm>
#include <numbers>

namespace tactus::rt {
namespace {

/// Writes one joint: the shared part of every kind, and one overload for each kind.
class JointBuilder {
 public:
  JointBuilder(int body_1, int body_2, const DeclaredPose& pose_1, const DeclaredPose& pose_2, Model& model)
      : pose_1_(pose_1), pose_2_(pose_2), model_(model) {
    joint_.body_1 = body_1;
    joint_.body_2 = body_2;
    joint_.first_primitive = static_cast<int>(model.primitives.size());
    joint_.first_row = model.rows;
    for (Vector3d* v :
         {&joint_.point_1, &joint_.point_2, &joint_.axis_1, &joint_.axis_2, &joint_.zero_1, &joint_.zero_2})
      v->setZero();
  }

  void operator()(const SphericalSpec& s) { pointJoint(JointKind::kSpherical, s.point_1, s.point_2); }
  void operator()(const PointSpec& s) { pointJoint(JointKind::kPoint, s.point_1, s.point_2); }

  void operator()(const RevoluteSpec& s) {
    pointJoint(JointKind::kRevolute, s.point_1, s.point_2);
    alignAxes(s.axis_1, s.axis_2);
    countAngle(s.initial_angle);
  }

  void operator()(const UniversalSpec& s) {
    pointJoint(JointKind::kUniversal, s.point_1, s.point_2);
    addDot1(unitVector(s.axis_1), unitVector(s.axis_2));
  }

  void operator()(const CylindricalSpec& s) {
    joint_.kind = JointKind::kCylindrical;
    setPoints(s.point_1, s.point_2);
    alignAxes(s.axis_1, s.axis_2);
    keepOnLine();
    countAngle(s.initial_angle);
    joint_.has_travel = true;
  }

  void operator()(const PrismaticSpec& s) {
    joint_.kind = JointKind::kPrismatic;
    setPoints(s.point_1, s.point_2);
    alignAxes(s.axis_1, s.axis_2);
    lockTurning();
    keepOnLine();
    joint_.has_travel = true;
  }

  void operator()(const PlanarSpec& s) {
    joint_.kind = JointKind::kPlanar;
    setPoints(s.point_1, s.point_2);
    alignAxes(s.axis_1, s.axis_2);
    addDot2(joint_.axis_1);
    countAngle(s.initial_angle);
  }

  void operator()(const WeldSpec& s) {
    pointJoint(JointKind::kWeld, s.point_1, s.point_2);
    const Vector3d axis_1 = Vector3d::UnitZ();
    alignAxes(axis_1, pose_2_.rotation.transpose() * (pose_1_.rotation * axis_1));
    lockTurning();
  }

  void operator()(const PointOnLineSpec& s) {
    joint_.kind = JointKind::kPointOnLine;
    setPoints(s.point_1, s.point_2);
    joint_.axis_1 = unitVector(s.axis_1);
    keepOnLine();
    joint_.has_travel = true;
  }

  void operator()(const PointOnPlaneSpec& s) { planeOf(JointKind::kPointOnPlane, s.axis_1, s.point_1, s.point_2); }

  void operator()(const GearSpec& s) {
    joint_.kind = JointKind::kGear;
    joint_.axis_1 = unitVector(s.axis_1);
    // Into one plane normal to the axis: what lies between the points along it is no part of the line of centres.
    const Vector3d axis = pose_1_.rotation * joint_.axis_1;
    const Vector3d apart = pose_2_.toWorld(s.point_2) - pose_1_.toWorld(s.point_1);
    const Vector3d line = apart - apart.dot(axis) * axis;
    setPoints(s.point_1, s.point_2 - pose_2_.rotation.transpose() * (apart - line));
    add(PrimitiveKind::kGear, joint_.point_1, joint_.point_2, joint_.axis_1, Vector3d::Zero());
    Primitive& gear = model_.primitives.back();
    gear.b_1 = unitVector<Vector3d>(pose_1_.rotation.transpose() * line);
    gear.b_2 = unitVector<Vector3d>(pose_2_.rotation.transpose() * line);
    gear.rho_1 = s.radius_1;
    gear.rho_2 = s.internal ? -s.radius_2 : s.radius_2;
    gear.displacement = model_.displacements;
    model_.displacements += 2;
    model_.gears.push_back(static_cast<int>(model_.primitives.size()) - 1);
  }

  void operator()(const RackAndPinionSpec& s) {
    joint_.kind = JointKind::kRackAndPinion;
    setPoints(s.point_1, s.point_2);
    joint_.axis_1 = unitVector(s.axis_1);
    joint_.axis_2 = pose_2_.rotation.transpose() * (pose_1_.rotation * joint_.axis_1);
    joint_.zero_1 = perpendicularTo(joint_.axis_1);
    shareZero();
    countAngle(0);
    roll(unitVector(s.direction_1), s.radius);
  }

  void operator()(const ScrewSpec& s) {
    joint_.kind = JointKind::kScrew;
    setPoints(s.point_1, s.point_2);
    alignAxes(s.axis_1, s.axis_2);
    keepOnLine();
    countAngle(0);
    joint_.has_travel = true;
    roll(joint_.axis_1, s.pitch / (2 * std::numbers::pi));
  }

  void operator()(const CouplerSpec&) {}  // appendCoupler() has several bodies to look at

  void operator()(const DistanceSpec& s) {
    joint_.kind = JointKind::kDistance;
    setPoints(s.point_1, s.point_2);
    const double declared = (pose_2_.toWorld(s.point_2) - pose_1_.toWorld(s.point_1)).norm();
    add(PrimitiveKind::kDistance, s.point_1, s.point_2, Vector3d::Zero(), Vector3d::Zero(),
        s.length.value_or(declared));
  }

  void operator()(const Dot1Spec& s) {
    joint_.kind = JointKind::kDot1;
    addDot1(unitVector(s.axis_1), unitVector(s.axis_2));
  }

  void operator()(const Dot2Spec& s) { planeOf(JointKind::kDot2, s.axis_1, s.point_1, s.point_2); }

  void operator()(const TranslationalSpringSpec& s) {
    joint_.kind = JointKind::kTranslationalSpring;
    setPoints(s.point_1, s.point_2);
    add(PrimitiveKind::kLength, s.point_1, s.point_2, Vector3d::Zero(), Vector3d::Zero());
    CompliantLaw law;
    law.rows = 1;
    law.K(0, 0) = s.stiffness;
    law.C(0, 0) = s.damping;
    law.rest[0] = s.free_length.value_or((pose_2_.toWorld(s.point_2) - pose_1_.toWorld(s.point_1)).norm());
    law.preload[0] = s.preload;
    takeSpringLaw(s.law, law, model_);
    comply(law);
  }

  /// The angle of another joint between the same bodies.
  void angleOf(const Joint& target, JointKind kind) {
    joint_.kind = kind;
    joint_.axis_1 = target.axis_1;
    joint_.axis_2 = target.axis_2;
    setPoints(target.point_1, target.point_2);
    add(PrimitiveKind::kAngle, Vector3d::Zero(), Vector3d::Zero(), target.axis_1, target.axis_2, target.initial_angle);
    Primitive& angle = model_.primitives.back();
    angle.b_1 = target.zero_1;
    angle.b_2 = target.zero_2;
    angle.displacement = target.displacement;
  }

  /// The travel of another joint between the same bodies.
  void travelOf(const Joint& target) {
    joint_.kind = JointKind::kDrivenTravel;
    joint_.axis_1 = target.axis_1;
    setPoints(target.point_1, target.point_2);
    addDot2(target.axis_1);
  }

  void distanceBetween(const Vector3d& point_1, const Vector3d& point_2) {
    joint_.kind = JointKind::kDrivenDistance;
    setPoints(point_1, point_2);
    add(PrimitiveKind::kLength, point_1, point_2, Vector3d::Zero(), Vector3d::Zero());
  }

  // Rows in which neither matrix has an entry would be infinitely soft: they are left out.
  void operator()(const BushingSpec& s) {
    joint_.kind = JointKind::kBushing;
    setPoints(s.point_1, s.point_2);
    const Matrix3d f = rotationMatrix(unitVector(s.orientation));
    const Matrix3d g = pose_2_.rotation.transpose() * pose_1_.rotation * f;
    std::vector<int> kept;
    for (int row = 0; row < static_cast<int>(s.stiffness.rows()); ++row) {
      if (s.stiffness.row(row).isZero(0) && s.damping.row(row).isZero(0)) continue;
      kept.push_back(row);
      if (row < 3) {
        add(PrimitiveKind::kDot2, s.point_1, s.point_2, f.col(row), Vector3d::Zero());
        continue;
      }
      const int next = (row - 2) % 3, last = (row - 1) % 3;
      add(PrimitiveKind::kTwist, Vector3d::Zero(), Vector3d::Zero(), f.col(last), g.col(next));
      model_.primitives.back().b_1 = f.col(next);
      model_.primitives.back().b_2 = g.col(last);
    }
    CompliantLaw law;
    law.rows = static_cast<int>(kept.size());
    std::copy(kept.begin(), kept.end(), law.axes.begin());
    for (int r = 0; r < law.rows; ++r)
      for (int c = 0; c < law.rows; ++c) {
        law.K(r, c) = s.stiffness(kept[static_cast<std::size_t>(r)], kept[static_cast<std::size_t>(c)]);
        law.C(r, c) = s.damping(kept[static_cast<std::size_t>(r)], kept[static_cast<std::size_t>(c)]);
      }
    comply(law);
  }

  void heightAbove(const Road& road, const Tyre& tyre) {
    joint_.kind = JointKind::kVerticalTyre;
    setPoints(road.origin, tyre.centre);
    addDot2(road.up);
  }

  void comply(const CompliantLaw& law) {
    joint_.law = LawKind::kCompliant;
    joint_.law_index = static_cast<int>(model_.compliant_laws.size());
    model_.compliant_laws.push_back(law);
  }

  void follow(int drive) {
    joint_.law = LawKind::kDriven;
    joint_.law_index = drive;
  }

  const Joint& joint() const noexcept { return joint_; }

 private:
  void pointJoint(JointKind kind, const Vector3d& point_1, const Vector3d& point_2) {
    joint_.kind = kind;
    setPoints(point_1, point_2);
    add(PrimitiveKind::kPoint, point_1, point_2, Vector3d::Zero(), Vector3d::Zero());
  }

  void planeOf(JointKind kind, const Vector3d& axis_1, const Vector3d& point_1, const Vector3d& point_2) {
    joint_.kind = kind;
    setPoints(point_1, point_2);
    addDot2(unitVector(axis_1));
  }

  /// Two directions of body 1, normal to its axis and to each other, stay normal to the axis of body 2.
  void alignAxes(const Vector3d& axis_1, const Vector3d& axis_2) {
    joint_.axis_1 = unitVector(axis_1);
    joint_.axis_2 = unitVector(axis_2);
    joint_.zero_1 = perpendicularTo(joint_.axis_1);
    addDot1(joint_.zero_1, joint_.axis_2);
    addDot1(joint_.axis_1.cross(joint_.zero_1), joint_.axis_2);
    shareZero();
  }

  /// The direction from which the angle counts, the same in both bodies in the declared state.
  void shareZero() {
    const Vector3d shared = pose_2_.rotation.transpose() * (pose_1_.rotation * joint_.zero_1);
    joint_.zero_2 = unitVector<Vector3d>(shared - shared.dot(joint_.axis_2) * joint_.axis_2);
  }

  /// The angle counts from the direction that both bodies share in the declared state.
  void countAngle(double initial_angle) {
    joint_.displacement = model_.displacements++;
    joint_.initial_angle = initial_angle;
  }

  /// The travel along a direction of body 1 is `rho` times the angle, both from the declared state.
  void roll(const Vector3d& direction, double rho) {
    const Vector3d apart = pose_2_.toWorld(joint_.point_2) - pose_1_.toWorld(joint_.point_1);
    add(PrimitiveKind::kRolling, joint_.point_1, joint_.point_2, joint_.axis_1, joint_.axis_2,
        (pose_1_.rotation * direction).dot(apart));
    Primitive& rolling = model_.primitives.back();
    rolling.b_1 = joint_.zero_1;
    rolling.b_2 = joint_.zero_2;
    rolling.displacement = joint_.displacement;
    rolling.t_1 = direction;
    rolling.rho_1 = rho;
  }

  /// That direction stays shared, too. After alignAxes().
  void lockTurning() { addDot1(joint_.zero_1, joint_.axis_2.cross(joint_.zero_2)); }

  /// Point 2 stays on the line through point 1 along axis 1.
  void keepOnLine() {
    const Vector3d u = perpendicularTo(joint_.axis_1);
    addDot2(u);
    addDot2(joint_.axis_1.cross(u));
  }

  void addDot1(const Vector3d& a_1, const Vector3d& a_2) {
    add(PrimitiveKind::kDot1, Vector3d::Zero(), Vector3d::Zero(), a_1, a_2);
  }

  void addDot2(const Vector3d& a_1) {
    add(PrimitiveKind::kDot2, joint_.point_1, joint_.point_2, a_1, Vector3d::Zero());
  }

  void setPoints(const Vector3d& point_1, const Vector3d& point_2) {
    joint_.point_1 = point_1;
    joint_.point_2 = point_2;
  }

  void add(PrimitiveKind kind, const Vector3d& s_1, const Vector3d& s_2, const Vector3d& a_1, const Vector3d& a_2,
           double length = 0) {
    model_.primitives.push_back({kind, joint_.body_1, joint_.body_2, model_.rows, s_1, s_2, a_1, a_2, length,
                                 Vector3d::Zero(), Vector3d::Zero(), -1});
    model_.rows += rowsOf(kind);
    joint_.row_count += rowsOf(kind);
    ++joint_.primitive_count;
  }

  const DeclaredPose& pose_1_;
  const DeclaredPose& pose_2_;
  Model& model_;
  Joint joint_ = {};
};

}  // namespace

DeclaredPose::DeclaredPose(const BodySpec& body)
    : position(body.position), rotation(rotationMatrix(unitVector(body.orientation))) {}

void appendJoint(const JointSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1, const DeclaredPose& pose_2,
                 Model& model) {
  JointBuilder builder(body_1, body_2, pose_1, pose_2, model);
  std::visit(builder, spec.kind);
  model.joints.push_back(builder.joint());
}

void appendSpring(const TranslationalSpringSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1,
                  const DeclaredPose& pose_2, Model& model) {
  JointBuilder builder(body_1, body_2, pose_1, pose_2, model);
  builder(spec);
  model.joints.push_back(builder.joint());
}

void appendSpring(const RotationalSpringSpec& spec, int target, Model& model) {
  const Joint joint = model.joints[static_cast<std::size_t>(target)];
  const DeclaredPose unused;
  JointBuilder builder(joint.body_1, joint.body_2, unused, unused, model);
  builder.angleOf(joint, JointKind::kRotationalSpring);
  CompliantLaw law;
  law.rows = 1;
  law.K(0, 0) = spec.stiffness;
  law.C(0, 0) = spec.damping;
  law.rest[0] = spec.free_angle;
  law.preload[0] = spec.preload;
  takeSpringLaw(spec.law, law, model);
  builder.comply(law);
  model.joints.push_back(builder.joint());
}

void appendBushing(const BushingSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1,
                   const DeclaredPose& pose_2, Model& model) {
  JointBuilder builder(body_1, body_2, pose_1, pose_2, model);
  builder(spec);
  model.joints.push_back(builder.joint());
}

void appendTyre(int index, Model& model) {
  const Tyre tyre = model.tyres[static_cast<std::size_t>(index)];
  const DeclaredPose unused;
  JointBuilder builder(kGround, tyre.body, unused, unused, model);
  builder.heightAbove(model.roads[static_cast<std::size_t>(tyre.road)], tyre);
  CompliantLaw law;
  law.rows = 1;
  law.tyre = index;
  builder.comply(law);
  model.joints.push_back(builder.joint());
}

void appendDrivenAngle(int target, int drive, Model& model) {
  const Joint joint = model.joints[static_cast<std::size_t>(target)];
  const DeclaredPose unused;
  JointBuilder builder(joint.body_1, joint.body_2, unused, unused, model);
  builder.angleOf(joint, JointKind::kDrivenAngle);
  builder.follow(drive);
  model.joints.push_back(builder.joint());
}

void appendDrivenTravel(int target, int drive, Model& model) {
  const Joint joint = model.joints[static_cast<std::size_t>(target)];
  const DeclaredPose unused;
  JointBuilder builder(joint.body_1, joint.body_2, unused, unused, model);
  builder.travelOf(joint);
  builder.follow(drive);
  model.joints.push_back(builder.joint());
}

void appendDrivenDistance(const DrivenDistanceSpec& spec, int body_1, int body_2, int drive, Model& model) {
  const DeclaredPose unused;
  JointBuilder builder(body_1, body_2, unused, unused, model);
  builder.distanceBetween(spec.point_1, spec.point_2);
  builder.follow(drive);
  model.joints.push_back(builder.joint());
}

}  // namespace tactus::rt
