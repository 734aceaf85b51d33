// What this host offers to a real-time thread: each point as found, wanted, its effect, and the command that fixes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

enum class Grade : std::uint8_t { kGood, kFair, kPoor };
const char* toString(Grade grade) noexcept;

struct HostFinding {
  std::string what;
  Grade grade = Grade::kGood;
  std::string found, wanted;
  std::string effect;  ///< consequence of what was found; may be empty if good
  std::string fix;     ///< command or setting; may be empty if good
};

/// The worst grade of all findings; good if there is none.
Grade worstGrade(const std::vector<HostFinding>& findings) noexcept;

/// Rights that the kernel grants to this process.
struct HostRights {
  bool unlimited_priority = false;  ///< CAP_SYS_NICE, or a limit without an end
  long priority_limit = 0;          ///< RLIMIT_RTPRIO
  bool unlimited_memory = false;    ///< CAP_IPC_LOCK, or no limit
  long long memory_limit = 0;       ///< RLIMIT_MEMLOCK, bytes
};

HostRights readRights();

/// Reads /proc and /sys below `root`.
/// @param[in] root  "" for this host; a folder that stands for it in a test
std::vector<HostFinding> checkHost(const std::string& root, const HostRights& rights);

}  // namespace tactus::server
