// The threads that share a step.
#pragma once

namespace tactus::rt {

/// One thread's view of its team.
struct Team {
  int thread = 0, threads = 1;

  /// Returns once all threads of the team have called it.
  void wait() const noexcept {}
};

}  // namespace tactus::rt
