#include "server/cli/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

namespace tactus::server {

bool holdStandardStreams() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free is this one. For reading, so that each write fails.
    if (::open("/dev/null", O_RDONLY) != descriptor) return false;
  }
  return true;
}

bool flushStandardOutput() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::cout.good() && std::ferror(stdout) == 0;
}

}  // namespace tactus::server
