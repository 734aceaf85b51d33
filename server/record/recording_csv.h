// CSV from a recording: `t` in seconds, then signals, values in %.17g.
#pragma once

#include "server/record/replay.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

struct CsvChoice {
  std::vector<std::string> signals;  ///< names and globs; empty: the recorded signals
  std::int64_t every = 1;            ///< a row for each tick that is a multiple of this number
  bool inputs = false;               ///< inputs only, a row for each change, for `tactus run --inputs`; `every` is 1
};

struct CsvReport {
  std::uint64_t rows = 0;
  bool computed = false;  ///< some signals were not recorded and come from a replay
};

/// True if a chosen signal is not recorded and must be computed by a replay.
/// @throws Error for a name or glob that the model does not have
bool needsReplay(const RecordingReader& recording, const CsvChoice& choice);

/// Writes the rows up to the last intact tick. An earlier file is replaced at the end.
/// @throws Error if the file cannot be written, and for inputs of a session that began again; the errors of
///         RecordedSession. An earlier file stays as it was
CsvReport writeCsv(RecordingReader& recording, const CsvChoice& choice, const std::string& path);

}  // namespace tactus::server
