#include "clients/cli/timing.h"

#include "clients/cli/live_screen.h"
#include "clients/cli/remote.h"
#include "proto/text/duration_option.h"
#include "proto/text/enum_word.h"
#include "proto/text/json_text.h"
#include "proto/text/prometheus.h"
#include "proto/text/timing_change.h"
#include "proto/text/timing_json.h"
#include "proto/text/timing_text.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace tactus::client {
namespace {

struct TimingChoices : RemoteChoices {
  std::int64_t every_ns = 2'000'000'000;
  bool watch = false, prometheus = false, reset = false;
};

std::string headOf(const v1::Session& session) {
  return fmt::format("session {}: {} at tick {} ({:.3f} s), authority: {}; clock {}, period {}\n", session.name(),
                     text::enumWord(*v1::SessionState_descriptor(), session.state()), session.tick(),
                     1e-9 * static_cast<double>(session.tick()) * static_cast<double>(session.period_ns()),
                     text::enumWord(*v1::InputMode_descriptor(), session.input_mode()), clockWord(session.clock()),
                     text::formatDuration(session.period_ns()));
}

/// One report in the chosen form; JSON takes one line where reports follow each other.
std::string textOf(const Session& session, const v1::TimingReport& report, const std::string& change,
                   const TimingChoices& choices) {
  if (choices.prometheus) return text::prometheusText(session.name(), report);
  const auto json = [&] { return text::timingJson(session.name(), report); };
  if (choices.json) return choices.watch ? json().dump() + '\n' : text::jsonText(json());
  return headOf(session.status()) + change + text::timingText(report);
}

void run(const TimingChoices& choices) {
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const bool for_people = !choices.json && !choices.prometheus;
  LiveScreen screen(choices.watch && for_people);
  v1::TimingReport before;
  std::chrono::steady_clock::time_point at;
  for (bool first = true;; first = false) {
    v1::TimingReport report = session.timing(choices.reset);
    // What was granted does not change while the session runs: the first report of a watch names it.
    if (choices.watch && for_people && (!first || screen.inPlace())) report.clear_realtime_grants();
    const auto now = std::chrono::steady_clock::now();
    const std::string change =
        first ? "" : text::timingChange(before, report, std::chrono::duration<double>(now - at).count());
    const std::string shown = textOf(session, report, change, choices);
    for_people ? screen.show(shown) : printNow(shown);
    if (!choices.watch) return;
    // After a reset the counts of the next report begin at zero.
    before = choices.reset ? v1::TimingReport() : std::move(report);
    at = now;
    std::this_thread::sleep_for(std::chrono::nanoseconds(choices.every_ns));
  }
}

}  // namespace

void addTimingCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<TimingChoices>();
  CLI::App* command = app.add_subcommand("timing", "Show the timing report of a running session");
  addServerOption(*command, *choices);
  addSessionOption(*command, *choices);
  CLI::Option* const watch =
      command->add_flag("--watch", choices->watch,
                        "Print reports until Ctrl-C, with the rates between two reports; in place on a terminal");
  text::addDuration(*command, "--every", choices->every_ns, "Time between two reports of --watch, e.g. 500ms")
      ->needs(watch);
  command->add_flag("--reset", choices->reset, "Reset the counters after each report");
  command->add_flag("--prometheus", choices->prometheus, "Print the text format of Prometheus");
  command->add_flag("--json", choices->json, "Print JSON; with --watch, one line for each report")
      ->excludes("--prometheus");
  onCall(*command, exit_code, [choices] {
    run(*choices);
    return text::kExitOk;
  });
}

}  // namespace tactus::client
