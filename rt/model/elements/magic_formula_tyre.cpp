#include "rt/model/elements/magic_formula_tyre.h"

#include "rt/model/elements/slip_tyre.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tactus::rt {
namespace {

constexpr double kMaxPeak = 1.0;  ///< slip; where a curve has no peak before it

/// PKY4 where it is left out: files of the formula's older form do not have it.
constexpr double kDefaultOrder = 2;

/// Argument B x at which sin(C atan(B x - E (B x - atan B x))) has its peak; infinite if it has none.
double magicPeak(double C, double E) noexcept {
  // There the angle is pi/2: x - E (x - atan x) = tan(pi / (2 C)). Bisection; the left side rises for E up to 1.
  if (!(C > 1)) return std::numeric_limits<double>::infinity();
  const double wanted = std::tan(std::acos(0.0) / C);
  double low = 0, high = 1e6;
  for (int pass = 0; pass < 200; ++pass) {
    const double x = 0.5 * (low + high);
    (x - E * (x - std::atan(x)) < wanted ? low : high) = x;
  }
  return high < 1e6 ? high : std::numeric_limits<double>::infinity();
}

/// Slip stiffness at the nominal load, over that load.
struct MagicStiffness {
  double longitudinal, lateral;

  explicit MagicStiffness(const MagicFormula& c) noexcept
      : longitudinal(c.PKX1), lateral(-c.PKY1 * std::sin(c.PKY4 * std::atan(1 / c.PKY2))) {}
};

}  // namespace

Fields MagicFormulaTyreSpec::fields() {
  static constexpr Field kFields[] = {
      field<&MagicFormulaTyreSpec::coefficients>(
          "coefficients", "Coefficients by their names in tyre property files, in capital letters.",
          {.unit = "1",
           .otherwise = "0, and 2 for PKY4",
           .rule = "PCX1, PDX1, PKX1, PCY1, PDY1 and PKY2 above zero, PKY1 below zero, sin(PKY4 atan(1 / PKY2)) above "
                   "zero"}),
      field<&MagicFormulaTyreSpec::form>("form", "Form of the formula.", {.brief = true}),
  };
  return kFields;
}

void check(const MagicFormulaTyreSpec& spec, const FindingPlace& at) {
  std::vector<std::string> known;
  for (const MagicFormulaName& name : kMagicFormulaNames) known.emplace_back(name.name);
  const auto fieldOf = [](const std::string& name) { return ".coefficients[\"" + name + "\"]"; };
  for (const auto& [name, value] : spec.coefficients) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      at.error(fieldOf(name), printed(name), "must be a coefficient of the Magic Formula, in capital letters",
               didYouMean(name, known, at.out));
    requireFinite(at.path + fieldOf(name), value, at.out);
  }
  const auto value = [&](const char* name) {
    const auto given = spec.coefficients.find(name);
    return given == spec.coefficients.end() ? 0.0 : given->second;
  };
  for (const char* name : {"PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY2"})
    if (!(value(name) > 0)) at.error(fieldOf(name), printed(value(name)), "must be given, above zero");
  if (!(value("PKY1") < 0))
    at.error(fieldOf("PKY1"), printed(value("PKY1")), "must be given, below zero",
             "the signs are those of the ISO axes, as in tyre property files");
  const double bend = value("PKY2"), order = spec.coefficients.contains("PKY4") ? value("PKY4") : kDefaultOrder;
  if (bend > 0 && std::isfinite(bend) && std::isfinite(order) && !(std::sin(order * std::atan(1 / bend)) > 0))
    at.error(fieldOf("PKY4"), printed(order),
             "must give a cornering stiffness above zero: sin(PKY4 atan(1 / PKY2)) > 0", "its usual value is 2");
  // Wheels reach such loads on kerbs.
  constexpr double kHighLoad = 3;
  if (value("PKX1") > 0 && std::isfinite(value("PKX2")) && !(value("PKX1") + (kHighLoad - 1) * value("PKX2") > 0))
    at.out.warning(at.path + fieldOf("PKX2"), printed(value("PKX2")),
                   "should leave a slip stiffness above zero at three times the nominal load: PKX1 + 2 PKX2 > 0",
                   "beyond, the tyre has a twentieth of PKX1; check the nominal load of the file");
}

NominalSlipStiffness build(const MagicFormulaTyreSpec& spec, SlipTyre& tyre) {
  MagicFormulaGrip& grip = tyre.grip.emplace<MagicFormulaGrip>();
  MagicFormula& c = grip.c;
  grip.form = spec.form;
  c.PKY4 = kDefaultOrder;
  for (const MagicFormulaName& known : kMagicFormulaNames)
    if (const auto given = spec.coefficients.find(known.name); given != spec.coefficients.end())
      c.*known.member = given->second;
  const MagicStiffness K(c);
  const double B_x = K.longitudinal / (c.PCX1 * c.PDX1), B_y = K.lateral / (c.PCY1 * c.PDY1);
  grip.peak_ratio = std::min(magicPeak(c.PCX1, std::min(c.PEX1, 1.0)) / B_x, kMaxPeak);
  const double angle = std::min(magicPeak(c.PCY1, std::min(c.PEY1, 1.0)) / B_y, kMaxPeak);
  grip.peak_angle = std::min(spec.form == MagicFormulaForm::k5 ? std::tan(angle) : angle, kMaxPeak);
  return {K.longitudinal * tyre.nominal_load, K.lateral * tyre.nominal_load};
}

}  // namespace tactus::rt
