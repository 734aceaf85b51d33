#include "rt/mechanics/condensed_bodies.h"

#include "rt/error.h"
#include "rt/math/condensation.h"
#include "rt/math/euler_parameters.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tactus::rt {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Places of the bodies of a model among the coordinates; -1 of the others.
std::vector<int> placesOf(const Model& model, const std::vector<int>& bodies) {
  std::vector<int> places(model.bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) places[static_cast<std::size_t>(bodies[i])] = static_cast<int>(i);
  return places;
}

std::vector<BodyMotion> declaredMotions(const Model& model) {
  std::vector<BodyMotion> motions(model.bodies.size());
  const InitialCondition& declared = model.initial_conditions.front();
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i].r = declared.position[i];
    motions[i].R = rotationMatrix(declared.orientation[i]);
    motions[i].v = motions[i].omega_w = Vector3d::Zero();
  }
  return motions;
}

/// Some rows and columns of a matrix.
MatrixXd block(const MatrixXd& m, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  return m(rows, columns);
}

/// The places of `interfaces` among `bodies`, then those of the others, as coordinates.
struct Coordinates {
  std::vector<Index> at_interfaces, inside;

  Coordinates(const Model& model, const std::vector<int>& bodies, const std::vector<int>& interfaces) {
    for (const int interface : interfaces) {
      const auto found = std::find(bodies.begin(), bodies.end(), interface);
      if (found == bodies.end())
        throw Error("interface \"" + model.body_names[static_cast<std::size_t>(interface)] +
                    "\" is none of the bodies to condense; name it among them, too");
      append(at_interfaces, static_cast<Index>(found - bodies.begin()));
    }
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (std::find(interfaces.begin(), interfaces.end(), bodies[i]) == interfaces.end())
        append(inside, static_cast<Index>(i));
  }

 private:
  static void append(std::vector<Index>& to, Index body) {
    for (Index k = 0; k < 6; ++k) to.push_back(6 * body + k);
  }
};

}  // namespace

LinearBodies linearBodies(const Model& model, const std::vector<int>& bodies) {
  const std::vector<int> places = placesOf(model, bodies);
  const std::vector<BodyMotion> motions = declaredMotions(model);
  const std::vector<double> displacements(static_cast<std::size_t>(model.displacements), 0.0);
  const auto size = static_cast<Index>(6 * bodies.size());
  LinearBodies linear{MatrixXd::Zero(size, size), MatrixXd::Zero(size, size), MatrixXd::Zero(size, size), {}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto body = static_cast<std::size_t>(bodies[i]);
    const auto at = static_cast<Index>(6 * i);
    linear.mass.block<3, 3>(at, at) = model.bodies[body].mass * Matrix3d::Identity();
    linear.mass.block<3, 3>(at + 3, at + 3) = worldInertia(model.bodies[body], motions[body].R);
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    JointRows rows;
    evaluateJointRows(model, joint, motions.data(), displacements.data(), rows);
    MatrixXd H = MatrixXd::Zero(joint.row_count, size);
    int inside = 0, sides = joint.body_1 == kGround || joint.body_2 == kGround ? 1 : 0;
    for (int row = 0; row < joint.row_count; ++row)
      forEachSide(model, joint, rows, row, [&](int body, const double* h) {
        const int place = places[static_cast<std::size_t>(body)];
        sides += row == 0;
        inside += row == 0 && place >= 0;
        for (int k = 0; place >= 0 && k < 6; ++k) H(row, 6 * place + k) = h[k];
      });
    if (inside < sides || inside < 2) continue;
    const std::string between = '"' + model.joint_names[j] + "\" between bodies that are condensed ";
    if (!joint.compliant())
      throw Error(between + "is rigid; make one body of the two, or join them by a beam element or a bushing");
    const CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
    if (!law.linear() || law.has_input) throw Error(between + "has no linear law; leave curves, stops and inputs out");
    linear.stiffness += H.transpose() * law.K.topLeftCorner(law.rows, law.rows) * H;
    linear.damping += H.transpose() * law.C.topLeftCorner(law.rows, law.rows) * H;
    linear.joints.push_back(static_cast<int>(j));
  }
  return linear;
}

std::optional<double> LinearBodies::dampingTime() const {
  const double size = stiffness.squaredNorm();
  const double time = size > 0 ? (damping.cwiseProduct(stiffness)).sum() / size : 0;
  constexpr double kRoundOff = 1e-9;  // of a sum of products
  if ((damping - time * stiffness).norm() > kRoundOff * damping.norm()) return std::nullopt;
  return time;
}

CondensedBodies condense(const Model& model, const std::vector<int>& bodies, const std::vector<int>& interfaces,
                         int modes) {
  if (interfaces.empty()) throw Error("a body without interfaces cannot be held by anything; name at least one");
  const Coordinates at(model, bodies, interfaces);
  if (modes < 0 || modes > static_cast<int>(at.inside.size()))
    throw Error("the number of modes is " + std::to_string(modes) + "; it must be from 0 to " +
                std::to_string(at.inside.size()) + ", six for each body that is no interface");
  const LinearBodies linear = linearBodies(model, bodies);
  CondensedBodies condensed;
  condensed.origin.setZero();
  double mass = 0;
  const InitialCondition& declared = model.initial_conditions.front();
  for (const int body : bodies) {
    const auto i = static_cast<std::size_t>(body);
    mass += model.bodies[i].mass;
    condensed.origin += model.bodies[i].mass * declared.position[i];
  }
  condensed.origin /= mass;

  const PartedStructure parts{.K_ii = block(linear.stiffness, at.inside, at.inside),
                              .K_ib = block(linear.stiffness, at.inside, at.at_interfaces),
                              .K_bb = block(linear.stiffness, at.at_interfaces, at.at_interfaces),
                              .M_ii = block(linear.mass, at.inside, at.inside),
                              .M_bb = block(linear.mass, at.at_interfaces, at.at_interfaces)};
  auto structure = condense(parts, modes);
  if (!structure)
    throw Error(
        "bodies that are condensed do not hang together with the interfaces; name only bodies of one structure");
  condensed.body.stiffness = std::move(structure->stiffness);
  condensed.body.mass = std::move(structure->mass);
  condensed.body.mode_stiffness = std::move(structure->mode_stiffness);
  condensed.body.coupling = std::move(structure->coupling);
  condensed.damping_time = linear.dampingTime();
  condensed.joints = linear.joints;
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const auto body = static_cast<std::size_t>(interfaces[i]);
    const auto place = static_cast<Index>(6 * i);
    condensed.body.points.push_back(declared.position[body] - condensed.origin);
    condensed.interfaces.push_back({0.5 * model.bodies[body].mass, 0.5 * parts.M_bb.block<3, 3>(place + 3, place + 3)});
  }
  return condensed;
}

}  // namespace tactus::rt
