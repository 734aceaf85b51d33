// One wheel with slip on a road, by each law of tyres.
#pragma once

#include "rt/mechanics/elements/slip_tyre.h"
#include "tests/support/mechanisms.h"

#include <vector>

namespace tactus::tests {

constexpr double kRadius = 0.32, kStiffness = 2e5, kLoad = 4000, kMass = kLoad / kGravity;

inline rt::MagicFormulaTyreSpec magicFormula() {
  return {{{"PCX1", 1.6}, {"PDX1", 1.15}, {"PDX2", -0.08}, {"PEX1", 0.3},  {"PKX1", 22},   {"PKX3", 0.2},
           {"RBX1", 12},  {"RBX2", -10},  {"RCX1", 1.09},  {"PCY1", 1.3},  {"PDY1", 1},    {"PDY2", -0.12},
           {"PEY1", -1},  {"PKY1", -16},  {"PKY2", 1.8},   {"RBY1", 7},    {"RBY2", 5},    {"RCY1", 1.08},
           {"QBZ1", 9},   {"QCZ1", 1.18}, {"QDZ1", 0.1},   {"QEZ1", -1.6}, {"PVY3", -0.5}, {"PHY1", 0.002}}};
}

/// A published tyre: its coefficients in tests/reference/make_magic_formula.py, without those that are zero. Print has
/// a negative peak of the side force; with the signs of PDY1, PDY2 and of RVY1 to RVY3 turned the curves are the same.
inline rt::MagicFormulaTyreSpec bookTyre(bool centered) {
  rt::MagicFormulaTyreSpec tyre{
      {{"PCX1", 1.685},  {"PDX1", 1.210},  {"PDX2", -0.037}, {"PEX1", 0.344},  {"PEX2", 0.095},  {"PEX3", -0.020},
       {"PKX1", 21.51},  {"PKX2", -0.163}, {"PKX3", 0.245},  {"PHX1", -0.002}, {"PHX2", 0.002},  {"RBX1", 12.35},
       {"RBX2", -10.77}, {"RCX1", 1.092},  {"RHX1", 0.007},  {"PCY1", 1.193},  {"PDY1", 0.990},  {"PDY2", -0.145},
       {"PDY3", -11.23}, {"PEY1", -1.003}, {"PEY2", -0.537}, {"PEY3", -0.083}, {"PEY4", -4.787}, {"PKY1", -14.95},
       {"PKY2", 2.130},  {"PKY3", -0.028}, {"PKY4", 2},      {"PKY6", -0.92},  {"PKY7", -0.24},  {"PHY1", 0.003},
       {"PHY2", -0.001}, {"RBY1", 6.461},  {"RBY2", 4.196},  {"RBY3", -0.015}, {"RCY1", 1.081},  {"RHY1", 0.009},
       {"RVY1", -0.053}, {"RVY2", 0.073},  {"RVY3", -0.517}, {"RVY4", 35.44},  {"RVY5", 1.9},    {"RVY6", -10.71},
       {"QBZ1", 8.964},  {"QBZ2", -1.106}, {"QBZ3", -0.842}, {"QBZ5", -0.227}, {"QBZ9", 18.47},  {"QCZ1", 1.180},
       {"QDZ1", 0.100},  {"QDZ2", -0.001}, {"QDZ3", 0.007},  {"QDZ4", 13.05},  {"QDZ6", -0.008}, {"QDZ8", -0.296},
       {"QDZ9", -0.009}, {"QEZ1", -1.609}, {"QEZ2", -0.359}, {"QEZ4", 0.174},  {"QEZ5", -0.896}, {"QHZ1", 0.007},
       {"QHZ2", -0.002}, {"QHZ3", 0.147},  {"QHZ4", 0.004},  {"SSZ1", 0.043},  {"SSZ2", 0.001},  {"SSZ3", 0.731},
       {"SSZ4", -0.238}}};
  if (!centered) tyre.coefficients.insert({{"PVY1", 0.045}, {"PVY2", -0.024}, {"PVY3", -0.532}, {"PVY4", 0.039}});
  return tyre;
}

/// A law as the tests of every law use it.
struct TyreCase {
  const char* name;
  rt::TyreLawSpecs grip;
  double longitudinal_stiffness;  ///< at kLoad, N
  double friction;                ///< along the wheel
  bool rolls;                     ///< slip counts against omega R, else against the speed of the center
};

inline std::vector<TyreCase> everyTyre() {
  return {{"brush", rt::BrushTyreSpec{8e4, 6e4, 0.9, 1, 0.06}, 8e4, 0.9, true},
          {"Magic Formula", magicFormula(), 22 * kLoad, 1.15, false},
          {"linear", rt::LinearTyreSpec{8e4, 6e4, 3e3, 1, 0.9, 0.03}, 8e4, 1, false}};
}

/// One wheel of 4 kN on a road, pressed in by its weight. Nothing but its inertia about x and z holds it upright.
inline rt::ModelSpec wheel(const rt::TyreLawSpecs& grip, double speed, double spin) {
  rt::ModelSpec spec;
  spec.name = "wheel";
  spec.gravity = rt::Vector3d(0, 0, -kGravity);
  rt::BodySpec body = makeBody("wheel", {0, 0, kRadius - kLoad / kStiffness});
  body.mass = kMass;
  body.inertia = rt::Vector3d(1e4, 1.2, 1e4).asDiagonal();
  body.velocity = {speed, 0, 0};
  body.angular_velocity = {0, spin, 0};
  spec.bodies = {body};
  spec.roads = {{"road", "", rt::Vector3d::Zero(), {0, 0, 1}, {1, 0, 0}, {}, 1, {}, {}, {}}};
  rt::SlipTyreSpec tyre;
  tyre.road = "road";
  tyre.body = "wheel";
  tyre.axis = {0, 1, 0};
  tyre.radius = kRadius;
  tyre.stiffness = kStiffness;
  tyre.damping = 500;
  tyre.nominal_load = kLoad;
  tyre.longitudinal_relaxation = 0.2;
  tyre.lateral_relaxation = 0.4;
  tyre.grip = grip;
  spec.forces = {{"tyre", "", tyre}};
  return spec;
}

inline const rt::SlipTyre& only(const rt::Model& model) {
  return model.slip_tyres.front();
}

/// The tyre at one motion of its body.
/// @param dt  length of the step, s; 0: the internal states are those of the motion
inline rt::TyreState tyreAt(const rt::Model& model, const rt::BodyMotion& body, const double* internal_states,
                            double dt) {
  return rt::SlipTyreElement::evaluate(only(model), {model, &body, {nullptr, internal_states, {}, dt}});
}

}  // namespace tactus::tests
