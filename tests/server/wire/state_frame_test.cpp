// Covers: server/wire/layout.cpp
#include "server/wire/state_frame.h"
#include "rt/model/model.h"
#include "server/wire/layout.h"
#include "server/wire/request_error.h"
#include "tests/server/puck.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

using namespace tactus;
using namespace tactus::server;

namespace {

rt::Snapshot snapshotOf(const rt::Model& model) {
  rt::Snapshot snapshot(model);
  std::iota(snapshot.state.begin(), snapshot.state.end(), 1.0);
  snapshot.inputs = {0.5, -0.5};
  snapshot.header.tick = 12;
  snapshot.header.sim_time_ns = 12'000'000;
  snapshot.header.publish_time_ns = 99;
  snapshot.header.input_sequence = 4;
  snapshot.header.input_first_tick = 9;
  return snapshot;
}

}  // namespace

TEST_CASE("a frame carries the chosen signals in the agreed order", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  const SignalSelection selection = selectSignals(directory, {"push_y", "body.r.z", "body.r.*"}, "outputs");
  v1::StateFrame frame;
  FrameWriter(directory, selection.indices, false).write(snapshotOf(*model), frame);

  REQUIRE(frame.values_size() == 4);
  CHECK(frame.values(0) == -0.5);
  CHECK(frame.values(1) == 3);
  CHECK(frame.values(2) == 1);
  CHECK(frame.values(3) == 2);
  CHECK(frame.packed().empty());
  CHECK(frame.tick() == 12);
  CHECK(frame.sim_time_ns() == 12'000'000);
  CHECK(frame.server_time_ns() == 99);
  CHECK(frame.input_sequence() == 4);
  CHECK(frame.input_age_ticks() == 3);
}

TEST_CASE("packed bytes are the same doubles", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  const SignalSelection selection = selectSignals(directory, {"*"}, "outputs");
  v1::StateFrame plain, packed;
  FrameWriter(directory, selection.indices, false).write(snapshotOf(*model), plain);
  FrameWriter(directory, selection.indices, true).write(snapshotOf(*model), packed);

  CHECK(packed.values_size() == 0);
  REQUIRE(packed.packed().size() == sizeof(double) * static_cast<std::size_t>(plain.values_size()));
  CHECK(std::memcmp(packed.packed().data(), plain.values().data(), packed.packed().size()) == 0);
}

TEST_CASE("a reused message keeps its array", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  FrameWriter writer(directory, selectSignals(directory, {"*"}, "").indices, false);
  v1::StateFrame frame;
  rt::Snapshot snapshot = snapshotOf(*model);
  writer.write(snapshot, frame);
  const double* values = frame.values().data();
  const int count = frame.values_size();
  snapshot.state[0] = -7;
  writer.write(snapshot, frame);
  CHECK(frame.values().data() == values);
  CHECK(frame.values_size() == count);
  CHECK(std::count(frame.values().begin(), frame.values().end(), -7.0) == 1);
}

TEST_CASE("each flag of a tick is a bit of the frame, and only of that frame", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  FrameWriter writer(directory, {}, false);
  v1::StateFrame frame;
  const auto flagsOf = [&](auto&& change) {
    rt::Snapshot snapshot = snapshotOf(*model);
    change(snapshot.header);
    writer.write(snapshot, frame);
    return frame.flags();
  };
  CHECK(flagsOf([](rt::SnapshotHeader& h) { h.overrun = true; }) == v1::FRAME_FLAG_OVERRUN);
  CHECK(flagsOf([](rt::SnapshotHeader& h) { h.input_held = true; }) == v1::FRAME_FLAG_INPUT_HELD);
  CHECK(flagsOf([](rt::SnapshotHeader& h) { h.faulted = true; }) == v1::FRAME_FLAG_FAULT);
  CHECK(flagsOf([](rt::SnapshotHeader& h) { h.report.converged = false; }) == v1::FRAME_FLAG_NOT_CONVERGED);
  CHECK(flagsOf([](rt::SnapshotHeader&) {}) == v1::FRAME_FLAG_NONE);
}

TEST_CASE("a frame before the first input has no input age", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  rt::Snapshot snapshot = snapshotOf(*model);
  snapshot.header.input_sequence = 0;
  v1::StateFrame frame;
  FrameWriter(directory, {}, false).write(snapshot, frame);
  CHECK(frame.input_age_ticks() == 0);
}

TEST_CASE("a frame for the holder of a lease names its inputs alone", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  rt::Snapshot snapshot = snapshotOf(*model);
  snapshot.header.taken_inputs[0] = {5, 80, 11};
  snapshot.header.taken_inputs[1] = {6, 2, 10};
  snapshot.header.taken_inputs[2] = {6, 3, 7};
  FrameWriter writer(directory, {}, false);
  v1::StateFrame frame;
  const auto sequenceAndAge = [&](std::uint64_t holder) {
    writer.write(snapshot, frame, holder);
    return std::pair(frame.input_sequence(), frame.input_age_ticks());
  };
  CHECK(sequenceAndAge(0) == std::pair<std::uint64_t, std::int64_t>(4, 3));
  CHECK(sequenceAndAge(5) == std::pair<std::uint64_t, std::int64_t>(80, 1));
  CHECK(sequenceAndAge(6) == std::pair<std::uint64_t, std::int64_t>(3, 5));
  CHECK(sequenceAndAge(7) == std::pair<std::uint64_t, std::int64_t>(0, 0));
}

TEST_CASE("an unknown signal is refused with the nearest name", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  try {
    selectSignals(directory, {"body.r.x", "body.s.x"}, "outputs");
    FAIL("accepted an unknown signal");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kSignalUnknown);
    CHECK(error.field() == "outputs");
    CHECK(error.hint() == "body.r.x");
  }
}

TEST_CASE("a layout names its signals, and its hash depends on their order", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  v1::Layout forward, backward;
  writeLayout(directory, selectSignals(directory, {"body.r.x", "body.r.y"}, "").indices, forward);
  writeLayout(directory, selectSignals(directory, {"body.r.y", "body.r.x"}, "").indices, backward);
  CHECK(forward.signals(0) == "body.r.x");
  CHECK(backward.signals(0) == "body.r.y");
  CHECK(forward.hash() != backward.hash());
  CHECK(forward.hash() != 0);
}

TEST_CASE("inputs of the directory have their range", "[server][wire]") {
  const auto model = tests::makePuck();
  const rt::SignalDirectory directory(*model);
  v1::Signal input, output;
  writeSignal(directory.signals()[static_cast<std::size_t>(directory.find("push_x"))], input);
  writeSignal(directory.signals()[static_cast<std::size_t>(directory.find("body.v.x"))], output);
  CHECK(input.causality() == v1::CAUSALITY_INPUT);
  CHECK(input.minimum() == -10);
  CHECK(input.maximum() == 10);
  CHECK(input.unit() == "N");
  CHECK(output.causality() == v1::CAUSALITY_OUTPUT);
  CHECK_FALSE(output.has_minimum());
  CHECK(output.unit() == "m/s");
  CHECK(output.frame() == "world");
}
