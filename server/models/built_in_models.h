// The models that come with the program, and how a MODEL of the command line or of a call is found.
#pragma once

#include "server/model_io/model_file.h"

#include <string>
#include <vector>

namespace tactus::server {

struct ModelParameter {
  std::string name;
  std::string description;
  int initial, minimum, maximum;  ///< whole numbers; `initial` is the default
};

struct BuiltInModel {
  std::string name;
  std::string description;  ///< one line
  std::vector<ModelParameter> parameters;
};

/// All built-in models, sorted by name.
const std::vector<BuiltInModel>& builtInModels();

/// Opens a built-in model by "name" or "name:key=value,...".
/// @throws Error for an unknown name or parameter (with the nearest known one), or a value out of range
ModelDocument openBuiltInModel(const std::string& reference);

/// True if `text` names a file rather than a built-in model: it has a slash, or ends in .json or .txtpb.
bool isModelFileName(const std::string& text);

/// Opens the file or the built-in model that `model` names. Findings on a file are in the document.
/// @throws Error from openBuiltInModel() or readModelFile(); for a name that is not found with the nearest built-in
/// model
///         and the nearest model file in its folder
ModelDocument openModel(const std::string& model);

}  // namespace tactus::server
