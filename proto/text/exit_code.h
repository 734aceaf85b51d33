// Exit codes of the program.
#pragma once

namespace tactus::text {

enum ExitCode : int {
  kExitOk = 0,
  kExitFinding = 1,      ///< a finding or a difference
  kExitUsage = 2,        ///< no result: an error of usage, an invalid model, a refusal, any other failure
  kExitUnreachable = 3,  ///< no server answers
  kExitFault = 4,        ///< a fault, or the safe state
  kExitNoRealtime = 5,   ///< a demanded real-time property is not available
};

}  // namespace tactus::text
