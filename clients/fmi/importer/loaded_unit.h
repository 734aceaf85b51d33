// LoadedUnit: the shared object of an FMU of anybody in this process, and its instances for co-simulation. One
// interface for FMI 2.0 and 3.0. A unit can do anything to its process: load one in a process that can be spared.
#pragma once

#include "clients/fmi/importer/unit_description.h"
#include "rt/error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::fmi {

/// Called with the name of each function before the call, and after it with an empty name, or with that of the function
/// within which it was called: a unit of FMI 3.0 calls the importer back.
using CallWatch = std::function<void(std::string_view function)>;

class LoadedUnit {
 public:
  /// @throws Error if the shared object cannot be loaded
  LoadedUnit(const std::string& folder, const UnitDescription& description, CallWatch watch);

  const UnitDescription& description() const noexcept { return description_; }
  const std::string& folder() const noexcept { return folder_; }

  /// What an instance has logged in the newest call: the last reason of a failure, or else the last message. One line
  /// of at most 512 characters; empty if it has logged nothing.
  std::string lastMessage() const;
  /// Any thread. @param status  of FMI; above 1 (warning) the text is the reason of a failure
  void keepMessage(int status, const char* text);

  /// Calls "fmi2NAME" or "fmi3NAME" as a function of type F. @throws Error if it is not exported
  template <class F, class... Arguments>
  auto call(const char* name, Arguments... arguments) {
    const std::string full = prefix_ + name;
    const auto function = reinterpret_cast<F*>(address(full));
    if (running_.empty()) forgetMessages();
    const RunningCall running(*this, full);
    return function(arguments...);
  }
  template <class F, class... Arguments>
  void callVoid(const char* name, Arguments... arguments) {
    const std::string full = prefix_ + name;
    const auto function = reinterpret_cast<F*>(address(full));
    const RunningCall running(*this, full);
    function(arguments...);
  }

 private:
  /// One call, as the watch sees it.
  class RunningCall {
   public:
    RunningCall(LoadedUnit& unit, const std::string& function)
        : unit_(unit), outer_(std::exchange(unit.running_, function)) {
      unit_.watch_(function);
    }
    ~RunningCall() {
      unit_.running_ = outer_;
      unit_.watch_(outer_);
    }
    RunningCall(const RunningCall&) = delete;
    RunningCall& operator=(const RunningCall&) = delete;

   private:
    LoadedUnit& unit_;
    const std::string outer_;
  };

  void* address(const std::string& name) const;
  void forgetMessages();

  const std::string folder_;
  const UnitDescription& description_;
  const CallWatch watch_;
  const std::string prefix_;
  std::string running_;  ///< the innermost function that has not returned; empty: none
  void* library_ = nullptr;
  mutable std::mutex message_mutex_;
  std::string last_message_;
  bool has_reason_ = false;
};

/// The unit asks to end the simulation in order: no fault.
class UnitEnds : public Error {
 public:
  using Error::Error;
};

/// Each function throws Error with the name of the call, its status and the message of the unit, if the status is not
/// ok or warning.
class UnitInstance {
 public:
  /// One call of the function of an importer between internal steps of a unit of FMI 3.0.
  struct Update {
    double time = 0;
    bool set_requested = false, get_allowed = false, step_finished = false, may_return = false;
    UnitInstance& instance;
  };
  /// Returns the time at which the step is to end, or nothing.
  using OnUpdate = std::function<std::optional<double>(const Update& update)>;

  /// @throws Error if the unit makes none
  UnitInstance(LoadedUnit& unit, const std::string& name, const std::string& token);
  /// With a function between internal steps, and the variables that it reads; early return is allowed.
  UnitInstance(LoadedUnit& unit, const std::string& name, const std::string& token, OnUpdate on_update,
               std::span<const std::uint32_t> readable);
  ~UnitInstance();
  UnitInstance(const UnitInstance&) = delete;
  UnitInstance& operator=(const UnitInstance&) = delete;

  LoadedUnit& unit() noexcept { return unit_; }

  /// From instantiated to step mode, and the two calls of it.
  void initialize(double start_time);
  void enterInitialization(double start_time);
  void exitInitialization();
  void reset();
  void terminate();

  /// Scalar variables of type Float64.
  void set(std::span<const std::uint32_t> references, std::span<const double> values);
  void get(std::span<const std::uint32_t> references, std::span<double> values);

  /// The state hash of a unit of Tactus.
  std::string stateHash(std::uint32_t reference);

  /// @throws UnitEnds, and Error if the unit ends the step early
  void step(double time, double size);
  /// @returns the time that the unit has reached, if it ended the step early
  /// @throws UnitEnds
  std::optional<double> stepOrReturn(double time, double size);

  void* saveState();
  void restoreState(void* state);
  void freeState(void* state);
  std::vector<char> serialize(void* state);
  void* deserialize(const std::vector<char>& bytes);

 private:
  static void between(void* instance, double time, bool set_requested, bool get_allowed, bool step_finished,
                      bool may_return, bool* asked, double* end);
  void askForReasons();
  void require(int status, const char* call) const;
  bool second() const { return unit_.description().version == 2; }

  LoadedUnit& unit_;
  const std::string name_;
  std::shared_ptr<void> callbacks_;  ///< fmi2CallbackFunctions
  const OnUpdate on_update_;
  void* handle_ = nullptr;
};

}  // namespace tactus::fmi
