// StandardOutput: reports of a process that must not wait for their reader, as in `tactus serve | less`.
#pragma once

#include <cstdint>
#include <string>

namespace tactus::server {

class StandardOutput {
 public:
  /// Writes a text, or leaves it out if the reader has stopped. What was left out is counted in the log with the next
  /// text that is written.
  void write(const std::string& text);

  /// Whether the reader takes a text now, or within a second; if not, a line in the log.
  static bool takesEnd();

 private:
  std::int64_t left_out_ = 0;
};

}  // namespace tactus::server
