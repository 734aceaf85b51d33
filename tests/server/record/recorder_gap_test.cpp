// Covers: server/record/disk_writer.cpp, server/record/recorder.cpp, server/record/tick_encoder.cpp
#include "server/record/mcap_reader.h"
#include "server/record/recording_reader.h"
#include "server/record/replay.h"
#include "tests/server/record/recorded_run.h"
#include "tests/server/record/scratch_folder.h"

#include "tactus/v1/recording.pb.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

/// Ticks with new inputs until the stuck disk has cost some of them, then ticks on the released disk.
void recordBesideAStuckDisk(RecordedRun& run, MemoryDisk& disk, int ticks_at_once, bool settles) {
  RecorderOptions options;
  options.queue = {100'000, 100'000};
  options.block_bytes = 10'000;
  run.record(disk.file(), options);
  run.tick(100, 1);
  run.settle();
  disk.stick();
  while (!run.recorder->status().incomplete_from || run.loop.state().tick < 20'000) {
    run.tick(ticks_at_once, 1);
    if (settles) run.settle();
  }
  run.settle();
  disk.release();
  const std::int64_t until = run.loop.state().tick;
  while (run.recorder->status().last_tick <= until) {
    run.tick(10, 1);
    run.settle();
  }
  run.recorder->stop();
}

}  // namespace

TEST_CASE("ticks that the loop has overtaken in a block that the disk does not take are in a gap of the file",
          "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run("motor_four_bar", 8);
  recordBesideAStuckDisk(run, disk, 1000, false);
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK(report.complete);
  const RecorderStatus status = run.recorder->status();
  CHECK(report.missing == status.lost_ticks);
  CHECK(report.ticks + report.missing == run.loop.ring().newestIndex());
  CHECK(recording.gaps().size() == status.gaps);
}

TEST_CASE("log time follows simulated time across a gap", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  recordBesideAStuckDisk(run, disk, 100, true);
  disk.save(folder.file("a.mcap"));
  McapReader reader(folder.file("a.mcap"));
  McapMessage message;
  std::uint64_t ticks = 0;
  while (reader.next(message)) {
    if (message.channel != static_cast<std::uint16_t>(RecordingChannel::kTick)) continue;
    v1::RecordedTick tick;
    REQUIRE(tick.ParseFromArray(message.data.data(), static_cast<int>(message.data.size())));
    REQUIRE(message.log_time == 1'000'000'000 + (static_cast<std::uint64_t>(tick.tick()) + 1) * 1'000'000);
    ++ticks;
  }
  CHECK(ticks < run.loop.ring().newestIndex());
}

TEST_CASE("a disk that takes bytes and does not keep them ends a recording early", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file());
  run.tick(20);
  run.settle();
  disk.failSync(EIO);
  while (run.recorder->status().error.empty()) {
    run.tick(10);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  run.recorder->stop();
  CHECK_THAT(run.recorder->status().error, Catch::EndsWith("Input/output error"));
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK_FALSE(report.complete);
  CHECK_THAT(report.problem, Catch::Contains("has ended early: Input/output error"));
}

TEST_CASE("a tick lacks signals or frames of the scene only where they were due", "[server][record]") {
  RecordedRun run;
  const std::vector<int> indices = run.directory.resolve({"crank_angle"});
  constexpr int kTicks = 40;
  // Signals every 5 ticks; frames at the first tick and every 17 ticks of 1 ms, about 60 times a second.
  TickEncoder signals(run.directory, {indices, 5, false}, run.setup, 0);
  TickEncoder scene(run.directory, {{}, 1, true}, run.setup, 0);
  TickEncoder both(run.directory, {indices, 5, true}, run.setup, 0);
  TickEncoder none(run.directory, {}, run.setup, 0);
  rt::Snapshot snapshot(run.model);
  for (int tick = 0; tick <= kTicks; ++tick) {
    if (tick > 0) run.tick(1);
    run.loop.ring().newest(snapshot);
    INFO("tick " << tick);
    CHECK(signals.addTick(snapshot, false) == (tick % 5 == 0));
    CHECK(scene.addTick(snapshot, false) == (tick % 17 == 0));
    CHECK(both.addTick(snapshot, false) == (tick % 5 == 0 || tick % 17 == 0));
    CHECK_FALSE(none.addTick(snapshot, false));
  }
  CHECK(signals.block().bare == 9);
  CHECK(scene.block().bare == 3);
  CHECK(both.block().bare == 11);  // tick 0 is in both
  CHECK(none.block().bare == 0);
  CHECK_FALSE(both.addTick(snapshot, true));
}

TEST_CASE("frames of the scene that a stuck disk costs are counted and reported", "[server][record]") {
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.signals.scene = true;
  options.queue = {400'000, 400'000};
  options.block_bytes = 10'000;
  run.record(disk.file(), options);
  run.tick(100);
  run.settle();
  disk.stick();
  while (run.recorder->status().lost_ticks == 0) {
    run.tick(50);
    run.settle();
  }
  const RecorderStatus status = run.recorder->status();
  CHECK(status.lost_signals > 0);
  CHECK(status.lost_signals < status.ticks / 10);  // of 17 ticks one has frames
  CHECK_THAT(run.awaitNotice(RecorderNotice::Kind::kIncomplete).text,
             Catch::Contains("the scene frames of ") && Catch::Contains("no scene"));
  disk.release();
  run.recorder->stop();
}

TEST_CASE("after a reset the timing reports go on at once", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.report_interval = std::chrono::milliseconds(10);  // ten ticks
  run.record(disk.file(), options);
  run.tick(100);
  run.loop.reset(run.initial);
  run.tick(50);
  run.recorder->stop();
  disk.save(folder.file("a.mcap"));
  McapReader reader(folder.file("a.mcap"));
  McapMessage message;
  int reports = 0;
  while (reader.next(message)) reports += message.channel == static_cast<std::uint16_t>(RecordingChannel::kTiming);
  CHECK(reports == 10 + 5 + 1);  // the last one at the end
}
