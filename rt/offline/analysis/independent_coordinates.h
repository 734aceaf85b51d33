// Independent coordinates with names: as many displacements of joints and of bodies as a mechanism has degrees of
// freedom at one point of its motion.
//
// Displacements of joints come first, in the order of the model, then translations and rotations of bodies. A
// coordinate is taken if the ones before it determine it badly, so that the choice of a user who reads the model is the
// usual one: the angles of a tree, the crank of a four-bar.
//
//   z = S y,   w = J u,   w' = J ud + J' u,   H T = 0,   S T = 1                                  (1)
//   dw = S du + A_c y,    dw' = S dud + B_c y + D_c du                                            (2)
//
// y are coordinates of a chart at the point; u and ud are velocities and accelerations. S is J at the point. The
// rotation of a body counts from the motion of the point; its rate is a component of omega_w, both in world axes.
#pragma once

#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/core/tangent_space.h"

#include <optional>
#include <string>
#include <vector>

namespace tactus::rt::offline {

struct Coordinate {
  enum class Kind { kJointAngle, kJointTravel, kTranslation, kRotation };
  Kind kind;
  int of;    ///< joint or body
  int axis;  ///< world axis of a translation or a rotation; else 0

  bool ofBody() const { return kind == Kind::kTranslation || kind == Kind::kRotation; }
  bool operator==(const Coordinate&) const = default;
};

/// "crank.angle", "slide.travel", "chassis.r.x", "chassis.phi.z".
std::string nameOf(const Model& model, const Coordinate& coordinate);
/// "crank.rate", "slide.travel_rate", "chassis.v.x", "chassis.omega_w.z".
std::string rateNameOf(const Model& model, const Coordinate& coordinate);
/// "rad" or "m".
const char* unitOf(const Coordinate& coordinate);

class IndependentCoordinates {
 public:
  /// Chooses the coordinates at a point on the constraints.
  /// @throws Error at a singular pose: there are free motions along which the mechanism cannot be moved on
  IndependentCoordinates(const EquationsOfMotion& system, const MotionPoint& at);

  /// Takes coordinates that were chosen at a point nearby.
  IndependentCoordinates(const EquationsOfMotion& system, const MotionPoint& at, std::vector<Coordinate> chosen);

  int count() const { return static_cast<int>(chosen_.size()); }
  const std::vector<Coordinate>& chosen() const { return chosen_; }
  int rank() const { return space_.rank(); }  ///< of the constraint rows
  const TangentSpace& space() const { return space_; }

  const MatrixXd& T() const { return T_; }  ///< size x count
  const Sparse& S() const { return S_; }    ///< count x size
  const Sparse& rateByPosition() const { return A_; }
  const Sparse& secondRateByPosition() const { return B_; }
  const Sparse& secondRateByVelocity() const { return D_; }

  /// x with H x = b and S x = 0, one column for each column of b.
  MatrixXd answer(const MatrixXd& b) const;

 private:
  void choose(const EquationsOfMotion& system, const std::vector<BodyMotion>& motions);
  void form(const EquationsOfMotion& system, const std::vector<BodyMotion>& motions);

  TangentSpace space_;
  std::vector<Coordinate> chosen_;
  MatrixXd T_;
  Sparse S_, A_, B_, D_;
};

/// Whether a free motion at a point violates the rows in second order, whatever the accelerations: the rows have lost
/// rank there.
bool isSingularPose(const EquationsOfMotion& system, const MotionPoint& at, const TangentSpace& space);

/// Rank of the rows if a point on the constraints is a singular pose or beside one, where free motions and reactions
/// have lost their digits; none elsewhere.
std::optional<int> singularRank(const EquationsOfMotion& system, const MotionPoint& at);

}  // namespace tactus::rt::offline
