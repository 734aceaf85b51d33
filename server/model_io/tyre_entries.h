// The values of a tyre property file by their names, with their lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tactus::server {

struct TyreProblem;

/// A value of the file and its line.
struct TyreEntry {
  std::string section, text;
  std::optional<double> number;
  int line = 0;

  bool isOfNumbers() const;  ///< whether its section holds numbers only
};

class TyreEntries {
 public:
  /// Reads all lines. @returns false if `problem` says which one cannot be read
  bool read(std::string_view text, TyreProblem& problem);

  /// By its name in capital letters, "UNITS.LENGTH" in the section of units; null: not in the file.
  const TyreEntry* find(const std::string& name) const;
  const std::map<std::string, TyreEntry>& all() const { return entries_; }

 private:
  bool readEntry(const std::string& section, std::string_view name_text, std::string_view value_text, int line,
                 TyreProblem& problem);

  std::map<std::string, TyreEntry> entries_;
};

}  // namespace tactus::server
