// What `tactus fmu check` does with a unit of anybody: calls, comparisons of values, and what it tells of them.
#pragma once

#include "clients/fmi/check.h"
#include "clients/fmi/importer/call_record.h"
#include "clients/fmi/importer/unit_description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::fmi {

/// Numbers of inputs and outputs that are moved and compared.
struct Terminal {
  std::vector<const UnitVariable*> inputs, outputs;
  std::vector<std::uint32_t> input_references, output_references;
  std::vector<std::uint32_t> update_references;  ///< of the outputs that can be read in an intermediate update

  explicit Terminal(const UnitDescription& description);

  /// Inputs of a step: a ramp up and down over a tenth of the range, around the start value.
  std::vector<double> at(int step) const;
};

/// Lines of a child on a pipe: "E text", "W text", "H hash", "T median longest".
class ReportPipe {
 public:
  explicit ReportPipe(int file) : file_(file) {}

  void tell(char kind, std::string text) const;

 private:
  const int file_;
};

/// Loads the unit into this process and runs all checks. @throws Error for a fault after which no check makes sense
void tryUnit(const std::string& folder, const UnitDescription& description, double step, const CheckOptions& options,
             CallRecord& record, const ReportPipe& pipe);

}  // namespace tactus::fmi
