// A wheel that rolls, brakes, drives and corners on a road: a load with internal states.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/elements/tyre_laws.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::rt {

struct SlipTyreSpec {
  std::string road;
  std::string body;
  Vector3d center = Vector3d::Zero();             ///< of the wheel, body axes, m
  Vector3d axis = Vector3d::Zero();               ///< of its spin, to the left of where it rolls, body axes
  double radius = 0;                              ///< unloaded, m
  std::optional<double> rolling_radius;           ///< m; default: the radius
  double stiffness = 0;                           ///< vertical, N/m
  double damping = 0;                             ///< vertical, N s/m
  double nominal_load = 0;                        ///< N
  std::optional<double> longitudinal_relaxation;  ///< length, m; default: the radius
  std::optional<double> lateral_relaxation;       ///< length, m; default: the radius
  double rolling_resistance = 0;                  ///< moment / (load rolling_radius)
  std::optional<double> standstill_damping;       ///< N s/m; default: half the critical one
  bool mirrored = false;                          ///< a tyre measured on the other side
  TyreLawSpecs grip;

  static constexpr const char* kName = "slip_tyre";
  static constexpr const char* kTitle = "slip tyre";
  static Fields fields();
};

/// A load on one body with internal states: how far its tread is dragged along and across.
struct SlipTyre {
  int road, body;
  Vector3d center, axis;  ///< body axes, m; unit vector
  double radius, rolling_radius, stiffness, damping, nominal_load;
  double relaxation[2];  ///< longitudinal, lateral, m
  double rolling_resistance, standstill_damping;
  bool mirrored;
  TyreGrip grip;
  int internal_states;  ///< first of kSlipTyreInternalStates values in State
  int like;             ///< first tyre of the Model with the same constants of its law; follows from the others

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(road, body);
    visit.numbers(center, axis, radius, rolling_radius, stiffness, damping, nominal_load, relaxation[0], relaxation[1],
                  rolling_resistance, standstill_damping);
    visit.structure(mirrored, static_cast<std::uint8_t>(grip.index()));
    visitGrip(grip, visit);
    visit.layout(internal_states);
  }
};
/// Deflection of the tread along and across, m; their rates at the end of the last step, m/s.
inline constexpr int kSlipTyreInternalStates = 4;

void check(const SlipTyreSpec& spec, const FindingPlace& at);
void build(const SlipTyreSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
