// TickStream: handles the messages of a Tick call. Knows no threads and no gRPC.
#pragma once

#include "server/session/session.h"
#include "server/stream/state_streamer.h"
#include "server/wire/tick_input.h"

#include "tactus/v1/simulation.pb.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tactus::server {

class TickStream {
 public:
  /// Resolves inputs and outputs and, if the stream is to drive the session, takes its input lease.
  /// @throws RequestError kSignalUnknown, kLayoutMismatch, kLeaseHeld, kNotOwner, kLimitExceeded
  /// @param gone  whether the client has left; called while a lockstep tick waits for other participants
  TickStream(Session& session, const v1::TickOpen& open, std::function<bool()> gone = {}, Claimant claimant = {});

  /// The answer to the opening.
  const v1::TickResponse& opened() const noexcept { return opened_; }

  /// Takes one input: hands it to the tick or, in lockstep, ticks with it in this thread, unless the tick has to wait
  /// for the inputs of other participants.
  /// @returns what to send at once: the frame of a lockstep tick, a notice for a refused input, otherwise null.
  ///          Valid until the next call.
  const v1::TickResponse* accept(const v1::TickInput& input);

  /// Whether the tick of the last input waits for other participants. Then that input must not change, and the next
  /// call must be awaitOthers(), from any thread, which returns what accept() would have returned.
  bool waiting() const noexcept { return waiting_ != nullptr; }
  const v1::TickResponse* awaitOthers();

  /// The client announces that it ends in order: its silence is intended.
  void leave() noexcept {
    if (lease_) lease_->leave();
  }

  /// InputLease::id() of the lease; 0 if the stream never had one.
  std::uint64_t leaseId() const noexcept { return lease_id_; }

  /// Returns the lease: this client sends no more inputs.
  void release() noexcept { lease_.reset(); }

  /// The frames of a stream that is not in lockstep; one other thread may request them.
  StateStreamer& streamer() noexcept { return streamer_; }

 private:
  const v1::TickResponse* refuse(const RequestError& error, std::uint64_t sequence);
  const v1::TickResponse* answerTick(const v1::TickInput& input, std::uint64_t publication);
  const v1::TickResponse* checkTick(const v1::TickInput& input);
  const v1::TickResponse* keepFor(const v1::TickInput& input, const std::vector<double>& before);

  Session& session_;
  InputReader reader_;
  StateStreamer streamer_;
  std::unique_ptr<InputLease> lease_;  ///< null if the stream drives nothing
  std::uint64_t lease_id_ = 0;
  const v1::TickInput* waiting_ = nullptr;  ///< the input whose tick waits for others
  rt::Snapshot snapshot_;                   ///< of the newest tick
  v1::TickResponse opened_;
  v1::TickResponse frame_;  ///< used for every frame in lockstep
  v1::TickResponse notice_;
};

}  // namespace tactus::server
