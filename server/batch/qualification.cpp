#include "server/batch/qualification.h"

#include "proto/text/duration.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/error.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "server/batch/offline_run.h"
#include "server/batch/shown.h"
#include "server/doctor/host_name.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

namespace tactus::server {
namespace {

/// Maximum number of states to compare; each is hashed.
constexpr std::int64_t kMaxChecks = 10'000;
/// One deadline in this many may be missed.
constexpr std::int64_t kForgiven = 1000;

std::string durationOf(double ns) {
  return text::formatMeasured(std::llround(ns));
}

std::string seconds(double s) {
  std::ostringstream text;
  text.precision(3);
  text << s << " s";
  return text.str();
}

const rt::LatencySummary& totalOf(const rt::TickStatsReport& stats) {
  return stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
}

/// All parts of a qualification, in the order of their execution.
class Qualification {
 public:
  Qualification(const rt::Model& model, const QualificationOptions& options, const std::atomic<bool>& interrupt,
                const std::function<void(const std::string&)>& progress)
      : model_(model),
        options_(options),
        interrupt_(interrupt),
        progress_(progress),
        plan_(rt::compilePlan(model)),
        start_(rt::initialState(model, rt::findInitialCondition(model, options.initial_condition)).state),
        every_(std::max<std::int64_t>(1, options.ticks / kMaxChecks)),
        middle_(model) {
    if (options.ticks < 2) throw Error("duration: must be at least two periods");
    rt::TickClock(options.settings.period_ns, {});  // refuses a bad period before any thread starts
  }

  QualificationReport run() {
    report_.host = nameHost("");
    report_.host_findings = checkHost("", readRights());
    report_.period_ns = options_.settings.period_ns;
    stage("first run, without pauses");
    first_ = hashes(&middle_, &report_);
    if (report_.status == rt::TickStatus::kOk && !interrupt_) repeat();
    if (report_.status == rt::TickStatus::kOk && !interrupt_) pace();
    if (report_.status == rt::TickStatus::kOk && !interrupt_) compare();
    report_.interrupted = interrupt_;
    if (!report_.interrupted) judge(options_, report_);
    return report_;
  }

 private:
  /// Runs all ticks without pauses. @returns the hashes of the states to compare, including the last state
  /// @param[out] middle  what is published at half the ticks
  std::vector<std::uint64_t> hashes(rt::Snapshot* middle, QualificationReport* report) const {
    std::vector<std::uint64_t> all;
    OfflineRunOptions run;
    run.settings = options_.settings;
    run.ticks = options_.ticks;
    run.initial_condition = options_.initial_condition;
    run.script = options_.script;
    run.observe = [&](const rt::Snapshot& snapshot) {
      const std::int64_t tick = snapshot.header.tick;
      if (isCompared(tick)) all.push_back(rt::hashState(tick, snapshot.state));
      if (middle && tick == options_.ticks / 2) *middle = snapshot;
    };
    const OfflineRunReport done = runOffline(model_, run, interrupt_);
    if (!report) return all;
    report->status = done.status;
    report->not_converged = done.not_converged;
    report->iterations_needed = done.iterations_needed;
    report->times_real_time = static_cast<double>(done.ticks) * options_.settings.dt() / done.wall_seconds;
    return all;
  }

  bool isCompared(std::int64_t tick) const { return tick > 0 && (tick % every_ == 0 || tick == options_.ticks); }

  /// Reruns with 2, 4, ... threads that share a step, up to the cores of the machine and the work of the model.
  void shareSteps() {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    for (int threads = 2; threads <= std::min(cores, rt::maxThreads(plan_, options_.settings)) && !interrupt_;
         threads *= 2) {
      const std::string how = std::to_string(threads) + " threads that share each step";
      progress_("rerun: " + how);
      rt::LoopOptions shared;
      shared.script = options_.script;
      shared.threads = threads;
      rt::TickLoop loop(model_, plan_, options_.settings, start_, shared);
      std::vector<std::uint64_t> own;
      while (loop.state().tick < options_.ticks && !interrupt_ && loop.tick() == rt::TickStatus::kOk)
        if (isCompared(loop.state().tick)) own.push_back(rt::hashState(loop.state()));
      report_.reruns.push_back({how + ", from the start", firstDifference(own, 0)});
    }
  }

  /// @returns the tick of the first state that differs from the first run, or 0
  /// @param[in] from  number of the state in the first run that other[0] corresponds to
  std::int64_t firstDifference(const std::vector<std::uint64_t>& other, std::size_t from) const {
    for (std::size_t k = from; k < first_.size(); ++k)
      if (k - from >= other.size() || other[k - from] != first_[k])
        return std::min<std::int64_t>(every_ * static_cast<std::int64_t>(k + 1), options_.ticks);
    return 0;
  }

  void repeat() {
    stage("reruns: " + std::to_string(options_.reruns) + " side by side");
    std::vector<std::vector<std::uint64_t>> again(static_cast<std::size_t>(options_.reruns));
    std::vector<std::thread> threads;
    for (std::vector<std::uint64_t>& own : again) threads.emplace_back([&] { own = hashes(nullptr, nullptr); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t k = 0; k < again.size(); ++k)
      report_.reruns.push_back(
          {"thread " + std::to_string(k + 1) + " of " + std::to_string(again.size()) + " side by side, from the start",
           firstDifference(again[k], 0)});

    shareSteps();
    if (interrupt_) return;

    progress_("rerun: from a state saved halfway");
    rt::LoopOptions loop_options;
    loop_options.script = options_.script;
    rt::TickLoop loop(model_, plan_, options_.settings, start_, loop_options);
    loop.restore(middle_);  // with the input that is in force
    std::vector<std::uint64_t> second_half;
    while (loop.state().tick < options_.ticks && !interrupt_ && loop.tick() == rt::TickStatus::kOk)
      if (isCompared(loop.state().tick)) second_half.push_back(rt::hashState(loop.state()));
    const std::int64_t tick = middle_.header.tick;
    report_.reruns.push_back({"from the state of tick " + std::to_string(tick),
                              firstDifference(second_half, static_cast<std::size_t>(tick / every_))});
  }

  /// Compares a run of the same period and iterations with a reference.
  void compare() {
    ValidationOptions chosen;
    chosen.step_ns = options_.settings.period_ns;
    chosen.until_ns = options_.compared_ns / chosen.step_ns * chosen.step_ns;
    if (options_.compared_ns == 0) return;
    chosen.wanted_ns = options_.wanted_ns > 0 ? options_.wanted_ns : options_.ticks * chosen.step_ns;
    chosen.iterations = options_.settings.iterations;
    chosen.tolerances = options_.tolerances;
    chosen.initial_condition = options_.initial_condition;
    chosen.script = options_.script;
    chosen.budget_s = options_.budget_s;
    stage("comparison with references");
    report_.accuracy = validate(model_, chosen, interrupt_, progress_);
  }

  /// Begins a part and says how many there are.
  void stage(const std::string& what) {
    const int all = options_.compared_ns >= options_.settings.period_ns ? 4 : 3;
    progress_("part " + std::to_string(++stage_) + " of " + std::to_string(all) + ": " + what);
  }

  /// Notes missed deadlines and tick times over the paced run.
  void watchPaced(const rt::TickLoop& loop, const std::atomic<bool>& done) {
    constexpr int kPoints = 200;
    constexpr std::int64_t kShortest = 10'000'000;  // ns; a copy of the statistics takes some us
    const auto interval =
        std::chrono::nanoseconds(std::max(kShortest, options_.ticks * options_.settings.period_ns / kPoints));
    const auto note = [&] {
      const rt::TickStatsReport stats = loop.stats().report();
      report_.paced_over_time.push_back({stats.ticks, stats.missed_deadlines, totalOf(stats).maximum});
    };
    for (auto next = std::chrono::steady_clock::now() + interval; !done; next += interval) {
      while (!done && std::chrono::steady_clock::now() < next)
        std::this_thread::sleep_for(std::chrono::nanoseconds(kShortest));
      note();
    }
  }

  void pace() {
    stage("paced run");
    rt::LoopOptions loop_options;
    loop_options.script = options_.script;
    loop_options.stop_tick = options_.ticks;
    rt::TickLoop loop(model_, plan_, options_.settings, start_, loop_options);
    rt::TickClock clock(options_.settings.period_ns, {});
    rt::TickLoop::End end = rt::TickLoop::End::kStopped;
    std::atomic<bool> done{false};
    std::thread thread([&] {
      report_.grants = rt::prepareProcess({});
      loop.warmUp();
      const std::vector<rt::Grant> own = rt::enterRealtime(options_.thread);
      report_.grants.insert(report_.grants.end(), own.begin(), own.end());
      end = loop.run(clock, interrupt_);
      done = true;
    });
    watchPaced(loop, done);
    thread.join();
    report_.stats = loop.stats().report();
    report_.spin_margin_ns = clock.marginNs();
    report_.ticks = loop.state().tick;
    if (end == rt::TickLoop::End::kFaulted) report_.status = loop.fault();
    const auto period = static_cast<double>(report_.period_ns);
    report_.head_room = period / static_cast<double>(std::max<std::int64_t>(1, totalOf(report_.stats).p999));
    report_.worst_head_room = period / static_cast<double>(std::max<std::int64_t>(1, totalOf(report_.stats).maximum));
    if (end != rt::TickLoop::End::kFinished) return;
    const bool same = rt::hashState(loop.state()) == first_.back();
    Rerun& paced = report_.reruns.emplace_back();
    paced.how = "in the paced run, last state";
    paced.first_difference = same ? 0 : options_.ticks;
  }

  const rt::Model& model_;
  const QualificationOptions& options_;
  const std::atomic<bool>& interrupt_;
  const std::function<void(const std::string&)>& progress_;
  rt::Plan plan_;
  rt::State start_;
  std::int64_t every_;   ///< ticks between two compared states
  rt::Snapshot middle_;  ///< at half the ticks
  std::vector<std::uint64_t> first_;
  int stage_ = 0;  ///< number of the part that runs
  QualificationReport report_;
};

}  // namespace

const char* toString(Fitness fitness) noexcept {
  switch (fitness) {
    case Fitness::kFit: return "fit";
    case Fitness::kFitWith: return "fit with conditions";
    case Fitness::kNotFit: return "not fit";
  }
  return "unknown";
}

void judge(const QualificationOptions& options, QualificationReport& report) {
  bool fit = true;
  const auto require = [&](bool holds, const std::string& text) {
    report.reasons.push_back((holds ? "ok: " : "no: ") + text);
    fit = fit && holds;
  };
  const auto verdict = [&] {
    report.fitness = !fit ? Fitness::kNotFit : report.conditions.empty() ? Fitness::kFit : Fitness::kFitWith;
    const auto failed = std::find_if(report.reasons.begin(), report.reasons.end(),
                                     [](const std::string& reason) { return reason.rfind("no: ", 0) == 0; });
    if (failed != report.reasons.end())
      report.deciding = *failed;
    else if (!report.conditions.empty())
      report.deciding = "with: " + report.conditions.front();
    else if (!report.reasons.empty())
      report.deciding = "all checks hold";
  };
  if (report.status != rt::TickStatus::kOk) {
    require(false, std::string("a step failed: ") + rt::toString(report.status));
    return verdict();
  }
  for (const Rerun& rerun : report.reruns)
    require(rerun.first_difference == 0, rerun.first_difference == 0 ? "the same bits " + rerun.how
                                                                     : "other bits " + rerun.how + ", by tick " +
                                                                           std::to_string(rerun.first_difference));

  const rt::LatencySummary& total = totalOf(report.stats);
  const auto period = static_cast<double>(report.period_ns);
  const auto p999 = static_cast<double>(total.p999), worst = static_cast<double>(total.maximum);
  require(p999 <= period, "99.9 % of the ticks take up to " + durationOf(p999) + " of " + durationOf(period));
  const std::int64_t missed = report.stats.missed_deadlines, points = report.stats.ticks + missed;
  require(missed * kForgiven <= points, std::to_string(missed) + " of " + std::to_string(points) + " deadlines missed");

  if (missed > 0)
    report.conditions.emplace_back("an application that tolerates a missed tick, or a host that meets every deadline");
  if (p999 <= period && p999 * options.head_room > period)
    report.conditions.push_back("a period of " + durationOf(p999 * options.head_room) + " or more, for a headroom of " +
                                rt::printed(options.head_room));
  if (worst > period && missed == 0)
    report.conditions.push_back("a host without stalls: the longest tick took " + durationOf(worst));
  std::string lacking;
  for (const rt::Grant& grant : report.grants)
    if (!grant.granted) lacking += (lacking.empty() ? "" : ", ") + grant.asked;
  if (options.thread.priority == 0)
    report.conditions.emplace_back("a real-time class for the tick: the paced run had none");
  if (!lacking.empty()) report.conditions.push_back("rights that this machine did not grant: " + lacking);
  if (report.not_converged > 0)
    report.conditions.push_back("more iterations or a shorter period: " + std::to_string(report.not_converged) +
                                " of " + std::to_string(options.ticks) + " ticks ended above the limit of the monitor" +
                                (report.iterations_needed > rt::kMaxIterations
                                     ? ", and more iterations do not help"
                                     : ", about " + std::to_string(report.iterations_needed) + " iterations help"));
  if (!report.accuracy && !report.interrupted)
    report.conditions.emplace_back("an accuracy that is known: --compare 0s left the comparison with references out");
  if (report.accuracy) {
    const ValidationReport& accuracy = *report.accuracy;
    const std::string what = "accuracy, ";
    if (!accuracy.trusted && !accuracy.partly) require(false, "accuracy is not trusted: " + accuracy.deciding);
    for (const std::string& reason : accuracy.reasons) report.reasons.push_back(what + reason);
    if (accuracy.partly)
      report.conditions.push_back("an accuracy that two references confirm up to t = " + seconds(accuracy.confirmed) +
                                  " of " + seconds(accuracy.until) +
                                  ", and beyond that one of them or the solver itself with a quarter of the step; "
                                  "--budget gives the references more time");
  }
  verdict();
}

QualificationReport qualify(const rt::Model& model, const QualificationOptions& options,
                            const std::atomic<bool>& interrupt,
                            const std::function<void(const std::string&)>& progress) {
  return Qualification(model, options, interrupt, progress).run();
}

}  // namespace tactus::server
