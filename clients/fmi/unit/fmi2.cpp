// The functions of FMI 2.0.4, declared here as the standard describes them; those of model exchange report that the
// unit is for co-simulation. https://fmi-standard.org/docs/2.0.4
#include "clients/fmi/unit/call.h"
#include "clients/fmi/unit/resource_path.h"
#include "rt/error.h"

#include <algorithm>
#include <cstring>
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
using tactus::fmi::kNoDerivatives;
using tactus::fmi::kOnlyCoSimulation;
using tactus::fmi::kStepping;
using tactus::fmi::kTerminated;
using tactus::fmi::noVariables;
using tactus::fmi::Outcome;
using tactus::fmi::serializedSize;
using tactus::fmi::serializeState;
using tactus::fmi::setState;

using Reference = unsigned int;

/// fmi2CallbackFunctions.
struct Callbacks {
  void (*log)(void* environment, const char* instance, int status, const char* category, const char* message, ...);
  void* (*allocate)(std::size_t count, std::size_t size);
  void (*release)(void* memory);
  void (*step_finished)(void* environment, int status);
  void* environment;
};

/// fmi2EventInfo.
struct EventInfo;

constexpr int kCoSimulation = 1;  // fmi2CoSimulation
constexpr int kDoStepStatus = 0, kLastSuccessfulTime = 2, kTerminatedStatus = 3;
constexpr unsigned kReadable = kInitialization | kStepping | kTerminated;
constexpr const char* kNeverPending = "a step has always ended when fmi2DoStep returns";

Instance* of(void* component) {
  return static_cast<Instance*>(component);
}

}  // namespace

extern "C" {

// ---- common ----

const char* fmi2GetTypesPlatform() {
  return "default";
}
const char* fmi2GetVersion() {
  return "2.0";
}

int fmi2SetDebugLogging(void* component, int on, std::size_t count, const char* const categories[]) {
  return called(of(component), kAnyMode, "fmi2SetDebugLogging", [&](Instance& instance) {
    instance.setLogging(on != 0, {categories, count});
  });
}

void* fmi2Instantiate(const char* name, int type, const char* token, const char* resources, const Callbacks* callbacks,
                      int /*visible*/, int logging) {
  const DefaultFloatMode mode;
  const Callbacks calls = callbacks ? *callbacks : Callbacks{};
  const std::string own_name = name ? name : "";
  const auto log = [calls, own_name](Outcome outcome, const char* category, const std::string& message) {
    if (calls.log == nullptr) return;
    // The message is a format of printf; some importers print it as it is.
    std::string format;
    for (const char c : message) format += c == '%' ? std::string("%%") : std::string(1, c);
    const ImporterFloatMode importer;
    calls.log(calls.environment, own_name.c_str(), static_cast<int>(outcome), category, format.c_str());
  };
  try {
    if (type != kCoSimulation) throw tactus::Error(kOnlyCoSimulation);
    if (own_name.empty()) throw tactus::Error("an instance must have a name");
    return new Instance(tactus::fmi::pathOfUri(resources), token ? token : "", logging != 0, log);
  } catch (const std::exception& error) {
    log(Outcome::kError, tactus::fmi::kLogError, std::string("fmi2Instantiate: ") + error.what());
    return nullptr;
  }
}

void fmi2FreeInstance(void* component) {
  delete of(component);
}

int fmi2SetupExperiment(void* component, int /*tolerance_defined*/, double /*tolerance*/, double start,
                        int stop_defined, double stop) {
  return called(of(component), kInstantiated, "fmi2SetupExperiment", [&](Instance& instance) {
    instance.setTimes(start, stop_defined != 0 ? std::optional(stop) : std::nullopt, "fmi2SetupExperiment");
  });
}
int fmi2EnterInitializationMode(void* component) {
  return called(of(component), kInstantiated, "fmi2EnterInitializationMode",
                [](Instance& instance) { instance.enterInitialization(); });
}
int fmi2ExitInitializationMode(void* component) {
  return called(of(component), kInitialization, "fmi2ExitInitializationMode",
                [](Instance& instance) { instance.exitInitialization(); });
}
int fmi2Terminate(void* component) {
  return called(of(component), kStepping, "fmi2Terminate", [](Instance& instance) { instance.terminate(); });
}
int fmi2Reset(void* component) {
  return called(of(component), kAnyMode, "fmi2Reset", [](Instance& instance) { instance.reset(); });
}

// ---- variables ----

int fmi2GetReal(void* component, const Reference references[], std::size_t count, double values[]) {
  return called(of(component), kReadable, "fmi2GetReal", [&](Instance& instance) {
    instance.getReals({references, count}, values);
  });
}
int fmi2SetReal(void* component, const Reference references[], std::size_t count, const double values[]) {
  return called(of(component), kAlive, "fmi2SetReal", [&](Instance& instance) {
    instance.setReals({references, count}, values);
  });
}
int fmi2GetString(void* component, const Reference references[], std::size_t count, const char* values[]) {
  return called(of(component), kReadable, "fmi2GetString", [&](Instance& instance) {
    for (std::size_t i = 0; i < count; ++i) {
      if (references[i] != instance.numbers().hash())
        throw CallProblem{Outcome::kError, "value reference " + std::to_string(references[i]) + " is no text"};
      values[i] = instance.stateHashText();
    }
  });
}
int fmi2GetInteger(void* component, const Reference[], std::size_t count, int[]) {
  return noVariables(of(component), "fmi2GetInteger", count);
}
int fmi2GetBoolean(void* component, const Reference[], std::size_t count, int[]) {
  return noVariables(of(component), "fmi2GetBoolean", count);
}
int fmi2SetInteger(void* component, const Reference[], std::size_t count, const int[]) {
  return noVariables(of(component), "fmi2SetInteger", count);
}
int fmi2SetBoolean(void* component, const Reference[], std::size_t count, const int[]) {
  return noVariables(of(component), "fmi2SetBoolean", count);
}
int fmi2SetString(void* component, const Reference[], std::size_t count, const char* const[]) {
  return noVariables(of(component), "fmi2SetString", count);
}

// ---- states ----

int fmi2GetFMUstate(void* component, void** state) {
  return getState(of(component), "fmi2GetFMUstate", state);
}
int fmi2SetFMUstate(void* component, void* state) {
  return setState(of(component), "fmi2SetFMUstate", state);
}
int fmi2FreeFMUstate(void* component, void** state) {
  return freeState(of(component), "fmi2FreeFMUstate", state);
}
int fmi2SerializedFMUstateSize(void* component, void* state, std::size_t* size) {
  return serializedSize(of(component), "fmi2SerializedFMUstateSize", state, size);
}
int fmi2SerializeFMUstate(void* component, void* state, char bytes[], std::size_t size) {
  return serializeState(of(component), "fmi2SerializeFMUstate", state, bytes, size);
}
int fmi2DeSerializeFMUstate(void* component, const char bytes[], std::size_t size, void** state) {
  return deserializeState(of(component), "fmi2DeSerializeFMUstate", bytes, size, state);
}

int fmi2GetDirectionalDerivative(void* component, const Reference unknowns[], std::size_t unknown_count,
                                 const Reference knowns[], std::size_t known_count, const double seed[],
                                 double sensitivity[]) {
  return called(of(component), kInitialization | kStepping, "fmi2GetDirectionalDerivative", [&](Instance& instance) {
    instance.directionalDerivative({unknowns, unknown_count}, {knowns, known_count}, seed, sensitivity);
  });
}

// ---- co-simulation ----

int fmi2DoStep(void* component, double current, double size, int /*no_restore_before*/) {
  return called(of(component), kStepping, "fmi2DoStep", [&](Instance& instance) { instance.step(current, size); });
}
int fmi2CancelStep(void* component) {
  return denied(of(component), "fmi2CancelStep", kNeverPending);
}
int fmi2SetRealInputDerivatives(void* component, const Reference[], std::size_t, const int[], const double[]) {
  return denied(of(component), "fmi2SetRealInputDerivatives", "the unit holds its inputs over a step");
}
int fmi2GetRealOutputDerivatives(void* component, const Reference[], std::size_t, const int[], double[]) {
  return denied(of(component), "fmi2GetRealOutputDerivatives", kNoDerivatives);
}
int fmi2GetStatus(void* component, int kind, int* value) {
  return called(of(component), kAnyMode, "fmi2GetStatus", [&](Instance& instance) {
    if (kind != kDoStepStatus) throw CallProblem{Outcome::kDiscard, "only fmi2DoStepStatus is a status"};
    *value = static_cast<int>(instance.failed() ? Outcome::kDiscard : Outcome::kOk);
  });
}
int fmi2GetRealStatus(void* component, int kind, double* value) {
  return called(of(component), kAnyMode, "fmi2GetRealStatus", [&](Instance& instance) {
    if (kind != kLastSuccessfulTime)
      throw CallProblem{Outcome::kDiscard, "only fmi2LastSuccessfulTime is a real status"};
    *value = instance.time();
  });
}
int fmi2GetBooleanStatus(void* component, int kind, int* value) {
  return called(of(component), kAnyMode, "fmi2GetBooleanStatus", [&](Instance& instance) {
    if (kind != kTerminatedStatus) throw CallProblem{Outcome::kDiscard, "only fmi2Terminated is a Boolean status"};
    *value = instance.failed() ? 1 : 0;
  });
}
int fmi2GetIntegerStatus(void* component, int, int*) {
  return denied(of(component), "fmi2GetIntegerStatus", "there is no integer status");
}
int fmi2GetStringStatus(void* component, int, const char**) {
  return denied(of(component), "fmi2GetStringStatus", kNeverPending);
}

// ---- model exchange ----

int fmi2EnterEventMode(void* component) {
  return denied(of(component), "fmi2EnterEventMode", kOnlyCoSimulation);
}
int fmi2NewDiscreteStates(void* component, EventInfo*) {
  return denied(of(component), "fmi2NewDiscreteStates", kOnlyCoSimulation);
}
int fmi2EnterContinuousTimeMode(void* component) {
  return denied(of(component), "fmi2EnterContinuousTimeMode", kOnlyCoSimulation);
}
int fmi2CompletedIntegratorStep(void* component, int, int*, int*) {
  return denied(of(component), "fmi2CompletedIntegratorStep", kOnlyCoSimulation);
}
int fmi2SetTime(void* component, double) {
  return denied(of(component), "fmi2SetTime", kOnlyCoSimulation);
}
int fmi2SetContinuousStates(void* component, const double[], std::size_t) {
  return denied(of(component), "fmi2SetContinuousStates", kOnlyCoSimulation);
}
int fmi2GetDerivatives(void* component, double[], std::size_t) {
  return denied(of(component), "fmi2GetDerivatives", kOnlyCoSimulation);
}
int fmi2GetEventIndicators(void* component, double[], std::size_t) {
  return denied(of(component), "fmi2GetEventIndicators", kOnlyCoSimulation);
}
int fmi2GetContinuousStates(void* component, double[], std::size_t) {
  return denied(of(component), "fmi2GetContinuousStates", kOnlyCoSimulation);
}
int fmi2GetNominalsOfContinuousStates(void* component, double[], std::size_t) {
  return denied(of(component), "fmi2GetNominalsOfContinuousStates", kOnlyCoSimulation);
}
}
