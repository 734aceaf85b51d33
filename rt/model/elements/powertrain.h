// An engine or motor that turns wheels through one ratio and an open differential: a load.
#pragma once

#include "rt/model/elements/element.h"

#include <string>
#include <vector>

namespace tactus::rt {

struct PowertrainSpec {
  std::string carrier;              ///< body that takes the reaction of the shafts
  std::vector<std::string> joints;  ///< of the driven wheels; each must have an angle
  std::vector<double> speeds;       ///< of the engine, rad/s, increasing
  std::vector<double> full_torque;  ///< at full throttle, N m
  std::vector<double> zero_torque;  ///< at closed throttle, N m
  double final_ratio = 1;           ///< engine turns per wheel turn at ratio 1
  double efficiency = 1;            ///< of driving torque; torque that brakes the engine is not divided

  static constexpr const char* kName = "powertrain";
  static constexpr const char* kTitle = "powertrain";
  static Fields fields();
};

struct Powertrain {
  int carrier;                                           ///< body
  std::vector<int> joints;                               ///< of the driven wheels
  std::vector<double> speeds, full_torque, zero_torque;  ///< rad/s, N m
  double final_ratio, efficiency;
  std::vector<int> throttle, ratio;  ///< actuators; their sums count

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(carrier, joints);
    visit.numbers(speeds, full_torque, zero_torque, final_ratio, efficiency);
    visit.structure(throttle, ratio);
  }
};

void check(const PowertrainSpec& spec, const FindingPlace& at);
void build(const PowertrainSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
