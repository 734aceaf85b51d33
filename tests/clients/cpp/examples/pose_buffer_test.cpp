// What the renderer of the simulator example asks.
// Covers: clients/cpp/examples/pose_buffer.h, clients/cpp/examples/driver_input.h
#include "clients/cpp/examples/pose_buffer.h"
#include "clients/cpp/examples/driver_input.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

#include <unistd.h>

using namespace tactus::example;

namespace {

Pose poseAt(double x, double angle) {
  return {{x, 0, 0}, {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}};
}

}  // namespace

TEST_CASE("a pose between two frames lies between them, and on the shorter arc", "[clients]") {
  const Pose a = poseAt(1, 0.2), b = poseAt(3, 0.4);
  const Pose mid = between(a, b, 0.5);
  CHECK(mid.position[0] == Approx(2));
  CHECK(2 * std::atan2(mid.orientation[3], mid.orientation[0]) == Approx(0.3));
  Pose turned = b;
  for (double& e : turned.orientation) e = -e;  // the same orientation
  const Pose same = between(a, turned, 0.5);
  CHECK(std::abs(2 * std::atan2(same.orientation[3], same.orientation[0])) == Approx(0.3));
  CHECK(between(a, b, 0).position[0] == 1);
  CHECK(between(a, b, 1).orientation[3] == Approx(b.orientation[3]));
}

TEST_CASE("a pose buffer answers for any time, and marks times without frames around them", "[clients]") {
  PoseBuffer buffer(1, 8);
  std::vector<Pose> poses;
  CHECK(buffer.at(0, poses) == PoseBuffer::Answer::kNone);
  for (int k = 0; k < 20; ++k) buffer.push(0.001 * k, {poseAt(k, 0)});
  CHECK(buffer.newest() == Approx(0.019));
  CHECK(buffer.at(0.0165, poses) == PoseBuffer::Answer::kBetween);
  CHECK(poses[0].position[0] == Approx(16.5));
  CHECK(buffer.at(0.019, poses) == PoseBuffer::Answer::kBetween);
  CHECK(buffer.at(0.020, poses) == PoseBuffer::Answer::kTooNew);
  CHECK(poses[0].position[0] == 19);
  CHECK(buffer.at(0.005, poses) == PoseBuffer::Answer::kTooOld);
  CHECK(poses[0].position[0] == 12);
}

TEST_CASE("a recorded driver holds each row until the next; a broken file names its line", "[clients]") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tactus_driver_" + std::to_string(::getpid()) + ".csv");
  const auto write = [&path](const char* text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    std::fputs(text, file);
    std::fclose(file);
  };
  const std::string head = "t,steering,throttle,brake,gear_ratio\n";
  write((head + "0.5,0.1,0.2,0,3.6\n2,-0.1,0,1,0\n").c_str());
  const RecordedDriver driver(path);
  CHECK(driver.at(0.4).throttle == 0);
  CHECK(driver.at(0.5).steering == 0.1);
  CHECK(driver.at(1.9).gear_ratio == 3.6);
  CHECK(driver.at(99).brake == 1);
  // As a spreadsheet writes it.
  write("\xEF\xBB\xBFt,steering,throttle,brake,gear_ratio\r\n0,+0.1,0.2,0,1\r\n");
  CHECK(RecordedDriver(path).at(0).steering == 0.1);
  const auto refused = [&](const std::string& text, const std::string& reason) {
    write(text.c_str());
    try {
      const RecordedDriver broken(path);
      return false;
    } catch (const std::exception& error) { return std::string(error.what()).find(reason) != std::string::npos; }
  };
  CHECK(refused("time,steering\n", "the first line must be"));
  CHECK(refused(head + "0,1,2,3\n", ":2: must be five numbers"));
  CHECK(refused(head + "0,0,0.2,0,1.4xyz,9\n", ":2: must be five numbers"));
  CHECK(refused(head + "0,0,0.2,0,1.4,9\n", ":2: must be five numbers"));
  CHECK(refused(head + "0,0,0,0,0\n0,0,0,0,0\n", ":3: this time is given twice"));
  CHECK(refused(head, "has no rows"));
  std::filesystem::remove(path);
  CHECK_THROWS(RecordedDriver(path));
}
