// One Tick call in the synchronous API: the call's thread reads and, in lockstep, ticks; a second one sends the rest.
#pragma once

#include "server/service/bell.h"
#include "server/service/tick_stream.h"
#include "server/session/event_log.h"

#include "tactus/v1/simulation.pb.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/sync_stream.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace tactus::server {

class SessionRegistry;

class TickCall {
 public:
  using Stream = grpc::ServerReaderWriter<v1::TickResponse, v1::TickRequest>;

  TickCall(grpc::ServerContext& context, Stream& stream) : context_(context), stream_(stream) {}

  /// Serves the call until the client closes its side or leaves.
  /// @throws RequestError for an opening that cannot be granted, and when the session or the server ends the stream
  void run(SessionRegistry& sessions);

 private:
  // The call's thread.
  void readInputs(Session& session, TickStream& tick);
  void finish(Session& session, std::thread& sender);

  // The sender's thread.
  void send(Session& session, TickStream& tick);
  void sendNotices(Session& session);

  bool write(const v1::TickResponse& response);
  bool flushNotices(Session& session);
  void endBecause(const SessionEvent& event);
  bool ended();

  grpc::ServerContext& context_;
  Stream& stream_;
  Bell credit_;

  std::mutex writing_;      ///< a stream takes one write at a time
  std::uint64_t seen_ = 0;  ///< events that a lockstep stream was told of; under writing_

  // How the two threads end.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> reader_done_{false};
  bool sender_done_ = false;
  std::optional<SessionEvent> end_;  ///< why the server ends the stream
};

}  // namespace tactus::server
