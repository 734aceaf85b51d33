// A device behind a bad way: nothing old is applied, losses are counted exactly, and repetition makes up for them.
#include "tests/server/link/device.h"
#include "tests/server/link/lossy_relay.h"
#include "tests/server/link/udp_config.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <deque>
#include <set>
#include <string>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

constexpr std::uint64_t kInputs = 2000;
constexpr std::size_t kBatch = 64;  // less than the kernel keeps for a socket

double torqueAt(std::uint64_t tick) {
  return 2.0 * std::sin(0.01 * static_cast<double>(tick));
}

v1::DeviceLink openLink(Harness& harness, const std::string& session) {
  v1::OpenDeviceLinkRequest request;
  request.set_session(session);
  request.add_inputs("motor");
  request.add_outputs("crank_angle");
  const auto answer = harness.call(&Stub::OpenDeviceLink, request);
  INFO(answer.status.error_message());
  REQUIRE(answer.status.ok());
  return answer.response;
}

v1::DeviceLinkCounts countsOf(Harness& harness, std::uint64_t id) {
  const auto listed = harness.call(&Stub::ListDeviceLinks, v1::ListDeviceLinksRequest{});
  for (const v1::DeviceLink& link : listed.response.links())
    if (link.id() == id) return link.counts();
  return {};
}

std::uint64_t arrivedOf(const v1::DeviceLinkCounts& counts) {
  return counts.fresh() + counts.malformed() + counts.wrong_token() + counts.forged() + counts.duplicate() +
         counts.overtaken() + counts.old() + counts.too_many();
}

/// Sends every input by a relay, in batches that overflow no buffer; the first and the last input are never lost.
void driveThrough(Harness& harness, const v1::DeviceLink& opened, LossyRelay& relay, std::size_t sets) {
  Device device(opened, relay.address());
  std::deque<double> torques;
  for (std::uint64_t n = 1; n <= kInputs; ++n) {
    torques.push_front(torqueAt(n));
    if (torques.size() > sets) torques.pop_back();
    if (n == kInputs) relay.heal();
    device.send(n, static_cast<std::int64_t>(n), {torques.begin(), torques.end()}, torques.size());
    if (n % kBatch != 0 && n != kInputs) continue;
    while (relay.received() < n) std::this_thread::yield();
    while (arrivedOf(countsOf(harness, opened.id())) < relay.forwarded()) std::this_thread::yield();
  }
}

/// The hash after the same inputs over gRPC in lockstep; ticks that are not in `with_input` hold the one before.
std::string hashOverGrpc(Harness& harness, const std::string& name, const std::set<std::uint64_t>& with_input) {
  harness.create(name, v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  v1::TickOpen open;
  open.set_session(name);
  open.add_inputs("motor");
  auto tick = harness.tick(open);
  REQUIRE(tick->opened());
  for (std::uint64_t n = 1; n <= kInputs; ++n) {
    if (with_input.contains(n)) {
      tick->send(n, {torqueAt(n)});
      REQUIRE(tick->frame().tick() == static_cast<std::int64_t>(n));
    } else {
      harness.step(name, 1);
    }
  }
  return harness.get(name).state_hash();
}

std::set<std::uint64_t> allInputs() {
  std::set<std::uint64_t> all;
  for (std::uint64_t n = 1; n <= kInputs; ++n) all.insert(n);
  return all;
}

}  // namespace

TEST_CASE("on a path that drops, doubles, delays and replays, no old input is used and losses are exact",
          "[server][link][determinism]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL, "motor_four_bar");
  const v1::DeviceLink opened = openLink(harness, "rig");
  LossyRelay relay(endpointOf(opened.address()), 20261121, {});
  driveThrough(harness, opened, relay, 1);

  // The verdict of a complete record of all numbers.
  std::set<std::uint64_t> seen, used;
  std::uint64_t newest = 0, stale = 0, first = 0;
  for (const std::uint64_t n : relay.order()) {
    if (first == 0) first = n;
    n > newest ? void(used.insert(n)) : void(++stale);
    newest = std::max(newest, n);
    seen.insert(n);
  }
  const v1::DeviceLinkCounts counts = countsOf(harness, opened.id());
  CHECK(counts.fresh() == used.size());
  CHECK(counts.duplicate() + counts.overtaken() + counts.old() == stale);
  CHECK(counts.duplicate() > 0);
  CHECK(counts.overtaken() > 0);
  CHECK(counts.old() > 0);
  CHECK(counts.recovered() == 0);
  CHECK(relay.dropped() > kInputs / 20);
  REQUIRE(first == 1);
  CHECK(counts.lost() == relay.dropped());
  CHECK(counts.lost() == kInputs - seen.size());

  // Each tick had the input of its own number, or held the one before.
  const v1::Session session = harness.get("rig");
  CHECK(session.tick() == static_cast<std::int64_t>(kInputs));
  CHECK(session.state_hash() == hashOverGrpc(harness, "reference", used));
}

TEST_CASE("repeated inputs reach their tick on a lossy path: same hash as over gRPC", "[server][link][determinism]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL, "motor_four_bar");
  const v1::DeviceLink opened = openLink(harness, "rig");
  CHECK(opened.max_repeated() >= 7);
  LossyRelay relay(endpointOf(opened.address()), 7, {});
  driveThrough(harness, opened, relay, 8);
  const v1::DeviceLinkCounts counts = countsOf(harness, opened.id());
  CHECK(counts.recovered() > 0);
  CHECK(counts.fresh() + counts.recovered() == kInputs);
  CHECK(harness.get("rig").state_hash() == hashOverGrpc(harness, "reference", allInputs()));
}
