// A spline over time, which a drive follows.
#pragma once

#include "rt/model/elements/element.h"

#include <vector>

namespace tactus::rt {

/// Cubic spline through points, at rest at both ends and beyond them.
struct TableSpec {
  std::vector<double> times, values;

  static constexpr const char* kName = "table";
  static Fields fields();
};

void check(const TableSpec& spec, const FindingPlace& at);
void build(const TableSpec& spec, Drive& drive);

}  // namespace tactus::rt
