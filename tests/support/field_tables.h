// Walks over every table of fields of a description, for tests that hold for each of them.
#pragma once

#include "rt/model/model_spec.h"

#include <functional>
#include <string>

namespace tactus::test {

/// One table of fields with a spec that it describes.
struct FieldTable {
  std::string path;  ///< "joints.screw"; empty for the model
  rt::Fields fields;
  void* spec;
};

/// Calls `visit` for the table of the model and for each one below it, kinds included, with default values.
void eachFieldTable(const std::function<void(const FieldTable&)>& visit);

/// A description with a value in every field: lists have one element for each kind, numbers and texts differ from each
/// other. It need not be valid.
rt::ModelSpec filledSpec();

}  // namespace tactus::test
