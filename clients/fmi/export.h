// A model as a unit of FMI: a .fmu file.
#pragma once

#include "server/model_io/model_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tactus::fmi {

struct ExportOptions {
  int version = 3;             ///< of FMI: 2 or 3
  std::int64_t period_ns = 0;  ///< 0: the model's
  std::string initial_condition;
  bool derivatives = false;                              ///< the description offers those of outputs by inputs
  std::vector<std::string> signals;                      ///< names and globs, besides the sensors
  std::vector<std::pair<std::string, double>> settings;  ///< changes of what the model recommends
  std::string tool;                                      ///< name and version of the program
};

struct ExportReport {
  std::string token;
  double period = 0;  ///< s
  std::size_t inputs = 0, parameters = 0, outputs = 0;
};

/// Writes the unit of a valid model.
/// @throws Error for a model, a setting or a signal that cannot be, and if the file cannot be written
ExportReport exportUnit(const server::ModelDocument& document, const ExportOptions& options, const std::string& path);

}  // namespace tactus::fmi
