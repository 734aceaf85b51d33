#include "server/wire/settings_message.h"

#include <cstdint>
#include <type_traits>

namespace tactus::server {

void writeSettings(const rt::Settings& settings, v1::StepSettings& message) {
  message.set_period_ns(settings.period_ns);
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  rt::forEachSetting([&](const rt::SettingInfo& info, auto member) {
    const auto* field = message.GetDescriptor()->FindFieldByName(info.name);
    const auto value = settings.*member;
    if constexpr (std::is_same_v<decltype(value), const bool>)
      reflection.SetBool(&message, field, value);
    else if constexpr (std::is_same_v<decltype(value), const int>)
      reflection.SetUInt32(&message, field, static_cast<std::uint32_t>(value));
    else
      reflection.SetDouble(&message, field, value);
  });
}

rt::Settings readSettings(const v1::StepSettings& message) {
  rt::Settings settings;
  settings.period_ns = message.period_ns();
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  rt::forEachSetting([&](const rt::SettingInfo& info, auto member) {
    const auto* field = message.GetDescriptor()->FindFieldByName(info.name);
    using Value = std::remove_reference_t<decltype(settings.*member)>;
    if constexpr (std::is_same_v<Value, bool>)
      settings.*member = reflection.GetBool(message, field);
    else if constexpr (std::is_same_v<Value, int>)
      settings.*member = static_cast<int>(reflection.GetUInt32(message, field));
    else
      settings.*member = reflection.GetDouble(message, field);
  });
  // Files of versions without the rule go on without it.
  if (!message.has_gyroscopic_above()) settings.gyroscopic_above = rt::kNeverGyroscopic;
  return settings;
}

}  // namespace tactus::server
