#include "rt/model/elements/beam_section.h"

#include "rt/model/check_fields.h"
#include "rt/model/elements/beam_element.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::rt {
namespace {

constexpr double kPi = std::numbers::pi;

/// An area, its second moments about axes 2 and 3, the shear areas along them and the constant of torsion.
struct Shape {
  double area, about_2, about_3, shear_2, shear_3, torsion;
};

/// Torsion constant of a rectangle.
/// @source S. P. Timoshenko, J. N. Goodier, Theory of Elasticity, 3rd edition, Eq. (160)
double rectangleTorsion(double side_1, double side_2) {
  const double a = std::max(side_1, side_2), b = std::min(side_1, side_2);
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(n * kPi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(kPi, 5) * a) * sum);
}

Shape shapeOf(const RectangleSectionSpec& s, double) {
  const double area = s.width * s.height;
  return {area,           area * s.height * s.height / 12,    area * s.width * s.width / 12, area * 5.0 / 6,
          area * 5.0 / 6, rectangleTorsion(s.width, s.height)};
}

Shape shapeOf(const CircleSectionSpec& s, double nu) {
  const double area = kPi * s.radius * s.radius, about = area * s.radius * s.radius / 4;
  const double shear = area * 6 * (1 + nu) / (7 + 6 * nu);
  return {area, about, about, shear, shear, 2 * about};
}

Shape shapeOf(const TubeSectionSpec& s, double nu) {
  const double outer = s.outer_radius * s.outer_radius, inner = s.inner_radius * s.inner_radius;
  const double area = kPi * (outer - inner), about = area * (outer + inner) / 4;
  const double m = inner / outer, both = (1 + m) * (1 + m);
  const double shear = area * 6 * (1 + nu) * both / ((7 + 6 * nu) * both + (20 + 12 * nu) * m);
  return {area, about, about, shear, shear, 2 * about};
}

Shape shapeOf(const BoxSectionSpec& s, double) {
  const double b = s.width, h = s.height, t = s.thickness, b_in = b - 2 * t, h_in = h - 2 * t;
  const double middle_b = b - t, middle_h = h - t;
  return {b * h - b_in * h_in,
          (b * h * h * h - b_in * h_in * h_in * h_in) / 12,
          (h * b * b * b - h_in * b_in * b_in * b_in) / 12,
          2 * t * middle_b,
          2 * t * middle_h,
          2 * t * middle_b * middle_b * middle_h * middle_h / (middle_b + middle_h)};
}

Shape shapeOf(const ISectionSpec& s, double) {
  const double b = s.width, h = s.height, h_web = h - 2 * s.flange;
  return {2 * b * s.flange + h_web * s.web,
          (b * h * h * h - (b - s.web) * h_web * h_web * h_web) / 12,
          (2 * s.flange * b * b * b + h_web * s.web * s.web * s.web) / 12,
          2 * b * s.flange * 5.0 / 6,
          (h - s.flange) * s.web,
          (2 * b * s.flange * s.flange * s.flange + (h - s.flange) * s.web * s.web * s.web) / 3};
}

/// From the middle of the web of a channel: the centroid along axis 2, the shear center against it.
struct ChannelCenters {
  double centroid, shear;
};

/// @source S. P. Timoshenko, J. M. Gere, Mechanics of Materials, shear centers of thin-walled open sections:
/// e = 3 b^2 t_f / (h t_w + 6 b t_f)
ChannelCenters centersOf(const ChannelSectionSpec& s) {
  const double b = s.width - 0.5 * s.web, h = s.height - s.flange;  // between the middles of the walls
  const double flanges = 2 * s.width * s.flange, web = (s.height - 2 * s.flange) * s.web;
  return {flanges * 0.5 * (s.width - s.web) / (flanges + web), 3 * b * b * s.flange / (h * s.web + 6 * b * s.flange)};
}

Shape shapeOf(const ChannelSectionSpec& s, double) {
  const double b = s.width, h = s.height, h_web = h - 2 * s.flange, centroid = centersOf(s).centroid;
  const double flanges = 2 * b * s.flange, web = h_web * s.web, from_flange = 0.5 * (b - s.web) - centroid;
  return {flanges + web,
          (b * h * h * h - (b - s.web) * h_web * h_web * h_web) / 12,
          flanges * (b * b / 12 + from_flange * from_flange) + web * (s.web * s.web / 12 + centroid * centroid),
          flanges * 5.0 / 6,
          (h - s.flange) * s.web,
          (2 * (b - 0.5 * s.web) * s.flange * s.flange * s.flange + (h - s.flange) * s.web * s.web * s.web) / 3};
}

/// Place of the shear center on axis 2.
template <typename Spec>
double shearCenter(const Spec&) {
  return 0;
}
double shearCenter(const ChannelSectionSpec& s) {
  const ChannelCenters centers = centersOf(s);
  return -centers.shear - centers.centroid;
}

template <typename Spec>
SectionProperties propertiesOf(const Spec& spec, const BeamMaterialSpec& material) {
  const double E = material.young, G = E / (2 * (1 + material.poisson_ratio));
  const Shape shape = shapeOf(spec, material.poisson_ratio);
  SectionProperties p;
  p.stiffness.diagonal() << E * shape.area, G * shape.shear_2, G * shape.shear_3, G * shape.torsion, E * shape.about_2,
      E * shape.about_3;
  // Shear along 3 is Gamma_3 + y kappa_1 at the place y of the shear center.
  const double y = shearCenter(spec), shear = p.stiffness(2, 2);
  p.stiffness(2, 3) = p.stiffness(3, 2) = y * shear;
  p.stiffness(3, 3) += y * y * shear;
  p.mass = material.density * shape.area;
  p.inertia = material.density * Vector3d(shape.about_2 + shape.about_3, shape.about_2, shape.about_3);
  return p;
}

SectionProperties propertiesOf(const GeneralSectionSpec& spec, const BeamMaterialSpec&) {
  return {spec.stiffness, spec.mass, spec.inertia};
}

void checkWalls(const TubeSectionSpec& s, const FindingPlace& at) {
  if (s.inner_radius >= s.outer_radius)
    at.error(".inner_radius", printed(s.inner_radius), "must be below outer_radius", "a full section is a circle");
}
void checkWalls(const BoxSectionSpec& s, const FindingPlace& at) {
  if (2 * s.thickness >= std::min(s.width, s.height))
    at.error(".thickness", printed(s.thickness), "must be below half of width and height",
             "a full section is a rectangle");
}
void checkWalls(const ISectionSpec& s, const FindingPlace& at) {
  if (2 * s.flange >= s.height) at.error(".flange", printed(s.flange), "must be below half of the height");
  if (s.web >= s.width) at.error(".web", printed(s.web), "must be below the width");
}
void checkWalls(const ChannelSectionSpec& s, const FindingPlace& at) {
  if (2 * s.flange >= s.height) at.error(".flange", printed(s.flange), "must be below half of the height");
  if (s.web >= s.width) at.error(".web", printed(s.web), "must be below the width");
}
void checkWalls(const GeneralSectionSpec& s, const FindingPlace& at) {
  checkSectionStiffness(at, ".stiffness", s.stiffness);
  const Vector3d& j = s.inertia;
  if (!(j.minCoeff() > 0))
    at.error(".inertia", printed(j), "must be above zero", "a thin beam has the small moments of its area");
  else if (2 * j.maxCoeff() > j.sum() * (1 + 1e-9))  // what ten digits of a file leave
    at.error(".inertia", printed(j), "must not have one moment above the sum of the other two",
             "of a flat section the moment about axis 1 is the sum of the others");
}
template <typename Spec>
void checkWalls(const Spec&, const FindingPlace&) {}

}  // namespace

Fields BeamMaterialSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BeamMaterialSpec::young>("young", "Modulus of elasticity.", {.unit = "Pa", .range = Range::kPositive}),
      field<&BeamMaterialSpec::poisson_ratio>("poisson_ratio",
                                              "Poisson's ratio; the shear modulus is young / (2 (1 + poisson_ratio)).",
                                              {.unit = "1", .range = Range::kWithin, .low = -0.99, .high = 0.5}),
      field<&BeamMaterialSpec::density>("density", "Density.", {.unit = "kg/m^3", .range = Range::kPositive}),
  };
  return kFields;
}

Fields RectangleSectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RectangleSectionSpec::width>("width", "Along axis 2.", {.unit = "m", .range = Range::kPositive}),
      field<&RectangleSectionSpec::height>("height", "Along axis 3.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields CircleSectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CircleSectionSpec::radius>("radius", "Radius.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields TubeSectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&TubeSectionSpec::outer_radius>("outer_radius", "Outer radius.", {.unit = "m", .range = Range::kPositive}),
      field<&TubeSectionSpec::inner_radius>("inner_radius", "Inner radius.",
                                            {.unit = "m", .range = Range::kPositive, .rule = "below outer_radius"}),
  };
  return kFields;
}

Fields BoxSectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BoxSectionSpec::width>("width", "Outer width, along axis 2.", {.unit = "m", .range = Range::kPositive}),
      field<&BoxSectionSpec::height>("height", "Outer height, along axis 3.", {.unit = "m", .range = Range::kPositive}),
      field<&BoxSectionSpec::thickness>(
          "thickness", "Of the walls.",
          {.unit = "m", .range = Range::kPositive, .rule = "below half of width and height"}),
  };
  return kFields;
}

Fields ISectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ISectionSpec::width>("width", "Of the flanges, along axis 2.", {.unit = "m", .range = Range::kPositive}),
      field<&ISectionSpec::height>("height", "Outer height, along axis 3.", {.unit = "m", .range = Range::kPositive}),
      field<&ISectionSpec::flange>("flange", "Thickness of the flanges.",
                                   {.unit = "m", .range = Range::kPositive, .rule = "below half of the height"}),
      field<&ISectionSpec::web>("web", "Thickness of the web.",
                                {.unit = "m", .range = Range::kPositive, .rule = "below the width"}),
  };
  return kFields;
}

Fields ChannelSectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ChannelSectionSpec::width>("width", "Outer width, along axis 2.",
                                        {.unit = "m", .range = Range::kPositive}),
      field<&ChannelSectionSpec::height>("height", "Outer height, along axis 3.",
                                         {.unit = "m", .range = Range::kPositive}),
      field<&ChannelSectionSpec::flange>("flange", "Thickness of the flanges.",
                                         {.unit = "m", .range = Range::kPositive, .rule = "below half of the height"}),
      field<&ChannelSectionSpec::web>("web", "Thickness of the web.",
                                      {.unit = "m", .range = Range::kPositive, .rule = "below the width"}),
  };
  return kFields;
}

Fields GeneralSectionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&GeneralSectionSpec::stiffness>("stiffness", "As of BeamElement.",
                                            {.unit = "N, N m^2, N m", .rule = "symmetric, positive definite"}),
      field<&GeneralSectionSpec::mass>("mass", "Mass of a unit of length.",
                                       {.unit = "kg/m", .range = Range::kPositive}),
      field<&GeneralSectionSpec::inertia>(
          "inertia", "Moments of inertia of a unit of length about axes 1, 2 and 3 of the section.",
          {.unit = "kg m",
           .range = Range::kFinite,
           .required = true,
           .rule = "above zero, none above the sum of the other two"}),
  };
  return kFields;
}

Fields BeamStationSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BeamStationSpec::place>(
          "place", "Along the beam: 0 at its start, 1 at its end.",
          {.unit = "1", .range = Range::kWithin, .low = 0, .high = 1, .rule = "above that of the station before"}),
      field<&BeamStationSpec::section>("section", "The cross-section."),
  };
  return kFields;
}

bool needsMaterial(const BeamSectionKinds& section) {
  return !std::holds_alternative<GeneralSectionSpec>(section);
}

void checkStation(const BeamStationSpec& station, const FindingPlace& at) {
  std::visit(
      [&]<typename Spec>(const Spec& spec) {
        const FindingPlace of_section = at.within(std::string(".") + Spec::kName);
        checkFields(spec, of_section);
        checkWalls(spec, of_section);
      },
      station.section);
}

SectionProperties propertiesOf(const BeamSectionKinds& section, const BeamMaterialSpec& material) {
  return std::visit([&](const auto& spec) { return propertiesOf(spec, material); }, section);
}

SectionProperties propertiesAt(const std::vector<BeamStationSpec>& stations, const BeamMaterialSpec& material,
                               double place) {
  std::size_t next = 0;
  while (next < stations.size() && stations[next].place < place) ++next;
  if (next == 0) return propertiesOf(stations.front().section, material);
  if (next == stations.size()) return propertiesOf(stations.back().section, material);
  const double from = stations[next - 1].place, share = (place - from) / (stations[next].place - from);
  const SectionProperties a = propertiesOf(stations[next - 1].section, material),
                          b = propertiesOf(stations[next].section, material);
  return {a.stiffness + share * (b.stiffness - a.stiffness), a.mass + share * (b.mass - a.mass),
          a.inertia + share * (b.inertia - a.inertia)};
}

}  // namespace tactus::rt
