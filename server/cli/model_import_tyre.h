// `tactus model import-tyre`: a tyre property file as an element of a model file.
#pragma once

#include <CLI/CLI.hpp>

namespace tactus::server {

/// Adds the subcommand to `tactus model`.
void addImportTyre(CLI::App& model_command, int& exit_code);

}  // namespace tactus::server
