#include "server/cli/interrupt_flag.h"

#include "proto/text/exit_code.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace tactus;
using namespace tactus::server;

namespace {

/// Status of a process of its own that runs `body` and then ends with 0.
int statusOf(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    std::_Exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

}  // namespace

TEST_CASE("work that does not look at the interrupt is ended after its grace, with its last words", "[server][cli]") {
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  const int status = statusOf([&] {
    const InterruptFlag interrupt(std::chrono::milliseconds(40), [&] { (void)!::write(pipe_ends[1], "last", 4); });
    std::raise(SIGINT);
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == text::kExitUsage);  // there is no result
  char said[4] = {};
  REQUIRE(::close(pipe_ends[1]) == 0);
  CHECK(::read(pipe_ends[0], said, sizeof said) == 4);
  CHECK(std::string(said, sizeof said) == "last");
  ::close(pipe_ends[0]);
}

TEST_CASE("work that looks at the interrupt ends by itself, however long the grace is", "[server][cli]") {
  const int status = statusOf([] {
    const InterruptFlag interrupt(std::chrono::hours(1), [] { std::abort(); });
    if (interrupt.flag()) std::abort();
    std::raise(SIGINT);
    if (!interrupt.flag()) std::abort();
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
