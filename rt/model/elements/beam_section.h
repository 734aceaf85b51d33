// Cross-sections of beams: from dimensions and a material to the stiffness and the inertia of a unit of length.
#pragma once

#include "rt/model/elements/element.h"

#include <string>
#include <variant>
#include <vector>

namespace tactus::rt {

/// What a unit of length of a beam has. Axis 1 runs along the beam through the centroids.
struct SectionProperties {
  Eigen::Matrix<double, 6, 6> stiffness = Eigen::Matrix<double, 6, 6>::Zero();  ///< as of BeamElementSpec
  double mass = 0;                                                              ///< kg/m
  Vector3d inertia = Vector3d::Zero();                                          ///< about axes 1, 2, 3, kg m
};

/// Of the material of a beam, isotropic.
struct BeamMaterialSpec {
  double young = 0;  ///< Pa
  double poisson_ratio = 0.3;
  double density = 0;  ///< kg/m^3

  static Fields fields();
};

/// Width along axis 2, height along axis 3. Shear factor 5/6; torsion after Saint-Venant.
struct RectangleSectionSpec {
  double width = 0, height = 0;  ///< m

  static constexpr const char* kName = "rectangle";
  static Fields fields();
};

/// Shear factor 6 (1 + nu) / (7 + 6 nu), G. R. Cowper, J. Appl. Mech. 33 (1966).
struct CircleSectionSpec {
  double radius = 0;  ///< m

  static constexpr const char* kName = "circle";
  static Fields fields();
};

/// Shear factor of the hollow circle, Cowper (1966).
struct TubeSectionSpec {
  double outer_radius = 0, inner_radius = 0;  ///< m

  static constexpr const char* kName = "tube";
  static Fields fields();
};

/// Outer width along axis 2, outer height along axis 3, one wall thickness. Thin walls: shear area of the walls along
/// the force, torsion after Bredt.
struct BoxSectionSpec {
  double width = 0, height = 0, thickness = 0;  ///< m

  static constexpr const char* kName = "box";
  static Fields fields();
};

/// Two flanges of the width along axis 2 at the ends of a web along axis 3. Thin walls: the web carries shear along 3,
/// 5/6 of the flanges along 2; torsion of open walls.
struct ISectionSpec {
  double width = 0, height = 0;  ///< m, outer
  double flange = 0, web = 0;    ///< thicknesses, m

  static constexpr const char* kName = "i_section";
  static Fields fields();
};

/// A U: the web along axis 3 stands at the negative end of axis 2, and two equal flanges run from it along axis 2. Thin
/// walls: the web carries shear along 3, 5/6 of the flanges along 2; torsion of open walls. The axis of the beam runs
/// through the centroids; the shear center lies behind the web, beyond the negative end of axis 2, and the stiffness
/// couples shear along 3 with torsion, so that a force through the centroid twists the beam. Left out: warping, whose
/// restraint stiffens short channels in torsion, and fillets.
struct ChannelSectionSpec {
  double width = 0, height = 0;  ///< m, outer
  double flange = 0, web = 0;    ///< thicknesses, m

  static constexpr const char* kName = "channel";
  static Fields fields();
};

/// By its numbers, with any coupling.
struct GeneralSectionSpec {
  Eigen::MatrixXd stiffness;            ///< as of BeamElementSpec
  double mass = 0;                      ///< kg/m
  Vector3d inertia = Vector3d::Zero();  ///< about axes 1, 2, 3 through the axis of the beam, kg m

  static constexpr const char* kName = "general";
  static Fields fields();
};

using BeamSectionKinds = std::variant<RectangleSectionSpec, CircleSectionSpec, TubeSectionSpec, BoxSectionSpec,
                                      ISectionSpec, GeneralSectionSpec, ChannelSectionSpec>;

/// A section of a beam at a place along it.
struct BeamStationSpec {
  double place = 0;  ///< 0 at the start of the beam, 1 at its end
  BeamSectionKinds section;

  static Fields fields();
};

/// Whether the section is made of a material; else it has its numbers.
bool needsMaterial(const BeamSectionKinds& section);

void checkStation(const BeamStationSpec& station, const FindingPlace& at);

SectionProperties propertiesOf(const BeamSectionKinds& section, const BeamMaterialSpec& material);

/// Linear between the stations, constant beyond them.
/// @param stations  at rising places, at least one
SectionProperties propertiesAt(const std::vector<BeamStationSpec>& stations, const BeamMaterialSpec& material,
                               double place);

}  // namespace tactus::rt
