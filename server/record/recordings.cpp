#include "server/record/recordings.h"

#include "rt/model/check_model.h"
#include "server/record/recording_message.h"
#include "server/record/snapshot_message.h"
#include "server/record/unfinished_recording.h"
#include "server/session/session_registry.h"
#include "server/session/session_timing.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

namespace tactus::server {

namespace {

constexpr const char* kEnding = ".mcap";

SessionEvent::Kind eventOf(RecorderNotice::Kind kind) {
  switch (kind) {
    case RecorderNotice::Kind::kIncomplete: return SessionEvent::Kind::kRecordingIncomplete;
    case RecorderNotice::Kind::kDisk: return SessionEvent::Kind::kRecordingWarning;
    case RecorderNotice::Kind::kEnded: return SessionEvent::Kind::kRecordingEnded;
  }
  return SessionEvent::Kind::kRecordingWarning;
}

RecorderSource sourceOf(Session& session) {
  return {session.feed().ring(), session.feed().signals(),
          [&session](std::uint64_t index, std::chrono::nanoseconds timeout) {
            return session.feed().waker().waitNewer(index, timeout);
          },
          [&session] {
            v1::TimingReport report;
            writeSessionTiming(session, report);
            return report;
          },
          [&session](const RecorderNotice& notice) {
            session.feed().post(eventOf(notice.kind), notice.tick, notice.text);
          }};
}

}  // namespace

// Sized in time of inputs where the clock says how many ticks that is; the ticks of other clocks get all that one may
// have.
QueueLimits Recordings::queueOf(const Session& session, const std::string& path) const {
  QueueLimits queue{std::min(limits_.own_bytes, limits_.most_bytes), limits_.most_bytes, budget_};
  const ClockChoice& clock = session.spec().clock;
  if (!clock.paced()) return queue;
  const std::int64_t period_ns = session.settings().period_ns;
  const auto ticks =
      static_cast<std::int64_t>(static_cast<double>(kHeld) * clock.scale / static_cast<double>(period_ns));
  const std::uint64_t needed = inputBytes(session.model(), period_ns, ticks + 1);
  if (needed > limits_.most_bytes)
    spdlog::warn(
        "recording {}: memory holds the inputs of {:.0f} s in which the disk takes nothing, not of {} s", path,
        static_cast<double>(kHeld) * 1e-9 * static_cast<double>(limits_.most_bytes) / static_cast<double>(needed),
        kHeld / 1'000'000'000);
  // Signals may wait in half of its own memory.
  queue.most = std::min<std::uint64_t>(needed + queue.own, limits_.most_bytes);
  return queue;
}

Recordings::Entry Recordings::record(std::shared_ptr<Session> session, RecordedSignals signals,
                                     std::unique_ptr<FileSink> file, const std::string& name, const std::string& path) {
  RecorderOptions options;
  options.signals = std::move(signals);
  options.queue = queueOf(*session, path);
  options.disk_reserve = limits_.disk_reserve;
  options.claims = claims_;
  options.realtime = session->spec().realtime.priority > 0;
  v1::RecordingSetup setup = recordingSetup(*session);
  complete_(setup);
  auto recorder = std::make_shared<Recorder>(sourceOf(*session), std::move(options), std::move(setup),
                                             hashScript(session->spec().script), std::move(file), path);
  Entry entry{session, std::move(recorder), {}, {}};
  entry.message.set_name(name);
  entry.message.set_session(session->spec().name);
  entry.message.set_file(path);
  return entry;
}

v1::Recording Recordings::start(std::shared_ptr<Session> session, const std::string& asked, RecordedSignals signals,
                                const Peer& peer) {
  if (!asked.empty() && !isValidName(asked))
    throw RequestError(Reason::kRequestInvalid, "name", "\"" + asked + "\" is not a valid name for a recording",
                       "1 to 64 of A-Z a-z 0-9 _ . -");
  std::string name = asked;
  {
    std::lock_guard lock(mutex_);
    QuotaUse use;
    for (const auto& [known, entry] : entries_)
      if (isRunning(entry)) use.add(peer, entry.owner);
    requireRoom(limits_.running, peer, use);
    // Files of an earlier run of the server are not changed.
    while (name.empty()) {
      std::string candidate = session->spec().name.substr(0, 48) + "-" + std::to_string(next_number_++);
      if (!entries_.contains(candidate) && !std::filesystem::exists(folder_ + "/" + candidate + kEnding))
        name = std::move(candidate);
    }
    if (!entries_.emplace(name, Entry{{}, {}, {}, peer.name}).second)
      throw RequestError(Reason::kRecordingExists, "name", "there is a recording \"" + name + "\" already",
                         "choose another name, or let the server choose one");
  }
  try {
    const std::string path = folder_ + "/" + name + kEnding;
    std::unique_ptr<FileSink> file;
    try {
      file = createFileIn(folder_, name + kEnding);
    } catch (const FileExists& error) {
      throw RequestError(Reason::kRecordingExists, "name", error.what(),
                         "choose another name, or let the server choose one");
    } catch (const Error& error) {
      throw RequestError(Reason::kRecordingFolder, "", std::string("the recording cannot be made: ") + error.what(),
                         "on the server, --recordings must name a folder in which the server may make files, or a new "
                         "folder in one that exists");
    }
    try {
      if (const auto room = file->room(); room && *room < limits_.disk_reserve)
        throw Error("the disk of the recordings has " + std::to_string(*room >> 20) + " MiB left, of which " +
                    std::to_string(limits_.disk_reserve >> 20) + " MiB stay free");
      Entry entry = record(std::move(session), std::move(signals), std::move(file), name, path);
      entry.owner = peer.name;
      entry.message.set_owner(peer.name);
      return add(name, std::move(entry));
    } catch (const std::exception& error) {
      // Nothing is in the file yet that is of use.
      std::error_code ignored;
      std::filesystem::remove(path, ignored);
      if (dynamic_cast<const Error*>(&error) == nullptr || dynamic_cast<const RequestError*>(&error) != nullptr) throw;
      throw RequestError(Reason::kLimitExceeded, "", error.what(),
                         "free space on the disk of the server, or start it with a smaller --disk-reserve");
    }
  } catch (...) {
    std::lock_guard lock(mutex_);
    entries_.erase(name);
    throw;
  }
}

v1::Recording Recordings::startFile(std::shared_ptr<Session> session, const std::string& path,
                                    RecordedSignals signals) {
  const std::string name = std::filesystem::path(path).stem().string();
  if (const std::string kept = keepUnfinished(path); !kept.empty())
    spdlog::warn("recording {}: a process did not end the recording of this name; that one is {} now", path, kept);
  const bool existed = std::filesystem::exists(path);
  try {
    return add(name, record(std::move(session), std::move(signals), createFile(path), name, path));
  } catch (...) {
    std::error_code ignored;
    if (!existed) std::filesystem::remove(path, ignored);
    throw;
  }
}

v1::Recording Recordings::add(const std::string& name, Entry entry) {
  std::lock_guard lock(mutex_);
  entries_[name] = std::move(entry);
  forgetOldest();
  return describe(entries_.at(name));
}

void Recordings::forgetOldest() {
  while (entries_.size() > limits_.remembered) {
    auto oldest = entries_.end();
    for (auto known = entries_.begin(); known != entries_.end(); ++known)
      if (known->second.ended > 0 && (oldest == entries_.end() || known->second.ended < oldest->second.ended))
        oldest = known;
    if (oldest == entries_.end()) return;
    entries_.erase(oldest);
  }
}

v1::Recording Recordings::describe(const Entry& entry) {
  v1::Recording message = entry.message;
  if (entry.recorder) writeRecorder(entry.recorder->status(), message);
  return message;
}

RequestError Recordings::unknown(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& [known, entry] : entries_) names.push_back(known);
  const std::string near = rt::nearestName(name, names);
  return {Reason::kRecordingUnknown, "name", "there is no recording \"" + name + "\"",
          near.empty() ? "ListRecordings lists the recordings" : "did you mean \"" + near + "\"?"};
}

v1::Recording Recordings::stop(const std::string& name) {
  // The recorder ends before its session, and both without the lock, since the disk may be slow.
  std::shared_ptr<Session> session;
  std::shared_ptr<Recorder> recorder;
  {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(name);
    if (found == entries_.end() || found->second.message.name().empty()) throw unknown(name);
    if (!found->second.recorder) return found->second.message;
    session = found->second.session;
    recorder = found->second.recorder;
  }
  recorder->stop();
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw unknown(name);
  Entry& entry = found->second;
  if (entry.recorder == recorder) {  // else another call has been faster
    entry.message = describe(entry);
    entry.recorder.reset();
    entry.session.reset();
    entry.ended = ++ends_;
  }
  return entry.message;
}

std::string Recordings::ownerOf(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.message.name().empty()) throw unknown(name);
  return found->second.owner;
}

std::string Recordings::fileOf(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.message.name().empty()) throw unknown(name);
  if (isRunning(found->second))
    throw RequestError(Reason::kSessionState, "name", "the recording \"" + name + "\" has not ended",
                       "end it with StopRecording");
  return found->second.message.file();
}

std::vector<v1::Recording> Recordings::list(const std::string& session) const {
  std::lock_guard lock(mutex_);
  std::vector<v1::Recording> recordings;
  for (const auto& [name, entry] : entries_)
    if (!entry.message.name().empty() && (session.empty() || entry.message.session() == session))
      recordings.push_back(describe(entry));
  return recordings;
}

Recordings::Missing Recordings::missingOf(const std::string& session) const {
  std::lock_guard lock(mutex_);
  Missing missing;
  for (const auto& [name, entry] : entries_) {
    if (entry.outlived_session || entry.message.session() != session) continue;
    const v1::Recording recording = describe(entry);
    missing.ticks += recording.lost_ticks();
    missing.signals += recording.lost_signals();
  }
  return missing;
}

void Recordings::stopAll(const Session* session) {
  std::vector<std::string> names;
  {
    std::lock_guard lock(mutex_);
    for (auto& [name, entry] : entries_) {
      if (session &&
          (entry.recorder ? entry.session.get() != session : entry.message.session() != session->spec().name))
        continue;
      if (session) entry.outlived_session = true;
      if (entry.recorder) names.push_back(name);
    }
  }
  std::vector<std::jthread> ends;
  for (const std::string& name : names)
    ends.emplace_back([this, &name] {
      try {
        stop(name);
      } catch (const RequestError&) {}  // another call has ended it, and it is forgotten
    });
}

}  // namespace tactus::server
