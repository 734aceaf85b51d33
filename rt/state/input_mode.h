// InputMode: under which authority the actuators of a session are in a tick.
#pragma once

#include "rt/word.h"

#include <cstdint>

namespace tactus::rt {

/// In the order in which one prevails over another when actuators differ.
enum class InputMode : std::uint8_t {
  kFree,           ///< nobody is expected to send inputs; values stay as they are
  kDriven,         ///< a controller sends inputs, and none of the last ones is too old
  kHolding,        ///< its inputs are lost; all values are held
  kSafe,           ///< actuators are at rest where the model wants them; left on purpose only
  kExtrapolating,  ///< its inputs are lost; a value goes on as it went
  kRamping,        ///< a value is on its way to the safe one
};

inline constexpr InputMode kLastInputMode = InputMode::kRamping;

inline constexpr Word<InputMode> kInputModes[] = {{InputMode::kFree, "free"},
                                                  {InputMode::kDriven, "driven"},
                                                  {InputMode::kHolding, "holding"},
                                                  {InputMode::kSafe, "safe"},
                                                  {InputMode::kExtrapolating, "extrapolating"},
                                                  {InputMode::kRamping, "ramping"}};
constexpr const char* toString(InputMode mode) noexcept {
  return wordOf(kInputModes, mode);
}

}  // namespace tactus::rt
