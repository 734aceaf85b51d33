#include "server/cli/serve.h"

#include "proto/text/duration_option.h"
#include "proto/text/report_line.h"
#include "rt/ali3p/settings.h"
#include "rt/model/model.h"
#include "server/cli/assignment.h"
#include "server/cli/cpu_list.h"
#include "server/cli/descriptor_limit.h"
#include "server/cli/limit_options.h"
#include "server/cli/metrics_page.h"
#include "server/cli/model_argument.h"
#include "server/cli/option_rules.h"
#include "server/cli/run_until.h"
#include "server/cli/serve_header.h"
#include "server/cli/serve_json.h"
#include "server/cli/standard_output.h"
#include "server/cli/standard_streams.h"
#include "server/cli/subcommand.h"
#include "server/cli/timing_text.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"
#include "server/service/server.h"
#include "server/session/held_signals.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <unistd.h>

namespace tactus::server {

namespace {

struct ServeArguments {
  std::string model = "sedan", session = "main", clock = "real-time", listen = "127.0.0.1:50051";
  std::string cpus, overrun = "skip";
  std::int64_t period_ns = 0;                                     // 0: the model's
  std::int64_t duration_ns = 0, report_every_ns = 5'000'000'000;  // a duration of 0: until a signal
  std::int64_t self_test_ns = 0;                                  // 0: no self-test
  std::int64_t overrun_grace = 0, overrun_max_consecutive = 0, overrun_max_total = 0;
  std::string record, recordings = Config{}.recordings_folder;
  std::vector<std::string> record_signals;
  std::int64_t record_every = 1;
  bool record_scene = false;
  int iterations = 0;
  std::vector<std::string> solver;
  std::optional<int> priority;
  LimitArguments limits;
  int threads = 1;
  bool oversubscribe = false, require_rt = false, paused = false, json = false;
  std::optional<std::int64_t> miss_limit;
  std::vector<std::string> sets;
  UnitsRequest units;  // of FMI
  StartUnits start_units;
  std::string initial_condition, udp;
  Access access;
  std::string unix_mode = "0600", unix_group, metrics;
  std::string config;  // read before the command line is parsed, see config_file.h
};

constexpr int kDefaultPriority = 80;

/// Restarts this program so that the threads that share steps sleep between two ticks: a thread of a real-time class
/// that spins starves its core. OpenMP reads its wait policy when it is loaded; one that the user has set is kept.
void restartWithSleepingTeams() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  ::setenv("OMP_WAIT_POLICY", "passive", 1);
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv("/proc/self/exe", pointers.data());
  spdlog::warn(
      "this program cannot restart itself: threads that share a step spin between ticks; set "
      "OMP_WAIT_POLICY=passive");
}

/// @throws Error if the model is not valid
void readModel(const std::string& name, const std::vector<std::string>& sets, SessionSpec& spec) {
  const std::optional<ModelDocument> opened = openValidModel(name);
  if (!opened) throw Error("model \"" + name + "\" is not valid; its findings are listed above");
  const ModelDocument document = withParameters(*opened, sets);
  spec.model = std::make_shared<const rt::Model>(rt::buildModel(document.spec));
  spec.model_message = std::make_shared<const v1::Model>(document.message);
}

SessionSpec sessionOf(const ServeArguments& arguments) {
  SessionSpec spec;
  spec.name = arguments.session;
  spec.model_label = arguments.model;
  readModel(arguments.model, arguments.sets, spec);
  spec.clock = parseClock(arguments.clock);
  spec.period_ns = arguments.period_ns;
  for (const std::string& word : arguments.solver) spec.solver.push_back(parseSolverSetting(word));
  if (arguments.iterations != 0 && std::any_of(spec.solver.begin(), spec.solver.end(),
                                               [](const auto& change) { return change.name == "iterations"; }))
    throw Error("--iterations and --solver iterations=N exclude each other; give one");
  if (arguments.iterations != 0) spec.solver.push_back({"iterations", static_cast<double>(arguments.iterations)});
  spec.initial_condition = arguments.initial_condition;
  if (!arguments.cpus.empty()) spec.realtime.cpus = parseCpuList(arguments.cpus);
  // A clock that sleeps may run in a real-time class; one that does not must not.
  spec.realtime.priority = arguments.priority.value_or(spec.clock.paced() ? kDefaultPriority : 0);
  spec.realtime.threads = arguments.threads;
  spec.realtime.oversubscribe = arguments.oversubscribe;
  spec.overrun = parseOverrun(arguments.overrun);
  spec.overrun.grace_ticks = arguments.overrun_grace;
  spec.overrun.max_consecutive = arguments.overrun_max_consecutive;
  spec.overrun.max_total = arguments.overrun_max_total;
  spec.miss_limit = arguments.miss_limit;
  return spec;
}

/// Tests this machine before the first tick: with the period of the ticks, in their scheduling class, on their cores.
void testMachine(SimulationService& service, const SessionSpec& spec, std::int64_t duration_ns) {
  SelfTestRequest request;
  request.duration_ns = duration_ns;
  // The period by the clock on the wall.
  const std::int64_t period_ns = rt::chooseSettings(*spec.model, spec.period_ns).period_ns;
  request.period_ns = std::llround(static_cast<double>(period_ns) / spec.clock.scale);
  request.thread = {.priority = spec.realtime.priority, .cpus = spec.realtime.cpus};
  const SelfTestResult result = testHost(request);
  service.hostChecks().addSelfTest(result, request.period_ns);
  // stdout may hold JSON alone.
  std::cerr << fmt::format("self-test with a period of {}: {}: {}\n", text::formatDuration(request.period_ns),
                           toString(result.grade), result.verdict);
}

void startRecording(Server& server, const std::shared_ptr<Session>& session, const ServeArguments& arguments) {
  if (arguments.record.empty()) return;
  RecordedSignals signals{session->feed().signals().resolve(arguments.record_signals), arguments.record_every,
                          arguments.record_scene};
  server.service().recordings().startFile(session, arguments.record, std::move(signals));
}

void printRecordings(const Recordings& recordings) {
  for (const v1::Recording& recording : recordings.list("")) {
    std::cout << fmt::format("recording {}: {} ticks, {} bytes, lost {} ticks and the signals of {} ticks",
                             recording.file(), recording.ticks(), recording.bytes(), recording.lost_ticks(),
                             recording.lost_signals());
    if (recording.has_incomplete_from()) std::cout << "; incomplete from tick " << recording.incomplete_from();
    if (!recording.error().empty()) std::cout << "; " << recording.error();
    std::cout << '\n';
  }
}

void reloadAccess(Server& server) {
  try {
    server.reload();
    spdlog::info("SIGHUP: tokens, revoked and replaced certificates are read again, the last for new connections");
  } catch (const std::exception& error) {
    spdlog::error("SIGHUP: {}; the other files are read again, and these stay as they were", error.what());
  }
}

/// Pauses a session, which a client may delete meanwhile: it is over then.
void pauseOrLeave(Session& session) {
  try {
    session.pause();
  } catch (const RequestError& error) {
    if (error.reason() != Reason::kSessionUnknown) throw;
  }
}

/// What has a meaning beside another option alone, on the line or in the configuration file.
void requireBeside(const ServeArguments& arguments) {
  const bool records = !arguments.record.empty();
  for (const auto& [wanting, option, other] :
       {std::tuple{!records && !arguments.record_signals.empty(), "--record-signals", "--record"},
        {!records && arguments.record_every != 1, "--record-every", "--record"},
        {!records && arguments.record_scene, "--record-scene", "--record"},
        {arguments.units.units.empty() && arguments.units.apart, "--fmu-process", "--fmu"},
        {!arguments.units.apart && arguments.units.call_limit_ns != UnitsRequest{}.call_limit_ns, "--fmu-limit",
         "--fmu-process"}})
    if (wanting) throw Error(std::string(option) + " requires " + other);
}

int serve(const ServeArguments& arguments) {
  requireBeside(arguments);
  if (arguments.require_rt && arguments.paused)
    throw Error("--require-rt and --paused exclude each other: nothing is requested before the start");
  Config config;
  config.recordings_folder = arguments.recordings;
  config.priority = arguments.priority.value_or(kDefaultPriority);
  config.limits = limitsOf(arguments.limits, config.priority);
  config.endpoint = parseEndpoint(arguments.listen);
  config.endpoint.unix_mode = parseUnixMode(arguments.unix_mode);
  config.endpoint.unix_group = arguments.unix_group;
  if (config.endpoint.unix_path.empty() && (arguments.unix_mode != "0600" || !arguments.unix_group.empty()))
    throw Error("--unix-mode and --unix-group need --listen unix:PATH");
  config.access = arguments.access;
  const bool other_hosts = config.access.insecure || config.access.guarded();
  if (!arguments.udp.empty()) config.udp = parseUdpEndpoint(arguments.udp, other_hosts);
  if (isInsecure(config) && config.access.insecure)
    spdlog::warn(
        "--insecure: other hosts can reach this server without encryption or without an identity; whoever reaches it "
        "may read, drive and delete everything that its role allows");

  // The session exists before the first client, and the server listens before the first tick.
  std::shared_ptr<Session> session;
  std::shared_ptr<void> units;
  // No other thread handles signals: those that start here hold them. A self-test may be ended by one.
  std::optional<HeldSignals> held(std::in_place);
  Server server(config, [&](SimulationService& service) {
    SessionSpec spec = sessionOf(arguments);
    if (arguments.self_test_ns > 0) {
      const EndingSignals ending;  // a SIGHUP waits for the end of the test
      testMachine(service, spec, arguments.self_test_ns);
    }
    session = service.sessions().create(std::move(spec));
    if (!arguments.units.units.empty()) units = arguments.start_units(session, arguments.units);
  });
  const bool has_files = config.access.encrypted() || config.access.identifies();
  RunUntil run([&] { has_files ? reloadAccess(server) : spdlog::info("SIGHUP: there are no files to read again"); });
  std::optional<MetricsPage> metrics;
  if (!arguments.metrics.empty()) metrics.emplace(server.service(), arguments.metrics);
  const std::string pages = metrics ? metrics->address() : "";
  startRecording(server, session, arguments);
  if (!arguments.paused) session->start();
  arguments.json ? void(std::cout << startedLine(server, *session, pages) << std::flush)
                 : printHeader(server, *session, pages);
  if (arguments.require_rt && !rt::allGranted(session->thread().grants())) {
    std::cerr << "tactus serve: --require-rt: some requests are not granted, see above\n";
    return text::kExitNoRealtime;
  }

  StandardOutput output;
  const auto report = [&] { output.write(arguments.json ? timingLine(*session) : timingText(*session)); };
  held.reset();  // a signal that came meanwhile ends the wait at once
  const std::string why = run.wait(arguments.duration_ns, arguments.report_every_ns, report);
  spdlog::info("shutting down: {}", why);
  // The last tick comes before the end of the streams, so that their end does not count as a lost controller.
  // In lockstep units make ticks, and end first.
  if (session->spec().clock.lockstep()) units.reset();
  // Ticks of the other sessions would keep the cores that the end of each session needs.
  for (const std::shared_ptr<Session>& each : server.service().sessions().list()) each->requestPause();
  pauseOrLeave(*session);
  units.reset();
  const rt::InputMode mode = session->status().input_mode;
  server.drain(why);
  // No client can delete a session any more. Ticks of the others would keep the cores that the recordings need now.
  const std::vector<std::shared_ptr<Session>> others = server.service().sessions().list();
  for (const std::shared_ptr<Session>& other : others) other->requestPause();
  for (const std::shared_ptr<Session>& other : others) pauseOrLeave(*other);
  server.service().recordings().stopAll();
  const SessionStatus status = session->status();
  if (const bool taken = StandardOutput::takesEnd(); taken && arguments.json) {
    std::cout << endedLine(*session, mode, why, server.service().recordings()) << std::flush;
  } else if (taken) {
    printRecordings(server.service().recordings());
    std::cout << timingText(*session) << "state hash: "
              << (status.state_hash ? rt::formatHash(*status.state_hash) : "none, a client has deleted the session")
              << std::endl;
  }
  if (mode == rt::InputMode::kSafe || mode == rt::InputMode::kRamping) {
    std::cerr << "tactus serve: session \"" << session->spec().name << "\" is in its safe state\n";
    return text::kExitFault;
  }
  if (!status.energy_growth.empty())
    std::cerr << "tactus serve: session \"" << session->spec().name << "\": " << status.energy_growth << '\n';
  if (status.fault.empty()) return status.energy_growth.empty() ? text::kExitOk : text::kExitFinding;
  std::cerr << "tactus serve: session \"" << session->spec().name << "\" is " << toString(status.state) << ": "
            << status.fault << '\n';
  return text::kExitFault;
}

void addAccessOptions(CLI::App& command, ServeArguments& a) {
  command.add_option("--tls-cert", a.access.tls_cert, "Certificate of the server, PEM; read again when it changes");
  command.add_option("--tls-key", a.access.tls_key, "Its private key, PEM, of mode 0600");
  command.add_option("--tls-client-ca", a.access.tls_client_ca,
                     "Authorities, PEM: clients must have a certificate of one of them");
  command.add_option("--tls-crl", a.access.tls_crl,
                     "Revoked client certificates, PEM, of `tactus certificate revoke`; read again at SIGHUP");
  command.add_option("--token-file", a.access.token_file,
                     "Tokens of clients, of `tactus token new`; read again at SIGHUP");
  command.add_option("--audit-log", a.access.audit_log,
                     "File for who changed what and what was refused; at most five of 10 MiB");
  command.add_flag("--trust-peer-header", a.access.trust_peer_header,
                   "Behind a proxy on a Unix socket: take the client certificate from its header x-tactus-client-cert");
  command.add_flag("--insecure", a.access.insecure,
                   "Let other hosts in without encryption or without an identity: only on a network that you control");
  command.add_option("--unix-mode", a.unix_mode, "Mode of the Unix socket: 0600, or 0660 for its group")
      ->capture_default_str();
  command.add_option("--unix-group", a.unix_group, "Group of the Unix socket");
}

}  // namespace

void addServeCommand(CLI::App& app, int& exit_code, StartUnits start_units) {
  CLI::App* command = app.add_subcommand("serve", "Serve models; one session starts immediately");
  const auto a = std::make_shared<ServeArguments>();
  addModelArgument(*command, a->model)->capture_default_str();
  command->add_option("--config", a->config, "TOML file with options as keys, read first: model = \"sedan\"")
      ->configurable(false);
  command->add_option("--session", a->session, "Name of the session")->capture_default_str();
  command->add_option("--set", a->sets, "Parameter of the model NAME=VALUE; `tactus set` changes it later");
  text::addPeriod(*command, "--period", a->period_ns, "Time of a tick, e.g. 1ms or 500Hz; default: the model's");
  command->add_option("--clock", a->clock, "real-time, free-run, scaled:F, lockstep or external")
      ->capture_default_str();
  command->add_option("--listen", a->listen, "ADDR:PORT, or unix:PATH; other hosts need --tls-cert and so on")
      ->capture_default_str();
  command->add_option("--udp", a->udp,
                      "ADDR:PORT: accept datagram links of devices, each on its own port from PORT on");
  addAccessOptions(*command, *a);
  command->add_option("--iterations", a->iterations, "Newton iterations of a step; default: the model's")
      ->check(atLeast(1));
  command->add_option(
      "--solver", a->solver,
      "Setting of the solver NAME=VALUE, e.g. full_newton=true; `tactus integrators` lists them at ali3p");
  command->add_option("--cpu", a->cpus, "Cores for the tick thread, e.g. 2 or 0,2-3");
  command
      ->add_option("--priority", a->priority,
                   "Real-time priority of the tick thread, 1 to 99; 0 for none; default: 80 for a clock that sleeps")
      ->check(CLI::Range(0, 99));
  addLimitOptions(*command, a->limits);
  command
      ->add_option(
          "--threads", a->threads,
          "Threads that share a step: useful for chains of 512 bodies and more, and two for a step of order 3 or 4; "
          "`tactus model print MODEL --plan` prints the limit")
      ->check(atLeast(1))
      ->capture_default_str();
  command->add_flag("--oversubscribe", a->oversubscribe, "Allow more --threads than cores");
  command->add_option("--overrun", a->overrun, "What to do after an overdue deadline: " + overrunForms())
      ->capture_default_str();
  command->add_option("--overrun-grace", a->overrun_grace, "Ticks after the start whose overruns do not count")
      ->check(atLeast(0));
  command
      ->add_option("--overrun-max-consecutive", a->overrun_max_consecutive,
                   "Stop the session (safe: enter the safe state) after more overdue deadlines in a row than this; "
                   "0 (default): no limit. To allow none: --overrun stop")
      ->check(atLeast(0));
  command
      ->add_option("--overrun-max-total", a->overrun_max_total,
                   "The same after more overdue deadlines in total than this; 0 (default): no limit. To allow none: "
                   "--overrun stop")
      ->check(atLeast(0));
  command
      ->add_option(
          "--miss-limit", a->miss_limit,
          "Ticks in a row without an input after which a controller is lost; 0: never; default: 20 with the clock "
          "real-time, scaled or external, else 0")
      ->check(atLeast(0));
  if (start_units) {
    command->add_option("--fmu", a->units.units,
                        "NAME=FILE.fmu:MAP.json: this FMU drives actuators of the session; repeat it for each FMU");
    command->add_flag("--fmu-process", a->units.apart,
                      "Run each FMU in a process of its own: a crash, an exit or a hang ends only that");
    text::addDuration(*command, "--fmu-limit", a->units.call_limit_ns, "A longer step ends the process of its FMU");
  }
  a->start_units = std::move(start_units);
  command->add_option("--initial", a->initial_condition, "Initial condition of the model; default: the declared one");
  command->add_flag("--paused", a->paused, "Do not start the session; `tactus session start` does");
  command->add_flag("--require-rt", a->require_rt, "Exit with 5 unless everything that is requested is granted");
  text::addDuration(*command, "--self-test", a->self_test_ns,
                    "Test the machine for this time first, as tactus doctor does; each recording holds the result");
  text::addDuration(*command, "--duration", a->duration_ns, "End after this time, e.g. 10s; default: at a signal");
  text::addDuration(*command, "--report-every", a->report_every_ns, "Time between timing reports");
  command->add_flag("--json", a->json, "Print one JSON object a line: started, each timing report, and ended");
  command->add_option("--record", a->record, "Record the session into this file, .mcap");
  command->add_option("--record-signals", a->record_signals, "Names and globs to record beside the inputs")
      ->delimiter(',');
  command->add_option("--record-every", a->record_every, "Record signals every N ticks")
      ->check(atLeast(1))
      ->capture_default_str();
  command->add_flag("--record-scene", a->record_scene,
                    "Record the frames and shapes of all bodies, too, for players that know the messages of Foxglove");
  command->add_option("--metrics", a->metrics,
                      "ADDR:PORT on loopback: /metrics for Prometheus and /health over HTTP; port 0: any free port");
  command->add_option("--recordings", a->recordings, "Folder of the recordings that clients start")
      ->capture_default_str();
  refuseEmptyValues(*command);
  onCall(*command, exit_code, a, [](const ServeArguments& arguments) {
    // The log goes to stderr, the report to stdout.
    spdlog::set_default_logger(spdlog::stderr_color_mt("tactus"));
    restartWithSleepingTeams();
    keepTerminalsFromBlocking();
    // The program that reads stdout or stderr may end; the sessions continue.
    std::signal(SIGPIPE, SIG_IGN);
    raiseDescriptorLimit();
    return serve(arguments);
  });
}

}  // namespace tactus::server
