// Plays the part of a driving simulator: one thread exchanges driver inputs and states with the server at every tick,
// another draws at 60 Hz and asks for the poses of its own instant, between two ticks.
#include "clients/cpp/client.h"
#include "clients/cpp/examples/driver_input.h"
#include "clients/cpp/examples/pose_buffer.h"
#include "clients/cpp/examples/run_example.h"
#include "clients/cpp/examples/signal_watch.h"
#include "clients/cpp/server_options.h"
#include "proto/text/duration_option.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace tactus::example;
using tactus::client::Frame;
using Clock = std::chrono::steady_clock;

struct Choices {
  tactus::client::Credentials credentials = tactus::client::Credentials::fromEnvironment();
  std::string server = "127.0.0.1:50051", inputs, poses;
  double rate = 60;              // Hz
  std::int64_t duration_ns = 0;  // 0: until q or Ctrl-C
  std::int64_t delay_ns = 20'000'000;
  bool no_view = false;  // compute every picture, draw none on the terminal
};

const std::vector<std::string> kBodies = {"chassis", "wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"};

std::vector<std::string> wantedSignals() {
  std::vector<std::string> signals;
  for (const std::string& body : kBodies)
    for (const char* part : {".r.x", ".r.y", ".r.z", ".p.e0", ".p.e1", ".p.e2", ".p.e3"})
      signals.push_back(body + part);
  signals.emplace_back("speed");
  return signals;
}

/// Simulated time as it passes on this machine: follows the frames, smoothly, without a clock of the server.
class SimulatedClock {
 public:
  void frame(double t) {
    const double offset = t - now();
    const double before = offset_.load();
    offset_ = before < -1e300 ? offset : before + 0.01 * (offset - before);
  }
  /// s; the newest state that may be expected here
  double read() const { return now() + offset_.load(); }

 private:
  static double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }
  std::atomic<double> offset_{-2e300};
};

/// One line a drawing: time, pose of the chassis, orientation of a wheel.
class PoseFile {
 public:
  /// @throws std::runtime_error  if the file cannot be written
  explicit PoseFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) fail(std::strerror(errno));
    std::fputs("t,x,y,z,e0,e1,e2,e3,wheel_e0,wheel_e2\n", file_);
  }
  ~PoseFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  PoseFile(const PoseFile&) = delete;
  PoseFile& operator=(const PoseFile&) = delete;

  void write(double t, const Pose& car, const Pose& wheel) {
    const std::string line = fmt::format("{:.6f},{:.6f},{:.8f},{:.8f},{:.8f}\n", t, fmt::join(car.position, ","),
                                         fmt::join(car.orientation, ","), wheel.orientation[0], wheel.orientation[2]);
    std::fputs(line.c_str(), file_);
  }

  /// @throws std::runtime_error  if a line was not written
  void close() {
    const bool complete = std::fflush(file_) == 0 && std::ferror(file_) == 0;
    std::fclose(std::exchange(file_, nullptr));
    if (!complete) fail("some lines are missing");
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw std::runtime_error("cannot write '" + path_ + "': " + reason);
  }

  std::string path_;
  std::FILE* file_;
};

/// What the renderer saw.
struct DrawReport {
  int drawn = 0, between = 0, too_new = 0, too_old = 0;
};

/// Draws at its own rate until told to stop. Here a drawing is a line of the file and, now and then, of the terminal.
DrawReport draw(const Choices& choices, std::optional<PoseFile>& file, const PoseBuffer& buffer,
                const SimulatedClock& clock, const std::atomic<double>& speed, const std::atomic<bool>& stop) {
  DrawReport report;
  std::vector<Pose> poses;
  const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / choices.rate));
  for (auto next = Clock::now(); !stop; next += period) {
    std::this_thread::sleep_until(next);
    const double t = clock.read() - 1e-9 * static_cast<double>(choices.delay_ns);
    switch (buffer.at(t, poses)) {
      case PoseBuffer::Answer::kNone: continue;
      case PoseBuffer::Answer::kBetween: ++report.between; break;
      case PoseBuffer::Answer::kTooNew: ++report.too_new; break;
      case PoseBuffer::Answer::kTooOld: ++report.too_old; break;
    }
    const Pose &car = poses[0], &wheel = poses[1];
    if (file) file->write(t, car, wheel);
    if (report.drawn++ % static_cast<int>(choices.rate) == 0 && !choices.no_view) {
      fmt::print("t {:7.2f} s   x {:8.2f} m   y {:7.2f} m   {:6.1f} km/h\n", t, car.position[0], car.position[1],
                 3.6 * speed);
      std::fflush(stdout);
    }
  }
  return report;
}

void simulate(const Choices& choices) {
  if (choices.rate < 1 || choices.rate > 1000) throw std::invalid_argument("--rate must be between 1Hz and 1kHz");
  std::optional<RecordedDriver> recorded;
  std::optional<KeyboardDriver> keyboard;
  if (!choices.inputs.empty())
    recorded.emplace(choices.inputs);
  else if (isatty(STDIN_FILENO) != 0)
    keyboard.emplace();
  std::optional<PoseFile> file;
  if (!choices.poses.empty()) file.emplace(choices.poses);
  if (keyboard) std::puts("arrows: left and right steer, up drives, down brakes; q ends");

  const tactus::client::Client client(choices.server, {.credentials = choices.credentials});
  tactus::v1::CreateSessionRequest wanted;
  wanted.set_model_name("sedan");
  auto session = client.createSession(wanted);
  auto stream = session.tick({.inputs = {kDriverInputs.begin(), kDriverInputs.end()}, .outputs = wantedSignals()});
  const SignalWatch watch(stream);
  session.start();

  PoseBuffer buffer(kBodies.size());
  SimulatedClock clock;
  std::atomic<double> speed{0};
  std::atomic<bool> stop{false};
  DrawReport report;
  std::thread renderer([&] { report = draw(choices, file, buffer, clock, speed, stop); });

  // The loop of the simulator: a frame, and the driver's answer for the next tick.
  Frame frame;
  std::vector<Pose> poses(kBodies.size());
  std::int64_t ticks = 0, held = 0;
  try {
    while (stream.receive(frame)) {
      const std::span<const double> values = frame.values();
      for (std::size_t b = 0; b < kBodies.size(); ++b) {
        std::copy_n(values.data() + 7 * b, 3, poses[b].position.begin());
        std::copy_n(values.data() + 7 * b + 3, 4, poses[b].orientation.begin());
      }
      speed = values.back();
      buffer.push(frame.simTime(), poses);
      clock.frame(frame.simTime());
      ++ticks;
      held += frame.inputAge() > 0 ? 1 : 0;

      if (keyboard && frame.tick() % 10 == 0 && !keyboard->update(0.01)) break;
      const DriverInput input = recorded ? recorded->at(frame.simTime()) : keyboard ? keyboard->input() : DriverInput{};
      stream.send(input.values());
      if (choices.duration_ns > 0 && frame.simTimeNs() >= choices.duration_ns) break;
    }
  } catch (...) {
    stop = true;
    renderer.join();
    throw;
  }
  stop = true;
  renderer.join();
  stream.close();
  if (file) file->close();
  fmt::print(
      "simulator: {} frames received, {} missed, {} ticks on a held input; {} drawn, {} between two ticks, "
      "{} newer than the newest, {} older than the oldest\n",
      ticks, frame.missed(), held, report.drawn, report.between, report.too_new, report.too_old);
}

}  // namespace

int main(int argc, char** argv) {
  Choices choices;
  CLI::App app("Plays a driving simulator: drives the sedan at every tick and draws it at 60 Hz");
  tactus::client::addServerOption(app, choices.server, choices.credentials);
  app.add_option("--inputs", choices.inputs, "Recorded driver: CSV of t,steering,throttle,brake,gear_ratio");
  tactus::text::addDuration(app, "--duration", choices.duration_ns,
                            "Simulated time to drive, e.g. 10s; default: until q or Ctrl-C");
  tactus::text::addFrequency(app, "--rate", choices.rate, "Frequency of the renderer, 1Hz to 1kHz");
  tactus::text::addDuration(app, "--delay", choices.delay_ns, "Delay of the picture behind the newest state");
  app.add_flag("--no-view", choices.no_view, "Compute every picture, draw none");
  app.add_option("--poses", choices.poses, "Write what was drawn, one line a drawing");
  return runExample(app, argc, argv, [&] {
    SignalWatch::block();
    simulate(choices);
  });
}
