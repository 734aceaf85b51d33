// Several processes that do the same at the same time.
#pragma once

#include <catch2/catch.hpp>

#include <exception>
#include <functional>
#include <vector>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tactus::server::tests {

/// Does the same in several processes at the same time. @returns how many of them did not throw
inline int inProcesses(int count, const std::function<void(int)>& work) {
  int gate[2];
  REQUIRE(::pipe(gate) == 0);
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      char none = 0;
      ::close(gate[1]);
      if (::read(gate[0], &none, 1) != 0) ::_exit(2);  // ends when the parent closes its side
      try {
        work(i);
      } catch (const std::exception&) { ::_exit(1); }
      ::_exit(0);
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  int done = 0;
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    done += WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return done;
}

}  // namespace tactus::server::tests
