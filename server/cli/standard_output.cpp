#include "server/cli/standard_output.h"

#include <spdlog/spdlog.h>

#include <iostream>

#include <poll.h>
#include <unistd.h>

namespace tactus::server {

namespace {

constexpr int kEndMs = 1000;

// A pipe that can be written takes 4 KiB, more than a report has.
bool isTaken(int patience_ms) {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, patience_ms) != 0;
}

}  // namespace

void StandardOutput::write(const std::string& text) {
  if (!isTaken(0)) {
    ++left_out_;
    return;
  }
  if (left_out_ > 0)
    spdlog::warn("{} report{} left out: nobody read the standard output", left_out_,
                 left_out_ == 1 ? " was" : "s were");
  left_out_ = 0;
  std::cout << text << std::flush;
}

bool StandardOutput::takesEnd() {
  const bool taken = isTaken(kEndMs);
  if (!taken) spdlog::warn("the report of the end is left out: nobody reads the standard output");
  return taken;
}

}  // namespace tactus::server
