// Recordings: the recordings of a server by name. Their files are in one folder.
#pragma once

#include "server/record/recorder.h"
#include "server/session/session.h"
#include "server/wire/request_error.h"

#include "tactus/v1/recording.pb.h"
#include "tactus/v1/simulation.pb.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tactus::server {

/// Thread-safe.
class Recordings {
 public:
  /// @param folder  of the files that clients start; created with the first of them
  /// @param limit   maximum number of running recordings
  /// @param complete  adds to the setup of each file what neither the session nor the build knows
  Recordings(std::string folder, std::size_t limit, std::function<void(v1::RecordingSetup&)> complete)
      : folder_(std::move(folder)), limit_(limit), complete_(std::move(complete)) {}

  /// Records a session into "<name>.mcap" in the folder; an empty name is replaced by the session and a number.
  /// @throws RequestError kRequestInvalid for an invalid name, kRecordingExists, kLimitExceeded
  /// @param owner  identity that starts it
  v1::Recording start(std::shared_ptr<Session> session, const std::string& name, RecordedSignals signals,
                      const std::string& owner = {});

  /// Records a session into a file that is named on the command line of the server.
  /// @throws Error if it cannot be created
  v1::Recording startFile(std::shared_ptr<Session> session, const std::string& path, RecordedSignals signals);

  /// Ends a recording and returns its final status. Calling it again returns the same status.
  /// @throws RequestError kRecordingUnknown
  v1::Recording stop(const std::string& name);

  /// The identity that has started a recording; empty: the server, or it knows no identities.
  /// @throws RequestError kRecordingUnknown
  std::string ownerOf(const std::string& name) const;

  /// Path of the file of a recording that has ended.
  /// @throws RequestError kRecordingUnknown, kSessionState while it runs
  std::string fileOf(const std::string& name) const;

  /// Recordings of a session in the order of names, running and ended; of every session if `session` is empty.
  std::vector<v1::Recording> list(const std::string& session) const;

  /// Ends the recordings of a session that is about to be deleted, or all recordings.
  void stopAll(const Session* session = nullptr);

 private:
  struct Entry {
    std::shared_ptr<Session> session;    ///< null after the end,
    std::shared_ptr<Recorder> recorder;  ///< null after the end
    v1::Recording message;               ///< constant parts; after the end, the final status
    std::string owner;
  };

  v1::Recording add(const std::string& name, Entry entry);
  Entry record(std::shared_ptr<Session> session, RecordedSignals signals, std::unique_ptr<FileSink> file,
               const std::string& name, const std::string& path);
  static v1::Recording describe(const Entry& entry);
  static bool isRunning(const Entry& entry) {
    return entry.recorder ? entry.recorder->status().running : entry.message.name().empty();
  }
  RequestError unknown(const std::string& name) const;

  const std::string folder_;
  const std::size_t limit_;
  const std::function<void(v1::RecordingSetup&)> complete_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  ///< an entry without a name while a recording starts
  std::uint64_t next_number_ = 1;
};

}  // namespace tactus::server
