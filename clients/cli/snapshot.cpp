#include "clients/cli/snapshot.h"

#include "clients/cli/remote.h"
#include "proto/text/duration.h"
#include "proto/text/json_text.h"
#include "proto/text/replaced_file.h"
#include "proto/text/report_line.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct SnapshotChoices : RemoteChoices {
  std::string file;
  bool force = false, start = false;
  std::function<std::string(const v1::SessionSnapshot&)> damage_of;
};

/// @returns false if the file is not a snapshot
bool readSnapshot(std::istream& file, v1::SessionSnapshot& snapshot) {
  return snapshot.ParseFromIstream(&file) && snapshot.format() != 0;
}

v1::SessionSnapshot readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  v1::SessionSnapshot snapshot;
  if (!file) throw refused("FILE", path + ": cannot be opened");
  if (!readSnapshot(file, snapshot)) throw refused("FILE", path + ": is not a snapshot");
  return snapshot;
}

Json toJson(const v1::SessionSnapshot& snapshot, const std::string& file) {
  const v1::BuildStamp& build = snapshot.build();
  return {{"file", file},
          {"model", snapshot.model()},
          {"model_hash", snapshot.model_hash()},
          {"tick", snapshot.tick()},
          {"period_ns", snapshot.settings().period_ns()},
          {"iterations", snapshot.settings().iterations()},
          {"state_hash", fmt::format("{:016x}", snapshot.state_hash())},
          {"build",
           {{"version", build.version()},
            {"commit", build.commit()},
            {"compiler", build.compiler()},
            {"flags", build.flags()},
            {"instruction_set", build.instruction_set()}}}};
}

void print(const v1::SessionSnapshot& snapshot, const SnapshotChoices& choices) {
  if (choices.json) return fmt::print("{}", text::jsonText(toJson(snapshot, choices.file)));
  const v1::BuildStamp& build = snapshot.build();
  fmt::print("{}{}{}state hash: {:016x}\n",
             text::reportLine("snapshot", "{}: {} at tick {}, period {}", choices.file, snapshot.model(),
                              snapshot.tick(), text::formatDuration(snapshot.settings().period_ns())),
             text::reportLine("model hash", "{}", snapshot.model_hash()),
             text::reportLine("made by", "tactus {}, commit {}, {}", build.version(), build.commit(), build.compiler()),
             snapshot.state_hash());
}

void save(const SnapshotChoices& choices) {
  requireSnapshotFile(choices.file);
  const Client client = connect(choices);
  const v1::SessionSnapshot snapshot = chooseSession(client, choices.session).saveSnapshot();
  writeSnapshotFile(snapshot, choices.file);
  print(snapshot, choices);
}

void restore(const SnapshotChoices& choices) {
  const v1::SessionSnapshot snapshot = readFile(choices.file);
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const v1::Session status = session.restoreSnapshot(snapshot, choices.force);
  if (choices.start) session.start();
  if (choices.json) return print(snapshot, choices);
  const char* const now = choices.start ? "and runs" : "and paused; tactus session start continues it";
  fmt::print("{}state hash: {}\n",
             text::reportLine("restored", "session {} is at tick {} {}", session.name(), status.tick(), now),
             status.state_hash());
}

void show(const SnapshotChoices& choices) {
  const v1::SessionSnapshot snapshot = readFile(choices.file);
  if (const std::string damage = choices.damage_of(snapshot); !damage.empty())
    throw refused("FILE", choices.file + ": " + damage, "save the session again, or name another file");
  print(snapshot, choices);
}

/// Adds a subcommand that works on a snapshot file.
CLI::App* addFileCommand(CLI::App& parent, int& exit_code, const char* name, const char* description,
                         const std::shared_ptr<SnapshotChoices>& choices, void (*act)(const SnapshotChoices&)) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->add_option("FILE", choices->file, "Snapshot file")->required();
  addJsonFlag(*command, *choices);
  onCall(*command, exit_code, [choices, act] {
    act(*choices);
    return text::kExitOk;
  });
  return command;
}

}  // namespace

void requireSnapshotFile(const std::string& path) {
  const auto is_snapshot = [](std::istream& file) {
    v1::SessionSnapshot snapshot;
    return readSnapshot(file, snapshot);
  };
  try {
    text::requireKind(path, "snapshot", is_snapshot);
  } catch (const std::runtime_error& error) { throw refused("FILE", error.what()); }
}

void writeSnapshotFile(const v1::SessionSnapshot& snapshot, const std::string& path) {
  try {
    text::replaceFile(path, snapshot.SerializeAsString());
  } catch (const std::runtime_error& error) { throw refused("FILE", error.what()); }
}

void addSnapshotCommand(CLI::App& app, int& exit_code,
                        std::function<std::string(const v1::SessionSnapshot&)> damage_of) {
  auto choices = std::make_shared<SnapshotChoices>();
  choices->damage_of = std::move(damage_of);
  CLI::App* command = app.add_subcommand("snapshot", "Save the state of a session to a file, restore it, show it");
  command->require_subcommand(1);
  CLI::App* saving = addFileCommand(*command, exit_code, "save", "Save a session; it may run meanwhile", choices, save);
  CLI::App* restoring = addFileCommand(*command, exit_code, "restore",
                                       "Set a session to a snapshot and leave it paused", choices, restore);
  for (CLI::App* remote : {saving, restoring}) {
    addServerOption(*remote, *choices);
    addSessionOption(*remote, *choices);
  }
  restoring->add_flag("--force", choices->force, "Restore a snapshot of another binary, too");
  restoring->add_flag("--start", choices->start, "Start the session after the restore");
  addFileCommand(*command, exit_code, "show", "Show what a snapshot holds", choices, show);
}

}  // namespace tactus::client
