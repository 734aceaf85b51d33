// What `tactus fmu check` does: an FMU of anybody is unpacked, read, and run in a child process.
#pragma once

#include "clients/fmi/importer/unit_description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::fmi {

struct CheckOptions {
  double step = 0;                              ///< communication step, s; 0: the one that the unit recommends
  int steps = 200;                              ///< of each run
  std::int64_t call_limit_ns = 10'000'000'000;  ///< a call that takes longer hangs
};

struct CheckReport {
  std::vector<UnitFinding> findings;
  int version = 0;
  std::string name;
  double step = 0;                  ///< s
  std::int64_t median_step_ns = 0;  ///< of the calls of DoStep
  std::int64_t longest_step_ns = 0;
  std::string state_hash;  ///< of a unit of Tactus after `steps` steps with inputs at their start values
  bool same_bits = false;  ///< a unit of Tactus has the hashes of the engine of this program

  bool hasErrors() const;
};

/// Everything that is wrong with the unit, or that this system refuses, is a finding.
CheckReport checkUnit(const std::string& path, const CheckOptions& options);

}  // namespace tactus::fmi
