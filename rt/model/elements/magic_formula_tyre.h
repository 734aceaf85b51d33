// The Magic Formula of the forces along the road.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/magic_formula.h"

#include <map>
#include <span>
#include <string>

namespace tactus::rt {

struct NominalSlipStiffness;
struct SlipTyre;

template <>
struct ChoiceOf<MagicFormulaForm> {
  static constexpr int kCount = 2, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

/// The Magic Formula with what is computed from its coefficients at set-up.
struct MagicFormulaGrip {
  MagicFormula c;
  MagicFormulaForm form = MagicFormulaForm::k6;
  double peak_ratio = 0, peak_angle = 0;  ///< slip at the peak of each force, nominal load: ratio; tangent of the angle

  bool operator==(const MagicFormulaGrip&) const = default;

  template <typename Visit>
  void constants(Visit& visit) const {
    // PHY3, QBZ4, QDZ10, QDZ11 and the form came later: a model without them keeps its hash.
    const std::span names(kMagicFormulaNames);
    for (const MagicFormulaName& name : names.first(names.size() - 4)) visit.numbers(c.*name.member);
    if (c.PHY3 == 0 && c.QBZ4 == 0 && c.QDZ10 == 0 && c.QDZ11 == 0 && form == MagicFormulaForm::k6) return;
    visit.numbers(c.PHY3, c.QBZ4, c.QDZ10, c.QDZ11);
    visit.structure(form);
  }
};

/// Coefficients by their names in tyre property files.
struct MagicFormulaTyreSpec {
  std::map<std::string, double> coefficients;
  MagicFormulaForm form = MagicFormulaForm::k6;

  static constexpr const char* kName = "magic_formula";
  static constexpr const char* kTitle = "Magic Formula";
  using Grip = MagicFormulaGrip;
  static Fields fields();
};

void check(const MagicFormulaTyreSpec& spec, const FindingPlace& at);
/// @returns the slip stiffnesses at the nominal load
NominalSlipStiffness build(const MagicFormulaTyreSpec& spec, SlipTyre& tyre);

}  // namespace tactus::rt
