// Covers: server/record/block_queue.h, server/record/disk_writer.cpp, server/record/file_sink.cpp
// Covers: server/record/queue_budget.h, server/record/recorder_thread.h, server/record/tick_encoder.cpp
#include "server/record/file_sink.h"
#include "server/record/recording_reader.h"
#include "server/record/replay.h"
#include "tests/server/record/counted_file.h"
#include "tests/server/record/recorded_run.h"
#include "tests/server/record/scratch_folder.h"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

std::vector<RecordedRow> rowsOf(RecordingReader& recording) {
  std::vector<RecordedRow> rows;
  RecordedRow row;
  while (recording.next(row)) rows.push_back(row);
  return rows;
}

/// What the program logs while it exists.
class Log {
 public:
  Log() : former_(spdlog::default_logger()) {
    const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  }
  ~Log() { spdlog::set_default_logger(former_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  const std::shared_ptr<spdlog::logger> former_;
};

/// Hash of every tick of a run, as a replay must find it.
std::map<std::int64_t, std::uint64_t> hashesOf(RecordedRun& run, int ticks, int every = 3) {
  std::map<std::int64_t, std::uint64_t> hashes;
  for (int i = 0; i < ticks; ++i) {
    run.tick(1, every);
    hashes[run.loop.state().tick] = rt::hashState(run.loop.state());
  }
  return hashes;
}

}  // namespace

TEST_CASE("the channels of inputs and signals name the unit of each value", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.signals = {run.directory.resolve({"crank_angle", "energy.total"}), 1};
  run.record(disk.file(), options);
  run.tick(10);
  run.recorder->stop();
  disk.save(folder.file("a.mcap"));
  McapReader file(folder.file("a.mcap"));
  McapMessage message;
  REQUIRE(file.next(message));  // channels are known from the first block on
  const auto channel = [&file](RecordingChannel id) { return file.channels().at(static_cast<std::uint16_t>(id)); };
  CHECK(channel(RecordingChannel::kInputs).metadata == std::map<std::string, std::string>{{"motor", "N m"}});
  CHECK(channel(RecordingChannel::kSignals).metadata ==
        std::map<std::string, std::string>{{"crank_angle", "rad"}, {"energy.total", "J"}});
}

TEST_CASE("a recording holds each tick, the inputs at the tick that used them, and the signals", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.signals = {run.directory.resolve({"crank_angle", "energy.total"}), 5};
  run.record(disk.file(), options);
  const auto hashes = hashesOf(run, 500);
  run.recorder->stop();
  const RecorderStatus status = run.recorder->status();
  CHECK(status.ticks == 501);
  CHECK(status.lost_ticks == 0);
  CHECK_FALSE(status.incomplete_from);
  CHECK(status.error.empty());
  CHECK(status.last_tick == 500);
  CHECK(status.bytes == disk.bytes().size());

  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  CHECK(recording.setup().model().name() == run.model.name);
  CHECK(recording.inputNames() == run.model.actuator_names);
  CHECK(recording.signalNames() == std::vector<std::string>{"crank_angle", "energy.total"});
  const std::vector<RecordedRow> rows = rowsOf(recording);
  REQUIRE(rows.size() == 501);
  CHECK(recording.complete());
  REQUIRE(recording.timing());
  CHECK(recording.timing()->ticks() == 42);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("tick " << i);
    REQUIRE(rows[i].tick == static_cast<std::int64_t>(i));
    REQUIRE(rows[i].begins == (i == 0));
    REQUIRE(rows[i].has_new_inputs == (i % 3 == 0));
    REQUIRE(rows[i].has_signals == (i % 5 == 0));
    if (i == 0) continue;
    REQUIRE(rows[i].state_hash == hashes.at(static_cast<std::int64_t>(i)));
    if (i % 3 == 0) REQUIRE(rows[i].inputs[0] == std::sin(0.01 * static_cast<double>(i)));
  }
}

TEST_CASE("only the user of the server reads recordings", "[server][record]") {
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  createFile(folder.file("alone.mcap"));
  createFileIn(folder.file("recordings"), "one.mcap");
  for (const char* name : {"alone.mcap", "recordings", "recordings/one.mcap"})
    CHECK((fs::status(folder.file(name)).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
}

TEST_CASE("a stuck disk delays no tick; signals are lost before inputs, and the loss is reported", "[server][record]") {
  const Log log;
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.signals = {run.directory.resolve({"*"}), 1};
  options.queue = {400'000, 400'000};
  options.block_bytes = 10'000;
  run.record(disk.file(), options);
  run.tick(100);
  run.settle();

  // Nobody releases the disk while these ticks run: that they come to their end is the proof.
  disk.stick();
  const auto lost = [&] { return run.recorder->status().incomplete_from.has_value(); };
  while (!lost()) {
    run.tick(50);
    run.settle();
  }
  run.tick(500);
  run.settle();
  const std::int64_t stuck_until = run.loop.state().tick;
  const RecorderStatus stuck = run.recorder->status();
  CHECK(stuck.running);
  CHECK(stuck.lost_signals > 0);
  CHECK(stuck.lost_ticks >= 500);
  REQUIRE(stuck.incomplete_from);
  // Streams and the log say so while it happens, the log once in 10 s for all of these ticks.
  const RecorderNotice notice = run.awaitNotice(RecorderNotice::Kind::kIncomplete);
  CHECK_THAT(notice.text, Catch::Contains("recording test") && Catch::Contains("missing so far"));
  CHECK_THAT(notice.text, !Catch::Contains(" 0 "));  // what is not missing is not named
  const std::string said = log.text();
  CHECK_THAT(said, Catch::Contains("does not keep up") && Catch::Contains("recording "));
  CHECK(std::count(said.begin(), said.end(), '\n') < 10);

  // The disk comes back: so does the recording, with a state to go on from.
  disk.release();
  while (run.recorder->status().last_tick <= stuck_until) {
    run.tick(10);
    run.settle();
  }
  run.recorder->stop();
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const std::vector<RecordedRow> rows = rowsOf(recording);
  CHECK(recording.complete());
  REQUIRE_FALSE(recording.gaps().empty());
  CHECK(recording.gaps().front().first_tick() == *stuck.incomplete_from);
  std::uint64_t missing = 0;
  for (const v1::RecordedGap& gap : recording.gaps()) missing += gap.ticks();
  CHECK(missing == run.recorder->status().lost_ticks);
  CHECK(rows.size() + missing == run.loop.ring().newestIndex());
  CHECK(rows.size() == run.recorder->status().ticks);

  // Everything before the gap is there, the last of it without signals, and all of it replays.
  for (std::int64_t i = 0; i < *stuck.incomplete_from; ++i) REQUIRE(rows[static_cast<std::size_t>(i)].tick == i);
  CHECK_FALSE(rows[static_cast<std::size_t>(*stuck.incomplete_from) - 1].has_signals);
  RecordingReader again(folder.file("a.mcap"));
  const ReplayReport report = replay(again);
  CHECK_FALSE(report.difference);
  CHECK(report.ticks == rows.size());
  CHECK(report.begins == 1 + recording.gaps().size());
  CHECK(report.missing == missing);
}

TEST_CASE("a minute of inputs waits in memory for a stuck disk, and a tick beyond is lost", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  constexpr int kMinute = 60'000;  // ticks of 1 ms
  REQUIRE(run.settings.period_ns == 1'000'000);
  RecorderOptions options;
  options.signals = {run.directory.resolve({"*"}), 1};
  options.queue.own = 1 << 20;
  options.queue.most = options.queue.own + inputBytes(run.model, run.settings.period_ns, kMinute);
  const auto budget = std::make_shared<QueueBudget>(options.queue.most);
  options.queue.budget = budget;
  run.record(disk.file(), options);
  run.settle();
  disk.stick();

  // New inputs at every tick, for a minute; nobody releases the disk.
  for (int ticks = 0; ticks < kMinute; ticks += 100) {
    run.tick(100, 1);
    run.settle();
  }
  CHECK(run.recorder->status().lost_ticks == 0);
  CHECK(run.recorder->status().lost_signals > 0);
  CHECK(budget->free() < options.queue.most);

  // The disk is stuck for more than 2 s of the clock on the wall by now, or soon.
  CHECK_THAT(run.awaitNotice(RecorderNotice::Kind::kDisk).text, Catch::Contains("the disk has taken nothing for"));

  // The estimate is the worst case; still the memory is bounded.
  while (run.recorder->status().lost_ticks == 0) {
    run.tick(100, 1);
    run.settle();
    REQUIRE(run.loop.state().tick < 3 * kMinute);
  }
  disk.release();
  run.recorder->stop();
  CHECK(budget->free() == options.queue.most);

  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  std::int64_t tick = 0;
  RecordedRow row;
  while (tick <= kMinute && recording.next(row)) {
    REQUIRE(row.tick == tick++);
    REQUIRE(row.has_new_inputs);
  }
  CHECK(tick == kMinute + 1);
}

TEST_CASE("queues share a budget beyond their own memory", "[server][record]") {
  const auto budget = std::make_shared<QueueBudget>(100);
  BlockQueue<int> one({50, 150, budget}), other({50, 150, budget});
  int block = 0;
  CHECK(one.push(block, 50));
  CHECK(one.push(block, 80));
  CHECK(budget->free() == 20);
  CHECK_FALSE(one.push(block, 21));  // 151: more than one may have
  CHECK(other.push(block, 50));
  CHECK_FALSE(other.push(block, 21));  // more than is left
  CHECK(other.push(block, 20));
  CHECK(budget->free() == 0);
  REQUIRE(one.pop());
  one.done();
  CHECK(budget->free() == 50);
  // A block that is larger than everything fits into an empty queue.
  BlockQueue<int> third({50, 50, budget});
  CHECK(third.push(block, 1000));
}

TEST_CASE("a slow sync of the disk delays no block", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file(), {});
  disk.stickSync();
  // Each of these blocks comes into the file while the disk is still busy with the first.
  for (int i = 0; i < 5; ++i) {
    run.tick(10);
    const std::int64_t tick = run.loop.state().tick;
    while (run.recorder->status().last_tick < tick) std::this_thread::yield();
  }
  disk.release();
  run.recorder->stop();
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  CHECK(rowsOf(recording).size() == run.loop.ring().newestIndex());
  CHECK(recording.complete());
}

TEST_CASE("the end of a recording does not wait forever for a stuck disk", "[server][record]") {
  const ScratchFolder folder;
  // The threads that wait for the disk may outlive this case, and the destructors at the end of the program.
  static MemoryDisk& disk = *new MemoryDisk;
  RecordedRun run;
  RecorderOptions options;
  options.patience = std::chrono::milliseconds(20);
  run.record(disk.file(), options);
  run.tick(10);
  run.settle();
  disk.stick();
  run.tick(10);
  run.recorder->stop();
  const RecorderStatus status = run.recorder->status();
  CHECK_FALSE(status.running);
  CHECK_THAT(status.error, Catch::Contains("does not answer"));
  REQUIRE(status.incomplete_from);
  CHECK(*status.incomplete_from <= 20);

  // A disk that comes back gets the rest.
  disk.release();
  while (run.recorder->status().last_tick < 20) std::this_thread::yield();
}

TEST_CASE("a full disk ends the recording only; the file is intact and replays", "[server][record]") {
  const Log log;
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.block_bytes = 4'000;
  run.record(disk.file(), options);
  run.tick(200);
  run.settle();
  while (run.recorder->status().last_tick < 100) std::this_thread::yield();
  // It is announced while ticks are still recorded, some 100 bytes a millisecond.
  disk.setRoom(disk.bytes().size() + 4'000'000);
  for (bool told = false; !told && run.recorder->status().error.empty();) {
    run.tick(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::lock_guard lock(run.notices_mutex);
    told = !run.notices.empty();
  }
  CHECK(run.recorder->status().running);
  CHECK_THAT(run.awaitNotice(RecorderNotice::Kind::kDisk).text, Catch::Contains("is full in about"));
  run.settle();
  while (run.recorder->status().last_tick < run.loop.state().tick) std::this_thread::yield();
  disk.setRoom(disk.bytes().size() + 3'000);
  while (run.recorder->status().error.empty()) {
    run.tick(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const RecorderNotice notice = run.awaitNotice(RecorderNotice::Kind::kEnded);
  const std::int64_t at = run.loop.state().tick;
  run.tick(100);
  CHECK(run.loop.state().tick == at + 100);

  const RecorderStatus status = run.recorder->status();
  CHECK_FALSE(status.running);
  CHECK_THAT(status.error, Catch::Contains("No space left on device"));
  REQUIRE(status.incomplete_from);
  CHECK(*status.incomplete_from == status.last_tick + 1);
  // Every tick is in the file or lost, also those after the end, until the recording is stopped.
  const auto held = static_cast<std::uint64_t>(status.last_tick) + 1;
  CHECK(status.ticks == held);
  CHECK(status.lost_ticks == static_cast<std::uint64_t>(at + 100 - status.last_tick));
  CHECK(status.gaps == 1);
  run.recorder->stop();
  run.tick(10);
  CHECK(run.recorder->status().lost_ticks == status.lost_ticks);

  // One notice and one line say so, and say why. Nothing says that the recorder does not keep up.
  CHECK(notice.tick == status.last_tick + 1);
  CHECK_THAT(notice.text, Catch::Contains("recording test: it has ended early: No space left on device"));
  CHECK(status.warning == notice.text.substr(std::string("recording test: ").size()));
  const std::string said = log.text();
  CHECK(said.find("ended early") == said.rfind("ended early"));
  CHECK_THAT(said, Catch::Contains("No space left on device") && !Catch::Contains("keep up"));
  CHECK(std::count_if(run.notices.begin(), run.notices.end(),
                      [](const RecorderNotice& each) { return each.kind != RecorderNotice::Kind::kDisk; }) == 1);

  // The disk has no room for the summary, so the file ends without it: an MCAP file all the same, which says why.
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK_FALSE(report.complete);
  CHECK_THAT(report.problem, Catch::Contains("has ended early: No space left on device"));
  CHECK(report.last_tick == status.last_tick);
  CHECK(report.ticks == held);
}

TEST_CASE("a recording whose last blocks the disk does not take says so when it is stopped", "[server][record]") {
  const Log log;
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file(), {});
  run.tick(20);
  run.settle();
  while (run.recorder->status().last_tick < 20) std::this_thread::yield();
  disk.setRoom(disk.bytes().size());
  run.tick(30);
  run.recorder->stop();
  const RecorderStatus status = run.recorder->status();
  CHECK_THAT(status.error, Catch::Contains("No space left on device"));
  CHECK(status.lost_ticks == 30);
  CHECK(status.ticks == 21);
  CHECK(run.awaitNotice(RecorderNotice::Kind::kEnded).tick == 21);
  CHECK_THAT(log.text(), Catch::Contains("ended early: No space left on device"));
}

TEST_CASE("the recorder catches up with a loop that overtook it; with held inputs nothing is lost",
          "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  const bool inputs_change = GENERATE(false, true);
  RecordedRun run("motor_four_bar", 8);
  run.record(disk.file());
  // Faster than any reader of a ring of eight, until one lap was lost.
  while (run.recorder->status().lost_ticks == 0) run.tick(1000, inputs_change ? 1 : 0);
  run.settle();
  // A collector that gets no processor time is reported while the recording runs, held inputs or not.
  const RecorderNotice notice = run.awaitNotice(RecorderNotice::Kind::kIncomplete);
  CHECK_THAT(notice.text, Catch::Contains(" in ") && Catch::Contains(" gap"));
  CHECK(run.recorder->status().running);
  CHECK(run.recorder->status().warning == notice.text.substr(std::string("recording test: ").size()));
  CHECK(run.recorder->status().warning_tick == notice.tick);
  run.tick(20, inputs_change ? 1 : 0);
  run.recorder->stop();
  CHECK(run.recorder->status().incomplete_from.has_value() == inputs_change);

  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  REQUIRE_FALSE(recording.gaps().empty());
  for (const v1::RecordedGap& gap : recording.gaps()) CHECK(gap.inputs_complete() != inputs_change);
  CHECK(run.recorder->status().gaps == recording.gaps().size());
  if (inputs_change) {
    CHECK(report.missing == run.recorder->status().lost_ticks);
  } else {
    // Every tick was run, those that are not recorded too.
    CHECK(report.begins == 1);
    CHECK(report.bridged == run.recorder->status().lost_ticks);
    CHECK(report.state_hash == rt::hashState(run.loop.state()));
  }
}

TEST_CASE("log time follows simulated time, not the wall clock or resets", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file());
  run.tick(20);
  run.settle();
  run.loop.reset(run.initial);
  run.tick(20);
  run.recorder->stop();
  disk.save(folder.file("a.mcap"));
  McapReader reader(folder.file("a.mcap"));
  McapMessage message;
  std::uint64_t before = 0, ticks = 0;
  while (reader.next(message)) {
    CHECK(message.log_time >= before);
    if (message.channel == static_cast<std::uint16_t>(RecordingChannel::kTick)) {
      CHECK(message.log_time == 1'000'000'000 + ++ticks * 1'000'000);
    }
    before = message.log_time;
  }
  CHECK(ticks == 42);
}

TEST_CASE("a recording ends before its disk has less left than is to stay free, and its end fits, too",
          "[server][record]") {
  const Log log;
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.signals = {run.directory.resolve({"*"}), 1};
  options.disk_reserve = 64'000'000;
  const std::size_t room = options.disk_reserve + GENERATE(as<std::size_t>{}, 500'000, 1'000'000, 3'000'000);
  // The front of the file does not fit: there is no recording, and the reserve is the reason.
  disk.setRoom(options.disk_reserve + 10'000);
  CHECK_THROWS_WITH(run.record(disk.file(), options), Catch::Contains("the reserve of 64000000 bytes is reached"));
  CHECK(disk.bytes().empty());
  disk.setRoom(room);
  run.record(disk.file(), options);
  // As fast as it can: blocks of 256 KiB wait for the disk.
  while (run.recorder->status().error.empty()) run.tick(100);
  run.recorder->stop();
  const RecorderStatus status = run.recorder->status();
  CHECK_THAT(status.error, Catch::Contains("the reserve of 64000000 bytes is reached"));
  CHECK_FALSE(status.running);
  CHECK(disk.bytes().size() <= room - options.disk_reserve);
  CHECK(status.ticks + status.lost_ticks == run.loop.ring().newestIndex());
  CHECK(status.lost_ticks > 0);
  CHECK_THAT(run.awaitNotice(RecorderNotice::Kind::kEnded).text, Catch::Contains("the reserve of 64000000 bytes"));
  const std::string said = log.text();
  CHECK(said.find("ended early") == said.rfind("ended early"));
  CHECK_THAT(said, Catch::Contains("the reserve of 64000000 bytes"));
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK_FALSE(report.complete);
  CHECK_THAT(report.problem, Catch::Contains("has ended early: the reserve of 64000000 bytes is reached"));
}

TEST_CASE("a device has no room that could be reserved, a file has that of its disk", "[server][record]") {
  const ScratchFolder folder;
  CHECK_FALSE(createFile("/dev/null")->room());
  const auto room = createFile(folder.file("a.mcap"))->room();
  REQUIRE(room);
  CHECK(*room <= std::filesystem::space(folder.file("a.mcap")).capacity);
}

TEST_CASE("recordings on one disk leave its reserve free together", "[server][record]") {
  std::atomic<std::uint64_t> used{0};
  RecordedRun first, second;
  RecorderOptions options;
  options.disk_reserve = 64'000'000;
  options.claims = std::make_shared<DiskClaims>(std::uint64_t{0});
  const std::uint64_t free = 1'000'000;
  first.record(std::make_unique<CountedFile>(used, options.disk_reserve + free), options);
  second.record(std::make_unique<CountedFile>(used, options.disk_reserve + free), options);
  while (first.recorder->status().error.empty() || second.recorder->status().error.empty()) {
    first.tick(100);
    second.tick(100);
  }
  first.recorder->stop();
  second.recorder->stop();
  CHECK(used <= free);
  CHECK(used > free / 2);
  CHECK(*options.claims == 0);
}

TEST_CASE("what a recording warns of stays in its status, with its tick", "[server][record]") {
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file(), {});
  run.tick(10);
  CHECK(run.recorder->status().warning.empty());
  disk.stick();
  run.tick(10);
  const RecorderNotice notice = run.awaitNotice(RecorderNotice::Kind::kDisk);
  const RecorderStatus status = run.recorder->status();
  CHECK(status.warning.find("taken nothing") != std::string::npos);
  CHECK(notice.text == "recording test: " + status.warning);
  CHECK(status.warning_tick == notice.tick);
  disk.release();
  run.recorder->stop();
  CHECK(run.recorder->status().warning == status.warning);
}

TEST_CASE("a recording ends at the maximum size of a file", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  RecorderOptions options;
  options.block_bytes = 4'000;
  options.largest_file = 100'000;
  run.record(disk.file(), options);
  // The ticks wait for the recorder, which is to lack none of them.
  while (run.recorder->status().error.empty()) {
    run.tick(1);
    while (run.recorder->status().error.empty() && run.recorder->status().last_tick < run.loop.state().tick)
      std::this_thread::yield();
  }
  run.recorder->stop();
  CHECK_THAT(run.recorder->status().error, Catch::Contains("maximum size"));
  // A few blocks more, and the summary, which repeats the front of the file: less than a recording of nothing.
  MemoryDisk nothing;
  RecordedRun still;
  still.record(nothing.file(), {});
  still.recorder->stop();
  CHECK(disk.bytes().size() < options.largest_file + 4 * options.block_bytes + nothing.bytes().size());
  disk.save(folder.file("a.mcap"));
  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK_FALSE(report.complete);
  CHECK_THAT(report.problem, Catch::Contains("has ended early: the file has reached the maximum size"));
}
