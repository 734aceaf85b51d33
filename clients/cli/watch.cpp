#include "clients/cli/watch.h"

#include "clients/cli/live_screen.h"
#include "clients/cli/remote.h"
#include "proto/text/above_zero.h"
#include "proto/text/duration_option.h"
#include "proto/text/enum_word.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct WatchChoices : RemoteChoices {
  std::vector<std::string> patterns;
  std::int64_t every_ns = 500'000'000, count = 0;  // a count of 0: until Ctrl-C
};

/// The values of one signal that were seen so far.
struct Seen {
  double lowest, highest;
};

/// Signals of one session, and the extremes of what was read.
class Watch {
 public:
  Watch(const Session& session, std::vector<std::string> patterns) : session_(session), patterns_(std::move(patterns)) {
    if (patterns_.empty()) patterns_ = {"*"};
    readUnits();
  }

  void read() {
    frame_ = session_.read(patterns_);
    // Another session may have taken the name of the one before.
    if (!seen_.empty() && frame_.layout().hash() != layout_hash_) {
      seen_.clear();
      readUnits();
    }
    layout_hash_ = frame_.layout().hash();
    const auto values = frame_.values();
    if (seen_.empty())
      for (const double value : values) seen_.push_back({value, value});
    for (std::size_t i = 0; i < values.size(); ++i)
      seen_[i] = {std::min(seen_[i].lowest, values[i]), std::max(seen_[i].highest, values[i])};
  }

  std::string text() {
    const v1::Session now = session_.status();
    text::Table table({"signal", "value", "unit", "lowest read", "highest read"}, "lrlrr");
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const std::string& name = frame_.layout().names()[i];
      table.add({name, fmt::format("{:.6g}", frame_.values()[i]), units_[name], fmt::format("{:.6g}", seen_[i].lowest),
                 fmt::format("{:.6g}", seen_[i].highest)});
    }
    return fmt::format("session {}: {} at tick {} ({:.3f} s), authority: {}\n", session_.name(),
                       text::enumWord(*v1::SessionState_descriptor(), now.state()), frame_.tick(), frame_.simTime(),
                       text::enumWord(*v1::InputMode_descriptor(), frame_.inputMode())) +
           table.text();
  }

  /// One line.
  std::string json() const {
    Json values = Json::object();
    for (std::size_t i = 0; i < seen_.size(); ++i) values[frame_.layout().names()[i]] = frame_.values()[i];
    return Json{{"session", session_.name()},
                {"tick", frame_.tick()},
                {"sim_time_ns", frame_.simTimeNs()},
                {"values", values}}
               .dump() +
           '\n';
  }

 private:
  void readUnits() {
    units_.clear();
    for (const v1::Signal& signal : session_.signals(patterns_)) units_[signal.name()] = signal.unit();
  }

  const Session& session_;
  std::vector<std::string> patterns_;
  std::unordered_map<std::string, std::string> units_;
  Frame frame_;
  std::uint64_t layout_hash_ = 0;  // of seen_
  std::vector<Seen> seen_;
};

void run(const WatchChoices& choices) {
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  Watch watch(session, choices.patterns);
  LiveScreen screen(!choices.json);
  for (std::int64_t n = 1;; ++n) {
    watch.read();
    if (choices.json) {
      printNow(watch.json());
    } else {
      screen.show(watch.text());
    }
    if (n == choices.count) return;
    std::this_thread::sleep_for(std::chrono::nanoseconds(choices.every_ns));
  }
}

}  // namespace

void addWatchCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<WatchChoices>();
  CLI::App* command = addRemoteCommand(
      app, "watch", "Show signals of a running session in a table that is updated regularly", *choices);
  command->add_option("SIGNAL", choices->patterns, "Names and globs of signals, e.g. chassis.r.*; default: all");
  addSessionOption(*command, *choices);
  text::addDuration(*command, "--every", choices->every_ns, "Time between two readings, e.g. 100ms");
  command->add_option("--count", choices->count, "End after this number of readings; default: at Ctrl-C")
      ->check(text::aboveZero());
  onCall(*command, exit_code, [choices] {
    run(*choices);
    return text::kExitOk;
  });
}

}  // namespace tactus::client
