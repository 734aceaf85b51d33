// Recordings: the recordings of a server by name. Their files are in one folder.
#pragma once

#include "server/door/quota.h"
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
  /// Time of inputs that memory holds while the disk takes nothing, if it does not need more than the memory of one.
  static constexpr std::int64_t kHeld = 60'000'000'000;  ///< ns

  struct Limits {
    Quota running = server::Limits{}.recordings;        ///< at a time
    std::size_t own_bytes = std::size_t{16} << 20;      ///< that the queue of each always has,
    std::size_t most_bytes = std::size_t{256} << 20;    ///< that the queue of one may have,
    std::size_t shared_bytes = std::size_t{512} << 20;  ///< that all may have together beyond their own
    std::uint64_t disk_reserve = 0;                     ///< of the disk, which recordings leave free
    std::size_t remembered = 256;  ///< recordings, running and ended, beyond which those that ended first are forgotten
  };

  /// @param folder  of the files that clients start; created with the first of them
  /// @param complete  adds to the setup of each file what neither the session nor the build knows
  Recordings(std::string folder, Limits limits, std::function<void(v1::RecordingSetup&)> complete)
      : folder_(std::move(folder)),
        limits_(limits),
        budget_(std::make_shared<QueueBudget>(limits.shared_bytes)),
        claims_(std::make_shared<DiskClaims>(std::uint64_t{0})),
        complete_(std::move(complete)) {}

  /// Records a session into "<name>.mcap" in the folder; an empty name is replaced by the session and a number.
  /// @param peer  who starts it, and owns it
  /// @throws RequestError kRequestInvalid for an invalid name, kRecordingExists, kRecordingFolder if the folder takes
  ///         no file, kLimitExceeded: too many recordings, or too little room on the disk
  v1::Recording start(std::shared_ptr<Session> session, const std::string& name, RecordedSignals signals,
                      const Peer& peer = {});

  /// Records a session into a file that is named on the command line of the server. Replaces an earlier recording that
  /// was ended; keepUnfinished() keeps another one.
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

  /// What is missing in the recordings of a session; those of an earlier session of its name do not count.
  struct Missing {
    std::uint64_t ticks = 0, signals = 0;
  };
  Missing missingOf(const std::string& session) const;

  /// Ends the recordings of a session that is being deleted, or all recordings: all at once, so that disks that do not
  /// answer cost the time of one.
  void stopAll(const Session* session = nullptr);

 private:
  struct Entry {
    std::shared_ptr<Session> session;    ///< null after the end,
    std::shared_ptr<Recorder> recorder;  ///< null after the end
    v1::Recording message;               ///< constant parts; after the end, the final status
    std::string owner;
    std::uint64_t ended = 0;        ///< its number in the order of the ends
    bool outlived_session = false;  ///< its session is being deleted, or was
  };

  v1::Recording add(const std::string& name, Entry entry);
  void forgetOldest();
  Entry record(std::shared_ptr<Session> session, RecordedSignals signals, std::unique_ptr<FileSink> file,
               const std::string& name, const std::string& path);
  QueueLimits queueOf(const Session& session, const std::string& path) const;
  static v1::Recording describe(const Entry& entry);
  static bool isRunning(const Entry& entry) {
    return entry.recorder ? entry.recorder->status().running : entry.message.name().empty();
  }
  RequestError unknown(const std::string& name) const;

  const std::string folder_;
  const Limits limits_;
  const std::shared_ptr<QueueBudget> budget_;
  const std::shared_ptr<DiskClaims> claims_;
  const std::function<void(v1::RecordingSetup&)> complete_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  ///< an entry without a name while a recording starts
  std::uint64_t next_number_ = 1;
  std::uint64_t ends_ = 0;  ///< recordings that have ended
};

}  // namespace tactus::server
