#include "server/cli/run.h"

#include "proto/text/duration_option.h"
#include "proto/text/report_line.h"
#include "proto/text/timing_text.h"
#include "rt/ali3p/extrapolation_limit.h"
#include "rt/error.h"
#include "rt/loop/time_source.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "rt/offline/real_time/ali3p_stepper.h"
#include "server/batch/input_series.h"
#include "server/batch/offline_run.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/model_argument.h"
#include "server/cli/option_rules.h"
#include "server/cli/run_method.h"
#include "server/cli/run_report.h"
#include "server/cli/shared_threads.h"
#include "server/cli/subcommand.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"
#include "server/record/offline_recording.h"
#include "server/record/recording_message.h"
#include "server/record/snapshot_message.h"
#include "server/wire/settings_message.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

namespace tactus::server {
namespace {

struct RunArguments {
  std::string model, integrator = "ali3p", inputs, initial, out;
  std::int64_t until_ns = 0, step_ns = 0;  // a step of 0: the model's
  std::vector<std::string> sets, signals;
  int iterations = 0, threads = 1;
  bool oversubscribe = false;
  std::int64_t every = 1;
  bool record_scene = false;
  bool json = false;
};

OfflineRunOptions optionsOf(const RunArguments& arguments, const rt::offline::OptionValues& values,
                            const rt::Model& model) {
  OfflineRunOptions options;
  options.threads = arguments.threads;
  options.oversubscribe = arguments.oversubscribe;
  if (arguments.iterations != 0 && values.given("iterations"))
    throw Error("--iterations and --set iterations=N exclude each other; give one");
  std::vector<rt::SettingChange> changes = rt::offline::settingChanges(values);
  if (arguments.iterations != 0) changes.push_back({"iterations", static_cast<double>(arguments.iterations)});
  options.settings = rt::chooseSettings(model, arguments.step_ns, changes);
  rt::requireStableSteps(model, options.settings);
  options.ticks = stepsUntil(arguments.until_ns, options.settings.period_ns);
  options.initial_condition = arguments.initial;
  if (!arguments.inputs.empty())
    options.script = readInputSeriesFile(arguments.inputs, model, options.settings.period_ns);
  options.signals = arguments.signals;
  options.every = arguments.every;
  if (!arguments.out.ends_with(".mcap")) options.out = arguments.out;
  return options;
}

/// @param[in] converges  the method is ali3p with a tolerance: it repeats a step, which the tick of the server does not
/// @throws Error for an option of the tick
MethodRunOptions methodOptionsOf(const RunArguments& arguments, const rt::Model& model, bool converges) {
  const std::string tick = converges ? "ali3p without a tolerance" : "ali3p";
  const std::string others = converges ? "with --set tolerance=N" : "for other methods";
  if (arguments.iterations != 0)
    throw Error("--iterations is an option of " + tick + "; " + others + " write --set iterations=N");
  if (arguments.threads != 1 || arguments.oversubscribe)
    throw Error("--threads and --oversubscribe are options of " + tick + "; " + others +
                " one thread makes the steps: leave them out");
  if (arguments.out.ends_with(".mcap"))
    throw Error("--out " + arguments.out + ": only " + tick + ", the method of the server, can be recorded; " + others +
                " name a .csv");
  MethodRunOptions options;
  options.method = arguments.integrator;
  options.settings = arguments.sets;
  options.step_ns = arguments.step_ns == 0 ? rt::chooseSettings(model).period_ns : arguments.step_ns;
  options.until_ns = arguments.until_ns;
  options.initial_condition = arguments.initial;
  if (!arguments.inputs.empty()) options.script = readInputSeriesFile(arguments.inputs, model, options.step_ns);
  options.signals = arguments.signals;
  options.every = arguments.every;
  options.out = arguments.out;
  return options;
}

v1::RecordingSetup setupOf(const RunArguments& arguments, const ModelDocument& document, const rt::Model& model,
                           const OfflineRunOptions& options) {
  v1::RecordingSetup setup;
  *setup.mutable_build() = buildStamp();
  *setup.mutable_model() = document.message;
  setup.set_model_hash(rt::formatHash(model.hash));
  writeSettings(options.settings, *setup.mutable_settings());
  setup.set_start_time_ns(rt::wallClockNs());
  setup.mutable_session()->set_model_name(arguments.model);
  setup.mutable_session()->set_clock(v1::CLOCK_MODE_FREE_RUN);
  setup.mutable_session()->set_initial_condition(options.initial_condition);
  setup.mutable_session()->set_stop_tick(options.ticks);
  return setup;
}

/// The run, with a recording beside it if --out names one.
OfflineRunReport runAndRecord(const RunArguments& arguments, const ModelDocument& document, const rt::Model& model,
                              OfflineRunOptions options, const std::atomic<bool>& interrupt) {
  RunProgress progress(static_cast<double>(options.ticks) * options.settings.dt());
  const auto showProgress = [&progress](const rt::Snapshot& snapshot) {
    progress.at(1e-9 * static_cast<double>(snapshot.header.sim_time_ns));
  };
  options.observe = showProgress;
  if (!arguments.out.ends_with(".mcap")) return runOffline(model, options, interrupt);
  const rt::SignalDirectory directory(model);
  const std::vector<int> indices =
      directory.resolve(options.signals.empty() ? std::vector<std::string>{"*"} : options.signals);
  std::optional<OfflineRecording> recording;
  std::error_code ignored;
  const bool existed = std::filesystem::exists(arguments.out, ignored);
  const auto begin = [&] {
    try {
      recording.emplace(arguments.out, directory, RecordedSignals{indices, options.every, arguments.record_scene},
                        setupOf(arguments, document, model, options), hashScript(options.script));
    } catch (...) {
      if (!existed) std::filesystem::remove(arguments.out, ignored);
      throw;
    }
  };
  // The recording replaces a file only when the run has its initial state: a refused run leaves the file as it was.
  options.observe = [&](const rt::Snapshot& snapshot) {
    if (!recording) begin();
    recording->append(snapshot);
    showProgress(snapshot);
  };
  options.observe_failure = [&](const rt::Snapshot& snapshot) { recording->append(snapshot); };
  const OfflineRunReport report = runOffline(model, options, interrupt);
  recording->finish();
  return report;
}

RunReport reportOf(const rt::Model& model, const OfflineRunOptions& options, const std::string& out,
                   const OfflineRunReport& run) {
  const rt::Settings& s = options.settings;
  const double seconds = static_cast<double>(run.ticks) * s.dt();
  RunReport report{model,
                   run.assembly,
                   {run.energy_start, run.energy_end, run.energy.drift(), run.position_violation,
                    run.velocity_violation, run.acceleration_violation},
                   {},
                   {},
                   {},
                   {},
                   out,
                   run.state_hash};
  report.method =
      fmt::format("{}, step {}, {} iterations{}{}", s.order() == 2 ? "ali3p" : fmt::format("ali3p-x{}", s.order()),
                  text::formatDuration(s.period_ns), s.iterations, s.full_newton ? ", full Newton" : "",
                  s.gyroscopic_tangent ? ", gyroscopic tangent" : "");
  report.steps =
      text::reportLine("steps", "{} ({:.6g} s){}", run.ticks, seconds, run.interrupted ? ", interrupted" : "");
  if (options.threads > 1)
    report.steps += text::reportLine("threads", "{}", sharedThreads(run.threads, options.threads));
  if (run.ticks > 0) report.steps += wallTimeLine(run.wall_seconds, static_cast<double>(run.ticks), seconds);
  report.notes =
      text::reportLine("worst increment", "{:.3g} m; {} not converged, geometric stiffness limited {}", run.increment,
                       text::counted(run.not_converged, "step", "steps"), text::counted(run.limited, "time", "times"));
  if (run.not_converged > 0)
    report.notes += text::reportLine("iterations", "{}", text::iterationAdvice(run.iterations_needed));
  if (run.status != rt::TickStatus::kOk)
    report.notes +=
        text::reportLine("fault", "step {}: {}; the last good state is kept", run.ticks + 1, toString(run.status));
  if (run.energy.grows())
    report.notes += text::reportLine(
        "energy grows",
        "since step {}: by {:.3g} J that no input gave, of {:.3g} J in the motion; the step is unstable or too long",
        run.energy.growsSince(), run.energy.growth(), run.energy.scale());
  report.members = {{"model", model.name},
                    {"integrator", "ali3p"},
                    {"period_ns", s.period_ns},
                    {"iterations", s.iterations},
                    {"threads", run.threads},
                    {"steps", run.ticks},
                    {"sim_time", seconds},
                    {"wall_time", run.wall_seconds},
                    {"increment", run.increment},
                    {"not_converged", run.not_converged},
                    {"iterations_needed", run.iterations_needed},
                    {"limited", run.limited},
                    {"energy_growth", run.energy.growth()},
                    {"energy_grows", run.energy.grows()},
                    {"status", toString(run.status)},
                    {"interrupted", run.interrupted}};
  return report;
}

/// Moves the parameters of the model out of the list of --set.
std::vector<std::string> takeParameters(const ModelDocument& document, std::vector<std::string>& sets) {
  std::vector<std::string> taken;
  std::erase_if(sets, [&](const std::string& set) {
    const auto& known = document.spec.parameters;
    const bool names_one = std::any_of(known.begin(), known.end(), [&](const rt::ParameterSpec& parameter) {
      return parameter.name == set.substr(0, set.find('='));
    });
    if (names_one) taken.push_back(set);
    return names_one;
  });
  return taken;
}

int run(RunArguments arguments) {
  ModelDocument document = openModel(arguments.model);
  if (document.valid()) document = withParameters(document, takeParameters(document, arguments.sets));
  printFindings(document, arguments.model);
  if (!document.valid()) return text::kExitUsage;
  const rt::Model model = rt::buildModel(document.spec);
  if (arguments.every < 1) throw Error("--every must be at least 1");
  if (arguments.out.empty() && (!arguments.signals.empty() || arguments.every > 1))
    throw Error("--signals and --every choose what --out writes; name a file with --out");
  if (arguments.record_scene && !arguments.out.ends_with(".mcap"))
    throw Error("--record-scene adds to a recording; name one with --out FILE.mcap");
  const bool is_trajectory = arguments.out.ends_with(".csv") || arguments.out.ends_with(".mcap");
  if (!arguments.out.empty() && !is_trajectory)
    throw Error("--out " + arguments.out + ": must end in .csv, or in .mcap for a recording that can be replayed");
  if (std::error_code none; std::filesystem::equivalent(arguments.inputs, arguments.out, none))
    throw Error("--out " + arguments.out + ": is the file of --inputs, which it would replace; name another one");
  const rt::offline::Method& method = rt::offline::findMethod(arguments.integrator);
  std::vector<std::string> names;
  for (const rt::offline::Option& option : method.options) names.push_back(option.name);
  requireKnown(arguments.sets, "integrator " + method.name, names, method.name, document.spec.parameters);
  const rt::offline::OptionValues values(method.name, method.options, arguments.sets);
  // A tolerance repeats the step until it converges, which the tick of the server does not do.
  const bool converges = method.name == "ali3p" && values.number("tolerance") > 0;
  if (method.name != "ali3p" || converges)
    return runAndReport(model, methodOptionsOf(arguments, model, converges), arguments.json);
  const OfflineRunOptions options = optionsOf(arguments, values, model);
  const InterruptFlag interrupt;
  const OfflineRunReport report = runAndRecord(arguments, document, model, options, interrupt.flag());
  printRun(reportOf(model, options, arguments.out, report), arguments.json);
  if (report.status != rt::TickStatus::kOk) return text::kExitFault;
  return report.interrupted || report.energy.grows() ? text::kExitFinding : text::kExitOk;
}

}  // namespace

std::int64_t stepsUntil(std::int64_t until_ns, std::int64_t period_ns) {
  if (until_ns % period_ns != 0)
    throw Error("--until " + text::formatDuration(until_ns) + " is not a whole number of steps of " +
                text::formatDuration(period_ns));
  return until_ns / period_ns;
}

void addRunCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a model offline, as fast as possible");
  const auto a = std::make_shared<RunArguments>();
  addModelArgument(*command, a->model)->required();
  text::addDuration(*command, "--until", a->until_ns, "Simulated time, e.g. 10s")->required();
  text::addPeriod(*command, "--step", a->step_ns, "Step, e.g. 1ms or 500Hz; default: the model's");
  command->add_option("--integrator", a->integrator, "Method; `tactus integrators` lists them")->capture_default_str();
  command->add_option("--set", a->sets,
                      "Parameter of the model NAME=VALUE, or option of the integrator KEY=VALUE; `tactus integrators` "
                      "lists the options");
  command->add_option("--iterations", a->iterations, "Newton iterations of a step of ali3p; default: the model's")
      ->check(atLeast(1));
  command->add_option("--threads", a->threads, "Threads that share a step; see tactus serve")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--oversubscribe", a->oversubscribe, "Allow more --threads than cores");
  command->add_option("--inputs", a->inputs, "CSV of inputs: t and actuator names; a row holds until the next one");
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  command->add_option("--signals", a->signals, "Names and globs to write; default: all")->delimiter(',');
  command->add_option("--every", a->every, "Write every N steps")->capture_default_str();
  command->add_flag("--record-scene", a->record_scene,
                    "Write the frames and shapes of all bodies into the .mcap, too, for players that know Foxglove");
  command->add_option("--out", a->out, "Trajectory to write: .csv, or .mcap for a recording that can be replayed");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, run);
}

}  // namespace tactus::server
