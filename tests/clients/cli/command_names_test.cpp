#include "clients/cli/command_names.h"

#include <catch2/catch.hpp>

using tactus::client::commandOf;
using tactus::client::inCommands;

TEST_CASE("calls of the service become commands where an error names them", "[clients][cli]") {
  CHECK(inCommands("SESSION_STATE: session main runs (field session); PauseSession first") ==
        "SESSION_STATE: session main runs (field session); `tactus session pause` first");
  CHECK(inCommands("ResetSession, or RestoreSnapshot of an earlier tick") ==
        "`tactus session reset`, or `tactus snapshot restore` of an earlier tick");
  CHECK(commandOf("StopRecording") == "tactus recording stop");
  CHECK(commandOf("stop").empty());
}

TEST_CASE("names that a user has given, and longer words, stay as they are", "[clients][cli]") {
  for (const char* text : {"there is no session \"PauseSession\"", "CreateSessionRequest.overrun", "PauseSession_2",
                           "RunSession takes more", ""})
    CHECK(inCommands(text) == text);
  CHECK(inCommands("no \"a\"; ListSessions") == "no \"a\"; `tactus session list`");
}
