#include "clients/cli/recording.h"

#include "clients/cli/remote.h"
#include "clients/cli/table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string server = kDefaultServer, session, name, out;
  std::vector<std::string> signals;
  std::uint32_t every = 1;
  bool json = false;
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
          {"error", recording.error()}};
}

std::string stateOf(const v1::Recording& recording) {
  std::string text = recording.running() ? "recording" : "ended";
  if (recording.has_incomplete_from()) text += ", incomplete from tick " + std::to_string(recording.incomplete_from());
  if (!recording.error().empty()) text += ", " + recording.error();
  return text;
}

void print(const std::vector<v1::Recording>& recordings) {
  Table table({"name", "session", "ticks", "bytes", "lost ticks", "lost signals", "file", "state"}, "llrrrrll");
  for (const v1::Recording& recording : recordings)
    table.add({recording.name(), recording.session(), std::to_string(recording.ticks()),
               std::to_string(recording.bytes()), std::to_string(recording.lost_ticks()),
               std::to_string(recording.lost_signals()), recording.file(), stateOf(recording)});
  std::printf("%s", table.text().c_str());
}

void show(const v1::Recording& recording, bool json) {
  if (json) {
    std::printf("%s\n", toJson(recording).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    print({recording});
  }
}

void start(const Choices& choices) {
  const Client client(choices.server);
  show(chooseSession(client, choices.session).record(choices.signals, choices.name, choices.every), choices.json);
}

bool stop(const Choices& choices) {
  const v1::Recording recording = Client(choices.server).stopRecording(choices.name);
  show(recording, choices.json);
  return !recording.has_incomplete_from() && recording.error().empty();
}

void download(const Choices& choices) {
  const std::string path = choices.out.empty() ? choices.name + ".mcap" : choices.out;
  const std::uint64_t bytes = Client(choices.server).downloadRecording(choices.name, path);
  if (choices.json)
    std::printf("%s\n", Json{{"file", path}, {"bytes", bytes}}.dump(2).c_str());
  else
    std::printf("%s: %llu bytes\n", path.c_str(), static_cast<unsigned long long>(bytes));
}

void list(const Choices& choices) {
  const std::vector<v1::Recording> recordings = Client(choices.server).recordings();
  if (!choices.json) return print(recordings);
  Json all = Json::array();
  for (const v1::Recording& recording : recordings) all.push_back(toJson(recording));
  std::printf("%s\n", Json{{"recordings", all}}.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

CLI::App* addCommand(CLI::App* parent, const char* name, const char* description, Choices& choices) {
  CLI::App* command = parent->add_subcommand(name, description);
  command->add_option("--server", choices.server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_flag("--json", choices.json, "JSON in place of a table");
  return command;
}

}  // namespace

void addRecordingCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("recording", "Begin, end, list and fetch the recordings of a running server");
  command->require_subcommand(1);

  CLI::App* starting = addCommand(command, "start", "Record a session into a file of the server", *choices);
  starting->add_option("NAME", choices->name, "Name of the recording; default: the server's choice");
  starting->add_option("--session", choices->session, "Name of the session; default: the only one");
  starting->add_option("--signals", choices->signals, "Names and globs to record beside the inputs")->delimiter(',');
  starting->add_option("--every", choices->every, "The signals of every so many ticks")->capture_default_str();
  starting->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { start(*choices); }); });

  CLI::App* stopping = addCommand(command, "stop", "End a recording and wait until it is on the disk", *choices);
  stopping->add_option("NAME", choices->name, "Name of the recording")->required();
  stopping->callback([choices, &exit_code] {
    bool complete = true;
    exit_code = exitCodeOf([&] { complete = stop(*choices); });
    if (exit_code == 0 && !complete) exit_code = kExitFinding;
  });

  CLI::App* fetching = addCommand(command, "download", "Fetch the file of a recording that has ended", *choices);
  fetching->add_option("NAME", choices->name, "Name of the recording")->required();
  fetching->add_option("--out", choices->out, "File; what is there already is gone on with. Default: NAME.mcap");
  fetching->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { download(*choices); }); });

  CLI::App* listing = addCommand(command, "list", "Those that run and those that have ended", *choices);
  listing->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { list(*choices); }); });
}

}  // namespace tactus::client
