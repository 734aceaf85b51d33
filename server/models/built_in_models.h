// The models that come with the program, and how a MODEL of the command line or of a call is found.
#pragma once

#include "server/model_io/model_file.h"

#include <string>
#include <vector>

namespace tactus::server {

struct ModelParameter {
  std::string name;
  std::string description;
  int initial, minimum, maximum;  ///< whole numbers; `initial` where none is given
};

struct BuiltInModel {
  std::string name;
  std::string description;  ///< one line
  std::vector<ModelParameter> parameters;
};

/// All of them, in the order of names.
const std::vector<BuiltInModel>& builtInModels();

/// A built-in model by "name" or "name:key=value,...".
/// @throws Error for an unknown name or parameter (with the nearest known one), or a value out of range
ModelDocument openBuiltInModel(const std::string& reference);

/// True if `text` names a file rather than a built-in model: it has a slash, or ends in .json or .txtpb.
bool isModelFileName(const std::string& text);

/// A file or a built-in model, whichever `model` names. Findings on a file are in the document.
/// @throws Error as openBuiltInModel() and readModelFile()
ModelDocument openModel(const std::string& model);

}  // namespace tactus::server
