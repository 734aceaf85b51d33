#include "server/cli/option_rules.h"

#include <string>

namespace tactus::server {

CLI::Validator atLeast(std::int64_t lowest) {
  CLI::Validator rule;
  rule.operation([lowest](const std::string& word) {
    std::int64_t value = 0;
    const bool is = CLI::detail::lexical_cast(word, value);
    return is && value >= lowest ? "" : word + " must be a whole number of at least " + std::to_string(lowest);
  });
  return rule;
}

void refuseEmptyValues(CLI::App& command) {
  CLI::Validator rule;
  rule.operation([](const std::string& word) {
    return std::string(word.empty() ? "is empty; give a value, or leave the option out" : "");
  });
  for (CLI::Option* const option : command.get_options())
    if (option->get_items_expected_max() > 0) option->check(rule);
}

}  // namespace tactus::server
