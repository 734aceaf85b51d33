// One Tick call in the callback API: an input is handled in the thread in which gRPC delivers it, including lockstep
// ticks. Waiting for frames, events and other participants is done in a thread of the call.
#pragma once

#include "server/service/call_order.h"
#include "server/service/outbox.h"
#include "server/session/event_log.h"
#include "server/session/reader_list.h"
#include "server/stream/send_notifier.h"
#include "server/stream/stream_slots.h"
#include "server/stream/tick_stream.h"

#include "tactus/v1/simulation.pb.h"

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace tactus::server {

class SessionRegistry;
class Visit;

/// Deletes itself when the call has ended.
class TickCall final : public grpc::ServerBidiReactor<v1::TickRequest, v1::TickResponse> {
 public:
  /// @throws RequestError kLimitExceeded
  /// @param visit    taken over unless this throws
  /// @param opening  time for the client to send TickOpen: until then the call only takes a slot from others
  TickCall(grpc::CallbackServerContext& context, std::unique_ptr<Visit>& visit, SessionRegistry& sessions,
           StreamSlots& slots, std::chrono::milliseconds opening);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  // In the thread in which gRPC delivers a message.
  void open(bool has_message);
  void openStream(const v1::TickOpen& request);
  bool take();
  bool handOver();
  void answer(const v1::TickResponse& response);
  void answered();
  void leave(std::exception_ptr why);

  // In the companion thread.
  void accompany() noexcept;
  void pumpFrames();
  void sendNotices();
  void takeHandedOver();
  grpc::Status status();

  bool flushNotices();
  void endBecause(const SessionEvent& event);

  grpc::CallbackServerContext& context_;
  SessionRegistry& sessions_;
  const StreamSlots::Slot slot_;
  std::unique_ptr<Visit> visit_;
  std::shared_ptr<Session> session_;
  std::optional<TickStream> tick_;
  std::optional<ReaderList::Place> reader_;

  CallOrder order_;
  v1::TickRequest request_;
  std::atomic<int> unanswered_{0};  ///< what is left to do before the next message is read
  Outbox<v1::TickResponse> outbox_;
  SendNotifier credit_;

  std::mutex telling_;       ///< lockstep: notices stand before a tick's frame or behind it
  std::uint64_t seen_ = 0;   ///< lockstep, under telling_: events that the client was told of, or that were before
  EventLog::Opening known_;  ///< other clocks: what the stream begins with

  /// Ends the call unless it is opened in time. The timer may ring while the call ends.
  struct Opening {
    std::recursive_mutex mutex;  ///< a cancelled call may react in the thread that cancels it
    TickCall* call = nullptr;    ///< null from the opening on
  };
  const std::shared_ptr<Opening> waits_for_open_ = std::make_shared<Opening>();
  grpc::Alarm timer_;

  std::thread companion_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool opened_ = false;                   ///< under mutex_
  std::exception_ptr failure_;            ///< under mutex_: of a message
  std::optional<SessionEvent> end_;       ///< under mutex_: why the server ends the stream
  std::atomic<bool> reader_done_{false};  ///< no more messages come
  std::atomic<bool> handed_over_{false};  ///< the message is the companion's
};

}  // namespace tactus::server
