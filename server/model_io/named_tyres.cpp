#include "rt/model/finding_list.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/tyre_file.h"

#include <algorithm>
#include <utility>

namespace tactus::server {
namespace {

/// Values that break no rule, in a model that is refused anyway: one finding is enough.
void breakNoRule(v1::SlipTyre& tyre) {
  v1::BrushTyre& brush = *tyre.mutable_brush();
  brush.set_longitudinal_stiffness(1);
  brush.set_cornering_stiffness(1);
  brush.set_friction(1);
  if (tyre.radius() == 0) tyre.set_radius(1);
  if (tyre.stiffness() == 0) tyre.set_stiffness(1);
  if (tyre.nominal_load() == 0) tyre.set_nominal_load(1);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

}  // namespace

void fillTyre(const TyreProperties& properties, v1::SlipTyre& tyre) {
  if (tyre.radius() == 0) tyre.set_radius(properties.radius);
  if (tyre.nominal_load() == 0) tyre.set_nominal_load(properties.nominal_load);
  if (tyre.stiffness() == 0) tyre.set_stiffness(properties.stiffness);
  if (tyre.damping() == 0) tyre.set_damping(properties.damping);
  if (tyre.rolling_resistance() == 0) tyre.set_rolling_resistance(properties.rolling_resistance);
  if (!tyre.has_rolling_radius() && properties.rolling_radius)
    tyre.set_rolling_radius(std::min(*properties.rolling_radius, tyre.radius()));
  if (!tyre.has_longitudinal_relaxation() && properties.longitudinal_relaxation)
    tyre.set_longitudinal_relaxation(*properties.longitudinal_relaxation);
  if (!tyre.has_lateral_relaxation() && properties.lateral_relaxation)
    tyre.set_lateral_relaxation(*properties.lateral_relaxation);
  *tyre.mutable_magic_formula() = properties.formula;
}

std::vector<rt::Finding> readTyreFiles(const std::filesystem::path& root, const std::filesystem::path& folder,
                                       v1::Model& model) {
  std::vector<rt::Finding> findings;
  for (int i = 0; i < model.forces_size(); ++i) {
    v1::Force& force = *model.mutable_forces(i);
    if (!force.has_slip_tyre() || force.slip_tyre().magic_formula().file().empty()) continue;
    v1::SlipTyre& tyre = *force.mutable_slip_tyre();
    const v1::MagicFormulaTyre named = tyre.magic_formula();
    const std::string path = rt::element("forces", static_cast<std::size_t>(i)) + ".slip_tyre.magic_formula";
    const auto refuse = [&](const char* field, std::string value, std::string rule, std::string hint = {}) {
      findings.push_back({rt::Severity::kError, path + field, std::move(value), std::move(rule), std::move(hint)});
      breakNoRule(tyre);
    };
    tyre.mutable_magic_formula()->clear_file();
    tyre.mutable_magic_formula()->clear_side();
    if (named.coefficients_size() > 0 || named.form() != v1::MAGIC_FORMULA_FORM_UNSPECIFIED) {
      refuse(".file", rt::printed(named.file()), "must be given alone, without coefficients and form");
      continue;
    }
    if (!named.side().empty() && named.side() != "left" && named.side() != "right") {
      refuse(".side", rt::printed(named.side()), "must be \"left\" or \"right\"");
      continue;
    }
    std::string text;
    if (auto problem = readFileIn(root, folder, named.file(), kMaxTyreFile, text)) {
      refuse(".file", rt::printed(named.file()), std::move(problem->rule), std::move(problem->hint));
      continue;
    }
    TyreProblem problem;
    const auto properties = readTyre(text, problem);
    if (!properties) {
      const std::string line = problem.line > 0 ? ", line " + std::to_string(problem.line) : "";
      refuse(".file", rt::printed(named.file()) + line + ": " + problem.value, problem.rule, problem.hint);
      continue;
    }
    fillTyre(*properties, tyre);
    if (!named.side().empty() && properties->side.empty())
      refuse(".side", rt::printed(named.side()), "must be left out: the file has no TYRESIDE",
             "say with mirrored whether the tyre was measured on the other side");
    if (!named.side().empty() && !properties->side.empty()) tyre.set_mirrored(named.side() != properties->side);
    if (!properties->left_out.empty())
      findings.push_back({rt::Severity::kWarning, path + ".file", rt::printed(named.file()),
                          "has values that the tyre leaves out: " + listed(properties->left_out), ""});
  }
  return findings;
}

}  // namespace tactus::server
