// The frame of every function of the standard: checks the mode, runs in the floating-point mode of the tick, and turns
// what is thrown into a status and a message.
#pragma once

#include "clients/fmi/unit/float_mode.h"
#include "clients/fmi/unit/instance.h"

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace tactus::fmi {

/// @param name  of the function, for messages
/// @returns the status as a number of the standard; kError for no instance
template <typename Call>
int called(Instance* instance, unsigned modes, const char* name, Call call) noexcept {
  if (instance == nullptr) return static_cast<int>(Outcome::kError);
  const DefaultFloatMode mode;
  try {
    try {
      instance->requireMode(modes, name);
      call(*instance);
      return static_cast<int>(Outcome::kOk);
    } catch (const CallProblem& problem) {
      instance->report({problem.outcome, std::string(name) + ": " + problem.message});
      return static_cast<int>(problem.outcome);
    } catch (const std::exception& error) {
      instance->report({Outcome::kError, std::string(name) + ": " + error.what()});
    }
  } catch (...) {
    // Not even the message could be made.
  }
  return static_cast<int>(Outcome::kError);
}

/// A function of a capability that modelDescription.xml denies.
inline int denied(Instance* instance, const char* name, const char* why) noexcept {
  return called(instance, kAnyMode, name, [why](Instance&) { throw CallProblem{Outcome::kError, why}; });
}

/// A function of variables of a type that the unit has none of: right for none, else an error.
inline int noVariables(Instance* instance, const char* name, std::size_t count) noexcept {
  return called(instance, kAnyMode, name, [count](Instance&) {
    if (count > 0) throw CallProblem{Outcome::kError, "the unit has no variable of this type"};
  });
}

// ---- states: the same functions in both versions of the standard ----

inline UnitState& stateAt(void* state) {
  if (!state) throw CallProblem{Outcome::kError, "there is no state"};
  return *static_cast<UnitState*>(state);
}

/// Into the state that the importer gave, or as a new one.
inline void giveState(std::unique_ptr<UnitState> from, void** to) {
  if (*to)
    *static_cast<UnitState*>(*to) = std::move(*from);
  else
    *to = from.release();
}

inline int getState(Instance* instance, const char* name, void** state) noexcept {
  return called(instance, kAnyMode, name, [&](Instance& self) { giveState(self.save(), state); });
}

inline int setState(Instance* instance, const char* name, void* state) noexcept {
  return called(instance, kAnyMode, name, [&](Instance& self) { self.restore(stateAt(state)); });
}

inline int freeState(Instance* instance, const char* name, void** state) noexcept {
  return called(instance, kAnyMode, name, [&](Instance&) {
    if (!state) return;
    delete static_cast<UnitState*>(*state);
    *state = nullptr;
  });
}

inline int serializedSize(Instance* instance, const char* name, void* state, std::size_t* size) noexcept {
  return called(instance, kAnyMode, name, [&](Instance& self) { *size = self.serialize(stateAt(state)).size(); });
}

inline int serializeState(Instance* instance, const char* name, void* state, void* bytes, std::size_t size) noexcept {
  return called(instance, kAnyMode, name, [&](Instance& self) {
    const std::string written = self.serialize(stateAt(state));
    if (written.size() > size)
      throw CallProblem{Outcome::kError, "the state needs " + std::to_string(written.size()) + " bytes"};
    std::memcpy(bytes, written.data(), written.size());
  });
}

inline int deserializeState(Instance* instance, const char* name, const void* bytes, std::size_t size,
                            void** state) noexcept {
  return called(instance, kAnyMode, name, [&](Instance& self) {
    giveState(self.deserialize({static_cast<const char*>(bytes), size}), state);
  });
}

inline constexpr const char* kOnlyCoSimulation = "the unit is for co-simulation only";
inline constexpr const char* kNoDerivatives = "the unit gives no derivatives by time; modelDescription.xml says so";

}  // namespace tactus::fmi
