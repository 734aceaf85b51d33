// The step of the server as an offline method.
#include "rt/offline/real_time/ali3p_stepper.h"
#include "rt/offline/schools.h"

#include <type_traits>

namespace tactus::rt::offline {

namespace {

/// The settings of the solver as options, with their defaults.
std::vector<Option> ali3pOptions() {
  std::vector<Option> options;
  forEachSetting([&](const SettingInfo& info, auto member) {
    const auto value = Settings{}.*member;
    const std::string summary =
        std::string(info.summary) + (info.recommended ? "; default: what the model recommends" : "");
    if constexpr (std::is_same_v<decltype(value), const bool>)
      options.push_back(boolean(info.name, value, summary));
    else if constexpr (std::is_same_v<decltype(value), const int>)
      options.push_back(integer(info.name, value, static_cast<int>(info.low), static_cast<int>(info.high), summary));
    else
      options.push_back(number(info.name, value, info.low, info.high, summary));
  });
  options.push_back(number("tolerance", "0", 0, 1e-3,
                           "above 0: iterate until the last increment, relative to the mechanism, is below this"));
  return options;
}

Ali3pStepper::Options stepperOptions(const OptionValues& values) {
  return {settingChanges(values), values.number("tolerance")};
}

}  // namespace

std::vector<SettingChange> settingChanges(const OptionValues& values) {
  std::vector<SettingChange> changes;
  forEachSetting([&](const SettingInfo& info, auto member) {
    if (!values.given(info.name)) return;
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(Settings{}.*member)>, bool>)
      changes.push_back({info.name, values.boolean(info.name) ? 1.0 : 0.0});
    else
      changes.push_back({info.name, values.number(info.name)});
  });
  return changes;
}

School realTimeSchool() {
  return {"ALi3p",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"ali3p", "index-3 augmented Lagrangian with velocity and acceleration projections: the step of the server",
            2, "2, 2, 2", "trapezoidal rule, stabilized by the projections", ali3pOptions(),
            makes<Ali3pStepper>(stepperOptions)}}};
}

}  // namespace tactus::rt::offline
