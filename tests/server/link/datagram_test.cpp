// The codec of the server against that of clients/udp/tactus_udp.h.
// Covers: clients/udp/tactus_udp.h
#include "server/link/datagram.h"

#include "clients/udp/tactus_udp.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;

namespace {

DatagramKey::Bytes keyOf(int first) {
  DatagramKey::Bytes bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return bytes;
}

tactus_udp_link linkOf(const DatagramKey& key) {
  tactus_udp_link link{};
  link.token = 0x0123456789abcdefu;
  std::memcpy(link.key, key.bytes().data(), sizeof link.key);
  link.input_layout = 0x1111111122222222u;
  link.output_layout = 0x3333333344444444u;
  link.inputs = 2;
  link.outputs = 3;
  return link;
}

std::span<const std::byte> bytesOf(const std::vector<std::uint8_t>& bytes) {
  return std::as_bytes(std::span(bytes));
}

}  // namespace

TEST_CASE("the tag is the published SipHash-2-4", "[server][link]") {
  // Key 00 01 ... 0f, messages 00 01 ... of every length: the first, the 16th and the last of their table.
  const DatagramKey key(keyOf(0));
  std::vector<std::uint8_t> message;
  const auto tagOf = [&] {
    std::uint64_t tag = 0;
    const DatagramKey::Tag bytes = key.tag(bytesOf(message));
    std::memcpy(&tag, bytes.data(), sizeof tag);
    CHECK(tag == tactus_udp_siphash(reinterpret_cast<const std::uint8_t*>(key.bytes().data()), message.data(),
                                    message.size()));
    return tag;
  };
  for (std::uint8_t length = 0; length < 64; ++length) {
    const std::uint64_t tag = tagOf();
    if (length == 0) CHECK(tag == 0x726fdb47dd0e0e31u);
    if (length == 15) CHECK(tag == 0xa129ca6149be45e5u);
    if (length == 63) CHECK(tag == 0x958a324ceb064572u);
    message.push_back(length);
  }
}

TEST_CASE("an input is read as it was written, every set of it", "[server][link]") {
  const DatagramKey key(keyOf(7));
  const tactus_udp_link link = linkOf(key);
  const std::vector<double> values = {1.5, -0.0, std::numeric_limits<double>::denorm_min(), -1e308, std::nan(""), 6};
  std::vector<std::uint8_t> bytes(TACTUS_UDP_LARGEST);
  bytes.resize(tactus_udp_write_input(&link, 77, 78, 79, 80, values.data(), 3, bytes.data()));

  InputDatagram datagram;
  REQUIRE(readInput(bytesOf(bytes), datagram));
  CHECK(isAuthentic(bytesOf(bytes), key));
  CHECK(datagram.token == link.token);
  CHECK(datagram.layout == link.input_layout);
  CHECK(datagram.sequence == 77);
  CHECK(datagram.tick == 78);
  CHECK(datagram.acknowledged == 79);
  CHECK(datagram.count == 2);
  CHECK(datagram.sets == 3);
  for (std::size_t set = 0; set < 3; ++set) {
    double read[2];
    datagram.values(set, read);
    CHECK(std::memcmp(read, values.data() + 2 * set, sizeof read) == 0);
  }
}

TEST_CASE("the tag protects every bit of an input", "[server][link]") {
  const DatagramKey key(keyOf(7));
  const tactus_udp_link link = linkOf(key);
  const double values[2] = {1, 2};
  std::vector<std::uint8_t> bytes(TACTUS_UDP_LARGEST);
  bytes.resize(tactus_udp_write_input(&link, 1, 0, 0, 0, values, 1, bytes.data()));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    REQUIRE_FALSE(isAuthentic(bytesOf(bytes), key));
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
  }
  CHECK(isAuthentic(bytesOf(bytes), key));
  CHECK_FALSE(isAuthentic(bytesOf(bytes), DatagramKey(keyOf(8))));
}

TEST_CASE("bytes that are no input, or have a wrong length, are refused", "[server][link]") {
  const DatagramKey key(keyOf(7));
  const tactus_udp_link link = linkOf(key);
  const double values[2] = {1, 2};
  std::vector<std::uint8_t> good(TACTUS_UDP_LARGEST);
  good.resize(tactus_udp_write_input(&link, 1, 0, 0, 0, values, 1, good.data()));
  InputDatagram datagram;
  REQUIRE(readInput(bytesOf(good), datagram));

  for (std::size_t size = 0; size < good.size(); ++size) REQUIRE_FALSE(readInput(bytesOf(good).first(size), datagram));
  struct Bad {
    const char* what;
    std::size_t at;
    std::uint8_t value;
  };
  const Bad table[] = {{"magic", 0, 'U'},    {"version", 4, 2}, {"a state", 5, 2}, {"sequence 0", 24, 0},
                       {"count", 76, 3},     {"sets", 78, 2},   {"no set", 78, 0}, {"a tick below 0", 39, 0x80},
                       {"count high", 77, 1}};
  for (const Bad& bad : table) {
    INFO(bad.what);
    std::vector<std::uint8_t> bytes = good;
    bytes[bad.at] = bad.value;
    CHECK_FALSE(readInput(bytesOf(bytes), datagram));
  }
  std::vector<std::uint8_t> longer = good;
  longer.resize(TACTUS_UDP_LARGEST + 8);
  CHECK_FALSE(readInput(bytesOf(longer), datagram));
}

TEST_CASE("random bytes are never an input and are read safely", "[server][link]") {
  std::mt19937_64 random(4);
  const DatagramKey key(keyOf(1));
  InputDatagram datagram;
  for (int i = 0; i < 200'000; ++i) {
    std::vector<std::uint8_t> bytes(random() % 200);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    // Half of them look like ours.
    if (bytes.size() > 8 && i % 2 == 0) {
      const std::uint8_t head[6] = {'T', 'A', 'C', 'T', 1, 1};
      std::copy(std::begin(head), std::end(head), bytes.begin());
    }
    if (readInput(bytesOf(bytes), datagram)) REQUIRE_FALSE(isAuthentic(bytesOf(bytes), key));
  }
}

TEST_CASE("a device reads a state as the server has written it, and nothing else", "[server][link]") {
  const DatagramKey key(keyOf(3));
  tactus_udp_link link = linkOf(key);
  v1::StateFrame frame;
  frame.set_sequence(5);
  frame.set_tick(1'000'001);
  frame.set_sim_time_ns(2'000'002);
  frame.set_server_time_ns(3'000'003);
  frame.set_input_sequence(44);
  frame.set_input_age_ticks(6);
  frame.set_flags(v1::FRAME_FLAG_OVERRUN | v1::FRAME_FLAG_FAULT);
  frame.set_frames_missed(9);
  frame.set_input_mode(v1::INPUT_MODE_RAMPING);
  const double values[3] = {1.25, -2.5, 1e-300};
  frame.set_packed(values, sizeof values);
  DatagramBuffer out;
  const std::size_t size = writeState(frame, link.token, link.output_layout, key, out);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(out.data());

  tactus_udp_state state{};
  REQUIRE(tactus_udp_read(&link, bytes, size, &state) == TACTUS_UDP_STATE);
  CHECK(state.sequence == 5);
  CHECK(state.tick == 1'000'001);
  CHECK(state.sim_time_ns == 2'000'002);
  CHECK(state.sent_ns == 3'000'003);
  CHECK(state.acknowledged == 44);
  CHECK(state.index == 6);
  CHECK(state.flags == (TACTUS_UDP_OVERRUN | TACTUS_UDP_FAULT));
  CHECK(state.missed == 9);
  CHECK(state.mode == TACTUS_UDP_RAMPING);
  REQUIRE(state.count == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(tactus_udp_value(&state, i) == values[i]);

  // Another token, layout or length, or a bit that differs.
  CHECK(tactus_udp_read(&link, bytes, size - 8, &state) == TACTUS_UDP_NOTHING);
  out[kDatagramHeader] ^= std::byte{1};
  CHECK(tactus_udp_read(&link, bytes, size, &state) == TACTUS_UDP_NOTHING);
  out[kDatagramHeader] ^= std::byte{1};
  ++link.output_layout;
  CHECK(tactus_udp_read(&link, bytes, size, &state) == TACTUS_UDP_NOTHING);
  --link.output_layout;
  ++link.token;
  CHECK(tactus_udp_read(&link, bytes, size, &state) == TACTUS_UDP_NOTHING);
}

TEST_CASE("a refusal tells the device which input and why", "[server][link]") {
  const DatagramKey key(keyOf(3));
  const tactus_udp_link link = linkOf(key);
  DatagramBuffer out;
  const std::size_t size = writeRefusal(RefusalCode::kOutOfRange, 12, 1, 345, link.token, key, out);
  // No larger than the smallest input.
  CHECK(size == kMinDatagram);
  tactus_udp_state state{};
  REQUIRE(tactus_udp_read(&link, reinterpret_cast<const std::uint8_t*>(out.data()), size, &state) ==
          TACTUS_UDP_REFUSAL);
  CHECK(state.flags == TACTUS_UDP_OUT_OF_RANGE);
  CHECK(state.acknowledged == 12);
  CHECK(state.index == 1);
  CHECK(state.tick == 345);
}

TEST_CASE("an input that does not fit into a datagram is not written", "[server][link]") {
  tactus_udp_link link{};
  link.inputs = 173;
  const std::vector<double> values(346, 0.0);
  std::vector<std::uint8_t> bytes(TACTUS_UDP_LARGEST);
  CHECK(tactus_udp_write_input(&link, 1, 0, 0, 0, values.data(), 1, bytes.data()) == 1472);
  CHECK(tactus_udp_write_input(&link, 1, 0, 0, 0, values.data(), 2, bytes.data()) == 0);
  CHECK(kDatagramValues == TACTUS_UDP_VALUES);
}

TEST_CASE("the flags of a state name the groups whose inputs are ignored", "[server][link]") {
  const DatagramKey key(keyOf(1));
  const tactus_udp_link link = linkOf(key);
  v1::StateFrame frame;
  frame.set_flags(v1::FRAME_FLAG_INPUT_HELD);
  frame.set_packed(std::string(3 * sizeof(double), '\0'));
  for (const v1::InputMode mode :
       {v1::INPUT_MODE_DRIVEN, v1::INPUT_MODE_SAFE, v1::INPUT_MODE_HOLDING, v1::INPUT_MODE_FREE,
        v1::INPUT_MODE_EXTRAPOLATING, v1::INPUT_MODE_DRIVEN, v1::INPUT_MODE_DRIVEN, v1::INPUT_MODE_RAMPING})
    frame.add_group_modes(mode);
  DatagramBuffer buffer;
  const std::size_t size = writeState(frame, link.token, link.output_layout, key, buffer);
  tactus_udp_state state;
  REQUIRE(tactus_udp_read(&link, reinterpret_cast<const std::uint8_t*>(buffer.data()), size, &state) ==
          TACTUS_UDP_STATE);
  CHECK(state.flags == (TACTUS_UDP_INPUT_HELD | TACTUS_UDP_GROUP_IGNORED << 1 | TACTUS_UDP_GROUP_IGNORED << 7));
}
