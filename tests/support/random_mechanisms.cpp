#include "tests/support/random_mechanisms.h"

#include "tests/support/dense_mechanism.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_source.h"

#include <algorithm>
#include <cmath>

namespace tactus::tests {

namespace {

const std::string kGround = rt::kGroundName;

enum class Kind { kSpherical, kRevolute, kDistance, kDot1, kDot2 };

/// Where a body is and how it moves, in world axes; at rest for ground.
struct Pose {
  std::string name = kGround;
  Vector3d r = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
  Vector3d v = Vector3d::Zero(), omega_w = Vector3d::Zero();

  Vector3d toBody(const Vector3d& x) const { return R.transpose() * (x - r); }
  Vector3d velocityAt(const Vector3d& x) const { return v + omega_w.cross(x - r); }
};

/// Adds bodies and joints so that each joint holds, in position and velocity, when it is added.
class TreeBuilder {
 public:
  TreeBuilder(const std::string& name, std::uint64_t seed) : random_(seed) {
    spec_.name = name;
    spec_.gravity = Vector3d(0, -kGravity, 0);
  }

  /// Hangs a new body on `parent`; returns its index.
  int add(const Pose& parent, Kind kind, double spin) {
    Pose child;
    child.name = numbered("body_", poses_.size() + 1);
    const Vector4d p = random_.orientation();
    child.R = rotationOf(p);
    child.omega_w = spin * random_.inBox(1);
    // x_1 on the parent, x_2 on the child: the same point, or about 1 m apart; the child's center a little further.
    const Vector3d x_1 = parent.r + random_.uniform(0.4, 0.7) * random_.unitVector();
    const Vector3d arm = random_.uniform(0.4, 0.7) * random_.unitVector();
    addJoint(parent, child, kind, x_1, arm);

    rt::BodySpec body = makeBody(child.name, child.r);
    body.mass = random_.uniform(0.5, 2);
    body.inertia = random_.inertia(body.mass, 0.8);
    body.orientation = p;
    body.velocity = child.v;
    body.angular_velocity = child.R.transpose() * child.omega_w;
    spec_.bodies.push_back(body);
    poses_.push_back(child);
    return static_cast<int>(poses_.size()) - 1;
  }

  Kind pick(JointMix mix) {
    switch (mix) {
      case JointMix::kSpherical: return Kind::kSpherical;
      case JointMix::kHinged: return random_.index(2) == 0 ? Kind::kSpherical : Kind::kRevolute;
      case JointMix::kMixed: return static_cast<Kind>(random_.index(5));
    }
    return Kind::kSpherical;
  }

  /// A body with nothing that holds it.
  int addFree() {
    Pose nowhere;
    const int i = add(nowhere, Kind::kSpherical, 1);
    spec_.joints.pop_back();
    return i;
  }

  const Pose& pose(int i) const { return poses_[static_cast<std::size_t>(i)]; }
  RandomSource& random() { return random_; }
  rt::ModelSpec spec() const { return spec_; }

 private:
  /// Chooses child.r, child.v and, for the kinds that need it, child.omega_w.
  void addJoint(const Pose& parent, Pose& child, Kind kind, const Vector3d& x_1, const Vector3d& arm) {
    const auto place = [&](const Vector3d& x_2) { child.r = x_2 + arm; };
    // Gives the child's point the velocity v_2.
    const auto move = [&](const Vector3d& v_2) { child.v = v_2 + child.omega_w.cross(arm); };
    const Vector3d v_1 = parent.velocityAt(x_1), s_1 = parent.toBody(x_1);
    const Vector3d s_2 = child.R.transpose() * -arm;
    decltype(rt::JointSpec::kind) joint;

    switch (kind) {
      case Kind::kSpherical:
        place(x_1);
        move(v_1);
        joint = rt::SphericalSpec{s_1, s_2};
        break;
      case Kind::kRevolute: {
        const Vector3d axis = random_.unitVector();
        child.omega_w = parent.omega_w + random_.uniform(-2, 2) * axis;
        place(x_1);
        move(v_1);
        joint = rt::RevoluteSpec{s_1, s_2, parent.R.transpose() * axis, child.R.transpose() * axis, 0};
        break;
      }
      case Kind::kDistance: {
        const Vector3d u = random_.unitVector(), any = v_1 + random_.inBox(1);
        const double length = random_.uniform(0.5, 1);
        place(x_1 + length * u);
        move(any - u.dot(any - v_1) * u);
        joint = rt::DistanceSpec{s_1, s_2, length};
        break;
      }
      case Kind::kDot1: {
        // The relative rate may have no part along a_1 x a_2.
        const Vector3d a_1 = random_.unitVector(), a_2 = random_.unitAcross(a_1), n = a_1.cross(a_2);
        child.omega_w -= n.dot(child.omega_w - parent.omega_w) * n;
        place(x_1 + random_.inBox(0.5));
        move(v_1);
        joint = rt::Dot1Spec{parent.R.transpose() * a_1, child.R.transpose() * a_2};
        break;
      }
      case Kind::kDot2: {
        // a_1 . d' + a_1' . d = 0
        const Vector3d a_1 = random_.unitVector(), d = random_.uniform(0.3, 0.8) * random_.unitAcross(a_1);
        const Vector3d any = v_1 + random_.inBox(1);
        place(x_1 + d);
        move(any - (a_1.dot(any - v_1) + parent.omega_w.cross(a_1).dot(d)) * a_1);
        joint = rt::Dot2Spec{parent.R.transpose() * a_1, s_1, s_2};
        break;
      }
    }
    spec_.joints.push_back(makeJoint(numbered("joint_", spec_.joints.size() + 1), parent.name, child.name, joint));
  }

  RandomSource random_;
  rt::ModelSpec spec_;
  std::vector<Pose> poses_;
};

/// A body between two points of a loop, turned at random, its center near their middle.
rt::BodySpec bodyBetween(const std::string& name, const Vector3d& from, const Vector3d& to, double aside,
                         RandomSource& random) {
  rt::BodySpec body = makeBody(name, 0.5 * (from + to) + random.inBox(aside));
  body.mass = random.uniform(0.5, 2);
  body.inertia = random.inertia(body.mass, 0.8);
  body.orientation = random.orientation();
  return body;
}

Vector3d toBody(const rt::BodySpec& body, const Vector3d& x) {
  return rotationOf(body.orientation).transpose() * (x - body.position);
}

Vector3d directionIn(const rt::BodySpec& body, const Vector3d& u) {
  return rotationOf(body.orientation).transpose() * u;
}

/// Gives all bodies the velocities nearest to random ones that the joints allow.
void setRandomVelocities(rt::ModelSpec& spec, double size, RandomSource& random) {
  for (rt::BodySpec& body : spec.bodies) {
    body.velocity = random.inBox(size);
    body.angular_velocity = random.inBox(size);
  }
  const DenseMechanism mechanism(spec);
  MotionState m = mechanism.declared();
  mechanism.projectVelocity(m);
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    spec.bodies[i].velocity = m.v[i];
    spec.bodies[i].angular_velocity = m.omega[i];
  }
}

/// Bodies and joints of a chain with both ends on ground at the first and the last of `points`.
/// Joint k is revolute about axes[k] where that is not zero.
rt::ModelSpec closedChain(const std::string& name, const std::vector<Vector3d>& points,
                          const std::vector<Vector3d>& axes, double aside, RandomSource& random) {
  rt::ModelSpec spec;
  spec.name = name;
  spec.gravity = Vector3d(0, -kGravity, 0);
  rt::BodySpec ground;
  ground.name = kGround;
  for (std::size_t i = 1; i < points.size(); ++i) {
    spec.bodies.push_back(bodyBetween(numbered("body_", i), points[i - 1], points[i], aside, random));
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    const rt::BodySpec& one = k == 0 ? ground : spec.bodies[k - 1];
    const rt::BodySpec& two = k + 1 == points.size() ? ground : spec.bodies[k];
    decltype(rt::JointSpec::kind) joint = rt::SphericalSpec{toBody(one, points[k]), toBody(two, points[k])};
    if (!axes[k].isZero()) {
      joint = rt::RevoluteSpec{toBody(one, points[k]), toBody(two, points[k]), directionIn(one, axes[k]),
                               directionIn(two, axes[k]), 0};
    }
    spec.joints.push_back(makeJoint(numbered("joint_", k + 1), one.name, two.name, joint));
  }
  return spec;
}

}  // namespace

rt::ModelSpec randomTree(int bodies, JointMix mix, std::uint64_t seed) {
  TreeBuilder tree("random_tree", seed);
  tree.add(Pose{}, Kind::kSpherical, 3);
  for (int i = 1; i < bodies; ++i) tree.add(tree.pose(tree.random().index(i)), tree.pick(mix), 3);
  return tree.spec();
}

rt::ModelSpec randomForest(int bodies, std::uint64_t seed) {
  RandomSource random(seed);
  rt::ModelSpec spec;
  spec.name = "random_forest";
  spec.gravity = Vector3d(0, -kGravity, 0);
  std::vector<Pose> poses;
  for (int i = 0; i < bodies; ++i) {
    // One in five on ground, one in five free, the others on one of the last bodies.
    const int place = random.index(5);
    const Pose carrier =
        i == 0 || place < 2 ? Pose{} : poses[static_cast<std::size_t>(i - 1 - random.index(std::min(i, 3)))];
    const Vector3d point = carrier.r + random.inBox(1);
    rt::BodySpec body =
        bodyBetween(numbered("body_", poses.size() + 1), point, point + random.unitVector(), 0.2, random);
    Pose pose{body.name, body.position, rotationOf(body.orientation)};
    const int freedoms = random.index(4);
    const bool is_free = place == 1, is_first = random.index(2) == 1;
    const Vector3d axis = random.unitVector(), across = random.unitAcross(axis);
    pose.omega_w = is_free || freedoms == 3 ? random.inBox(2) : carrier.omega_w;
    if (freedoms == 1 || freedoms == 2) pose.omega_w += random.uniform(-2, 2) * axis;
    if (freedoms == 2) pose.omega_w += random.uniform(-2, 2) * across;
    pose.v = carrier.velocityAt(point) + pose.omega_w.cross(pose.r - point);
    body.velocity = pose.v;
    body.angular_velocity = pose.R.transpose() * pose.omega_w;
    spec.bodies.push_back(body);
    poses.push_back(pose);
    if (is_free) continue;
    const Pose &one = is_first ? pose : carrier, &two = is_first ? carrier : pose;
    const Vector3d s_1 = one.toBody(point), s_2 = two.toBody(point), axis_1 = one.R.transpose() * axis;
    decltype(rt::JointSpec::kind) joint = rt::SphericalSpec{s_1, s_2};
    if (freedoms == 0) joint = rt::WeldSpec{s_1, s_2};
    if (freedoms == 1) joint = rt::RevoluteSpec{s_1, s_2, axis_1, two.R.transpose() * axis, 0};
    if (freedoms == 2) joint = rt::UniversalSpec{s_1, s_2, axis_1, two.R.transpose() * across};
    spec.joints.push_back(makeJoint(numbered("joint_", spec.joints.size() + 1), one.name, two.name, joint));
  }
  return spec;
}

rt::ModelSpec randomChain(int bodies, double spin, std::uint64_t seed) {
  TreeBuilder tree("random_chain", seed);
  tree.add(Pose{}, Kind::kSpherical, spin);
  for (int i = 1; i < bodies; ++i) tree.add(tree.pose(i - 1), Kind::kSpherical, spin);
  return tree.spec();
}

rt::ModelSpec randomLoop(int bodies, int revolutes, std::uint64_t seed) {
  RandomSource random(seed);
  // Corners of a wide arch with some scatter, so that no two joints are close.
  std::vector<Vector3d> points, axes;
  for (int k = 0; k <= bodies; ++k) {
    const double u = 3.0 * k / bodies;
    points.push_back(0.5 * bodies * Vector3d(std::cos(u), std::sin(u), 0) + random.inBox(0.2));
    const bool revolute = (k * revolutes) / (bodies + 1) != ((k + 1) * revolutes) / (bodies + 1);
    axes.push_back(revolute ? random.unitVector() : Vector3d(Vector3d::Zero()));
  }
  rt::ModelSpec spec = closedChain("random_loop", points, axes, 0.2, random);
  setRandomVelocities(spec, 2, random);
  return spec;
}

rt::ModelSpec planarLoop(int bodies, std::uint64_t seed) {
  RandomSource random(seed);
  // A plane in space that is not across gravity, and an arch in it.
  const Vector3d normal = (Vector3d::UnitZ() + random.inBox(0.3)).normalized();
  const Vector3d across = normal.cross(random.unitAcross(normal)), up = normal.cross(across);
  std::vector<Vector3d> points, axes;
  for (int k = 0; k <= bodies; ++k) {
    const double u = 2.6 * k / bodies, size = 0.5 * bodies * random.uniform(0.9, 1.1);
    points.push_back(size * (std::cos(u) * across + std::sin(u) * up));
    axes.push_back(normal);
  }
  rt::ModelSpec spec = closedChain("planar_loop", points, axes, 0.2, random);
  setRandomVelocities(spec, 2, random);
  return spec;
}

rt::ModelSpec star(int arms, JointMix mix, bool anchored, std::uint64_t seed) {
  TreeBuilder tree("star", seed);
  const int hub = anchored ? tree.add(Pose{}, Kind::kSpherical, 1) : tree.addFree();
  for (int i = 0; i < arms; ++i) {
    const int arm = tree.add(tree.pose(hub), tree.pick(mix), 3);
    if (i % 2 == 1) tree.add(tree.pose(arm), tree.pick(mix), 3);
  }
  return tree.spec();
}

rt::ModelSpec hubWithLoops(int loops, std::uint64_t seed) {
  RandomSource random(seed);
  rt::ModelSpec spec;
  spec.name = "hub_with_loops";
  spec.gravity = Vector3d(0, -kGravity, 0);
  spec.bodies.push_back(bodyBetween("hub", {-0.5, -0.5, 0}, {0.5, -0.5, 0}, 0.1, random));
  spec.bodies[0].mass = 5;
  spec.bodies[0].inertia = random.inertia(5, 1);
  const auto revolute = [&](const rt::BodySpec& a, const rt::BodySpec& b, const Vector3d& x, const Vector3d& axis) {
    return rt::RevoluteSpec{toBody(a, x), toBody(b, x), directionIn(a, axis), directionIn(b, axis), 0};
  };
  const auto add = [&](const std::string& a, const std::string& b, decltype(rt::JointSpec::kind) kind) {
    spec.joints.push_back(makeJoint(numbered("joint_", spec.joints.size() + 1), a, b, std::move(kind)));
  };

  const rt::BodySpec hub = spec.bodies[0];
  add(kGround, "hub", rt::SphericalSpec{Vector3d(0, 0, 0), toBody(hub, Vector3d(0, 0, 0))});
  for (int k = 0; k < loops; ++k) {
    // A triangle: two points on the hub and an outer one, where the two bodies of the loop meet.
    const double u = 6.28 * k / loops;
    const Vector3d out(std::cos(u), 0.3 * random.uniform(-1, 1), std::sin(u));
    const Vector3d across = Vector3d::UnitY() + random.inBox(0.2);
    const Vector3d near = 0.6 * out - 0.4 * across, far = 0.6 * out + 0.4 * across, tip = 1.5 * out + random.inBox(0.2);
    const std::string suffix = std::to_string(k + 1);
    const rt::BodySpec lower = bodyBetween("lower_" + suffix, near, tip, 0.1, random);
    const rt::BodySpec upper = bodyBetween("upper_" + suffix, tip, far, 0.1, random);
    spec.bodies.push_back(lower);
    spec.bodies.push_back(upper);
    add("hub", lower.name, rt::SphericalSpec{toBody(hub, near), toBody(lower, near)});
    add(lower.name, upper.name, revolute(lower, upper, tip, random.unitVector()));
    add("hub", upper.name, rt::SphericalSpec{toBody(hub, far), toBody(upper, far)});
  }
  setRandomVelocities(spec, 1, random);
  return spec;
}

}  // namespace tactus::tests
