// LossyRelay: a way from a device to a server that drops, doubles, delays and replays, by the seed that it was given.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace tactus::server::tests {

class LossyRelay {
 public:
  /// Of 1000 datagrams.
  struct Odds {
    unsigned dropped = 100, doubled = 50, delayed = 100, replayed = 50;
  };

  LossyRelay(const asio::ip::udp::endpoint& server, unsigned seed, const Odds& odds);
  ~LossyRelay();

  /// Where the device sends to.
  asio::ip::udp::endpoint address() const { return front_.local_endpoint(); }

  /// Lets everything through from now on, what it has held back first.
  void heal() { healed_ = true; }

  /// Datagrams that have come from the device, and that have gone to the server.
  std::uint64_t received() const { return received_; }
  std::uint64_t forwarded() const { return forwarded_; }
  std::uint64_t dropped() const { return dropped_; }

  /// Their numbers in the order in which they have gone to the server.
  std::vector<std::uint64_t> order() const;

 private:
  using Bytes = std::vector<std::uint8_t>;
  struct Held {
    Bytes bytes;
    unsigned wait;  ///< datagrams that go before it
  };
  void run();
  void pass(const Bytes& bytes);
  bool chance(unsigned of_1000) { return random_() % 1000 < of_1000; }

  const Odds odds_;
  std::mt19937 random_;
  asio::io_context io_;
  asio::ip::udp::socket front_, back_;
  std::vector<Held> held_;
  std::vector<Bytes> past_;
  std::atomic<std::uint64_t> received_{0}, forwarded_{0}, dropped_{0};
  std::atomic<bool> healed_{false}, ending_{false};
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> order_;
  std::thread thread_;
};

}  // namespace tactus::server::tests
