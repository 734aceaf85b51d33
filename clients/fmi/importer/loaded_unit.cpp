// The functions: https://fmi-standard.org/docs/2.0.4 and https://fmi-standard.org/docs/3.0.1.
#include "clients/fmi/importer/loaded_unit.h"

#include "rt/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

namespace tactus::fmi {
namespace {

constexpr int kWarning = 1, kDiscard = 2, kCoSimulation = 1;
constexpr int kTerminated2 = 3;            // fmi2Terminated
constexpr std::size_t kMostMessage = 512;  // characters that are kept of a message
constexpr std::array<std::string_view, 4> kReasons = {"logStatusWarning", "logStatusDiscard", "logStatusError",
                                                      "logStatusFatal"};  // categories of both standards
constexpr std::array<const char*, 6> kStatusNames = {"ok", "warning", "discard", "error", "fatal", "pending"};

/// fmi2CallbackFunctions.
struct Callbacks2 {
  void (*log)(void* environment, const char* instance, int status, const char* category, const char* message, ...);
  void* (*allocate)(std::size_t count, std::size_t size);
  void (*release)(void* memory);
  void (*step_finished)(void* environment, int status);
  void* environment;
};

void log2(void* environment, const char*, int status, const char*, const char* format, ...) {
  std::array<char, kMostMessage + 1> text{};
  std::va_list words;
  va_start(words, format);
  std::vsnprintf(text.data(), text.size(), format ? format : "", words);
  va_end(words);
  static_cast<LoadedUnit*>(environment)->keepMessage(status, text.data());
}

void log3(void* environment, int status, const char*, const char* message) {
  static_cast<UnitInstance*>(environment)->unit().keepMessage(status, message ? message : "");
}

using Log3 = void(void*, int, const char*, const char*);
using Update3 = void(void*, double, bool, bool, bool, bool, bool*, double*);

/// "file:///a%20b" for the folder "/a b".
std::string uriOf(const std::string& folder) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const unsigned char c : folder) {
    if (std::isalnum(c) != 0 || c == '/' || c == '-' || c == '_' || c == '.')
      uri += static_cast<char>(c);
    else
      uri += {'%', kDigits[c >> 4], kDigits[c & 15]};
  }
  return uri;
}

}  // namespace

LoadedUnit::LoadedUnit(const std::string& folder, const UnitDescription& description, CallWatch watch)
    : folder_(folder),
      description_(description),
      watch_(std::move(watch)),
      prefix_("fmi" + std::to_string(description.version)) {
  // Constructors of the library run here.
  watch_("dlopen");
  library_ = ::dlopen((folder + '/' + description.binary()).c_str(), RTLD_NOW | RTLD_LOCAL);
  watch_("");
  if (library_ == nullptr) throw Error(std::string("the shared object cannot be loaded: ") + ::dlerror());
}

void* LoadedUnit::address(const std::string& name) const {
  void* const found = ::dlsym(library_, name.c_str());
  if (found == nullptr) throw Error(name + " is not exported");
  return found;
}

void LoadedUnit::keepMessage(int status, const char* text) {
  const std::lock_guard lock(message_mutex_);
  // Details that follow the reason of a failure do not replace it.
  if (has_reason_ && status <= kWarning) return;
  has_reason_ = status > kWarning;
  last_message_.assign(text, ::strnlen(text, kMostMessage));
  for (char& c : last_message_)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  last_message_.erase(last_message_.find_last_not_of(' ') + 1);
}

std::string LoadedUnit::lastMessage() const {
  const std::lock_guard lock(message_mutex_);
  return last_message_;
}

void LoadedUnit::forgetMessages() {
  const std::lock_guard lock(message_mutex_);
  last_message_.clear();
  has_reason_ = false;
}

UnitInstance::UnitInstance(LoadedUnit& unit, const std::string& name, const std::string& token)
    : UnitInstance(unit, name, token, {}, {}) {}

UnitInstance::UnitInstance(LoadedUnit& unit, const std::string& name, const std::string& token, OnUpdate on_update,
                           std::span<const std::uint32_t> readable)
    : unit_(unit), name_(name), on_update_(std::move(on_update)) {
  const std::string resources = unit.folder() + "/resources";
  // A unit logs why it fails only if it is asked to. One that lists no categories logs all or nothing.
  const bool logs = unit.description().log_categories.empty();
  if (second()) {
    // An instance may keep the pointer for its whole life.
    callbacks_ = std::make_shared<Callbacks2>(Callbacks2{log2, std::calloc, std::free, nullptr, &unit});
    const auto* const callbacks = static_cast<const Callbacks2*>(callbacks_.get());
    handle_ = unit.call<void*(const char*, int, const char*, const char*, const Callbacks2*, int, int)>(
        "Instantiate", name_.c_str(), kCoSimulation, token.c_str(), uriOf(resources).c_str(), callbacks, 0,
        static_cast<int>(logs));
  } else {
    const bool hears = static_cast<bool>(on_update_);
    handle_ = unit.call<void*(const char*, const char*, const char*, bool, bool, bool, bool, const std::uint32_t*,
                              std::size_t, void*, Log3*, Update3*)>(
        "InstantiateCoSimulation", name_.c_str(), token.c_str(), (resources + '/').c_str(), false, logs, false, hears,
        readable.data(), readable.size(), this, log3, hears ? &UnitInstance::between : nullptr);
  }
  if (handle_ == nullptr)
    throw Error("the unit makes no instance" + (unit.lastMessage().empty() ? "" : ": " + unit.lastMessage()));
  askForReasons();
}

// Of the categories that the unit lists only those of failures, because events may be many.
void UnitInstance::askForReasons() {
  std::vector<const char*> categories;
  for (const std::string& category : unit_.description().log_categories)
    if (std::find(kReasons.begin(), kReasons.end(), category) != kReasons.end()) categories.push_back(category.c_str());
  if (categories.empty()) return;
  if (second())
    unit_.call<int(void*, int, std::size_t, const char* const*)>("SetDebugLogging", handle_, 1, categories.size(),
                                                                 categories.data());
  else
    unit_.call<int(void*, bool, std::size_t, const char* const*)>("SetDebugLogging", handle_, true, categories.size(),
                                                                  categories.data());
}

void UnitInstance::between(void* instance, double time, bool set_requested, bool get_allowed, bool step_finished,
                           bool may_return, bool* asked, double* end) {
  auto& self = *static_cast<UnitInstance*>(instance);
  const std::optional<double> wanted =
      self.on_update_({time, set_requested, get_allowed, step_finished, may_return, self});
  *asked = wanted.has_value();
  if (wanted) *end = *wanted;
}

UnitInstance::~UnitInstance() {
  unit_.callVoid<void(void*)>("FreeInstance", handle_);
}

void UnitInstance::require(int status, const char* call) const {
  if (status >= 0 && status <= kWarning) return;
  const std::string word = status >= 0 && status < static_cast<int>(kStatusNames.size())
                               ? kStatusNames[static_cast<std::size_t>(status)]
                               : "status " + std::to_string(status);
  const std::string function = "fmi" + std::to_string(unit_.description().version) + call;
  std::string message = unit_.lastMessage();
  if (message.starts_with(function + ": ")) message.erase(0, function.size() + 2);
  throw Error(function + " returns " + word + (message.empty() ? "" : ": " + message));
}

void UnitInstance::initialize(double start_time) {
  enterInitialization(start_time);
  exitInitialization();
}

void UnitInstance::enterInitialization(double start_time) {
  if (second()) {
    require(unit_.call<int(void*, int, double, double, int, double)>("SetupExperiment", handle_, 0, 0.0, start_time, 0,
                                                                     0.0),
            "SetupExperiment");
    require(unit_.call<int(void*)>("EnterInitializationMode", handle_), "EnterInitializationMode");
  } else {
    require(unit_.call<int(void*, bool, double, double, bool, double)>("EnterInitializationMode", handle_, false, 0.0,
                                                                       start_time, false, 0.0),
            "EnterInitializationMode");
  }
}

void UnitInstance::exitInitialization() {
  require(unit_.call<int(void*)>("ExitInitializationMode", handle_), "ExitInitializationMode");
}

void UnitInstance::reset() {
  require(unit_.call<int(void*)>("Reset", handle_), "Reset");
}

void UnitInstance::terminate() {
  require(unit_.call<int(void*)>("Terminate", handle_), "Terminate");
}

void UnitInstance::set(std::span<const std::uint32_t> references, std::span<const double> values) {
  if (references.empty()) return;
  if (second())
    require(unit_.call<int(void*, const std::uint32_t*, std::size_t, const double*)>(
                "SetReal", handle_, references.data(), references.size(), values.data()),
            "SetReal");
  else
    require(unit_.call<int(void*, const std::uint32_t*, std::size_t, const double*, std::size_t)>(
                "SetFloat64", handle_, references.data(), references.size(), values.data(), values.size()),
            "SetFloat64");
}

void UnitInstance::get(std::span<const std::uint32_t> references, std::span<double> values) {
  if (references.empty()) return;
  if (second())
    require(unit_.call<int(void*, const std::uint32_t*, std::size_t, double*)>("GetReal", handle_, references.data(),
                                                                               references.size(), values.data()),
            "GetReal");
  else
    require(unit_.call<int(void*, const std::uint32_t*, std::size_t, double*, std::size_t)>(
                "GetFloat64", handle_, references.data(), references.size(), values.data(), values.size()),
            "GetFloat64");
}

std::string UnitInstance::stateHash(std::uint32_t reference) {
  if (second()) {
    const char* text = nullptr;
    require(unit_.call<int(void*, const std::uint32_t*, std::size_t, const char**)>("GetString", handle_, &reference,
                                                                                    std::size_t{1}, &text),
            "GetString");
    return text ? text : "";
  }
  std::uint64_t number = 0;
  require(unit_.call<int(void*, const std::uint32_t*, std::size_t, std::uint64_t*, std::size_t)>(
              "GetUInt64", handle_, &reference, std::size_t{1}, &number, std::size_t{1}),
          "GetUInt64");
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

void UnitInstance::step(double time, double size) {
  if (stepOrReturn(time, size)) throw Error("fmi3DoStep returns early, though early return is not allowed");
}

std::optional<double> UnitInstance::stepOrReturn(double time, double size) {
  if (second()) {
    const int status = unit_.call<int(void*, double, double, int)>("DoStep", handle_, time, size, 0);
    const std::string message = status == kDiscard ? unit_.lastMessage() : "";
    int ends = 0;
    if (status == kDiscard &&
        unit_.call<int(void*, int, int*)>("GetBooleanStatus", handle_, kTerminated2, &ends) <= kWarning && ends != 0)
      throw UnitEnds("fmi2DoStep asks to end the simulation");
    if (status == kDiscard) unit_.keepMessage(status, message.c_str());
    require(status, "DoStep");
    return {};
  }
  bool event = false, terminate = false, early = false;
  double last = 0;
  require(unit_.call<int(void*, double, double, bool, bool*, bool*, bool*, double*)>(
              "DoStep", handle_, time, size, false, &event, &terminate, &early, &last),
          "DoStep");
  if (terminate) throw UnitEnds("fmi3DoStep asks to end the simulation");
  return early ? std::optional<double>(last) : std::nullopt;
}

void* UnitInstance::saveState() {
  void* state = nullptr;
  const char* const name = second() ? "GetFMUstate" : "GetFMUState";
  require(unit_.call<int(void*, void**)>(name, handle_, &state), name);
  return state;
}

void UnitInstance::restoreState(void* state) {
  const char* const name = second() ? "SetFMUstate" : "SetFMUState";
  require(unit_.call<int(void*, void*)>(name, handle_, state), name);
}

void UnitInstance::freeState(void* state) {
  const char* const name = second() ? "FreeFMUstate" : "FreeFMUState";
  require(unit_.call<int(void*, void**)>(name, handle_, &state), name);
}

std::vector<char> UnitInstance::serialize(void* state) {
  std::size_t size = 0;
  const char* const size_name = second() ? "SerializedFMUstateSize" : "SerializedFMUStateSize";
  require(unit_.call<int(void*, void*, std::size_t*)>(size_name, handle_, state, &size), size_name);
  if (size > (std::size_t{1} << 30)) throw Error(std::string(size_name) + " gives more than 1 GiB");
  std::vector<char> bytes(size);
  const char* const name = second() ? "SerializeFMUstate" : "SerializeFMUState";
  require(unit_.call<int(void*, void*, char*, std::size_t)>(name, handle_, state, bytes.data(), size), name);
  return bytes;
}

void* UnitInstance::deserialize(const std::vector<char>& bytes) {
  void* state = nullptr;
  const char* const name = second() ? "DeSerializeFMUstate" : "DeserializeFMUState";
  require(unit_.call<int(void*, const char*, std::size_t, void**)>(name, handle_, bytes.data(), bytes.size(), &state),
          name);
  return state;
}

}  // namespace tactus::fmi
