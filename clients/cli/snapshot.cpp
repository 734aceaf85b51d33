#include "clients/cli/snapshot.h"

#include "clients/cli/remote.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string server = kDefaultServer, session, file;
  bool force = false, json = false;
};

ClientError unusable(const std::string& file, const std::string& why) {
  v1::ErrorDetail detail;
  detail.set_reason("REQUEST_INVALID");
  detail.set_field("FILE");
  return ClientError(grpc::StatusCode::INVALID_ARGUMENT, file + ": " + why, detail);
}

v1::SessionSnapshot readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  v1::SessionSnapshot snapshot;
  if (!file) throw unusable(path, "cannot be opened");
  if (!snapshot.ParseFromIstream(&file) || snapshot.format() == 0) throw unusable(path, "is not a snapshot");
  return snapshot;
}

void print(const v1::SessionSnapshot& snapshot, const std::string& file, bool json) {
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(snapshot.state_hash()));
  if (json) {
    const Json shown = {{"file", file},
                        {"model", snapshot.model()},
                        {"model_hash", snapshot.model_hash()},
                        {"tick", snapshot.tick()},
                        {"period_ns", snapshot.settings().period_ns()},
                        {"iterations", snapshot.settings().iterations()},
                        {"state_hash", hash},
                        {"build",
                         {{"version", snapshot.build().version()},
                          {"commit", snapshot.build().commit()},
                          {"compiler", snapshot.build().compiler()},
                          {"flags", snapshot.build().flags()},
                          {"instruction_set", snapshot.build().instruction_set()}}}};
    std::printf("%s\n", shown.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return;
  }
  std::printf("snapshot            %s: %s at tick %lld, period %g ms\n", file.c_str(), snapshot.model().c_str(),
              static_cast<long long>(snapshot.tick()), 1e-6 * static_cast<double>(snapshot.settings().period_ns()));
  std::printf("model hash          %s\n", snapshot.model_hash().c_str());
  std::printf("made by             tactus %s, commit %s, %s\n", snapshot.build().version().c_str(),
              snapshot.build().commit().c_str(), snapshot.build().compiler().c_str());
  std::printf("state hash: %s\n", hash);
}

void save(const Choices& choices) {
  const Client client(choices.server);
  const v1::SessionSnapshot snapshot = chooseSession(client, choices.session).saveSnapshot();
  std::ofstream file(choices.file, std::ios::binary);
  if (!snapshot.SerializeToOstream(&file) || !file.flush()) throw unusable(choices.file, "cannot be written");
  print(snapshot, choices.file, choices.json);
}

void restore(const Choices& choices) {
  const v1::SessionSnapshot snapshot = readFile(choices.file);
  const Client client(choices.server);
  const Session session = chooseSession(client, choices.session);
  const v1::Session status = session.restoreSnapshot(snapshot, choices.force);
  if (choices.json) {
    print(snapshot, choices.file, true);
    return;
  }
  std::printf("restored            session %s is at tick %lld and paused\n", session.name().c_str(),
              static_cast<long long>(status.tick()));
  std::printf("state hash: %s\n", status.state_hash().c_str());
}

void show(const Choices& choices) {
  print(readFile(choices.file), choices.file, choices.json);
}

void addFile(CLI::App* command, Choices& choices) {
  command->add_option("FILE", choices.file, "The snapshot")->required();
  command->add_flag("--json", choices.json, "Print JSON");
}

void addSession(CLI::App* command, Choices& choices) {
  command->add_option("--server", choices.server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_option("--session", choices.session, "Name of the session; default: the only one");
}

}  // namespace

void addSnapshotCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("snapshot", "All that decides the next tick of a session, to a file and back");
  command->require_subcommand(1);

  CLI::App* saving = command->add_subcommand("save", "Save a session, which may run meanwhile");
  addFile(saving, *choices);
  addSession(saving, *choices);
  saving->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { save(*choices); }); });

  CLI::App* restoring = command->add_subcommand("restore", "Set a session to a snapshot and leave it paused");
  addFile(restoring, *choices);
  addSession(restoring, *choices);
  restoring->add_flag("--force", choices->force, "Also if another binary made it");
  restoring->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { restore(*choices); }); });

  CLI::App* showing = command->add_subcommand("show", "What a snapshot is of");
  addFile(showing, *choices);
  showing->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { show(*choices); }); });
}

}  // namespace tactus::client
