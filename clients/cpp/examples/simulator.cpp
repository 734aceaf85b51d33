// Plays the part of a driving simulator: one thread exchanges driver inputs and states with the server at every tick,
// another draws at 60 Hz and asks for the poses of its own instant, between two ticks.
#include "clients/cpp/client.h"
#include "clients/cpp/examples/driver_input.h"
#include "clients/cpp/examples/pose_buffer.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

namespace {

using namespace tactus::example;
using tactus::client::Frame;
using Clock = std::chrono::steady_clock;

struct Choices {
  std::string server = "127.0.0.1:50051", inputs, poses;
  double duration = 0, rate = 60, delay = 0.02;  // s, Hz, s
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

/// What the renderer saw.
struct DrawReport {
  int drawn = 0, between = 0, too_new = 0, too_old = 0;
};

/// Draws at its own rate until told to stop. Here a drawing is a line of the file and, now and then, of the terminal.
DrawReport draw(const Choices& choices, const PoseBuffer& buffer, const SimulatedClock& clock,
                const std::atomic<double>& speed, const std::atomic<bool>& stop) {
  const auto file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>(
      choices.poses.empty() ? nullptr : std::fopen(choices.poses.c_str(), "w"),
      [](std::FILE* f) { return std::fclose(f); });
  if (file) std::fputs("t,x,y,z,e0,e1,e2,e3,wheel_e0,wheel_e2\n", file.get());
  DrawReport report;
  std::vector<Pose> poses;
  const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / choices.rate));
  for (auto next = Clock::now(); !stop; next += period) {
    std::this_thread::sleep_until(next);
    const double t = clock.read() - choices.delay;
    switch (buffer.at(t, poses)) {
      case PoseBuffer::Answer::kNone: continue;
      case PoseBuffer::Answer::kBetween: ++report.between; break;
      case PoseBuffer::Answer::kTooNew: ++report.too_new; break;
      case PoseBuffer::Answer::kTooOld: ++report.too_old; break;
    }
    const Pose &car = poses[0], &wheel = poses[1];
    if (file)
      std::fprintf(file.get(), "%.6f,%.6f,%.6f,%.6f,%.8f,%.8f,%.8f,%.8f,%.8f,%.8f\n", t, car.position[0],
                   car.position[1], car.position[2], car.orientation[0], car.orientation[1], car.orientation[2],
                   car.orientation[3], wheel.orientation[0], wheel.orientation[2]);
    if (report.drawn++ % static_cast<int>(choices.rate) == 0) {
      std::printf("t %7.2f s   x %8.2f m   y %7.2f m   %6.1f km/h\n", t, car.position[0], car.position[1], 3.6 * speed);
      std::fflush(stdout);
    }
  }
  return report;
}

void simulate(const Choices& choices) {
  std::optional<RecordedDriver> recorded;
  std::optional<KeyboardDriver> keyboard;
  if (!choices.inputs.empty())
    recorded.emplace(choices.inputs);
  else if (isatty(STDIN_FILENO) != 0)
    keyboard.emplace();
  if (keyboard) std::puts("arrows: left and right steer, up drives, down brakes; q ends");

  const tactus::client::Client client(choices.server);
  tactus::v1::CreateSessionRequest wanted;
  wanted.set_model_name("sedan");
  auto session = client.createSession(wanted);
  auto stream = session.tick({.inputs = {kDriverInputs.begin(), kDriverInputs.end()}, .outputs = wantedSignals()});
  session.start();

  PoseBuffer buffer(kBodies.size());
  SimulatedClock clock;
  std::atomic<double> speed{0};
  std::atomic<bool> stop{false};
  DrawReport report;
  std::thread renderer([&] { report = draw(choices, buffer, clock, speed, stop); });

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
      if (choices.duration > 0 && frame.simTime() >= choices.duration) break;
    }
  } catch (...) {
    stop = true;
    renderer.join();
    throw;
  }
  stop = true;
  renderer.join();
  stream.close();
  std::printf(
      "simulator: %lld frames received, %llu missed, %lld ticks on a held input; %d drawn, %d between two ticks, "
      "%d newer than the newest, %d older than the oldest\n",
      static_cast<long long>(ticks), static_cast<unsigned long long>(frame.missed()), static_cast<long long>(held),
      report.drawn, report.between, report.too_new, report.too_old);
}

}  // namespace

int main(int argc, char** argv) {
  Choices choices;
  CLI::App app("Plays a driving simulator: drives the sedan at every tick and draws it at 60 Hz");
  const CLI::AsNumberWithUnit seconds(std::map<std::string, double>{{"ms", 1e-3}, {"s", 1.0}, {"min", 60.0}},
                                      CLI::AsNumberWithUnit::UNIT_REQUIRED, "DURATION");
  app.add_option("--server", choices.server, "Where the server listens")->capture_default_str();
  app.add_option("--inputs", choices.inputs, "Recorded driver: CSV of t,steering,throttle,brake,gear_ratio");
  app.add_option("--duration", choices.duration, "Simulated time to drive, e.g. 10s; default: until q or Ctrl-C")
      ->transform(seconds);
  app.add_option("--rate", choices.rate, "Of the renderer, Hz")->check(CLI::Range(1.0, 1000.0))->capture_default_str();
  app.add_option("--delay", choices.delay, "How far behind the newest state is drawn")->transform(seconds);
  app.add_option("--poses", choices.poses, "Write what was drawn, one line a drawing");
  CLI11_PARSE(app, argc, argv);
  try {
    simulate(choices);
    return 0;
  } catch (const tactus::client::ClientError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.unreachable() ? 3 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
