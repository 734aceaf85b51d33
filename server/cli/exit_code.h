// Exit codes of the program.
#pragma once

namespace tactus::server {

enum ExitCode : int {
  kExitOk = 0,
  kExitFinding = 1,      ///< a finding or a difference
  kExitUsage = 2,        ///< usage or invalid model
  kExitUnreachable = 3,  ///< server unreachable
  kExitFault = 4,        ///< fault or safe state
  kExitNoRealtime = 5,   ///< a demanded real-time property is not available
};

}  // namespace tactus::server
