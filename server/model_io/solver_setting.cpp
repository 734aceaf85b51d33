#include "server/model_io/solver_setting.h"

#include "rt/error.h"
#include "rt/flag_words.h"
#include "server/model_io/tuned_model.h"

#include <type_traits>

namespace tactus::server {

rt::SettingChange parseSolverSetting(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
  bool known = false, is_flag = false;
  rt::forEachSetting([&](const rt::SettingInfo& info, auto member) {
    if (name != info.name) return;
    known = true;
    is_flag = std::is_same_v<std::remove_reference_t<decltype(rt::Settings{}.*member)>, bool>;
  });
  const auto flag = rt::fromWord(rt::kFlagWords, value);
  if (is_flag && equals != std::string::npos && !flag)
    throw Error('"' + word + "\": \"" + value + "\" must be true or false");
  // Of an unknown name, the name is wrong, not the value.
  if (flag && (is_flag || !(known || name.empty()))) return {name, *flag ? 1.0 : 0.0};
  const ParameterValue number = parseParameter(word);
  return {number.name, number.value};
}

}  // namespace tactus::server
