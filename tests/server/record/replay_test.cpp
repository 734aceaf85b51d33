// Covers: server/record/offline_recording.cpp, server/record/recording_csv.cpp, server/record/recording_diff.cpp
// Covers: server/record/recording_reader.cpp
#include "server/record/replay.h"
#include "rt/model/model.h"

#include "rt/error.h"
#include "server/record/crc32.h"
#include "server/record/recording_csv.h"
#include "server/record/recording_diff.h"
#include "tests/server/record/recorded_run.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <google/protobuf/stubs/logging.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>
#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

/// A step that departs by one unit in the last place of the crank's x velocity, from a tick on.
constexpr std::int64_t kPlantedTick = 137;
rt::StepReport plantedStep(const rt::Model& model, const rt::Plan& plan, const rt::Settings& settings,
                           std::span<const double> input, rt::State& state, rt::Workspace& workspace) noexcept {
  const rt::StepReport report = rt::step(model, plan, settings, input, state, workspace);
  if (state.tick == kPlantedTick) state.v(0)[0] = std::nextafter(state.v(0)[0], 1e9);
  return report;
}

/// A step that fails at a tick.
rt::StepReport failingStep(const rt::Model& model, const rt::Plan& plan, const rt::Settings& settings,
                           std::span<const double> input, rt::State& state, rt::Workspace& workspace) noexcept {
  if (state.tick + 1 != kPlantedTick) return rt::step(model, plan, settings, input, state, workspace);
  rt::StepReport report;
  report.status = rt::TickStatus::kNonFinite;
  return report;
}

std::string recordRun(const ScratchFolder& folder, const std::string& name, const std::vector<std::string>& signals,
                      int ticks = 300, rt::StepFunction* step = &rt::step,
                      const std::string& model = "motor_four_bar") {
  MemoryDisk disk;
  RecordedRun run(model, 1024, step);
  RecorderOptions options;
  options.signals = {run.directory.resolve(signals), 1};
  run.record(disk.file(), options);
  for (int done = 0; done < ticks; done += 100) {
    run.tick(std::min(100, ticks - done));
    run.settle();
  }
  run.recorder->stop();
  disk.save(folder.file(name));
  return folder.file(name);
}

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

v1::BuildStamp testBuild() {
  v1::BuildStamp build;
  build.set_version("test");
  return build;
}

}  // namespace

TEST_CASE("the distance of two doubles in units of the last place counts the doubles between them",
          "[server][record]") {
  const double inf = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::denorm_min();
  CHECK(ulpDistance(1, 1) == 0);
  CHECK(ulpDistance(1, std::nextafter(1, 2)) == 1);
  CHECK(ulpDistance(std::nextafter(-1, -2), -1) == 1);
  CHECK(ulpDistance(0.0, -0.0) == 1);
  CHECK(ulpDistance(tiny, -tiny) == 3);
  CHECK(ulpDistance(1, 2) == std::uint64_t{1} << 52);
  CHECK(ulpDistance(std::numeric_limits<double>::max(), inf) == 1);
  CHECK(ulpDistance(-1, 1) == 2 * ulpDistance(0, 1) + 1);
  CHECK(ulpDistance(std::nan(""), 1) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("twenty recorded runs replay bit for bit", "[server][record][determinism]") {
  const ScratchFolder folder;
  const int run_number = GENERATE(range(0, 20));
  const char* const models[] = {"motor_four_bar", "double_pendulum", "sedan", "bricard", "chain:n=8"};
  const std::string path = recordRun(folder, "a.mcap", {}, 100 + 37 * run_number, &rt::step, models[run_number % 5]);
  RecordingReader recording(path);
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK(report.complete);
  CHECK(report.begins == 1);
  CHECK(report.ticks == 101 + 37 * static_cast<std::uint64_t>(run_number));
}

TEST_CASE("a replay names the first tick, signal and bit that differ", "[server][record][determinism]") {
  const ScratchFolder folder;
  RecordingReader recording(recordRun(folder, "a.mcap", {"crank.r.*", "crank.v.*"}));
  const ReplayReport report = replay(recording, plantedStep);
  REQUIRE(report.difference);
  CHECK(report.difference->tick == kPlantedTick);
  CHECK(report.difference->signal == "crank.v.x");
  CHECK(report.difference->ulps == 1);
  CHECK(report.complete);  // the file, which is read to its end
  CHECK(report.problem.empty());

  // Without that signal the hash of the tick tells.
  RecordingReader inputs(recordRun(folder, "b.mcap", {}));
  const ReplayReport hashes = replay(inputs, plantedStep);
  REQUIRE(hashes.difference);
  CHECK(hashes.difference->tick == kPlantedTick);
  CHECK(hashes.difference->signal == "state hash");
}

TEST_CASE("a replay follows resets, restores and faults", "[server][record][determinism]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run("motor_four_bar", 1024, failingStep);
  run.tick(10);
  run.record(disk.file());  // in the middle of a run
  run.tick(50);
  rt::Snapshot saved(run.model);
  run.loop.ring().newest(saved);
  run.tick(20);
  run.loop.restore(saved);
  run.tick(30);
  run.loop.reset(run.initial);
  run.tick(200);  // fails on its way
  CHECK(run.loop.faulted());
  run.loop.reset(run.initial);
  run.tick(40);
  run.recorder->stop();
  CHECK(run.recorder->status().lost_ticks == 0);
  disk.save(folder.file("a.mcap"));

  RecordingReader recording(folder.file("a.mcap"));
  const ReplayReport report = replay(recording, failingStep);
  CHECK_FALSE(report.difference);
  CHECK(report.begins == 4);
  CHECK(report.first_tick == 10);
  CHECK(report.ticks == static_cast<std::uint64_t>(1 + 50 + 20 + 1 + 30 + 1 + kPlantedTick + 1 + 40));
  CHECK(report.state_hash == rt::hashState(run.loop.state()));

  // A step that does not fail where the recorded one did.
  RecordingReader again(folder.file("a.mcap"));
  const ReplayReport well = replay(again);
  REQUIRE(well.difference);
  CHECK(well.difference->signal == "status");
  CHECK(well.difference->tick == kPlantedTick - 1);
}

TEST_CASE("a recording that is cut replays up to its last whole block", "[server][record][determinism]") {
  const ScratchFolder folder;
  const std::string path = recordRun(folder, "a.mcap", {}, 300);
  const std::string bytes = textOf(path);
  std::int64_t last = -1;
  std::size_t opened = 0;
  for (std::size_t length = bytes.size() / 2; length < bytes.size(); length += 211) {
    std::ofstream(folder.file("cut.mcap"), std::ios::binary) << bytes.substr(0, length);
    RecordingReader recording(folder.file("cut.mcap"));
    const ReplayReport report = replay(recording);
    REQUIRE_FALSE(report.difference);
    REQUIRE_FALSE(report.complete);
    REQUIRE(report.last_tick >= last);
    last = report.last_tick;
    ++opened;
  }
  CHECK(opened > 3);
}

TEST_CASE("a recording with a changed model or of another format is refused", "[server][record]") {
  v1::RecordingSetup setup = RecordedRun().setup;
  CHECK_NOTHROW(RecordedSession(setup));
  setup.mutable_model()->mutable_bodies(0)->set_mass(2.5);
  CHECK_THROWS_AS(RecordedSession(setup), Error);
  setup.mutable_model()->mutable_bodies(0)->set_mass(-1);
  CHECK_THROWS_AS(RecordedSession(setup), Error);

  v1::BuildStamp here = testBuild();
  CHECK(unlikeBuild(RecordedRun().setup, here).empty());
  here.set_compiler("another");
  CHECK(unlikeBuild(RecordedRun().setup, here).find("another") != std::string::npos);
}

TEST_CASE("a replay names the tick whose recorded state it cannot take", "[server][record]") {
  RecordedSession session(RecordedRun().setup);
  RecordedRow row;
  row.begins = true;
  row.tick = 40;
  row.state.set_format(99);
  CHECK_THROWS_WITH(session.follow(row), Catch::StartsWith("the state of tick 40: snapshot.format is 99"));
}

TEST_CASE("a recording with wrong bytes and correct checksums is refused or differs, and does no other harm",
          "[server][record]") {
  const ScratchFolder folder;
  const std::string bytes = textOf(recordRun(folder, "a.mcap", {"crank.r.*"}, 20));
  // Where the records of each block begin and end. The first one holds the setup.
  constexpr std::size_t kBlockHead = kMcapRecordHead + 40, kChecksum = 16;
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  for (std::size_t at = 8; bytes[at] != 0x0f;) {
    const std::size_t end =
        at + kMcapRecordHead + McapCursor(std::string_view(bytes).substr(at + 1)).number<std::uint64_t>();
    if (bytes[at] == 0x06) blocks.emplace_back(at + kBlockHead, end);
    at = end;
  }
  REQUIRE(blocks.size() >= 2);

  const google::protobuf::LogSilencer silence;  // it reports each text that is none
  std::mt19937 dice(20182);
  int refused = 0, differing = 0, same = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string changed = bytes;
    const auto [first, end] = blocks[dice() % blocks.size()];
    for (auto flips = 1 + dice() % 3; flips > 0; --flips)
      changed[first + dice() % (end - first)] = static_cast<char>(dice());
    const std::uint32_t sum = crc32(std::string_view(changed).substr(first, end - first));
    std::memcpy(changed.data() + first - kChecksum, &sum, sizeof sum);
    std::ofstream(folder.file("bad.mcap"), std::ios::binary) << changed;
    try {
      RecordingReader recording(folder.file("bad.mcap"));
      replay(recording).difference ? ++differing : ++same;
    } catch (const Error&) { ++refused; }
  }
  CHECK(refused > 0);
  CHECK(differing > 0);
  CHECK(refused + differing + same == 1000);
}

TEST_CASE("diff names the first difference of two recordings", "[server][record][determinism]") {
  const ScratchFolder folder;
  const std::string a = recordRun(folder, "a.mcap", {"crank.v.*"}), b = recordRun(folder, "b.mcap", {"crank.v.*"});
  const DiffReport same = diffRecordings(a, b, testBuild());
  CHECK_FALSE(same.difference);
  CHECK(same.compared == 301);
  CHECK(same.same_model);
  CHECK(same.same_build);

  const std::string planted = recordRun(folder, "c.mcap", {"crank.v.*"}, 300, plantedStep);
  const DiffReport report = diffRecordings(a, planted, testBuild());
  REQUIRE(report.difference);
  CHECK(report.difference->tick == kPlantedTick);
  CHECK(report.difference->signal == "crank.v.x");
  CHECK(report.difference->ulps == 1);
  CHECK(report.difference->b == std::nextafter(report.difference->a, 1e9));
  CHECK_FALSE(report.computed);

  // Other lengths: the common part is what counts, and the rest is said.
  const DiffReport longer = diffRecordings(a, recordRun(folder, "d.mcap", {}, 350), testBuild());
  CHECK_FALSE(longer.difference);
  CHECK(longer.compared == 301);
  CHECK(longer.only_b == 50);
}

TEST_CASE("a step that failed in one of two recordings is a difference, with its tick",
          "[server][record][determinism]") {
  const ScratchFolder folder;
  const std::vector<std::string> signals = GENERATE(values<std::vector<std::string>>({{}, {"crank.v.*"}}));
  const std::string well = recordRun(folder, "well.mcap", signals);
  const std::string failed = recordRun(folder, "failed.mcap", signals, 300, failingStep);
  const auto differenceOf = [](const std::string& a, const std::string& b) {
    const DiffReport report = diffRecordings(a, b, testBuild());
    REQUIRE(report.difference);
    CHECK(report.difference->tick == kPlantedTick);
    CHECK(report.difference->signal == "status");
    CHECK(report.compared == kPlantedTick + 1);
    CHECK(report.last_tick == kPlantedTick - 1);
    return *report.difference;
  };
  CHECK(differenceOf(well, failed).text_a == "ok");
  CHECK(differenceOf(failed, well).text_a == "the step failed");
  CHECK(differenceOf(failed, well).text_b == "ok");

  // Two that fail in the same tick are the same, and what follows a reset is compared.
  const auto failAndReset = [&](const std::string& name, int ticks) {
    MemoryDisk disk;
    RecordedRun run("motor_four_bar", 1024, failingStep);
    run.record(disk.file());
    run.tick(200);
    run.loop.reset(run.initial);
    run.tick(ticks);
    run.recorder->stop();
    disk.save(folder.file(name));
    return folder.file(name);
  };
  const DiffReport same = diffRecordings(failAndReset("a.mcap", 20), failAndReset("b.mcap", 30), testBuild());
  CHECK_FALSE(same.difference);
  CHECK(same.compared == kPlantedTick + 1 + 1 + 20);
  CHECK(same.only_a == 0);
  CHECK(same.only_b == 10);
}

TEST_CASE("diff names the file that is not complete, whether or not there is a difference", "[server][record]") {
  const ScratchFolder folder;
  const std::string a = recordRun(folder, "a.mcap", {});
  const std::string other = recordRun(folder, "b.mcap", {}, 300, plantedStep);
  const std::string bytes = textOf(a);
  std::ofstream(folder.file("cut.mcap"), std::ios::binary) << bytes.substr(0, bytes.size() - 100);
  const DiffReport cut = diffRecordings(a, folder.file("cut.mcap"), testBuild());
  CHECK_FALSE(cut.difference);
  CHECK(cut.problem_a.empty());
  CHECK_FALSE(cut.problem_b.empty());
  const DiffReport differing = diffRecordings(folder.file("cut.mcap"), other, testBuild());
  CHECK(differing.difference);
  CHECK(differing.problem_a == cut.problem_b);
  CHECK(differing.problem_b.empty());
}

TEST_CASE("diff of recordings without signals names an input, or replays to name a signal",
          "[server][record][determinism]") {
  const ScratchFolder folder;
  const std::string a = recordRun(folder, "a.mcap", {});

  // An input that differs is named as such.
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file());
  run.tick(29);
  run.input.values[0] = 0.25;
  ++run.input.sequence;
  run.loop.inputs().offer(run.input);
  run.loop.tick();
  run.recorder->stop();
  disk.save(folder.file("b.mcap"));
  const DiffReport input = diffRecordings(a, folder.file("b.mcap"), testBuild());
  REQUIRE(input.difference);
  CHECK(input.difference->tick == 30);
  CHECK(input.difference->signal == "motor");
  CHECK(input.difference->b == 0.25);

  // A state that was set to another one is a difference of hashes: a replay of both finds the signal.
  MemoryDisk other_disk;
  RecordedRun other;
  other.record(other_disk.file());
  other.tick(99);
  rt::Snapshot moved(other.model);
  other.loop.ring().newest(moved);
  moved.header.tick = 100;
  moved.state[rt::kOffsetV] += 0.5;
  other.loop.restore(moved);
  other.recorder->stop();
  other_disk.save(folder.file("c.mcap"));
  const DiffReport state = diffRecordings(a, folder.file("c.mcap"), testBuild());
  REQUIRE(state.difference);
  CHECK(state.computed);
  CHECK(state.difference->tick == 100);
  CHECK(state.difference->ulps > 0);
}

TEST_CASE("a recording is exported as CSV: recorded signals, computed signals, and inputs for a run",
          "[server][record]") {
  const ScratchFolder folder;
  const std::string path = recordRun(folder, "a.mcap", {"crank_angle"}, 90);
  {
    RecordingReader recording(path);
    CsvChoice choice;
    choice.every = 30;
    CHECK_FALSE(needsReplay(recording, choice));
    const CsvReport report = writeCsv(recording, choice, folder.file("a.csv"));
    CHECK(report.rows == 4);
    std::istringstream lines(textOf(folder.file("a.csv")));
    std::string line;
    std::getline(lines, line);
    CHECK(line == "t,crank_angle,motor");
    std::getline(lines, line);
    CHECK(line.substr(0, 2) == "0,");
    std::getline(lines, line);
    CHECK(line.substr(0, line.find(',')) == "0.030000000000000002");
    double motor = std::stod(line.substr(line.rfind(',') + 1));
    CHECK(motor == std::sin(0.01 * 30));
  }
  {
    RecordingReader recording(path);
    CsvChoice choice;
    choice.signals = {"crank_angle", "energy.total"};
    CHECK(needsReplay(recording, choice));
    const CsvReport report = writeCsv(recording, choice, folder.file("b.csv"));
    CHECK(report.computed);
    CHECK(report.rows == 91);
  }
  {
    RecordingReader recording(path);
    CsvChoice choice;
    choice.inputs = true;
    CHECK(writeCsv(recording, choice, folder.file("c.csv")).rows == 30);
    CHECK(textOf(folder.file("c.csv")).substr(0, 8) == "t,motor\n");
  }
  RecordingReader recording(path);
  CsvChoice unknown;
  unknown.signals = {"crank_angel"};
  CHECK_THROWS_AS(writeCsv(recording, unknown, folder.file("d.csv")), Error);
}

TEST_CASE("an export of inputs holds all inputs of one run, or leaves the file that was there", "[server][record]") {
  const ScratchFolder folder;
  MemoryDisk disk;
  RecordedRun run;
  run.record(disk.file());
  run.tick(50);
  run.loop.reset(run.initial);
  run.tick(10);
  run.recorder->stop();
  disk.save(folder.file("reset.mcap"));
  const std::string once = recordRun(folder, "once.mcap", {}, 50);
  const auto refusal = [&](const std::string& recorded, std::int64_t every) {
    std::ofstream(folder.file("a.csv")) << "before";
    CsvChoice choice;
    choice.inputs = true;
    choice.every = every;
    std::string reason;
    try {
      RecordingReader recording(recorded);
      writeCsv(recording, choice, folder.file("a.csv"));
    } catch (const Error& error) { reason = error.what(); }
    CHECK((textOf(folder.file("a.csv")) == "before") != reason.empty());
    return reason;
  };
  CHECK(refusal(once, 1).empty());
  CHECK_THAT(refusal(once, 10), Catch::Contains("--every"));
  CHECK_THAT(refusal(folder.file("reset.mcap"), 1), Catch::Contains("began again at tick 0, after tick 50"));
  // Nothing else is left in the folder: two recordings and one table.
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 3);

  // Signals of several runs are exported, with their times.
  RecordingReader recording(folder.file("reset.mcap"));
  CHECK(writeCsv(recording, {}, folder.file("a.csv")).rows == 62);
}
