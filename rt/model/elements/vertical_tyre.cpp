#include "rt/model/elements/vertical_tyre.h"

#include "rt/model/finding_list.h"
#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/road_envelope.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxEnvelopeValues = 4'000'000;  ///< of all tyres

}  // namespace

Fields VerticalTyreSpec::fields() {
  static constexpr Field kFields[] = {
      field<&VerticalTyreSpec::road>("road", "Name of a road.", {.refers = Refers::kRoad}),
      field<&VerticalTyreSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&VerticalTyreSpec::center>("centre", "Center of the wheel, body frame.",
                                       {.unit = "m", .range = Range::kFinite, .otherwise = "the center of mass"}),
      field<&VerticalTyreSpec::radius>("radius", "Radius of the wheel.", {.unit = "m", .range = Range::kPositive}),
      field<&VerticalTyreSpec::stiffness>("stiffness", "Load per deflection.",
                                          {.unit = "N/m", .range = Range::kPositive}),
      field<&VerticalTyreSpec::damping>("damping", "Load per rate of the deflection.",
                                        {.unit = "N s/m", .range = Range::kNotNegative}),
  };
  return kFields;
}

void VerticalTyreSpec::checkAll(const ModelSpec& spec, FindingList& out) {
  std::set<std::pair<std::string, double>> counted;
  std::size_t sum = 0;
  for (std::size_t f = 0; f < spec.forces.size(); ++f) {
    const auto* tyre = std::get_if<VerticalTyreSpec>(&spec.forces[f].kind);
    if (tyre == nullptr || !(tyre->radius > 0 && std::isfinite(tyre->radius))) continue;
    const auto road =
        std::find_if(spec.roads.begin(), spec.roads.end(), [tyre](const RoadSpec& r) { return r.name == tyre->road; });
    if (road != spec.roads.end() && road->line)
      out.error(element("forces", f) + ".vertical_tyre.road", printed(tyre->road), "must be a road without a line",
                "a slip_tyre rolls on roads with lines");
    if (road == spec.roads.end() || !road->heights) continue;
    const SurfaceGridSpec& grid = *road->heights;
    if (grid.columns < 2 || !(grid.spacing > 0) || !counted.emplace(tyre->road, tyre->radius).second) continue;
    const auto columns = static_cast<std::size_t>(grid.columns);
    sum += envelopeSize(grid.values.size() / columns, columns, grid.spacing, tyre->radius);
    if (sum <= kMaxEnvelopeValues) continue;
    return out.error(element("forces", f) + ".vertical_tyre.road", printed(tyre->road),
                     "must be a road whose heights make a profile of at most 4 000 000 numbers for all radii together",
                     "use a coarser grid, or one radius for all wheels");
  }
}

void build(const VerticalTyreSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  Model& model = builder.model();
  const Tyre tyre{builder.road(spec.road),
                  builder.body(spec.body),
                  spec.center,
                  spec.radius,
                  spec.stiffness,
                  spec.damping,
                  takeEnvelope(builder.road(spec.road), spec.radius, model)};
  CompliantLaw law;
  law.rows = 1;
  law.tyre = static_cast<int>(model.tyres.size());
  model.tyres.push_back(tyre);

  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  JointBuilder row(JointKind::kVerticalTyre, kGround, tyre.body, builder);
  row.setPoints(road.origin, tyre.center);
  row.keepInPlane(road.up);
  row.setCompliant(law);
  row.finish(force.name, force.description);
}

}  // namespace tactus::rt
