#include "rt/mechanics/tyres/magic_formula.h"

#include "rt/math/lane_functions.h"

#include <cmath>
#include <numbers>

namespace tactus::rt {

namespace {

using std::asin, std::atan, std::cos, std::exp, std::sin, std::sqrt, std::tan;

/// Keeps quotients of a force that is not there finite, N.
constexpr double kNoForce = 1e-6;

/// Least share of a slip stiffness of its value at the nominal load or without camber.
constexpr double kLeastShare = 0.05;

template <class T>
TACTUS_INLINE T signOf(const T& x) noexcept {
  return where(isAbove(T(0), x), T(-1), T(1));
}

/// cos(atan x)
template <class T>
TACTUS_INLINE T cosineOf(const T& x) noexcept {
  return 1 / sqrt(1 + x * x);
}

template <class T>
TACTUS_INLINE T hypotenuse(const T& a, const T& b) noexcept {
  return sqrt(a * a + b * b);
}

/// The angle inside sine or cosine of the Magic Formula.
template <class T>
TACTUS_INLINE T curve(double C, const T& B, const T& E, const T& x) noexcept {
  const T Bx = B * x;
  return C * atan(Bx - E * (Bx - atan(Bx)));
}

/// One evaluation of the Magic Formula, of one tyre or of four with the same coefficients. Members carry the names of
/// the formula. Terms whose coefficients are zero are left out: most tyres have few of them.
template <class T>
class Evaluation {
 public:
  TACTUS_INLINE Evaluation(const MagicFormulaGrip& grip, const MagicFormulaTyre<T>& tyre,
                           const TyreSlipOf<T>& slip) noexcept
      : c_(grip.c),
        in_radians_(grip.form == MagicFormulaForm::k5),
        side_(tyre.side),
        F_z0_(tyre.nominal_load),
        F_z_(slip.load),
        df_(slip.load / tyre.nominal_load - 1),
        R_(tyre.radius),
        mu_(slip.friction),
        facing_(slip.facing),
        // The formula counts the slip angle against the force, and everything lateral for a tyre of one side.
        kappa_(slip.ratio),
        alpha_(-side_ * (in_radians_ ? T(atan(slip.tangent)) : slip.tangent)),
        gamma_(side_ * (in_radians_ ? T(asin(slip.camber)) : slip.camber)) {}

  TACTUS_INLINE SlipForceOf<T> force(const SlipStiffnessOf<T>& stiffness) noexcept {
    K_x_ = stiffness.longitudinal;
    K_y_ = -stiffness.lateral;
    const T F_x = pureLongitudinal() * weightByAngle();
    const T at_ratio = pureLateral() * weightByRatio();
    const T F_y = at_ratio + lateralByRatio();
    const T M_z = aligning(at_ratio, F_x, F_y);
    return {F_x, side_ * F_y, side_ * M_z};
  }

 private:
  /// F_x0: force of pure longitudinal slip.
  TACTUS_INLINE T pureLongitudinal() const noexcept {
    const T S_H = c_.PHX1 + c_.PHX2 * df_, S_V = F_z_ * (c_.PVX1 + c_.PVX2 * df_) * mu_;
    const T x = kappa_ + S_H;
    const T D = mu_ * (c_.PDX1 + c_.PDX2 * df_) * (1 - c_.PDX3 * gamma_ * gamma_) * F_z_;
    const T E = minimum(T(1), (c_.PEX1 + c_.PEX2 * df_ + c_.PEX3 * df_ * df_) * (1 - c_.PEX4 * signOf(x)));
    const T B = K_x_ / (c_.PCX1 * D + kNoForce);
    return D * sin(curve(c_.PCX1, B, E, x)) + S_V;
  }

  /// F_y0: force of pure lateral slip; leaves S_Vy, S_Hy, D_y and B_y for the terms after it.
  TACTUS_INLINE T pureLateral() noexcept {
    const T S_Vg = F_z_ * (c_.PVY3 + c_.PVY4 * df_) * gamma_ * mu_;
    const T K_g = F_z_ * (c_.PKY6 + c_.PKY7 * df_);
    S_Vy_ = F_z_ * (c_.PVY1 + c_.PVY2 * df_) * mu_ + S_Vg;
    S_Hy_ = c_.PHY1 + c_.PHY2 * df_ + (in_radians_ ? T(c_.PHY3 * gamma_) : T((K_g * gamma_ - S_Vg) / nonZero(K_y_)));
    const T x = alpha_ + S_Hy_;
    D_y_ = mu_ * (c_.PDY1 + c_.PDY2 * df_) * (1 - c_.PDY3 * gamma_ * gamma_) * F_z_;
    const T E = minimum(
        T(1), (c_.PEY1 + c_.PEY2 * df_) * (1 + c_.PEY5 * gamma_ * gamma_ - (c_.PEY3 + c_.PEY4 * gamma_) * signOf(x)));
    B_y_ = K_y_ / nonZero(c_.PCY1 * D_y_);
    return D_y_ * sin(curve(c_.PCY1, B_y_, E, x)) + S_Vy_;
  }

  /// G_xalpha: what a slip angle leaves of F_x0.
  TACTUS_INLINE T weightByAngle() const noexcept {
    if (c_.RBX1 == 0 && c_.RBX3 == 0) return 1;
    const T B = (c_.RBX1 + c_.RBX3 * gamma_ * gamma_) * cosineOf<T>(c_.RBX2 * kappa_);
    const T E = c_.REX1 + c_.REX2 * df_;
    const T weight = cos(curve<T>(c_.RCX1, B, E, alpha_ + c_.RHX1));
    return c_.RHX1 == 0 ? weight : T(weight / cos(curve<T>(c_.RCX1, B, E, c_.RHX1)));
  }

  /// G_ykappa: what a slip ratio leaves of F_y0.
  TACTUS_INLINE T weightByRatio() const noexcept {
    if (c_.RBY1 == 0 && c_.RBY4 == 0) return 1;
    const T B = (c_.RBY1 + c_.RBY4 * gamma_ * gamma_) * cosineOf<T>(c_.RBY2 * (alpha_ - c_.RBY3));
    const T E = c_.REY1 + c_.REY2 * df_, S_H = c_.RHY1 + c_.RHY2 * df_;
    const T weight = cos(curve<T>(c_.RCY1, B, E, kappa_ + S_H));
    return c_.RHY1 == 0 && c_.RHY2 == 0 ? weight : T(weight / cos(curve<T>(c_.RCY1, B, E, S_H)));
  }

  /// S_Vykappa: lateral force that a slip ratio causes.
  TACTUS_INLINE T lateralByRatio() const noexcept {
    if (c_.RVY1 == 0 && c_.RVY2 == 0 && c_.RVY3 == 0) return 0;
    const T D = D_y_ * (c_.RVY1 + c_.RVY2 * df_ + c_.RVY3 * gamma_) * cosineOf<T>(c_.RVY4 * alpha_);
    return D * sin(c_.RVY5 * T(atan(c_.RVY6 * kappa_)));
  }

  /// The angle that a slip angle and the ratio make, with the sign of the angle: a ratio counts as the angle that would
  /// drag the tread as far.
  TACTUS_INLINE T combined(const T& angle, const T& drag) const noexcept {
    const T size = in_radians_ ? T(atan(hypotenuse<T>(tan(angle), drag))) : hypotenuse(angle, drag);
    return signOf(angle) * size;
  }

  /// M_z = -t F_y' + M_zr + s F_x with F_y' = F_y - S_Vykappa. The factor cos(alpha) of t and of M_zr is V_x / V: below
  /// zero in reverse.
  TACTUS_INLINE T aligning(const T& at_ratio, const T& F_x, const T& F_y) const noexcept {
    if (c_.QDZ1 == 0 && c_.QDZ6 == 0) return 0;
    const T drag = K_x_ / nonZero(K_y_) * kappa_;
    const T cosine = facing_ * (in_radians_ ? T(cos(alpha_)) : cosineOf(alpha_));
    const T tilt = size(gamma_), lean = in_radians_ ? gamma_ : tilt;

    const T S_Ht = c_.QHZ1 + c_.QHZ2 * df_ + (c_.QHZ3 + c_.QHZ4 * df_) * gamma_;
    const T B_t = (c_.QBZ1 + c_.QBZ2 * df_ + c_.QBZ3 * df_ * df_) *
                  (1 + c_.QBZ4 * gamma_ + c_.QBZ5 * tilt + c_.QBZ6 * tilt * tilt);
    const T D_t = F_z_ * R_ / F_z0_ * (c_.QDZ1 + c_.QDZ2 * df_) * (1 + c_.QDZ3 * lean + c_.QDZ4 * tilt * tilt);
    const T at = alpha_ + S_Ht;
    const T E_t = minimum(T(1), (c_.QEZ1 + c_.QEZ2 * df_ + c_.QEZ3 * df_ * df_) *
                                    (1 + inclined(c_.QEZ4 + c_.QEZ5 * gamma_, B_t * c_.QCZ1 * at)));
    const T trail = D_t * cos(curve<T>(c_.QCZ1, B_t, E_t, combined(at, drag))) * cosine;

    const T s = R_ * (c_.SSZ1 + c_.SSZ2 * F_y / F_z0_ + (c_.SSZ3 + c_.SSZ4 * df_) * gamma_);
    return -trail * at_ratio + residual(tilt, drag, cosine) + s * F_x;
  }

  /// M_zr: residual torque.
  TACTUS_INLINE T residual(const T& tilt, const T& drag, const T& cosine) const noexcept {
    if (c_.QDZ6 == 0 && c_.QDZ7 == 0 && c_.QDZ8 == 0 && c_.QDZ9 == 0 && c_.QDZ10 == 0 && c_.QDZ11 == 0) return 0;
    const T S_Hr = S_Hy_ + S_Vy_ / nonZero(K_y_);
    const T D_r =
        F_z_ * R_ * mu_ *
        (c_.QDZ6 + c_.QDZ7 * df_ + (c_.QDZ8 + c_.QDZ9 * df_) * gamma_ + (c_.QDZ10 + c_.QDZ11 * df_) * gamma_ * tilt);
    return D_r * cosineOf<T>((c_.QBZ9 + c_.QBZ10 * B_y_ * c_.PCY1) * combined(alpha_ + S_Hr, drag)) * cosine;
  }

  /// 2/pi share atan(x)
  TACTUS_INLINE T inclined(const T& share, const T& x) const noexcept {
    if (c_.QEZ4 == 0 && c_.QEZ5 == 0) return 0;
    return share * atan(x) * (2 / std::numbers::pi);
  }
  TACTUS_INLINE static T nonZero(const T& x) noexcept { return x + signOf(x) * kNoForce; }

  const MagicFormula& c_;
  bool in_radians_;  ///< angles, where the newer form has tangent and sine
  T side_, F_z0_, F_z_, df_, R_, mu_, facing_, kappa_, alpha_, gamma_;
  T K_x_ = 0, K_y_ = 0, S_Vy_ = 0, S_Hy_ = 0, D_y_ = 0, B_y_ = 0;
};

template <class T>
TACTUS_INLINE SlipStiffnessOf<T> stiffnessOf(const MagicFormulaGrip& grip, const MagicFormulaTyre<T>& tyre,
                                             const T& load, const T& sine) noexcept {
  const T share = load / tyre.nominal_load;
  const MagicFormula& c = grip.c;
  const T df = share - 1, camber = grip.form == MagicFormulaForm::k5 ? T(asin(sine)) : sine;
  const T bend = c.PKY2 + c.PKY5 * camber * camber;
  // Far from the load and the camber of the measurements the polynomials change their sign: such a tyre would drive.
  const auto positive = [](const T& value, const T& least) noexcept {
    return where(isAbove(least, value), least, value);
  };
  const T by_load = positive(c.PKX1 + c.PKX2 * df, T(kLeastShare * c.PKX1));
  const T by_camber = positive(1 - c.PKY3 * size(camber), T(kLeastShare));
  return {load * by_load * exp(c.PKX3 * df),
          -c.PKY1 * tyre.nominal_load * sin(c.PKY4 * T(atan(share / bend))) * by_camber};
}

template <class T>
TACTUS_INLINE T limitOf(const MagicFormulaGrip& grip, const TyreSlipOf<T>& slip, const T& speed) noexcept {
  const T share = hypotenuse<T>(slip.ratio / grip.peak_ratio, slip.tangent / grip.peak_angle);
  const T maximum = slip.friction + size(speed);  // per 1 m/s
  return where(isAbove(share, maximum), T(maximum / share), T(1));
}

MagicFormulaTyre<double> numbersOf(const SlipTyre& tyre) noexcept {
  return {tyre.nominal_load, tyre.radius, tyre.mirrored ? -1.0 : 1.0};
}

}  // namespace

SlipStiffness MagicFormulaLaw::stiffness(const MagicFormulaGrip& grip, const SlipTyre& tyre, double load,
                                         double camber) noexcept {
  return stiffnessOf(grip, numbersOf(tyre), load, camber);
}

SlipForce MagicFormulaLaw::force(const MagicFormulaGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                                 const SlipStiffness& stiffness) noexcept {
  return Evaluation<double>(grip, numbersOf(tyre), slip).force(stiffness);
}

double MagicFormulaLaw::limit(const MagicFormulaGrip& grip, const SlipTyre&, const TyreSlip& slip, const SlipStiffness&,
                              double speed) noexcept {
  return limitOf(grip, slip, speed);
}

SlipStiffnessOf<Lanes<4>> MagicFormulaLaw::stiffness(const MagicFormulaGrip& grip, const MagicFormulaTyre<Quad>& tyre,
                                                     const Quad& load, const Quad& camber) noexcept {
  return stiffnessOf(grip, tyre, load, camber);
}

SlipForceOf<Lanes<4>> MagicFormulaLaw::force(const MagicFormulaGrip& grip, const MagicFormulaTyre<Quad>& tyre,
                                             const TyreSlipOf<Quad>& slip,
                                             const SlipStiffnessOf<Quad>& stiffness) noexcept {
  return Evaluation<Quad>(grip, tyre, slip).force(stiffness);
}

Lanes<4> MagicFormulaLaw::limit(const MagicFormulaGrip& grip, const TyreSlipOf<Quad>& slip,
                                const Quad& speed) noexcept {
  return limitOf(grip, slip, speed);
}

}  // namespace tactus::rt
