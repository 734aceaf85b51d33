// CSV from a recording: `t` in seconds, then signals, values in %.17g.
#pragma once

#include "server/record/replay.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

struct CsvChoice {
  std::vector<std::string> signals;  ///< names and globs; empty: what is recorded
  std::int64_t every = 1;            ///< rows of ticks that are whole multiples of this
  bool inputs = false;               ///< only inputs, a row where they change: `tactus run --inputs` takes such a file
};

struct CsvReport {
  std::uint64_t rows = 0;
  bool computed = false;  ///< some signals were not recorded: the recorded inputs were run again to get them
};

/// True if a signal that is asked for is not recorded, and has to be computed.
/// @throws Error for a name or glob that the model does not have
bool needsReplay(const RecordingReader& recording, const CsvChoice& choice);

/// Writes the rows up to the last intact tick.
/// @throws Error if the file cannot be written, or as RecordedSession
CsvReport writeCsv(RecordingReader& recording, const CsvChoice& choice, const std::string& path);

}  // namespace tactus::server
