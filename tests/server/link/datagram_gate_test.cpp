// Covers: server/link/datagram_key.cpp
#include "server/link/datagram_gate.h"

#include "clients/udp/tactus_udp.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <random>
#include <vector>

using namespace tactus::server;
using Verdict = DatagramGate::Verdict;

namespace {

constexpr std::uint64_t kToken = 0xfeedfacecafebeefu;

/// A gate, and a device that has its key.
struct Way {
  explicit Way(double per_second = 0) : gate(kToken, key, per_second) {
    link.token = kToken;
    std::memcpy(link.key, key.bytes().data(), sizeof link.key);
    link.inputs = 1;
  }

  std::vector<std::uint8_t> write(std::uint64_t sequence) const {
    const std::array<double, TACTUS_UDP_VALUES> values{1};
    std::vector<std::uint8_t> bytes(TACTUS_UDP_LARGEST);
    bytes.resize(tactus_udp_write_input(&link, sequence, 0, 0, 0, values.data(), 1, bytes.data()));
    return bytes;
  }

  Verdict classify(const std::vector<std::uint8_t>& bytes, std::int64_t now_ns = 1) {
    return gate.classify(std::as_bytes(std::span(bytes)), now_ns, datagram);
  }

  DatagramKey key{randomKey()};
  DatagramGate gate;
  tactus_udp_link link{};
  InputDatagram datagram;
};

}  // namespace

TEST_CASE("each kind of rejected datagram has its own count", "[server][link]") {
  Way way;
  CHECK(way.classify(way.write(1)) == Verdict::kFresh);
  CHECK(way.datagram.sequence == 1);
  CHECK(way.classify({1, 2, 3}) == Verdict::kMalformed);

  std::vector<std::uint8_t> bytes = way.write(2);
  bytes[8] ^= 1;
  CHECK(way.classify(bytes) == Verdict::kWrongToken);
  bytes = way.write(2);
  bytes[80] ^= 1;
  CHECK(way.classify(bytes) == Verdict::kForged);

  CHECK(way.classify(way.write(3)) == Verdict::kFresh);
  CHECK(way.gate.lost() == 1);
  CHECK(way.classify(way.write(2)) == Verdict::kOvertaken);
  CHECK(way.gate.lost() == 0);
  CHECK(way.classify(way.write(3)) == Verdict::kDuplicate);
  CHECK(way.classify(way.write(100)) == Verdict::kFresh);
  CHECK(way.classify(way.write(4)) == Verdict::kOld);
  CHECK(way.gate.lost() == 96);

  CHECK(way.gate.count(Verdict::kFresh) == 3);
  for (const Verdict verdict : {Verdict::kMalformed, Verdict::kWrongToken, Verdict::kForged, Verdict::kDuplicate,
                                Verdict::kOvertaken, Verdict::kOld})
    CHECK(way.gate.count(verdict) == 1);
}

TEST_CASE("a forged number does not move the window", "[server][link]") {
  Way way;
  way.classify(way.write(1));
  std::vector<std::uint8_t> bytes = way.write(1'000'000);
  bytes.back() ^= 0x80;
  CHECK(way.classify(bytes) == Verdict::kForged);
  CHECK(way.classify(way.write(2)) == Verdict::kFresh);
  CHECK(way.gate.lost() == 0);
}

TEST_CASE("none of a million forged datagrams is accepted", "[server][link]") {
  Way way;
  std::mt19937_64 random(20261121);
  std::vector<std::uint8_t> bytes = way.write(1);
  // The forger knows all but the key: token, layout, numbers.
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t tag = random();
    std::memcpy(bytes.data() + bytes.size() - sizeof tag, &tag, sizeof tag);
    if (way.classify(bytes) == Verdict::kFresh) FAIL("a forged datagram has passed");
  }
  CHECK(way.gate.count(Verdict::kForged) == 1'000'000);
}

TEST_CASE("a device may send at least one datagram, however slow the ticks are", "[server][link]") {
  Way way(0.5);
  constexpr std::int64_t second = 1'000'000'000;
  CHECK(way.classify(way.write(1), second) == Verdict::kFresh);
  CHECK(way.classify(way.write(2), 2 * second) == Verdict::kTooMany);
  CHECK(way.classify(way.write(3), 3 * second) == Verdict::kFresh);
  CHECK(way.classify(way.write(4), 60 * second) == Verdict::kFresh);
  CHECK(way.classify(way.write(5), 60 * second) == Verdict::kTooMany);
}

TEST_CASE("a device that sends too much is limited to its rate", "[server][link]") {
  Way way(100);
  constexpr std::int64_t second = 1'000'000'000;
  std::uint64_t sequence = 0;
  // One second's worth at once, then its rate.
  for (int i = 0; i < 150; ++i) way.classify(way.write(++sequence), second);
  CHECK(way.gate.count(Verdict::kFresh) == 100);
  CHECK(way.gate.count(Verdict::kTooMany) == 50);
  for (int i = 0; i < 150; ++i) way.classify(way.write(++sequence), second + second / 2);
  CHECK(way.gate.count(Verdict::kFresh) == 150);
  for (int i = 0; i < 150; ++i) way.classify(way.write(++sequence), 20 * second);
  CHECK(way.gate.count(Verdict::kFresh) == 250);
  // Cut is not lost.
  CHECK(way.gate.lost() == 0);
}
