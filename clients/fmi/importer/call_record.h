// CallRecord: which function of a unit a child process is in, in memory that its parent sees. It outlives a crash.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <sys/wait.h>

namespace tactus::fmi {

inline std::int64_t steadyNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct CallRecord {
  std::atomic<std::int64_t> began_ns{0};  ///< 0: in no call
  std::array<char, 64> function{};

  /// In the child: a call begins, or it has ended if the name is empty. Within a call only the name changes: the time
  /// is that of the outermost one.
  void note(std::string_view name) {
    if (name.empty()) {
      began_ns.store(0);
      return;
    }
    const std::size_t count = std::min(name.size(), function.size() - 1);
    std::memcpy(function.data(), name.data(), count);
    function[count] = '\0';
    if (began_ns.load() == 0) began_ns.store(steadyNs());
  }

  /// In the parent: the newest call, of printable characters whatever the child has written there.
  std::string name() const {
    std::string text;
    for (const char c : function) {
      if (c == '\0') break;
      text += c >= ' ' && c <= '~' ? c : '?';
    }
    return text.empty() ? "the unit" : text;
  }

  /// How the child ended, from the status that waitpid gives.
  std::string endedBy(int status) const {
    if (WIFSIGNALED(status)) return name() + " ends its process: " + ::strsignal(WTERMSIG(status));
    return name() + " ends its process with exit code " + std::to_string(WEXITSTATUS(status));
  }
  std::string hangs(std::int64_t limit_ns) const {
    return name() + " does not return within " + std::to_string(static_cast<double>(limit_ns) * 1e-9).substr(0, 5) +
           " s";
  }
};

}  // namespace tactus::fmi
