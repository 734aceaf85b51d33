#include "rt/mechanics/tyres/magic_formula.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// Keeps quotients of a force that is not there finite, N.
constexpr double kNoForce = 1e-6;

double signOf(double x) noexcept {
  return x < 0 ? -1.0 : 1.0;
}

/// cos(atan x)
double cosineOf(double x) noexcept {
  return 1 / std::sqrt(1 + x * x);
}

/// The angle inside sine or cosine of the Magic Formula.
double curve(double C, double B, double E, double x) noexcept {
  const double Bx = B * x;
  return C * std::atan(E == 0 ? Bx : Bx - E * (Bx - std::atan(Bx)));
}

/// Cosine of the curve at a shift; most tyres have none.
double shifted(double C, double B, double E, double shift) noexcept {
  return shift == 0 ? 1.0 : std::cos(curve(C, B, E, shift));
}

double loadChange(const SlipTyre& tyre, double load) noexcept {
  return load / tyre.nominal_load - 1;
}

/// One evaluation of the Magic Formula; members carry the names of the formula.
class Evaluation {
 public:
  Evaluation(const MagicFormulaGrip& grip, const SlipTyre& tyre, const TyreSlip& slip) noexcept
      : c_(grip.c),
        in_radians_(grip.form == MagicFormulaForm::k5),
        side_(tyre.mirrored ? -1.0 : 1.0),
        F_z0_(tyre.nominal_load),
        F_z_(slip.load),
        df_(loadChange(tyre, slip.load)),
        R_(tyre.radius),
        mu_(slip.friction),
        // The formula counts the slip angle against the force, and everything lateral for a tyre of one side.
        kappa_(slip.ratio),
        alpha_(-side_ * (in_radians_ ? std::atan(slip.tangent) : slip.tangent)),
        gamma_(side_ * (in_radians_ ? std::asin(slip.camber) : slip.camber)) {}

  SlipForce force(const SlipStiffness& stiffness) noexcept {
    K_x_ = stiffness.longitudinal;
    K_y_ = -stiffness.lateral;
    const double F_x = pureLongitudinal() * weightByAngle();
    const double at_ratio = pureLateral() * weightByRatio();
    const double F_y = at_ratio + lateralByRatio();
    const double M_z = aligning(at_ratio, F_x, F_y);
    return {F_x, side_ * F_y, side_ * M_z};
  }

 private:
  /// F_x0: force of pure longitudinal slip.
  double pureLongitudinal() const noexcept {
    const double S_H = c_.PHX1 + c_.PHX2 * df_, S_V = F_z_ * (c_.PVX1 + c_.PVX2 * df_) * mu_;
    const double x = kappa_ + S_H;
    const double D = mu_ * (c_.PDX1 + c_.PDX2 * df_) * (1 - c_.PDX3 * gamma_ * gamma_) * F_z_;
    const double E = std::min((c_.PEX1 + c_.PEX2 * df_ + c_.PEX3 * df_ * df_) * (1 - c_.PEX4 * signOf(x)), 1.0);
    const double B = K_x_ / (c_.PCX1 * D + kNoForce);
    return D * std::sin(curve(c_.PCX1, B, E, x)) + S_V;
  }

  /// F_y0: force of pure lateral slip; leaves S_Vy, S_Hy, D_y and B_y for the terms after it.
  double pureLateral() noexcept {
    const double S_Vg = F_z_ * (c_.PVY3 + c_.PVY4 * df_) * gamma_ * mu_;
    const double K_g = F_z_ * (c_.PKY6 + c_.PKY7 * df_);
    S_Vy_ = F_z_ * (c_.PVY1 + c_.PVY2 * df_) * mu_ + S_Vg;
    S_Hy_ = c_.PHY1 + c_.PHY2 * df_ + (in_radians_ ? c_.PHY3 * gamma_ : (K_g * gamma_ - S_Vg) / nonZero(K_y_));
    const double x = alpha_ + S_Hy_;
    D_y_ = mu_ * (c_.PDY1 + c_.PDY2 * df_) * (1 - c_.PDY3 * gamma_ * gamma_) * F_z_;
    const double E = std::min(
        (c_.PEY1 + c_.PEY2 * df_) * (1 + c_.PEY5 * gamma_ * gamma_ - (c_.PEY3 + c_.PEY4 * gamma_) * signOf(x)), 1.0);
    B_y_ = K_y_ / nonZero(c_.PCY1 * D_y_);
    return D_y_ * std::sin(curve(c_.PCY1, B_y_, E, x)) + S_Vy_;
  }

  /// G_xalpha: what a slip angle leaves of F_x0.
  double weightByAngle() const noexcept {
    if (c_.RBX1 == 0 && c_.RBX3 == 0) return 1;
    const double B = (c_.RBX1 + c_.RBX3 * gamma_ * gamma_) * cosineOf(c_.RBX2 * kappa_);
    const double E = c_.REX1 + c_.REX2 * df_;
    return std::cos(curve(c_.RCX1, B, E, alpha_ + c_.RHX1)) / shifted(c_.RCX1, B, E, c_.RHX1);
  }

  /// G_ykappa: what a slip ratio leaves of F_y0.
  double weightByRatio() const noexcept {
    if (c_.RBY1 == 0 && c_.RBY4 == 0) return 1;
    const double B = (c_.RBY1 + c_.RBY4 * gamma_ * gamma_) * cosineOf(c_.RBY2 * (alpha_ - c_.RBY3));
    const double E = c_.REY1 + c_.REY2 * df_, S_H = c_.RHY1 + c_.RHY2 * df_;
    return std::cos(curve(c_.RCY1, B, E, kappa_ + S_H)) / shifted(c_.RCY1, B, E, S_H);
  }

  /// S_Vykappa: lateral force that a slip ratio causes.
  double lateralByRatio() const noexcept {
    if (c_.RVY1 == 0 && c_.RVY2 == 0 && c_.RVY3 == 0) return 0;
    const double D = D_y_ * (c_.RVY1 + c_.RVY2 * df_ + c_.RVY3 * gamma_) * cosineOf(c_.RVY4 * alpha_);
    return D * std::sin(c_.RVY5 * std::atan(c_.RVY6 * kappa_));
  }

  /// M_z = -t F_y' + M_zr + s F_x with F_y' = F_y - S_Vykappa.
  double aligning(double at_ratio, double F_x, double F_y) const noexcept {
    if (c_.QDZ1 == 0 && c_.QDZ6 == 0) return 0;
    // A ratio counts as the angle that would drag the tread as far.
    const double drag = K_x_ / nonZero(K_y_) * kappa_, cosine = in_radians_ ? std::cos(alpha_) : cosineOf(alpha_);
    const auto combined = [this, drag](double angle) noexcept {
      const double size = in_radians_ ? std::atan(std::hypot(std::tan(angle), drag)) : std::hypot(angle, drag);
      return signOf(angle) * size;
    };
    const double tilt = std::abs(gamma_), lean = in_radians_ ? gamma_ : tilt;

    const double S_Ht = c_.QHZ1 + c_.QHZ2 * df_ + (c_.QHZ3 + c_.QHZ4 * df_) * gamma_;
    const double B_t = (c_.QBZ1 + c_.QBZ2 * df_ + c_.QBZ3 * df_ * df_) *
                       (1 + c_.QBZ4 * gamma_ + c_.QBZ5 * tilt + c_.QBZ6 * tilt * tilt);
    const double D_t = F_z_ * R_ / F_z0_ * (c_.QDZ1 + c_.QDZ2 * df_) * (1 + c_.QDZ3 * lean + c_.QDZ4 * tilt * tilt);
    const double at = alpha_ + S_Ht;
    const double E_t = std::min((c_.QEZ1 + c_.QEZ2 * df_ + c_.QEZ3 * df_ * df_) *
                                    (1 + inclined(c_.QEZ4 + c_.QEZ5 * gamma_, B_t * c_.QCZ1 * at)),
                                1.0);
    const double trail = D_t * std::cos(curve(c_.QCZ1, B_t, E_t, combined(at))) * cosine;

    const double S_Hr = S_Hy_ + S_Vy_ / nonZero(K_y_);
    const double D_r =
        F_z_ * R_ * mu_ *
        (c_.QDZ6 + c_.QDZ7 * df_ + (c_.QDZ8 + c_.QDZ9 * df_) * gamma_ + (c_.QDZ10 + c_.QDZ11 * df_) * gamma_ * tilt);
    const double residual =
        D_r == 0 ? 0 : D_r * cosineOf((c_.QBZ9 + c_.QBZ10 * B_y_ * c_.PCY1) * combined(alpha_ + S_Hr)) * cosine;

    const double s = R_ * (c_.SSZ1 + c_.SSZ2 * F_y / F_z0_ + (c_.SSZ3 + c_.SSZ4 * df_) * gamma_);
    return -trail * at_ratio + residual + s * F_x;
  }

  /// 2/pi share atan(x)
  static double inclined(double share, double x) noexcept {
    return share == 0 ? 0.0 : share * std::atan(x) / std::acos(0.0);
  }
  static double nonZero(double x) noexcept { return x + signOf(x) * kNoForce; }

  const MagicFormula& c_;
  bool in_radians_;  ///< angles, where the newer form has tangent and sine
  double side_, F_z0_, F_z_, df_, R_, mu_, kappa_, alpha_, gamma_;
  double K_x_ = 0, K_y_ = 0, S_Vy_ = 0, S_Hy_ = 0, D_y_ = 0, B_y_ = 0;
};

}  // namespace

SlipStiffness MagicFormulaLaw::stiffness(const MagicFormulaGrip& grip, const SlipTyre& tyre, double load,
                                         double camber) noexcept {
  const double share = load / tyre.nominal_load;
  const MagicFormula& c = grip.c;
  const double df = loadChange(tyre, load);
  if (grip.form == MagicFormulaForm::k5) camber = std::asin(camber);
  const double bend = c.PKY2 + c.PKY5 * camber * camber;
  return {load * (c.PKX1 + c.PKX2 * df) * std::exp(c.PKX3 * df),
          -c.PKY1 * tyre.nominal_load * std::sin(c.PKY4 * std::atan(share / bend)) * (1 - c.PKY3 * std::abs(camber))};
}

SlipForce MagicFormulaLaw::force(const MagicFormulaGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                                 const SlipStiffness& stiffness) noexcept {
  return Evaluation(grip, tyre, slip).force(stiffness);
}

double MagicFormulaLaw::limit(const MagicFormulaGrip& grip, const SlipTyre&, const TyreSlip& slip, const SlipStiffness&,
                              double speed) noexcept {
  const double size = std::hypot(slip.ratio / grip.peak_ratio, slip.tangent / grip.peak_angle);
  const double maximum = slip.friction + std::abs(speed);  // per 1 m/s
  return size > maximum ? maximum / size : 1.0;
}

}  // namespace tactus::rt
