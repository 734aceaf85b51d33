#include "clients/fmi/session/unit_driver.h"

#include <cfenv>
#include <utility>

namespace tactus::fmi {
namespace {

/// Restores rounding and exceptions after calls of a unit: in lockstep its thread makes ticks, too.
class FloatEnvironment {
 public:
  FloatEnvironment() { std::fegetenv(&before_); }
  ~FloatEnvironment() { std::fesetenv(&before_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::fenv_t before_;
};

class UnitHere : public UnitDriver {
 public:
  UnitHere(const std::string& folder, const UnitDescription& description, const std::string& name,
           UnitVariables variables, CallWatch watch)
      : description_(description),
        variables_(std::move(variables)),
        unit_(folder, description_, std::move(watch)),
        instance_(unit_, name, description_.token) {
    const FloatEnvironment kept;
    instance_.initialize(description_.start_time);
  }

  void restart() override {
    const FloatEnvironment kept;
    instance_.reset();
    instance_.initialize(description_.start_time);
  }

  void step(std::span<const double> inputs, double time, double size, std::span<double> outputs) override {
    const FloatEnvironment kept;
    instance_.set(variables_.inputs, inputs);
    instance_.step(time, size);
    instance_.get(variables_.outputs, outputs);
  }

  bool end() noexcept override { return false; }

 private:
  const UnitDescription description_;
  const UnitVariables variables_;
  LoadedUnit unit_;
  UnitInstance instance_;
};

}  // namespace

std::unique_ptr<UnitDriver> unitHere(const std::string& folder, const UnitDescription& description,
                                     const std::string& name, UnitVariables variables, CallWatch watch) {
  return std::make_unique<UnitHere>(folder, description, name, std::move(variables), std::move(watch));
}

}  // namespace tactus::fmi
