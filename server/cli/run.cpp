#include "server/cli/run.h"

#include "proto/text/duration_option.h"
#include "rt/error.h"
#include "rt/loop/time_source.h"
#include "rt/offline/integrator.h"
#include "server/cli/exit_code.h"
#include "server/cli/run_method.h"
#include "server/cli/run_text.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"
#include "server/batch/input_series.h"
#include "server/batch/offline_run.h"
#include "server/record/offline_recording.h"
#include "server/record/snapshot_message.h"
#include "server/record/recording_message.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

struct RunArguments {
  std::string model, integrator = "ali3p", inputs, initial, out;
  std::int64_t until_ns = 0, step_ns = 0;  // a step of 0: the model's
  std::vector<std::string> sets, signals;
  int iterations = 0, threads = 1;
  bool oversubscribe = false;
  std::int64_t every = 1;
  bool json = false;
};

std::atomic<bool> interrupted{false};
void interrupt(int) {
  interrupted.store(true);
}

/// What the options of ali3p make of the settings.
void applyOptions(const rt::offline::OptionValues& values, rt::Settings& settings) {
  if (values.given("iterations")) settings.iterations = values.integer("iterations");
  if (values.given("relative_compliance")) settings.relative_compliance = values.number("relative_compliance");
  if (values.given("absolute_alpha")) settings.absolute_alpha = values.number("absolute_alpha");
  settings.velocity_passes = values.integer("velocity_passes");
  settings.refactor_above = values.number("refactor_above");
  settings.refactor_violation = values.number("refactor_violation");
  settings.full_newton = values.boolean("full_newton");
  if (values.given("third_order")) settings.third_order = values.boolean("third_order");
  if (values.given("gyroscopic_tangent")) settings.gyroscopic_tangent = values.boolean("gyroscopic_tangent");
}

OfflineRunOptions optionsOf(const RunArguments& arguments, const rt::offline::OptionValues& values,
                            const rt::Model& model) {
  OfflineRunOptions options;
  options.threads = arguments.threads;
  options.oversubscribe = arguments.oversubscribe;
  options.settings = rt::chooseSettings(model, arguments.step_ns, arguments.iterations);
  applyOptions(values, options.settings);
  if (arguments.until_ns % options.settings.period_ns != 0)
    throw Error("--until " + text::formatDuration(arguments.until_ns) + " is not a whole number of steps of " +
                text::formatDuration(options.settings.period_ns));
  options.ticks = arguments.until_ns / options.settings.period_ns;
  options.initial_condition = arguments.initial;
  if (!arguments.inputs.empty())
    options.script = readInputSeriesFile(arguments.inputs, model, options.settings.period_ns);
  options.signals = arguments.signals;
  options.every = arguments.every;
  if (!arguments.out.ends_with(".mcap")) options.out = arguments.out;
  return options;
}

MethodRunOptions methodOptionsOf(const RunArguments& arguments, const rt::Model& model) {
  if (arguments.iterations != 0)
    throw Error("--iterations is an option of ali3p; of other methods say --set iterations=N");
  if (arguments.out.ends_with(".mcap"))
    throw Error("--out " + arguments.out +
                ": only ali3p, the tick of the server, is recorded; of other methods name a .csv");
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
                              OfflineRunOptions options) {
  RunProgress progress(static_cast<double>(options.ticks) * options.settings.dt());
  const auto say = [&progress](const rt::Snapshot& snapshot) {
    progress.at(1e-9 * static_cast<double>(snapshot.header.sim_time_ns));
  };
  options.observe = say;
  if (!arguments.out.ends_with(".mcap")) return runOffline(model, options, interrupted);
  const rt::SignalDirectory directory(model);
  const std::vector<int> indices =
      directory.resolve(options.signals.empty() ? std::vector<std::string>{"*"} : options.signals);
  OfflineRecording recording(arguments.out, directory, {indices, options.every},
                             setupOf(arguments, document, model, options), hashScript(options.script));
  options.observe = [&](const rt::Snapshot& snapshot) {
    recording.append(snapshot);
    say(snapshot);
  };
  const OfflineRunReport report = runOffline(model, options, interrupted);
  recording.finish();
  return report;
}

RunFigures figuresOf(const OfflineRunReport& report) {
  return {report.assembly,
          report.energy_start,
          report.energy_end,
          report.energy_drift,
          report.position_violation,
          report.velocity_violation,
          report.acceleration_violation};
}

void printText(const rt::Model& model, const OfflineRunOptions& options, const std::string& out,
               const OfflineRunReport& report) {
  const rt::Settings& s = options.settings;
  const double seconds = static_cast<double>(report.ticks) * s.dt();
  printRunHead(model,
               std::string(s.third_order ? "ali3p-x3" : "ali3p") + ", step " + text::formatDuration(s.period_ns) +
                   ", " + std::to_string(s.iterations) + " iterations" + (s.full_newton ? ", full Newton" : "") +
                   (s.gyroscopic_tangent ? ", gyroscopic tangent" : ""),
               report.assembly);
  std::printf("steps               %lld (%.6g s)%s\n", static_cast<long long>(report.ticks), seconds,
              report.interrupted ? ", interrupted" : "");
  if (report.ticks > 0)
    std::printf("wall time           %.6g s, %.4g us a step, %.4g times real time\n", report.wall_seconds,
                1e6 * report.wall_seconds / static_cast<double>(report.ticks), seconds / report.wall_seconds);
  printRunFigures(figuresOf(report));
  std::printf("worst increment     %.3g m; %lld steps not converged, geometric stiffness limited %lld times\n",
              report.increment, static_cast<long long>(report.not_converged), static_cast<long long>(report.limited));
  if (report.status != rt::TickStatus::kOk)
    std::printf("fault               step %lld: %s; the last good state is kept\n",
                static_cast<long long>(report.ticks + 1), toString(report.status));
  if (!out.empty()) std::printf("written             %s\n", out.c_str());
  std::printf("state hash: %s\n", rt::formatHash(report.state_hash).c_str());
}

void printJson(const rt::Model& model, const OfflineRunOptions& options, const std::string& out,
               const OfflineRunReport& report) {
  Json json = {{"model", model.name},
               {"integrator", "ali3p"},
               {"period_ns", options.settings.period_ns},
               {"iterations", options.settings.iterations},
               {"steps", report.ticks},
               {"sim_time", static_cast<double>(report.ticks) * options.settings.dt()},
               {"wall_time", report.wall_seconds},
               {"increment", report.increment},
               {"not_converged", report.not_converged},
               {"limited", report.limited},
               {"status", toString(report.status)},
               {"interrupted", report.interrupted},
               {"out", out},
               {"state_hash", rt::formatHash(report.state_hash)}};
  addRunFigures(figuresOf(report), json);
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

/// Takes what names a parameter of the model out of --set.
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
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, arguments.model) << '\n';
  if (!document.valid()) return kExitUsage;
  const rt::Model model = rt::buildModel(document.spec);
  if (arguments.every < 1) throw Error("--every must be at least 1");
  const rt::offline::Method& method = rt::offline::findMethod(arguments.integrator);
  const rt::offline::OptionValues values(method.name, method.options, arguments.sets);
  // The tick itself, unless it is to be repeated until it converges.
  if (method.name != "ali3p" || values.number("tolerance") > 0)
    return runAndReport(model, methodOptionsOf(arguments, model), arguments.json);
  const OfflineRunOptions options = optionsOf(arguments, values, model);
  interrupted.store(false);
  const auto previous = std::signal(SIGINT, interrupt);
  const OfflineRunReport report = runAndRecord(arguments, document, model, options);
  std::signal(SIGINT, previous);
  arguments.json ? printJson(model, options, arguments.out, report) : printText(model, options, arguments.out, report);
  if (report.status != rt::TickStatus::kOk) return kExitFault;
  return report.interrupted ? kExitFinding : kExitOk;
}

}  // namespace

void addRunCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a model offline, as fast as it goes");
  const auto a = std::make_shared<RunArguments>();
  command->add_option("MODEL", a->model, "A built-in model, or a .json or .txtpb file")->required();
  text::addDuration(*command, "--until", a->until_ns, "Simulated time, e.g. 10s")->required();
  text::addPeriod(*command, "--step", a->step_ns, "Step, e.g. 1ms or 500Hz; default: the model's");
  command->add_option("--integrator", a->integrator, "Method; `tactus integrators` lists them")->capture_default_str();
  command->add_option(
      "--set", a->sets,
      "Parameter of the model NAME=VALUE, or option of the integrator KEY=VALUE; `tactus integrators` lists these");
  command->add_option("--iterations", a->iterations, "Newton iterations of a step of ali3p; default: the model's");
  command->add_option("--threads", a->threads, "Threads that share a step; no more than have work, see tactus serve")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--oversubscribe", a->oversubscribe, "Let --threads be more than the cores");
  command->add_option("--inputs", a->inputs, "CSV of inputs: t and actuator names; each row holds until the next");
  command->add_option("--initial", a->initial, "Named initial condition of the model");
  command->add_option("--signals", a->signals, "Names and globs to write; default: all")->delimiter(',');
  command->add_option("--every", a->every, "Write every so many steps")->capture_default_str();
  command->add_option("--out", a->out, "Trajectory to write: .csv, or .mcap for a recording that can be replayed");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &exit_code] {
    try {
      exit_code = run(*a);
    } catch (const Error& error) {
      std::cerr << "tactus run: " << error.what() << '\n';
      exit_code = kExitUsage;
    }
  });
}

}  // namespace tactus::server
