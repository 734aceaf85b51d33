// How drives move around one time: whether a state with them can be steady.
#pragma once

#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::rt::offline {

/// Drives at a time and a little later; those by inputs keep their inputs.
struct DrivenMotion {
  std::string moving;        ///< the drive with the largest rate; empty: all rest
  double rate = 0;           ///< m/s or rad/s
  std::string accelerating;  ///< the drive whose rate changes most; empty: all rest or go on steadily
  double acceleration = 0;   ///< its acceleration, or the change of it in a second; m/s^2 or rad/s^2
};

/// @param[in] input  value of each actuator
DrivenMotion drivenMotion(const Model& model, const std::vector<double>& input, double t);

/// @throws Error that names a drive that changes its rate, or at rest one that moves: no trim answers for it
void requireSteadyDrives(const Model& model, const std::vector<double>& input, double t, bool at_rest);

}  // namespace tactus::rt::offline
