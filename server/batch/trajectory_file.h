// A trajectory as CSV: `t` and signal names in the first line, then values that read back as the same numbers (%.17g).
#pragma once

#include "rt/signals/signal_reader.h"
#include "rt/state/snapshot.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tactus::server {

class TrajectoryFile {
 public:
  /// @throws Error if the file cannot be created, or its name does not end in .csv
  TrajectoryFile(const std::string& path, const rt::SignalDirectory& directory, std::vector<int> signals);

  /// For a trajectory that is written after the work. Changes no file.
  /// @throws Error as the constructor
  static void requireWritable(const std::string& path);

  /// Adds columns after the signals. Only before the first row.
  void addColumns(const std::vector<std::string>& names);

  /// @param[in] more  values of the added columns
  /// @throws Error if the row cannot be written; earlier rows stay
  void append(const rt::Snapshot& snapshot, const std::vector<double>& more = {});

  /// Flushes and closes. @throws Error if that fails
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  void require(bool written) const;
  void endHead();

  std::string path_;
  rt::SignalReader reader_;
  std::vector<double> values_;
  bool head_ = true;  ///< whether the first line is still open
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace tactus::server
