#include "server/cli/tyre_curves.h"

#include "rt/error.h"
#include "rt/mechanics/tyres/tyre_law.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tactus::server {

std::string tyreCurves(const rt::Model& model, const std::string& tyre) {
  const auto& names = model.slip_tyre_names;
  const auto found = std::find(names.begin(), names.end(), tyre);
  if (found == names.end()) {
    const std::string nearest = rt::nearestName(tyre, names);
    throw Error("model " + model.name + " has no tyre with slip \"" + tyre + '"' +
                (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
  }
  const rt::SlipTyre& t = model.slip_tyres[static_cast<std::size_t>(found - names.begin())];

  constexpr int kPoints = 50;
  std::string csv = "load,slip,longitudinal,lateral,aligning,combined_longitudinal,combined_lateral\n";
  for (const double share : {0.5, 1.0, 1.5})
    for (int k = -kPoints; k <= kPoints; ++k) {
      // Denser about zero, where the curves bend.
      const double x = static_cast<double>(k) / kPoints, slip = x * std::abs(x) * 0.5;
      const double load = share * t.nominal_load;
      const rt::SlipForce along = slipForce(t, {slip, 0, 0, load}), across = slipForce(t, {0, slip, 0, load});
      const rt::SlipForce both = slipForce(t, {slip, slip, 0, load});
      csv += fmt::format("{:g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", load, slip, along.longitudinal,
                         across.lateral, across.aligning, both.longitudinal, both.lateral);
    }
  return csv;
}

}  // namespace tactus::server
