// The chain that a Model describes: the part of LiteralChain that reads the Model.
#include "rt/error.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"
#include "rt/offline/literal/literal_chain.h"

#include <string>

namespace tactus::rt::offline {

LiteralChain::LiteralChain(const Model& model, const State& start, const LiteralSettings& settings)
    : settings_(settings),
      gravity_(model.gravity),
      anchor_(Vector3d::Zero()),
      end_anchor_(Vector3d::Zero()),
      closed_(model.joints.size() == model.bodies.size() + 1) {
  const auto refuse = [](const char* why) {
    throw Error(std::string("ali3p-literal takes chains of spherical joints on ground: ") + why);
  };
  if (model.joints.size() != model.bodies.size() && !closed_)
    refuse("as many joints as bodies, or one more that closes the loop, and no force elements");
  if (hasForceElements(model)) refuse("no drags, air loads, tyres, friction or powertrains");
  for (int i = 0; i < model.bodyCount(); ++i) {
    const Body& b = model.bodies[static_cast<std::size_t>(i)];
    const Joint& joint = model.joints[static_cast<std::size_t>(i)];
    if (joint.kind != JointKind::kSpherical) refuse("every joint is spherical");
    if (joint.body_1 != (i == 0 ? kGround : i - 1) || joint.body_2 != i)
      refuse("joints and bodies in order from ground, each joint from one body to the next");
    (i == 0 ? anchor_ : bodies_[static_cast<std::size_t>(i - 1)].right) = joint.point_1;
    bodies_.push_back({b.mass, b.inertia, joint.point_2, Vector3d::Zero()});

    // p' = 1/2 G^T omega'.
    const Vector4d p = start.view().p(i);
    Vector7d q, qd;
    q << start.view().r(i), p;
    qd << start.view().v(i), 0.5 * matrixG(p).transpose() * start.view().omega(i);
    q_.push_back(q);
    qd_.push_back(qd);
  }
  if (closed_) {
    const Joint& last = model.joints.back();
    if (last.kind != JointKind::kSpherical) refuse("every joint is spherical");
    if (last.body_1 != bodies() - 1 || last.body_2 != kGround)
      refuse("the joint that closes the loop comes last and leads from the last body to ground");
    bodies_.back().right = last.point_1;
    end_anchor_ = last.point_2;
  }
  const std::size_t n = bodies_.size();
  qdd_.assign(n, Vector7d::Zero());
  mu_.assign(n, 0);
  lambda_.assign(static_cast<std::size_t>(joints()), Vector3d::Zero());
  kappa_ = lambda_;
  tangent_inverse_.resize(n);
  p_frozen_.resize(n);
  frozen_.resize(lambda_.size());
  buildTree(0, bodies() - 1);
  initialize();
}

}  // namespace tactus::rt::offline
