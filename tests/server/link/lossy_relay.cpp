#include "tests/server/link/lossy_relay.h"

#include <asio/buffer.hpp>

#include <cstring>
#include <utility>

namespace tactus::server::tests {

namespace {

const asio::ip::udp::endpoint kAnyPort(asio::ip::address_v4::loopback(), 0);

}  // namespace

LossyRelay::LossyRelay(const asio::ip::udp::endpoint& server, unsigned seed, const Odds& odds)
    : odds_(odds), random_(seed), front_(io_, kAnyPort), back_(io_, kAnyPort) {
  back_.connect(server);
  thread_ = std::thread([this] { run(); });
}

LossyRelay::~LossyRelay() {
  ending_ = true;
  asio::error_code ignored;
  front_.shutdown(asio::ip::udp::socket::shutdown_both, ignored);
  thread_.join();
}

std::vector<std::uint64_t> LossyRelay::order() const {
  std::lock_guard lock(mutex_);
  return order_;
}

void LossyRelay::run() {
  Bytes bytes(2048);
  while (true) {
    asio::ip::udp::endpoint from;
    asio::error_code error;
    bytes.resize(2048);
    bytes.resize(front_.receive_from(asio::buffer(bytes), from, 0, error));
    if (ending_) return;
    if (healed_) {
      for (Held& held : std::exchange(held_, {})) pass(held.bytes);
      pass(bytes);
    } else if (chance(odds_.dropped)) {
      ++dropped_;
    } else if (chance(odds_.delayed)) {
      held_.push_back({bytes, 1 + static_cast<unsigned>(random_() % 4)});
    } else {
      pass(bytes);
      if (chance(odds_.doubled)) pass(bytes);
    }
    if (!past_.empty() && !healed_ && chance(odds_.replayed)) pass(Bytes(past_[random_() % past_.size()]));

    for (std::size_t i = 0; i < held_.size();) {
      if (--held_[i].wait > 0) {
        ++i;
        continue;
      }
      const Held due = std::move(held_[i]);
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
      pass(due.bytes);
    }
    ++received_;
  }
}

void LossyRelay::pass(const Bytes& bytes) {
  std::uint64_t sequence = 0;
  std::memcpy(&sequence, bytes.data() + 24, sizeof sequence);
  {
    std::lock_guard lock(mutex_);
    order_.push_back(sequence);
  }
  if (past_.size() < 4096) past_.push_back(bytes);
  back_.send(asio::buffer(bytes));
  ++forwarded_;
}

}  // namespace tactus::server::tests
