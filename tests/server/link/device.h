// A device as one would write it: clients/udp/tactus_udp.h on a blocking socket.
#pragma once

#include "clients/udp/tactus_udp.h"

#include "tactus/v1/simulation.pb.h"

#include <catch2/catch.hpp>

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server::tests {

inline tactus_udp_link linkOf(const v1::DeviceLink& message) {
  tactus_udp_link link{};
  link.token = message.token();
  std::copy(message.key().begin(), message.key().end(), link.key);
  link.input_layout = message.inputs().hash();
  link.output_layout = message.outputs().hash();
  link.inputs = static_cast<std::size_t>(message.inputs().signals_size());
  link.outputs = static_cast<std::size_t>(message.outputs().signals_size());
  return link;
}

inline asio::ip::udp::endpoint endpointOf(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  return {asio::ip::make_address(address.substr(0, colon)),
          static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)))};
}

class Device {
 public:
  explicit Device(const v1::DeviceLink& message) : Device(message, endpointOf(message.address())) {}
  Device(const v1::DeviceLink& message, const asio::ip::udp::endpoint& server)
      : link(linkOf(message)),
        socket_(io_, asio::ip::udp::endpoint(asio::ip::address_v4::loopback(), 0)),
        server_(server) {}

  /// Writes an input; its length is in `size`.
  std::vector<std::uint8_t> write(std::uint64_t sequence, std::int64_t tick, const std::vector<double>& values,
                                  std::size_t sets = 1) const {
    std::vector<std::uint8_t> bytes(TACTUS_UDP_LARGEST);
    bytes.resize(tactus_udp_write_input(&link, sequence, tick, 0, 0, values.data(), sets, bytes.data()));
    return bytes;
  }

  void send(const std::vector<std::uint8_t>& bytes) { socket_.send_to(asio::buffer(bytes), server_); }
  void send(std::uint64_t sequence, std::int64_t tick, const std::vector<double>& values, std::size_t sets = 1) {
    send(write(sequence, tick, values, sets));
  }

  /// Waits for a datagram, which must be authentic. @returns TACTUS_UDP_STATE or TACTUS_UDP_REFUSAL
  int read() {
    const std::size_t size = socket_.receive(asio::buffer(buffer_));
    const int kind = tactus_udp_read(&link, buffer_.data(), size, &state);
    REQUIRE(kind != TACTUS_UDP_NOTHING);
    return kind;
  }

  /// What lies in the socket, unread.
  bool hasAnswer() { return socket_.available() > 0; }

  double value(std::size_t i) const { return tactus_udp_value(&state, i); }

  tactus_udp_link link;
  tactus_udp_state state{};

 private:
  asio::io_context io_;
  asio::ip::udp::socket socket_;
  asio::ip::udp::endpoint server_;
  std::array<std::uint8_t, TACTUS_UDP_LARGEST> buffer_{};
};

}  // namespace tactus::server::tests
