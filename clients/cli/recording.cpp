#include "clients/cli/recording.h"

#include "clients/cli/remote.h"
#include "proto/text/above_zero.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct RecordingChoices : RemoteChoices {
  std::string name, out;
  std::vector<std::string> signals;
  std::uint32_t every = 1;
  bool scene = false;
  const CLI::App* starting = nullptr;  ///< the command that starts a recording
};

Json toJson(const v1::Recording& recording) {
  return {{"name", recording.name()},
          {"session", recording.session()},
          {"file", recording.file()},
          {"running", recording.running()},
          {"ticks", recording.ticks()},
          {"bytes", recording.bytes()},
          {"last_tick", recording.last_tick()},
          {"lost_ticks", recording.lost_ticks()},
          {"lost_signals", recording.lost_signals()},
          {"incomplete_from", recording.has_incomplete_from() ? Json(recording.incomplete_from()) : Json(nullptr)},
          {"error", recording.error()},
          {"gaps", recording.gaps()},
          {"warning", recording.warning()},
          {"warning_tick", recording.warning_tick()},
          {"owner", recording.owner()}};
}

std::string stateOf(const v1::Recording& recording) {
  std::string text = recording.running() ? "recording" : "ended";
  if (recording.has_incomplete_from()) text += ", incomplete from tick " + std::to_string(recording.incomplete_from());
  if (!recording.error().empty()) text += ", " + recording.error();
  return text;
}

void print(const std::vector<v1::Recording>& recordings) {
  text::Table table({"name", "session", "ticks", "bytes", "lost ticks", "lost signals", "file", "state"}, "llrrrrll");
  for (const v1::Recording& recording : recordings)
    table.add({recording.name(), recording.session(), std::to_string(recording.ticks()),
               std::to_string(recording.bytes()), std::to_string(recording.lost_ticks()),
               std::to_string(recording.lost_signals()), recording.file(), stateOf(recording)});
  fmt::print("{}", table.text());
  for (const v1::Recording& recording : recordings)
    if (!recording.warning().empty())
      fmt::print("{}: warning at tick {}: {}\n", recording.name(), recording.warning_tick(), recording.warning());
}

void show(const v1::Recording& recording, bool json) {
  if (json) return fmt::print("{}", text::jsonText(toJson(recording)));
  print({recording});
}

/// Whether the name stands directly behind the value of --signals, where it may be meant as another signal.
bool isNameBehindSignals(const CLI::App& command) {
  const std::vector<CLI::Option*>& order = command.parse_order();
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i]->get_positional() && order[i - 1]->check_lname("signals")) return true;
  return false;
}

bool hasSignals(const Session& session, const std::string& pattern) {
  try {
    return !session.signals({pattern}).empty();
  } catch (const ClientError& error) {
    if (error.reason() != "SIGNAL_UNKNOWN") throw;
    return false;
  }
}

/// @throws ClientError if the name of the recording is meant as a second pattern
void requireName(const RecordingChoices& choices, const Session& session) {
  if (!isNameBehindSignals(*choices.starting) || !hasSignals(session, choices.name)) return;
  const std::string all = fmt::format("{},{}", fmt::join(choices.signals, ","), choices.name);
  throw refused("NAME", "'" + choices.name + "' is a signal of the session, and would be the name of the recording",
                "several signals are given as --signals " + all + "; a name goes before --signals");
}

int start(const RecordingChoices& choices) {
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  requireName(choices, session);
  show(session.record(choices.signals, choices.name, choices.every, choices.scene), choices.json);
  return text::kExitOk;
}

int stop(const RecordingChoices& choices) {
  const v1::Recording recording = connect(choices).stopRecording(choices.name);
  show(recording, choices.json);
  return recording.has_incomplete_from() || !recording.error().empty() ? text::kExitFinding : text::kExitOk;
}

int download(const RecordingChoices& choices) {
  const std::string path = choices.out.empty() ? choices.name + ".mcap" : choices.out;
  const std::uint64_t bytes = connect(choices).downloadRecording(choices.name, path);
  if (choices.json)
    fmt::print("{}", text::jsonText({{"file", path}, {"bytes", bytes}}));
  else
    fmt::print("{}: {} bytes\n", path, bytes);
  return text::kExitOk;
}

int list(const RecordingChoices& choices) {
  const std::vector<v1::Recording> recordings = connect(choices).recordings();
  if (choices.json) {
    Json all = Json::array();
    for (const v1::Recording& recording : recordings) all.push_back(toJson(recording));
    fmt::print("{}", text::jsonText({{"recordings", all}}));
  } else {
    print(recordings);
  }
  return text::kExitOk;
}

}  // namespace

void addRecordingCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<RecordingChoices>();
  CLI::App* command = app.add_subcommand("recording", "Start, stop, list and download recordings of a running server");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* description, int (*act)(const RecordingChoices&)) {
    CLI::App* added = addRemoteCommand(*command, name, description, *choices);
    onCall(*added, exit_code, [choices, act] { return act(*choices); });
    return added;
  };

  CLI::App* starting = add("start", "Record a session into a file on the server", start);
  choices->starting = starting;
  starting->add_option("NAME", choices->name, "Name of the recording; default: the server chooses one");
  addSessionOption(*starting, *choices);
  starting->add_option("--signals", choices->signals, "Names and globs to record beside the inputs")->delimiter(',');
  starting->add_option("--every", choices->every, "Record signals every N ticks")
      ->check(text::aboveZero())
      ->capture_default_str();
  starting->add_flag("--record-scene", choices->scene,
                     "Record the frames and shapes of all bodies, too, for players that know the messages of Foxglove");

  CLI::App* stopping = add("stop", "End a recording and wait until it is on the disk", stop);
  stopping->add_option("NAME", choices->name, "Name of the recording")->required();

  CLI::App* fetching = add("download", "Download the file of a recording that has ended", download);
  fetching->add_option("NAME", choices->name, "Name of the recording")->required();
  fetching->add_option("--out", choices->out, "File; an incomplete download continues. Default: NAME.mcap");

  add("list", "List the recordings, running and ended", list);
}

}  // namespace tactus::client
