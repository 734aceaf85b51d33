#include "server/wire/settings_message.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;

TEST_CASE("the wire holds every setting of the solver", "[server][wire]") {
  rt::forEachSetting([](const rt::SettingInfo& info, auto member) {
    INFO(info.name);
    rt::Settings settings;
    for (const double value : {info.low, info.high}) {
      rt::changeSetting(settings, {info.name, value});
      v1::StepSettings message;
      writeSettings(settings, message);
      CHECK(readSettings(message).*member == settings.*member);
    }
  });
}

TEST_CASE("settings of a version without the rule of the gyroscopic tangent stay without it", "[server][wire]") {
  v1::StepSettings message;
  writeSettings(rt::Settings(), message);
  message.clear_gyroscopic_above();
  CHECK(readSettings(message).gyroscopic_above == rt::kNeverGyroscopic);
}
