#include "clients/fmi/session/unit_driver.h"

#include <cfenv>
#include <optional>
#include <utility>

namespace tactus::fmi {
namespace {

/// Restores rounding, treatment of denormal numbers and exceptions of this thread: a unit may change them, also while
/// it is loaded, and threads of the server would go on with them.
class FloatEnvironment {
 public:
  FloatEnvironment() { std::fegetenv(&before_); }
  ~FloatEnvironment() { std::fesetenv(&before_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::fenv_t before_;
};

/// During its life this thread has the environment of the unit, as the unit left it: in a process of its own it would
/// find the same one.
class UnitEnvironment {
 public:
  explicit UnitEnvironment(std::fenv_t& of_unit) : of_unit_(of_unit) { std::fesetenv(&of_unit_); }
  ~UnitEnvironment() { std::fegetenv(&of_unit_); }
  UnitEnvironment(const UnitEnvironment&) = delete;
  UnitEnvironment& operator=(const UnitEnvironment&) = delete;

 private:
  const FloatEnvironment kept_;
  std::fenv_t& of_unit_;
};

class UnitHere : public UnitDriver {
 public:
  UnitHere(const std::string& folder, const UnitDescription& description, const std::string& name,
           UnitVariables variables, std::span<const double> inputs, CallWatch watch)
      : description_(description),
        variables_(std::move(variables)),
        unit_(folder, description_, std::move(watch)),
        instance_(std::in_place, unit_, name, description_.token) {
    initialize(inputs);
    std::fegetenv(&environment_);
  }
  ~UnitHere() override {
    const UnitEnvironment own(environment_);
    instance_.reset();
  }

  void restart(std::span<const double> inputs) override {
    const UnitEnvironment own(environment_);
    steps_ = false;
    instance_->reset();
    initialize(inputs);
  }

  void step(std::span<const double> inputs, double time, double size, std::span<double> outputs) override {
    const UnitEnvironment own(environment_);
    steps_ = false;
    try {
      instance_->set(variables_.inputs, inputs);
      instance_->step(time, size);
      instance_->get(variables_.outputs, outputs);
    } catch (const UnitEnds&) {
      steps_ = true;
      throw;
    }
    steps_ = true;
  }

  void terminate() override {
    const UnitEnvironment own(environment_);
    if (std::exchange(steps_, false)) instance_->terminate();
  }

  bool end() noexcept override { return false; }

 private:
  void initialize(std::span<const double> inputs) {
    instance_->set(variables_.parameters, variables_.parameter_values);
    instance_->enterInitialization(description_.start_time);
    instance_->set(variables_.starts, variables_.start_values);
    instance_->set(variables_.inputs, inputs);
    instance_->exitInitialization();
    steps_ = true;
  }

  const UnitDescription description_;
  const UnitVariables variables_;
  LoadedUnit unit_;
  std::optional<UnitInstance> instance_;
  bool steps_ = false;         ///< it is in step mode, and no call has failed
  std::fenv_t environment_{};  ///< of the unit, between its calls
};

}  // namespace

std::unique_ptr<UnitDriver> unitHere(const std::string& folder, const UnitDescription& description,
                                     const std::string& name, UnitVariables variables, std::span<const double> inputs,
                                     CallWatch watch) {
  const FloatEnvironment kept;
  return std::make_unique<UnitHere>(folder, description, name, std::move(variables), inputs, std::move(watch));
}

}  // namespace tactus::fmi
