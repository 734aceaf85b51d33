// Instance: one instance of a unit of FMI, whatever the version of the standard: modes, variables, steps, saved states.
// fmi2.cpp and fmi3.cpp are its two faces.
#pragma once

#include "clients/engine/engine.h"
#include "clients/fmi/format/unit_file.h"
#include "rt/signals/signal_reader.h"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::engine {
class Refusal;
}

namespace tactus::fmi {

/// The status of a call, with the numbers that both versions of the standard give it.
enum class Outcome : int { kOk = 0, kWarning = 1, kDiscard = 2, kError = 3, kFatal = 4 };

/// What an instance is ready for; a call lists the modes in which it is allowed.
enum Mode : unsigned {
  kInstantiated = 1,
  kInitialization = 2,
  kStepping = 4,
  kTerminated = 8,
  kIntermediate = 16,  ///< within the importer's function between two internal steps
  kAlive = kInstantiated | kInitialization | kStepping,
  kAnyMode = kAlive | kTerminated,
};

inline constexpr const char* kLogEvents = "logEvents";
inline constexpr const char* kLogWarning = "logStatusWarning";
inline constexpr const char* kLogDiscard = "logStatusDiscard";
inline constexpr const char* kLogError = "logStatusError";
inline constexpr const char* kLogAll = "logAll";
inline constexpr std::array<std::string_view, 5> kLogCategories = {kLogEvents, kLogWarning, kLogDiscard, kLogError,
                                                                   kLogAll};

/// What a call reports besides its result. @throws by Instance; the faces turn it into a status and a message
struct CallProblem {
  Outcome outcome = Outcome::kError;
  std::string message;
};

/// The message of a refusal, with its hint.
std::string words(const engine::Refusal& refusal);

/// All that decides the further values of an instance.
struct UnitState {
  engine::SavedState engine;
  std::vector<double> inputs;  ///< as set, whether a step has used them or not
  engine::ParameterValues pending;
  double start_time = 0;
  std::optional<double> stop_time;
  std::optional<double> importer_time;  ///< where the last step of the importer ended; none: at the time of the unit
  Mode mode = kInstantiated;
};

/// Used by one thread at a time; instances share nothing.
class Instance {
 public:
  using Log = std::function<void(Outcome outcome, const char* category, const std::string& message)>;

  /// @param folder  of the resources
  /// @param token   that the importer read from modelDescription.xml
  /// @throws Error if the model cannot be read or the token is that of another unit
  Instance(const std::string& folder, const std::string& token, bool log_events, Log log);

  // ---- modes ----

  /// @throws CallProblem with the names of the modes in which `call` is allowed
  void requireMode(unsigned allowed, const char* call) const;
  /// @param start  the unit counts its time from it; the model begins at its time 0 all the same
  /// @param stop   no step may go beyond it; none: there is no last time
  void setTimes(double start, std::optional<double> stop, const char* call);
  void enterInitialization();
  void exitInitialization();
  void terminate();
  /// Back to the state after the construction.
  void reset();

  // ---- variables ----

  const VariableNumbers& numbers() const noexcept { return numbers_; }
  void getReals(std::span<const std::uint32_t> references, double* values);
  /// Sets all or none. @throws CallProblem kDiscard for a value out of range
  void setReals(std::span<const std::uint32_t> references, const double* values);
  std::uint64_t stateHash();
  /// The same as text; valid until the next call.
  const char* stateHashText();

  // ---- derivatives ----

  /// Of outputs along a change of inputs, at the communication point with the states held: outputsByInputs(). In
  /// initialization mode the parameters are inputs, too.
  /// @param[in] seed  one number for each input
  /// @param[out] sensitivity  one number for each output
  void directionalDerivative(std::span<const std::uint32_t> outputs, std::span<const std::uint32_t> inputs,
                             const double* seed, double* sensitivity);
  /// The transpose. @param[in] seed  one number for each output
  void adjointDerivative(std::span<const std::uint32_t> outputs, std::span<const std::uint32_t> inputs,
                         const double* seed, double* sensitivity);

  // ---- steps ----

  double time() const noexcept;
  double period() const noexcept { return 1e-9 * static_cast<double>(engine_->periodNs()); }
  /// True after a step that failed.
  bool failed() const noexcept { return failed_; }
  /// What is called after each internal step, at that time: returns the time at which the importer wants the
  /// communication step to end, or nothing.
  using IntermediateUpdate = std::function<std::optional<double>(double time)>;
  /// @param may_return  the importer allows an early return; otherwise none is made
  /// @param readable    the only variables that may be read within the function. @throws Error for one that is no real
  ///                    output: modelDescription.xml marks no others for intermediate updates
  void onInternalSteps(IntermediateUpdate update, bool may_return, std::span<const std::uint32_t> readable);
  /// Makes fewer internal steps where the importer asked for it: never beyond the time that it gave.
  /// @throws CallProblem kDiscard for a step that is no multiple of the period or begins at another time, and for a
  /// fault; kError for a step beyond the stop time
  /// @returns true if the importer ended the step early
  bool step(double current, double size);

  // ---- states ----

  std::unique_ptr<UnitState> save() const;
  void restore(const UnitState& state);
  std::string serialize(const UnitState& state) const;
  /// @throws CallProblem for bytes of another unit, or damaged ones
  std::unique_ptr<UnitState> deserialize(std::string_view bytes) const;

  // ---- messages ----

  /// No categories: all of them.
  void setLogging(bool on, std::span<const char* const> categories);
  void report(const CallProblem& problem) const;

 private:
  void makeEngine(const engine::ParameterValues& parameters);
  void setAllInputs(const std::vector<double>& values);
  void applyParameters();
  void prepareValues();
  void requireBegin(double current) const;
  bool makeSteps(std::int64_t ticks);
  void makeTicks(std::int64_t ticks);
  void requireReadable(std::uint32_t reference) const;
  void forgetOutputs() noexcept { outputs_known_ = derivatives_known_ = false; }
  Eigen::MatrixXd derivativesOf(std::span<const std::uint32_t> outputs, std::span<const std::uint32_t> inputs);
  Eigen::VectorXd derivativesBy(std::size_t reference);
  double parameter(std::size_t index) const;
  void event(const std::string& message) const;
  void warnOfReturn();
  bool logs(const char* category) const;

  const Log log_;
  bool logging_;
  std::vector<std::string> categories_;  ///< empty: all

  UnitFile file_;
  std::string token_;
  std::unique_ptr<engine::Engine> engine_;
  bool engine_tuned_ = false;  ///< it was made with other parameters than the declared ones
  VariableNumbers numbers_;
  std::optional<rt::SignalReader> reader_;
  std::vector<double> outputs_;
  bool outputs_known_ = false;
  Eigen::MatrixXd derivatives_;  ///< of all outputs by all inputs
  bool derivatives_known_ = false;

  Mode mode_ = kInstantiated;
  double start_time_ = 0;
  std::optional<double> stop_time_, importer_time_;  ///< as in UnitState
  bool failed_ = false;
  bool inputs_set_ = false;          ///< since the last step
  engine::ParameterValues pending_;  ///< set, and applied before the next step
  IntermediateUpdate intermediate_update_;
  bool may_return_ = false, warned_of_return_ = false;
  std::vector<std::uint32_t> intermediate_;  ///< variables that may be read within it
  std::string hash_text_;
};

}  // namespace tactus::fmi
