// Names as a model allows them, from names of other formats.
#pragma once

#include "server/import/import_report.h"

#include <string>
#include <unordered_set>

namespace tactus::server {

class TreeNames {
 public:
  /// A name that is free: letters, digits and _. Another character becomes _; a name that is taken gets the suffix,
  /// then a number. A change is reported.
  std::string take(const std::string& wanted, const std::string& suffix, const SourcePlace& place,
                   ImportReport& report);

 private:
  std::unordered_set<std::string> taken_ = {"ground", "energy", "constraint", "solver"};
};

/// `text` with every character replaced that a name must not have, at most 48 characters; empty if nothing is left.
std::string asName(const std::string& text);

}  // namespace tactus::server
