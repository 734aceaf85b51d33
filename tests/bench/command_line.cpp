#include "tests/bench/command_line.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>

namespace tactus::bench {
namespace {

bool isOption(const std::string& name) {
  return name.front() == '-';
}

template <typename Number>
void limit(CLI::Option* option, const Range& range) {
  if (range.least > Range().least || range.greatest < Range().greatest)
    option->check(CLI::Range(static_cast<Number>(range.least), static_cast<Number>(range.greatest)));
}

}  // namespace

CommandLine::CommandLine(const std::string& description) : app_(std::make_unique<CLI::App>(description)) {}

CommandLine::~CommandLine() = default;

CommandLine& CommandLine::add(const std::string& name, int& value, const std::string& help, Range range) {
  limit<int>(app_->add_option(last_ = name, value, help)->capture_default_str(), range);
  return *this;
}

CommandLine& CommandLine::add(const std::string& name, double& value, const std::string& help, Range range) {
  limit<double>(app_->add_option(last_ = name, value, help)->capture_default_str(), range);
  return *this;
}

CommandLine& CommandLine::add(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(last_ = name, value, help)->capture_default_str();
  return *this;
}

CommandLine& CommandLine::add(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  CLI::Option* option = app_->add_option(last_ = name, values, help)->capture_default_str();
  if (isOption(name)) option->delimiter(',');
  return *this;
}

CommandLine& CommandLine::add(const std::string& name, std::vector<int>& values, const std::string& help, Range range) {
  CLI::Option* option = app_->add_option(last_ = name, values, help)->delimiter(',')->capture_default_str();
  limit<int>(option, range);
  // Otherwise an option would take the positional arguments that follow it.
  if (isOption(name)) option->allow_extra_args(false);
  return *this;
}

CommandLine& CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(last_ = name, value, help);
  return *this;
}

CommandLine& CommandLine::choice(const std::string& name, std::string& value, const std::vector<std::string>& words,
                                 const std::string& help) {
  app_->add_option(last_ = name, value, help)->check(CLI::IsMember(words));
  return *this;
}

CommandLine& CommandLine::file(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(last_ = name, value, help)->check(CLI::ExistingFile);
  return *this;
}

CommandLine& CommandLine::folder(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(last_ = name, value, help)->check(CLI::ExistingDirectory);
  return *this;
}

CommandLine& CommandLine::required() {
  app_->get_option(last_)->required();
  return *this;
}

int CommandLine::main(int argc, char** argv, const std::function<void()>& run) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) { return app_->exit(error); }
  try {
    run();
  } catch (const std::exception& error) {
    std::cerr << std::filesystem::path(argv[0]).filename().string() << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace tactus::bench
