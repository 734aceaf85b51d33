// DeviceLink: one device that drives a session by datagrams, on a socket of its own.
#pragma once

#include "rt/error.h"
#include "server/link/datagram_gate.h"
#include "server/session/session.h"
#include "server/stream/state_streamer.h"
#include "server/wire/tick_input.h"

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tactus::server {

/// The UDP port of a link cannot be bound.
class PortTaken : public Error {
 public:
  using Error::Error;
};

/// Inputs, outputs and limits of a link.
struct LinkTerms {
  LeaseRequest lease;                ///< its groups follow from the inputs
  std::vector<std::string> inputs;   ///< actuators, in the order of the values
  std::vector<int> outputs;          ///< into the directory of the session
  std::uint64_t output_divisor = 1;  ///< a state every n ticks
  std::int64_t idle_limit_ns = 10'000'000'000;
  std::int64_t max_backfilled = 100;  ///< missing ticks that one datagram makes the session run first
  bool persistent = false;            ///< survives the idle limit
  std::string owner{};                ///< identity that has opened it
  std::function<bool()> admitted{};   ///< whether that identity is still let in; none: it always is
};

inline constexpr std::int64_t kMaxBackfilled = 10'000;

/// Counts of authentic inputs by their fate, and of sent refusals.
struct LinkCounts {
  std::atomic<std::uint64_t> recovered{0}, refused_layout{0}, refused_values{0}, late{0}, too_far{0}, not_ticking{0};
  std::atomic<std::uint64_t> refusals_sent{0};
  std::atomic<std::uint64_t> used{0}, left_aside{0};  ///< by the ticks, when the last datagram had been served
};

/// A thread of the link blocks on the socket. With the clock `external` it ticks: each fresh input is a tick, and the
/// state that follows is the answer. With other clocks the input goes to the next tick, and a second thread sends the
/// states. States go to the sender of the newest fresh input; nothing is sent before the first fresh input.
class DeviceLink {
 public:
  /// Takes the inputs of the session, binds the socket and starts. @param port  0 for a free one
  /// @throws RequestError kSignalUnknown, kLeaseHeld, kSessionState, kDatagramTooLarge, kRequestInvalid; PortTaken
  DeviceLink(std::uint64_t id, std::shared_ptr<Session> session, LinkTerms terms, const asio::ip::address& address,
             std::uint16_t port);
  ~DeviceLink() { close("closed"); }

  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  /// Ends the threads and frees the inputs; no effect on a closed link. Not from a thread of the link.
  void close(const std::string& why) {
    if (beginClose(why)) endClose();
  }

  /// The two halves of close(), so that many links end at a time: the first one tells the threads to end and does not
  /// wait. @returns false on a closed link; else endClose() must follow
  bool beginClose(const std::string& why);
  void endClose();

  /// Time since the last fresh input, or since the opening.
  std::int64_t silentForNs() const noexcept;

  bool open() const noexcept { return !closing_; }

  /// The device is silent: a persistent link releases its inputs until the device comes back. No effect on a link that
  /// is idle already.
  void rest();
  bool idle() const noexcept { return idle_; }

  /// Who has taken over its inputs, and why; none if nobody has. The link is then to be closed.
  std::optional<std::string> takenBy() const;
  std::string ended() const;
  std::uint64_t id() const noexcept { return id_; }
  const Session& session() const noexcept { return *session_; }
  const LinkTerms& terms() const noexcept { return terms_; }
  std::uint64_t token() const noexcept { return token_; }
  const DatagramKey& key() const noexcept { return key_; }
  const std::vector<int>& inputSignals() const noexcept { return input_signals_; }
  std::size_t maxRepeated() const noexcept;
  std::string address() const { return address_; }
  const DatagramGate& gate() const noexcept { return gate_; }
  const LinkCounts& counts() const noexcept { return counts_; }

  /// What became of the inputs of all leases of the link. While a datagram is served: as it was after the one before.
  rt::InputFate fate() const;
  const StateStreamer& streamer() const noexcept { return streamer_; }

 private:
  using Peer = asio::ip::udp::endpoint;

  void receive(std::promise<void>& entered);
  void serve(const InputDatagram& datagram, const Peer& from);
  void serveTicks(const InputDatagram& datagram, const Peer& from);
  void serveNext(const InputDatagram& datagram, const Peer& from);
  bool validate(const InputDatagram& datagram, const Peer& from);
  bool take(const InputDatagram& datagram, std::uint64_t set);
  void refuseLate(const InputDatagram& datagram, const Peer& from);
  void refuse(RefusalCode code, std::atomic<std::uint64_t>& counter, const InputDatagram& datagram, const Peer& from,
              std::uint32_t index = 0);
  void recordLost();
  void takeLease();
  void releaseLease();
  rt::InputFate fateUnderLock() const;
  bool wakeUp();
  void sendStates();
  void sendTo(const Peer& peer, const DatagramBuffer& buffer, std::size_t size);

  const std::uint64_t id_;
  const std::shared_ptr<Session> session_;
  const LinkTerms terms_;
  const std::uint64_t token_;
  const DatagramKey key_;
  std::vector<int> input_signals_;
  const std::uint64_t input_layout_, output_layout_;
  InputReader reader_;
  StateStreamer streamer_;
  DatagramGate gate_;
  LinkCounts counts_;

  mutable std::mutex lease_mutex_;     ///< held while a datagram is served; other threads only try
  std::unique_ptr<InputLease> lease_;  ///< under lease_mutex_; null if the link drives nothing, or is idle
  rt::InputFate earlier_;              ///< under lease_mutex_; of the leases before this one

  // The receiving thread.
  rt::Snapshot snapshot_;
  std::vector<double> values_;
  std::uint64_t served_ = 0;  ///< number of the last input that was used
  std::uint64_t lost_ = 0;    ///< as the session knows
  DatagramBuffer in_, out_, refusal_;
  v1::StateFrame frame_;

  asio::io_context io_;
  asio::ip::udp::socket socket_;
  std::string address_;
  std::optional<ReaderList::Place> place_;
  std::atomic<bool> closing_{false}, idle_{false};
  std::atomic<std::int64_t> heard_ns_;
  mutable std::mutex mutex_;
  std::optional<Peer> peer_;  ///< under mutex_
  std::string ended_;         ///< under mutex_
  std::thread receiver_, sender_;
};

}  // namespace tactus::server
