#include "clients/cli/command_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tactus::client {
namespace {

struct CommandOfCall {
  std::string_view call, command;
};

constexpr std::array kCommands{
    CommandOfCall{"ListModels", "tactus models"},
    CommandOfCall{"ValidateModel", "tactus model check"},
    CommandOfCall{"CreateSession", "tactus session create"},
    CommandOfCall{"ListSessions", "tactus session list"},
    CommandOfCall{"DeleteSession", "tactus session delete"},
    CommandOfCall{"StartSession", "tactus session start"},
    CommandOfCall{"PauseSession", "tactus session pause"},
    CommandOfCall{"StepSession", "tactus session step"},
    CommandOfCall{"ResetSession", "tactus session reset"},
    CommandOfCall{"EnterSafeState", "tactus safe"},
    CommandOfCall{"ClearSafeState", "tactus clear"},
    CommandOfCall{"GetParameters", "tactus get"},
    CommandOfCall{"SetParameters", "tactus set"},
    CommandOfCall{"ListSignals", "tactus signals"},
    CommandOfCall{"ReadSignals", "tactus get"},
    CommandOfCall{"OpenDeviceLink", "tactus link open"},
    CommandOfCall{"CloseDeviceLink", "tactus link close"},
    CommandOfCall{"ListDeviceLinks", "tactus link list"},
    CommandOfCall{"GetTimingReport", "tactus timing"},
    CommandOfCall{"ReportCommTest", "tactus commtest"},
    CommandOfCall{"StartRecording", "tactus recording start"},
    CommandOfCall{"StopRecording", "tactus recording stop"},
    CommandOfCall{"ListRecordings", "tactus recording list"},
    CommandOfCall{"DownloadRecording", "tactus recording download"},
    CommandOfCall{"SaveSnapshot", "tactus snapshot save"},
    CommandOfCall{"RestoreSnapshot", "tactus snapshot restore"},
    CommandOfCall{"QueryRoad", "tactus road"},
};

bool isOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::string_view commandOf(std::string_view call) {
  const auto found =
      std::find_if(kCommands.begin(), kCommands.end(), [call](const CommandOfCall& one) { return one.call == call; });
  return found == kCommands.end() ? std::string_view() : found->command;
}

std::string inCommands(std::string_view text) {
  std::string said;
  bool quoted = false;
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), isOfWord);
    const std::string_view word = text.substr(0, std::max<std::ptrdiff_t>(1, end - text.begin()));
    const std::string_view command = quoted ? std::string_view() : commandOf(word);
    if (word == "\"") quoted = !quoted;
    said += command.empty() ? std::string(word) : '`' + std::string(command) + '`';
    text.remove_prefix(word.size());
  }
  return said;
}

}  // namespace tactus::client
