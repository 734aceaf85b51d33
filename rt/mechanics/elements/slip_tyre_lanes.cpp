#include "rt/math/lane_transpose.h"
#include "rt/mechanics/elements/slip_tyre_contact.h"
#include "rt/mechanics/tyres/magic_formula.h"
#include "rt/model/model.h"

#include <variant>

namespace tactus::rt {

namespace {

constexpr int kLanes = 4;
using Quad = Lanes<kLanes>;

/// The Magic Formula of four tyres with the same coefficients.
struct LawOfFour {
  const MagicFormulaGrip& grip;
  MagicFormulaTyre<Quad> tyre;

  SlipStiffnessOf<Quad> stiffness(const Quad& load, const Quad& camber) const noexcept {
    return MagicFormulaLaw::stiffness(grip, tyre, load, camber);
  }
  Quad limit(const TyreSlipOf<Quad>& slip, const SlipStiffnessOf<Quad>&, const Quad& speed) const noexcept {
    return MagicFormulaLaw::limit(grip, slip, speed);
  }
  SlipForceOf<Quad> force(const TyreSlipOf<Quad>& slip, const SlipStiffnessOf<Quad>& stiffness) const noexcept {
    return MagicFormulaLaw::force(grip, tyre, slip, stiffness);
  }
  static Quad speed(const Quad&, const Quad& center) noexcept { return center; }
};

constexpr int kNumbers = sizeof(TyreState) / sizeof(double);
static_assert(sizeof(TyreStateOf<Quad>) == kNumbers * sizeof(Quad), "states are moved as numbers");

}  // namespace

void SlipTyreElement::evaluateFour(const SlipTyre* tyres, const ElementContext& at, TyreState* states) noexcept {
  const double *constants[kLanes], *motions[kLanes], *internal_states[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    constants[lane] = TyreNumbers<Quad>::of(tyres[lane]);
    motions[lane] = WheelMotion<Quad>::of(at.motions[tyres[lane].body]);
    internal_states[lane] = at.input.internal_states + tyres[lane].internal_states;
  }
  TyreNumbers<Quad> tyre;
  WheelMotion<Quad> body;
  Quad start[kSlipTyreInternalStates], side;
  gather(constants, tyre.n);
  gather(motions, body.n);
  gather(internal_states, start);

  const Vec3<Quad> center_arm = body.rotated(tyre.center()), r = body.r();
  Vec3<Quad> normal;
  Quad distance, friction;
  for (int lane = 0; lane < kLanes; ++lane) {
    const Road& road = at.model.roads[static_cast<std::size_t>(tyres[lane].road)];
    const Vector3d center(r[0][lane] + center_arm[0][lane], r[1][lane] + center_arm[1][lane],
                          r[2][lane] + center_arm[2][lane]);
    const RoadPlane plane = roadUnderWheel(road, center);
    for (int k = 0; k < 3; ++k) normal[k].set(lane, plane.normal[k]);
    distance.set(lane, plane.distance);
    friction.set(lane, plane.friction);
    side.set(lane, tyres[lane].mirrored ? -1.0 : 1.0);
  }

  const LawOfFour law{*std::get_if<MagicFormulaGrip>(&tyres[0].grip), {tyre.nominalLoad(), tyre.radius(), side}};
  LaneMask touches{};
  TyreStateOf<Quad> s =
      contact::evaluate(tyre, law, body, center_arm, normal, distance, friction, start, at.input.dt, touches);
  const auto& numbers = reinterpret_cast<const Quad(&)[kNumbers]>(s);
  double* to[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) to[lane] = &states[lane].deflection;
  scatter(numbers, to);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (touches[lane]) continue;
    TyreState clear;
    clear.normal = states[lane].normal;
    clear.deflection = states[lane].deflection;
    states[lane] = clear;
  }
}

}  // namespace tactus::rt
