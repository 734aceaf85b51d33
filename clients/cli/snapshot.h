// `tactus snapshot`: saves everything that decides the next tick of a session to a file, and restores it.
#pragma once

#include "tactus/v1/snapshot.pb.h"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds `snapshot save`, `snapshot restore` and `snapshot show`. When one has run, `exit_code` is 0, 2 (usage, a file
/// that is not a snapshot), 3 (server unreachable) or 1 (the snapshot does not fit the session).
/// @param[in] damage_of  what is wrong with a snapshot, which the program passes in; empty if nothing is
void addSnapshotCommand(CLI::App& app, int& exit_code,
                        std::function<std::string(const v1::SessionSnapshot&)> damage_of);

/// For work that takes long before it writes: a file that exists must be a snapshot, which may be replaced.
/// @throws ClientError if it is of another kind
void requireSnapshotFile(const std::string& path);

/// Writes a file for `snapshot restore`; a file that exists is replaced at the end, or stays as it was.
/// @throws ClientError if it cannot be written
void writeSnapshotFile(const v1::SessionSnapshot& snapshot, const std::string& path);

}  // namespace tactus::client
