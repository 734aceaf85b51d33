// The functions of FMI 3.0.1, declared here as the standard describes them; those of model exchange and of scheduled
// execution report that the unit is for co-simulation. https://fmi-standard.org/docs/3.0.1
#include "clients/fmi/unit/call.h"
#include "clients/fmi/unit/resource_path.h"
#include "rt/error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

namespace {

using tactus::fmi::called;
using tactus::fmi::CallProblem;
using tactus::fmi::DefaultFloatMode;
using tactus::fmi::denied;
using tactus::fmi::deserializeState;
using tactus::fmi::freeState;
using tactus::fmi::getState;
using tactus::fmi::ImporterFloatMode;
using tactus::fmi::Instance;
using tactus::fmi::kAlive;
using tactus::fmi::kAnyMode;
using tactus::fmi::kInitialization;
using tactus::fmi::kInstantiated;
using tactus::fmi::kIntermediate;
using tactus::fmi::kNoDerivatives;
using tactus::fmi::kOnlyCoSimulation;
using tactus::fmi::kStepping;
using tactus::fmi::kTerminated;
using tactus::fmi::noVariables;
using tactus::fmi::Outcome;
using tactus::fmi::serializedSize;
using tactus::fmi::serializeState;
using tactus::fmi::setState;

using Reference = std::uint32_t;
using Log = void (*)(void* environment, int status, const char* category, const char* message);
using IntermediateUpdate = void (*)(void*, double, bool, bool, bool, bool, bool*, double*);
using ClockUpdate = void (*)(void*);
using Preemption = void (*)();

constexpr unsigned kReadable = kInitialization | kStepping | kTerminated | kIntermediate;
constexpr const char* kNoClocks = "the unit has no clocks";
constexpr const char* kNoEvents = "the unit has no event mode; modelDescription.xml says so";
constexpr const char* kNoStructure = "the unit has no structural parameters";

Instance* of(void* instance) {
  return static_cast<Instance*>(instance);
}

/// Every variable is one number.
void requireCount(std::size_t references, std::size_t values) {
  if (references != values)
    throw CallProblem{Outcome::kError, std::to_string(references) + " value references, but " + std::to_string(values) +
                                           " values; each variable is one number"};
}

void* refuse(void* environment, Log log, const char* call, const std::string& why) {
  if (log)
    log(environment, static_cast<int>(Outcome::kError), tactus::fmi::kLogError,
        (std::string(call) + ": " + why).c_str());
  return nullptr;
}

/// The importer's function between internal steps. The unit never asks for inputs there.
Instance::IntermediateUpdate updateOf(IntermediateUpdate function, void* environment, bool early_return_allowed) {
  return [=](double time) -> std::optional<double> {
    bool asked = false;
    double end = time;
    const ImporterFloatMode importer;
    function(environment, time, false, true, true, early_return_allowed, &asked, &end);
    return asked ? std::optional<double>(end) : std::nullopt;
  };
}

}  // namespace

// Functions of variables of a type that the unit has none of.
#define TACTUS_NO_VARIABLES_OF(Name, Type)                                                             \
  int fmi3Get##Name(void* instance, const Reference[], std::size_t count, Type[], std::size_t) {       \
    return noVariables(of(instance), "fmi3Get" #Name, count);                                          \
  }                                                                                                    \
  int fmi3Set##Name(void* instance, const Reference[], std::size_t count, const Type[], std::size_t) { \
    return noVariables(of(instance), "fmi3Set" #Name, count);                                          \
  }

extern "C" {

// ---- common ----

const char* fmi3GetVersion() {
  return "3.0.1";
}

int fmi3SetDebugLogging(void* instance, bool on, std::size_t count, const char* const categories[]) {
  return called(of(instance), kAnyMode, "fmi3SetDebugLogging", [&](Instance& self) {
    self.setLogging(on, {categories, count});
  });
}

void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool /*visible*/,
                                  bool logging, bool event_mode, bool early_return_allowed,
                                  const Reference intermediate[], std::size_t intermediate_count, void* environment,
                                  Log log, IntermediateUpdate update) {
  constexpr const char* kCall = "fmi3InstantiateCoSimulation";
  try {
    const DefaultFloatMode mode;
    if (name == nullptr || *name == '\0') throw tactus::Error("an instance must have a name");
    if (event_mode) throw tactus::Error(kNoEvents);
    auto instance = std::make_unique<Instance>(
        tactus::fmi::pathOfFolder(resources), token ? token : "", logging,
        [environment, log](Outcome outcome, const char* category, const std::string& message) {
          const ImporterFloatMode importer;
          if (log) log(environment, static_cast<int>(outcome), category, message.c_str());
        });
    if (update)
      instance->onInternalSteps(updateOf(update, environment, early_return_allowed), early_return_allowed,
                                {intermediate, intermediate_count});
    return instance.release();
  } catch (const std::exception& error) { return refuse(environment, log, kCall, error.what()); }
}
void* fmi3InstantiateModelExchange(const char*, const char*, const char*, bool, bool, void* environment, Log log) {
  return refuse(environment, log, "fmi3InstantiateModelExchange", kOnlyCoSimulation);
}
void* fmi3InstantiateScheduledExecution(const char*, const char*, const char*, bool, bool, void* environment, Log log,
                                        ClockUpdate, Preemption, Preemption) {
  return refuse(environment, log, "fmi3InstantiateScheduledExecution", kOnlyCoSimulation);
}

void fmi3FreeInstance(void* instance) {
  // Within an intermediate update the instance is at work: the report is all that can be done.
  if (instance && called(of(instance), ~0U & ~static_cast<unsigned>(kIntermediate), "fmi3FreeInstance",
                         [](Instance&) {}) == static_cast<int>(Outcome::kOk))
    delete of(instance);
}

int fmi3EnterInitializationMode(void* instance, bool /*tolerance_defined*/, double /*tolerance*/, double start,
                                bool stop_defined, double stop) {
  return called(of(instance), kInstantiated, "fmi3EnterInitializationMode", [&](Instance& self) {
    self.setTimes(start, stop_defined ? std::optional(stop) : std::nullopt, "fmi3EnterInitializationMode");
    self.enterInitialization();
  });
}
int fmi3ExitInitializationMode(void* instance) {
  return called(of(instance), kInitialization, "fmi3ExitInitializationMode",
                [](Instance& self) { self.exitInitialization(); });
}
int fmi3EnterEventMode(void* instance) {
  return denied(of(instance), "fmi3EnterEventMode", kNoEvents);
}
int fmi3Terminate(void* instance) {
  return called(of(instance), kStepping, "fmi3Terminate", [](Instance& self) { self.terminate(); });
}
int fmi3Reset(void* instance) {
  return called(of(instance), kAnyMode, "fmi3Reset", [](Instance& self) { self.reset(); });
}
int fmi3EnterConfigurationMode(void* instance) {
  return denied(of(instance), "fmi3EnterConfigurationMode", kNoStructure);
}
int fmi3ExitConfigurationMode(void* instance) {
  return denied(of(instance), "fmi3ExitConfigurationMode", kNoStructure);
}

// ---- variables ----

int fmi3GetFloat64(void* instance, const Reference references[], std::size_t count, double values[], std::size_t size) {
  return called(of(instance), kReadable, "fmi3GetFloat64", [&](Instance& self) {
    requireCount(count, size);
    self.getReals({references, count}, values);
  });
}
int fmi3SetFloat64(void* instance, const Reference references[], std::size_t count, const double values[],
                   std::size_t size) {
  return called(of(instance), kAlive, "fmi3SetFloat64", [&](Instance& self) {
    requireCount(count, size);
    self.setReals({references, count}, values);
  });
}
int fmi3GetUInt64(void* instance, const Reference references[], std::size_t count, std::uint64_t values[],
                  std::size_t size) {
  return called(of(instance), kReadable, "fmi3GetUInt64", [&](Instance& self) {
    requireCount(count, size);
    for (std::size_t i = 0; i < count; ++i) {
      if (references[i] != self.numbers().hash())
        throw CallProblem{Outcome::kError, "value reference " + std::to_string(references[i]) + " is no UInt64"};
      values[i] = self.stateHash();
    }
  });
}
int fmi3SetUInt64(void* instance, const Reference[], std::size_t count, const std::uint64_t[], std::size_t) {
  return noVariables(of(instance), "fmi3SetUInt64", count);
}
TACTUS_NO_VARIABLES_OF(Float32, float)
TACTUS_NO_VARIABLES_OF(Int8, std::int8_t)
TACTUS_NO_VARIABLES_OF(UInt8, std::uint8_t)
TACTUS_NO_VARIABLES_OF(Int16, std::int16_t)
TACTUS_NO_VARIABLES_OF(UInt16, std::uint16_t)
TACTUS_NO_VARIABLES_OF(Int32, std::int32_t)
TACTUS_NO_VARIABLES_OF(UInt32, std::uint32_t)
TACTUS_NO_VARIABLES_OF(Int64, std::int64_t)
TACTUS_NO_VARIABLES_OF(Boolean, bool)
TACTUS_NO_VARIABLES_OF(String, char*)
int fmi3GetBinary(void* instance, const Reference[], std::size_t count, std::size_t[], const std::uint8_t*[],
                  std::size_t) {
  return noVariables(of(instance), "fmi3GetBinary", count);
}
int fmi3SetBinary(void* instance, const Reference[], std::size_t count, const std::size_t[],
                  const std::uint8_t* const[], std::size_t) {
  return noVariables(of(instance), "fmi3SetBinary", count);
}
int fmi3GetClock(void* instance, const Reference[], std::size_t count, bool[]) {
  return noVariables(of(instance), "fmi3GetClock", count);
}
int fmi3SetClock(void* instance, const Reference[], std::size_t count, const bool[]) {
  return noVariables(of(instance), "fmi3SetClock", count);
}
int fmi3GetNumberOfVariableDependencies(void* instance, Reference, std::size_t*) {
  return denied(of(instance), "fmi3GetNumberOfVariableDependencies", "modelDescription.xml has the dependencies");
}
int fmi3GetVariableDependencies(void* instance, Reference, std::size_t[], Reference[], std::size_t[], int[],
                                std::size_t) {
  return denied(of(instance), "fmi3GetVariableDependencies", "modelDescription.xml has the dependencies");
}

// ---- states ----

int fmi3GetFMUState(void* instance, void** state) {
  return getState(of(instance), "fmi3GetFMUState", state);
}
int fmi3SetFMUState(void* instance, void* state) {
  return setState(of(instance), "fmi3SetFMUState", state);
}
int fmi3FreeFMUState(void* instance, void** state) {
  return freeState(of(instance), "fmi3FreeFMUState", state);
}
int fmi3SerializedFMUStateSize(void* instance, void* state, std::size_t* size) {
  return serializedSize(of(instance), "fmi3SerializedFMUStateSize", state, size);
}
int fmi3SerializeFMUState(void* instance, void* state, std::uint8_t bytes[], std::size_t size) {
  return serializeState(of(instance), "fmi3SerializeFMUState", state, bytes, size);
}
int fmi3DeserializeFMUState(void* instance, const std::uint8_t bytes[], std::size_t size, void** state) {
  return deserializeState(of(instance), "fmi3DeserializeFMUState", bytes, size, state);
}

// ---- derivatives ----

int fmi3GetDirectionalDerivative(void* instance, const Reference unknowns[], std::size_t unknown_count,
                                 const Reference knowns[], std::size_t known_count, const double seed[],
                                 std::size_t seed_count, double sensitivity[], std::size_t sensitivity_count) {
  return called(of(instance), kInitialization | kStepping, "fmi3GetDirectionalDerivative", [&](Instance& self) {
    requireCount(known_count, seed_count);
    requireCount(unknown_count, sensitivity_count);
    self.directionalDerivative({unknowns, unknown_count}, {knowns, known_count}, seed, sensitivity);
  });
}
int fmi3GetAdjointDerivative(void* instance, const Reference unknowns[], std::size_t unknown_count,
                             const Reference knowns[], std::size_t known_count, const double seed[],
                             std::size_t seed_count, double sensitivity[], std::size_t sensitivity_count) {
  return called(of(instance), kInitialization | kStepping, "fmi3GetAdjointDerivative", [&](Instance& self) {
    requireCount(unknown_count, seed_count);
    requireCount(known_count, sensitivity_count);
    self.adjointDerivative({unknowns, unknown_count}, {knowns, known_count}, seed, sensitivity);
  });
}
int fmi3GetOutputDerivatives(void* instance, const Reference[], std::size_t, const std::int32_t[], double[],
                             std::size_t) {
  return denied(of(instance), "fmi3GetOutputDerivatives", kNoDerivatives);
}

// ---- co-simulation ----

int fmi3EnterStepMode(void* instance) {
  return denied(of(instance), "fmi3EnterStepMode", kNoEvents);
}
int fmi3DoStep(void* instance, double current, double size, bool /*no_restore_before*/, bool* event_needed,
               bool* terminate, bool* early_return, double* last_time) {
  bool early = false;
  const int status =
      called(of(instance), kStepping, "fmi3DoStep", [&](Instance& self) { early = self.step(current, size); });
  if (instance == nullptr) return status;
  if (event_needed) *event_needed = false;
  if (terminate) *terminate = of(instance)->failed();
  if (early_return) *early_return = early;
  const DefaultFloatMode mode;
  if (last_time) *last_time = of(instance)->time();
  return status;
}

// ---- clocks and events ----

int fmi3GetIntervalDecimal(void* instance, const Reference[], std::size_t, double[], int[]) {
  return denied(of(instance), "fmi3GetIntervalDecimal", kNoClocks);
}
int fmi3GetIntervalFraction(void* instance, const Reference[], std::size_t, std::uint64_t[], std::uint64_t[], int[]) {
  return denied(of(instance), "fmi3GetIntervalFraction", kNoClocks);
}
int fmi3GetShiftDecimal(void* instance, const Reference[], std::size_t, double[]) {
  return denied(of(instance), "fmi3GetShiftDecimal", kNoClocks);
}
int fmi3GetShiftFraction(void* instance, const Reference[], std::size_t, std::uint64_t[], std::uint64_t[]) {
  return denied(of(instance), "fmi3GetShiftFraction", kNoClocks);
}
int fmi3SetIntervalDecimal(void* instance, const Reference[], std::size_t, const double[]) {
  return denied(of(instance), "fmi3SetIntervalDecimal", kNoClocks);
}
int fmi3SetIntervalFraction(void* instance, const Reference[], std::size_t, const std::uint64_t[],
                            const std::uint64_t[]) {
  return denied(of(instance), "fmi3SetIntervalFraction", kNoClocks);
}
int fmi3SetShiftDecimal(void* instance, const Reference[], std::size_t, const double[]) {
  return denied(of(instance), "fmi3SetShiftDecimal", kNoClocks);
}
int fmi3SetShiftFraction(void* instance, const Reference[], std::size_t, const std::uint64_t[], const std::uint64_t[]) {
  return denied(of(instance), "fmi3SetShiftFraction", kNoClocks);
}
int fmi3EvaluateDiscreteStates(void* instance) {
  return denied(of(instance), "fmi3EvaluateDiscreteStates", kNoEvents);
}
int fmi3UpdateDiscreteStates(void* instance, bool*, bool*, bool*, bool*, bool*, double*) {
  return denied(of(instance), "fmi3UpdateDiscreteStates", kNoEvents);
}
int fmi3ActivateModelPartition(void* instance, Reference, double) {
  return denied(of(instance), "fmi3ActivateModelPartition", kOnlyCoSimulation);
}

// ---- model exchange ----

int fmi3EnterContinuousTimeMode(void* instance) {
  return denied(of(instance), "fmi3EnterContinuousTimeMode", kOnlyCoSimulation);
}
int fmi3CompletedIntegratorStep(void* instance, bool, bool*, bool*) {
  return denied(of(instance), "fmi3CompletedIntegratorStep", kOnlyCoSimulation);
}
int fmi3SetTime(void* instance, double) {
  return denied(of(instance), "fmi3SetTime", kOnlyCoSimulation);
}
int fmi3SetContinuousStates(void* instance, const double[], std::size_t) {
  return denied(of(instance), "fmi3SetContinuousStates", kOnlyCoSimulation);
}
int fmi3GetContinuousStateDerivatives(void* instance, double[], std::size_t) {
  return denied(of(instance), "fmi3GetContinuousStateDerivatives", kOnlyCoSimulation);
}
int fmi3GetEventIndicators(void* instance, double[], std::size_t) {
  return denied(of(instance), "fmi3GetEventIndicators", kOnlyCoSimulation);
}
int fmi3GetContinuousStates(void* instance, double[], std::size_t) {
  return denied(of(instance), "fmi3GetContinuousStates", kOnlyCoSimulation);
}
int fmi3GetNominalsOfContinuousStates(void* instance, double[], std::size_t) {
  return denied(of(instance), "fmi3GetNominalsOfContinuousStates", kOnlyCoSimulation);
}
int fmi3GetNumberOfEventIndicators(void* instance, std::size_t*) {
  return denied(of(instance), "fmi3GetNumberOfEventIndicators", kOnlyCoSimulation);
}
int fmi3GetNumberOfContinuousStates(void* instance, std::size_t*) {
  return denied(of(instance), "fmi3GetNumberOfContinuousStates", kOnlyCoSimulation);
}
}
