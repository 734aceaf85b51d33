// Recordings: those of a server by name, each of a session, in one folder.
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
  /// @param folder  of the files that clients ask for; made when the first of them begins
  /// @param limit   recordings that run at a time
  /// @param complete  adds to the beginning of each file what neither session nor build know
  Recordings(std::string folder, std::size_t limit, std::function<void(v1::RecordingSetup&)> complete)
      : folder_(std::move(folder)), limit_(limit), complete_(std::move(complete)) {}

  /// Records a session into "<name>.mcap" in the folder; an empty name is replaced by one of session and number.
  /// @throws RequestError kRequestInvalid for a name that is none, kRecordingExists, kLimitExceeded
  v1::Recording start(std::shared_ptr<Session> session, const std::string& name, RecordedSignals signals);

  /// Records a session into a file that the user of the server chose.
  /// @throws Error if it cannot be created
  v1::Recording startFile(std::shared_ptr<Session> session, const std::string& path, RecordedSignals signals);

  /// Ends a recording and says how it went; one that has ended is asked the same as often as one likes.
  /// @throws RequestError kRecordingUnknown
  v1::Recording stop(const std::string& name);

  /// Path of the file of a recording that has ended.
  /// @throws RequestError kRecordingUnknown, kSessionState while it runs
  std::string fileOf(const std::string& name) const;

  /// In the order of names; of all sessions if `session` is empty. Ended ones are among them.
  std::vector<v1::Recording> list(const std::string& session) const;

  /// Ends those of a session that is about to go, or all of them.
  void stopAll(const Session* session = nullptr);

 private:
  struct Entry {
    std::shared_ptr<Session> session;    ///< null when it has been stopped,
    std::shared_ptr<Recorder> recorder;  ///< as this one;
    v1::Recording message;               ///< what does not change, and in the end how it went
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
  std::map<std::string, Entry> entries_;  ///< an empty one while a recording is being started
  std::uint64_t next_number_ = 1;
};

}  // namespace tactus::server
