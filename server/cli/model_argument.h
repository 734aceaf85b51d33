// The argument MODEL of a subcommand.
#pragma once

#include "server/model_io/model_file.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace tactus::server {

/// Adds the argument MODEL.
CLI::Option* addModelArgument(CLI::App& command, std::string& model);

/// Prints the findings on a model to stderr, one a line.
void printFindings(const ModelDocument& document, const std::string& model);

/// Opens a built-in model or a file, and prints its findings to stderr.
/// @returns none if the model is not valid
/// @throws Error if there is no such model
std::optional<ModelDocument> openValidModel(const std::string& model);

/// The message of a model file, for a call of a server, with the content of the files that it names. Prints findings to
/// stderr.
/// @returns none if `model` names no file, see isModelFileName()
/// @throws Error if the file cannot be read, or if its model is not valid
std::optional<v1::Model> messageOfModelFile(const std::string& model);

}  // namespace tactus::server
