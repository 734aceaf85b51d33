// TickBlock: the ticks of a RunSession call, each with a row of inputs. Knows no threads and no gRPC.
#pragma once

#include "rt/signals/signal_reader.h"
#include "rt/state/snapshot.h"
#include "server/session/session.h"
#include "server/wire/tick_input.h"

#include "tactus/v1/simulation.pb.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tactus::server {

inline constexpr std::int64_t kMaxBlockTicks = 100'000;

/// Of a block with one answer: few enough that its client can wait for all of them.
inline constexpr std::int64_t kMaxShortBlockTicks = 1000;

class TickBlock {
 public:
  /// Checks the request, every row of inputs included, and takes the input lease of a session in lockstep.
  /// @param request    must outlive the block
  /// @param cancelled  whether the client has left or the server is shutting down; asked between ticks
  /// @throws RequestError naming the field; no tick has run then
  TickBlock(Session& session, const v1::RunSessionRequest& request, std::function<bool()> cancelled);

  /// Checks that the block has one answer.
  /// @throws RequestError kLimitExceeded naming the field if it has more ticks or rows; no tick has run then
  void requireShort() const;

  /// Runs ticks until the rows of one message are complete. The first message has the layout.
  /// @returns false when this is the last message
  /// @throws RequestError if the session does not make a tick; `response` has the rows of the ticks before
  bool next(v1::RunSessionResponse& response);

  std::int64_t ticksMade() const noexcept { return done_; }

 private:
  void readRows();
  void look();
  void tick();
  [[noreturn]] void failWithoutTick() const;
  [[noreturn]] void fail(Reason reason, const std::string& why, const std::string& hint = {}) const;

  Session& session_;
  const v1::RunSessionRequest& request_;
  const std::function<bool()> cancelled_;
  InputReader inputs_;
  rt::SignalReader outputs_;
  const std::int64_t every_;
  std::vector<double> rows_;  ///< inputs, one row after the other
  std::vector<double> row_;   ///< outputs of a tick
  rt::Snapshot snapshot_;
  std::unique_ptr<InputLease> lease_;
  std::int64_t done_ = 0;
  std::int64_t looked_at_ns_ = 0;  ///< publication of the tick after which the client was last looked for
  bool opened_ = false;
};

}  // namespace tactus::server
