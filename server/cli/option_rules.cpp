#include "server/cli/option_rules.h"

#include "server/cli/written_words.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace tactus::server {
namespace {

constexpr const char* kNotWhole = "must be a whole number";

template <class Whole>
bool fits(const std::string& number) {
  Whole value = 0;
  return std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc{};
}

}  // namespace

bool isWholeType(std::string_view type) {
  return type.starts_with("INT") || type.starts_with("UINT");
}

std::string refusalOfWhole(std::string_view word, std::string_view type) {
  const bool has_minus = type.starts_with('I') && word.starts_with('-');
  const std::string_view digits = word.substr(has_minus || word.starts_with('+') ? 1 : 0);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return kNotWhole;
  if (digits.size() > 1 && digits.front() == '0') return "has a leading zero; write the number without it";
  const std::string number = (has_minus ? "-" : "") + std::string(digits);
  const bool fit = type.starts_with('I') ? fits<std::int64_t>(number) : fits<std::uint64_t>(number);
  return fit ? "" : "is beyond the whole numbers of 64 bits";
}

CLI::Validator atLeast(std::int64_t lowest) {
  CLI::Validator rule;
  rule.operation([lowest](const std::string& word) -> std::string {
    const std::string refusal = refusalOfWhole(word);
    if (!refusal.empty() && refusal != kNotWhole) return word + ' ' + refusal;
    std::int64_t value = 0;
    const bool is = refusal.empty() && CLI::detail::lexical_cast(word, value);
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

void addRulesOfAllOptions(CLI::App& program) {
  for (CLI::Option* const option : program.get_options()) {
    const std::string type = option->get_type_name();
    if (option->get_items_expected_max() > 0 && isWholeType(type)) {
      CLI::Validator whole;
      whole.operation([type](const std::string& word) {
        const std::string refusal = refusalOfWhole(word, type);
        return refusal.empty() ? refusal : word + ' ' + refusal;
      });
      option->check(whole);
    }
    // A word behind the value of a list is the argument of the command, or a mistake, unless the option has a number of
    // words of its own.
    if (!option->get_positional() && option->get_items_expected_max() >= CLI::detail::expected_max_vector_size)
      option->allow_extra_args(false);
    option->transform(unmarked);  // before all other rules
  }
  for (CLI::App* const command : program.get_subcommands({})) addRulesOfAllOptions(*command);
}

}  // namespace tactus::server
