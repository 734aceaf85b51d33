// The frame of a local subcommand: it runs when it is chosen, and its errors become a message and an exit code.
#pragma once

#include "proto/text/exit_code.h"
#include "rt/error.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

namespace tactus::server {

/// Has the command run a function with its arguments, and set the exit code: that of the function, or kExitUsage after
/// an Error, which is printed to stderr.
/// @param[in] run  takes the arguments, returns an exit code
template <class Arguments, class Run>
void onCall(CLI::App& command, int& exit_code, std::shared_ptr<Arguments> arguments, Run run) {
  std::string name = command.get_name();
  for (const CLI::App* parent = command.get_parent(); parent && parent->get_parent(); parent = parent->get_parent())
    name = parent->get_name() + ' ' + name;
  command.callback([name, arguments, run, &exit_code] {
    try {
      exit_code = run(*arguments);
    } catch (const Error& error) {
      std::cerr << "tactus " << name << ": " << error.what() << '\n';
      exit_code = text::kExitUsage;
    }
  });
}

}  // namespace tactus::server
