// The kinds of quantities that a comparison judges, and the largest trusted error of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tactus::server {

enum class Kind : std::uint8_t { kPosition, kRotation, kVelocity, kJoint, kReaction, kLoad, kSensor, kEnergy };
inline constexpr std::size_t kKinds = 8;
const char* toString(Kind kind) noexcept;  ///< "position"

/// Largest trusted error of each kind, as a share of the scale of the quantity; of kEnergy, of the exchanged energy.
class Tolerances {
 public:
  double of(Kind kind) const { return values_[static_cast<std::size_t>(kind)]; }
  /// @param[in] text  "position=1e-4"; "all=1e-4" sets coordinates to this, energy to twice, reactions, loads and
  ///                  sensors to four times and velocities to five times this
  /// @throws Error that names the kinds, or the range of 1e-9 to 1
  void set(const std::string& text);
  std::string text() const;  ///< "position=0.001 rotation=0.001 ..."

 private:
  void setAll(double value);
  std::array<double, kKinds> values_ = {5e-3, 5e-3, 2.5e-2, 5e-3, 2e-2, 2e-2, 2e-2, 1e-2};
};

}  // namespace tactus::server
