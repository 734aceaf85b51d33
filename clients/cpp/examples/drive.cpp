// Drives a session in real time with a sine on one input, at every tick, and reports how the loop ran: the time from an
// input to the first frame that used it, the age of frames on arrival, and what was missed.
#include "clients/cpp/client.h"
#include "clients/cpp/examples/latencies.h"
#include "clients/cpp/examples/run_example.h"
#include "clients/cpp/examples/signal_watch.h"
#include "clients/cpp/server_options.h"
#include "proto/text/duration_option.h"

#include <fmt/core.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <thread>

namespace {

using namespace tactus::example;
using tactus::client::Frame;
using tactus::client::TickStream;
using Clock = std::chrono::steady_clock;

struct Choices {
  tactus::client::Credentials credentials = tactus::client::Credentials::fromEnvironment();
  std::string server = "127.0.0.1:50051", session, input, csv;
  std::vector<std::string> outputs{"*"};
  double amplitude = 1.0, frequency = 0.5;  // unit of the input, Hz
  std::int64_t duration_ns = 0;             // 0: until the server stops
  std::int64_t every_ns = 2'000'000'000, wait_ns = 0;
};

std::int64_t nanoseconds(auto time) {
  return time.time_since_epoch() / std::chrono::nanoseconds(1);
}

/// What happened to the frames and inputs of one run.
class DriveReport {
 public:
  /// @param[in] sequence  0 where the stream has ended
  void sent(std::uint64_t sequence) {
    if (sequence == 0) return;
    sent_at_[sequence % kInFlight] = nanoseconds(Clock::now());
    sent_ = sequence;
  }

  void received(const Frame& frame) {
    if (first_tick_ < 0) first_tick_ = frame.tick() - static_cast<std::int64_t>(frame.missed());
    last_tick_ = frame.tick();
    received_ = frame.sequence();
    missed_ = frame.missed();
    held_ += frame.has(tactus::v1::FRAME_FLAG_INPUT_HELD) ? 1 : 0;
    overruns_ += frame.has(tactus::v1::FRAME_FLAG_OVERRUN) ? 1 : 0;
    age_.add(nanoseconds(std::chrono::system_clock::now()) - frame.serverTimeNs());

    // The first frame that used an input closes its round trip.
    round_trip_ns_ = -1;
    const std::uint64_t used = frame.inputSequence();
    if (used != used_ && used <= sent_ && sent_ - used < kInFlight) {
      round_trip_ns_ = nanoseconds(Clock::now()) - sent_at_[used % kInFlight];
      round_trip_.add(round_trip_ns_);
      ++inputs_used_;
    }
    used_ = used;
  }

  /// Whether any frame has come.
  bool received() const { return first_tick_ >= 0; }

  /// Of the newest frame, ns; -1 where it used no new input.
  std::int64_t roundTripNs() const { return round_trip_ns_; }

  void printLive(const Frame& frame) const {
    fmt::print("tick {}  t {:.3f} s  round trip p50 {:.0f} us p99 {:.0f} us max {:.0f} us  missed {}  held {}\n",
               frame.tick(), frame.simTime(), microseconds(round_trip_.percentile(0.50)),
               microseconds(round_trip_.percentile(0.99)), microseconds(round_trip_.maximum()), missed_, held_);
    std::fflush(stdout);
  }

  void printFinal() const {
    fmt::print(
        "drive: ticks {} to {}, frames received {}, missed {}; inputs sent {}, seen in a frame {}; "
        "ticks on a held input {}, overruns {}\n",
        first_tick_, last_tick_, received_, missed_, sent_, inputs_used_, held_, overruns_);
    fmt::print("{:<24} {:>10} {:>10} {:>10} {:>10}\n", "us", "p50", "p99", "p99.9", "max");
    print("input -> frame", round_trip_);
    print("frame age on arrival", age_);
  }

 private:
  static constexpr std::size_t kInFlight = 4096;

  static double microseconds(std::int64_t nanoseconds) { return 1e-3 * static_cast<double>(nanoseconds); }

  static void print(const char* name, const Latencies& latencies) {
    fmt::print("{:<24} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f}\n", name, microseconds(latencies.percentile(0.50)),
               microseconds(latencies.percentile(0.99)), microseconds(latencies.percentile(0.999)),
               microseconds(latencies.maximum()));
  }

  std::int64_t sent_at_[kInFlight] = {};
  std::uint64_t sent_ = 0, used_ = 0, inputs_used_ = 0, received_ = 0, missed_ = 0, held_ = 0, overruns_ = 0;
  std::int64_t first_tick_ = -1, last_tick_ = -1, round_trip_ns_ = -1;
  Latencies round_trip_, age_;
};

/// One line a frame: t, the signals, the age of the input (ticks), the round trip (s, empty where there is none).
class CsvFile {
 public:
  CsvFile(const std::string& path, const tactus::client::Layout& layout)
      : path_(path), file_(std::fopen(path.c_str(), "w"), &std::fclose) {
    if (!file_) throw std::runtime_error("cannot write '" + path + "'");
    std::fputs("t", file_.get());
    for (const std::string& name : layout.names()) fmt::print(file_.get(), ",{}", name);
    std::fputs(",input_age_ticks,round_trip\n", file_.get());
  }

  void write(const Frame& frame, std::int64_t round_trip_ns) {
    fmt::print(file_.get(), "{:.17g}", frame.simTime());
    for (const double value : frame.values()) fmt::print(file_.get(), ",{:.17g}", value);
    fmt::print(file_.get(), ",{},", frame.inputAge());
    if (round_trip_ns >= 0) fmt::print(file_.get(), "{:.9f}", 1e-9 * static_cast<double>(round_trip_ns));
    std::fputc('\n', file_.get());
  }

  /// Ends the file. @throws std::runtime_error if what was written does not fit
  void close() {
    const bool whole = std::ferror(file_.get()) == 0;
    if (std::fclose(file_.release()) != 0 || !whole) throw std::runtime_error("cannot write '" + path_ + "'");
  }

 private:
  const std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Inputs that the server refused. Told by the thread that receives frames.
class Refusals {
 public:
  /// Prints a notice, of refused inputs the first one alone: there may be one at every tick.
  void tell(const tactus::v1::TickNotice& notice) {
    const std::string& hint = notice.detail().hint();
    const std::string why = notice.message() + (hint.empty() ? "" : "; " + hint);
    const bool is_refused = notice.reason() == "INPUT_REFUSED";
    if (is_refused && count_++ > 0) return;
    if (is_refused) first_ = why;
    fmt::print("notice at tick {}: {}{}{}\n", notice.tick(), notice.reason(), why.empty() ? "" : " ", why);
  }

  /// @throws std::runtime_error if there were some
  void check() const {
    if (count_ > 0) throw std::runtime_error(fmt::format("{} inputs were refused, the first one: {}", count_, first_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_;
};

/// The named session; without a name the first that runs, or a new one.
tactus::client::Session findSession(const tactus::client::Client& client, const std::string& name) {
  if (!name.empty()) return client.session(name);
  const auto sessions = client.sessions();
  if (!sessions.empty()) return client.session(sessions.front().name());
  auto created = client.createSession("motor_four_bar");
  created.start();
  return created;
}

/// The clock lockstep waits for inputs, and this program for ticks. @throws std::runtime_error for a session with it
void requireTicks(const tactus::client::Session& session) {
  if (session.status().clock() != tactus::v1::CLOCK_MODE_LOCKSTEP) return;
  throw std::runtime_error("session " + session.name() +
                           " is in lockstep: each tick waits for an input, and this program waits for ticks; run "
                           "tactus_lockstep, or make a session that ticks by itself: tactus session create MODEL "
                           "--clock real-time --start");
}

void drive(const Choices& choices) {
  const tactus::client::Client client(choices.server, {.wait = std::chrono::milliseconds(choices.wait_ns / 1'000'000),
                                                       .credentials = choices.credentials});
  const auto session = findSession(client, choices.session);
  const std::string input = choices.input.empty() ? firstInput(session) : choices.input;
  requireTicks(session);
  Refusals refusals;
  auto stream = session.tick(
      {.inputs = {input}, .outputs = choices.outputs, .on_notice = [&](const auto& notice) { refusals.tell(notice); }});
  fmt::print("driving {} of session {} on {}: {:g} sin(2 pi {:g} Hz t) at every tick of {}\n", input, session.name(),
             choices.server, choices.amplitude, choices.frequency,
             tactus::text::formatDuration(stream.opened().period_ns()));
  std::fflush(stdout);

  const auto csv = choices.csv.empty() ? nullptr : std::make_unique<CsvFile>(choices.csv, stream.outputs());
  const auto longest = std::chrono::nanoseconds(choices.duration_ns);
  // The stream of a session that does not tick brings no frame.
  const SignalWatch watch(stream, choices.duration_ns > 0 ? longest + std::chrono::seconds(1) : longest);
  const auto started = Clock::now();
  const auto every = std::chrono::nanoseconds(choices.every_ns);
  auto next_line = started + every;

  // Every frame is answered with the input for the next tick; files and reports come after the answer.
  DriveReport report;
  Frame frame;
  const double period = 1e-9 * static_cast<double>(stream.opened().period_ns());
  while (stream.receive(frame)) {
    report.received(frame);
    const double time = static_cast<double>(frame.tick() + 1) * period;
    report.sent(stream.send({choices.amplitude * std::sin(2.0 * std::numbers::pi * choices.frequency * time)}));

    if (csv) csv->write(frame, report.roundTripNs());
    const auto now = Clock::now();
    if (now >= next_line) {
      report.printLive(frame);
      next_line += every;
    }
    if (choices.duration_ns > 0 && now - started >= longest) {
      stream.close();
      break;
    }
  }
  if (csv) csv->close();
  if (!report.received()) {
    if (watch.ended())
      throw std::runtime_error("the session did not tick; start it with: tactus session start " + session.name());
    return fmt::print("drive: the server ended the stream before its first frame\n");
  }
  report.printFinal();
  refusals.check();
}

}  // namespace

int main(int argc, char** argv) {
  Choices choices;
  CLI::App app("Drives a session in real time with a sine on one input, until the server stops or Ctrl-C");
  tactus::client::addServerOption(app, choices.server, choices.credentials);
  app.add_option("--session", choices.session, "Session to drive; default: the first, or a new motor_four_bar");
  app.add_option("--input", choices.input, "Actuator to drive; default: the first of the session");
  app.add_option("--outputs", choices.outputs, "Signals to read, names or globs")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--amplitude", choices.amplitude, "Amplitude of the sine, in the unit of the input")
      ->capture_default_str();
  tactus::text::addFrequency(app, "--frequency", choices.frequency, "Frequency of the sine, e.g. 0.5Hz");
  tactus::text::addDuration(app, "--duration", choices.duration_ns,
                            "How long to drive, e.g. 10s; default: until the server stops");
  tactus::text::addDuration(app, "--every", choices.every_ns, "Time between two lines of the report");
  tactus::text::addDuration(app, "--wait", choices.wait_ns, "How long the server may take to appear, e.g. 10s");
  app.add_option("--csv", choices.csv, "Write every frame to this file");
  return runExample(app, argc, argv, [&] {
    SignalWatch::block();
    drive(choices);
  });
}
