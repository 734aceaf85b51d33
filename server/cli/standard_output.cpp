#include "server/cli/standard_output.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <iostream>

#include <poll.h>
#include <unistd.h>

namespace tactus::server {

namespace {

constexpr int kEndMs = 1000;

// A pipe that can be written takes 4 KiB, more than a report has. A terminal may take less, and does not block; see
// keepTerminalsFromBlocking().
bool isTaken(int patience_ms) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(patience_ms);
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    const int ready = ::poll(&output, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
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
