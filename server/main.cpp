// The one program `tactus`: its subcommands, and nothing else.
#ifdef TACTUS_WITH_CLIENTS
#include "clients/cli/analyse_session.h"
#include "clients/cli/commtest.h"
#include "clients/cli/draw.h"
#include "clients/cli/link.h"
#include "clients/cli/metrics.h"
#include "clients/cli/parameters.h"
#include "clients/cli/recording.h"
#include "clients/cli/road.h"
#include "clients/cli/safe.h"
#include "clients/cli/session.h"
#include "clients/cli/signals.h"
#include "clients/cli/snapshot.h"
#include "clients/cli/sweep.h"
#include "clients/cli/timing.h"
#include "clients/cli/view.h"
#include "clients/cli/watch.h"
#include "clients/fmi/fmu_command.h"
#include "clients/fmi/session/session_unit.h"
#include "clients/fmi/session/unit_process.h"
#endif
#include "proto/text/exit_code.h"
#include "server/build_info.h"
#include "server/cli/analyse.h"
#include "server/cli/assignment.h"
#include "server/cli/certificate.h"
#include "server/cli/completion.h"
#include "server/cli/config_file.h"
#include "server/cli/doctor.h"
#include "server/cli/integrators.h"
#include "server/cli/model.h"
#include "server/cli/model_argument.h"
#include "server/cli/model_signals.h"
#include "server/cli/models.h"
#include "server/cli/option_rules.h"
#include "server/cli/qualify.h"
#include "server/cli/recordings.h"
#include "server/cli/run.h"
#include "server/cli/serve.h"
#include "server/cli/standard_streams.h"
#include "server/cli/subcommand_names.h"
#include "server/cli/token.h"
#include "server/cli/validate.h"
#include "server/cli/written_words.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace {

/// Runs the subcommand of the command line. @returns the exit code
int runProgram(int argc, char** argv) {
  using namespace tactus;

  // Files get mode 0600 and folders 0700, whoever makes them: this program, its libraries or its child processes.
  ::umask(0077);

  CLI::App app("Tactus: real-time multibody simulation for hardware in the loop");
  app.set_version_flag("--version", server::describeBuild());
  app.require_subcommand(1);
  const std::string codes =
      "Durations and frequencies carry units: ns, us, ms, s, min, h, Hz, kHz, MHz; for example 1ms, 10s, 500Hz.\n"
      "Exit codes: 0 ok; 1 a finding or a difference; 2 usage, invalid model, refusal or failure;\n"
      "3 server unreachable; 4 fault or safe state; 5 a demanded real-time property is not available.";
  app.footer("MODEL is a built-in model (tactus models) or a .json or .txtpb file.\n" + codes);

  int exit_code = text::kExitOk;
#ifdef TACTUS_WITH_CLIENTS
  server::addServeCommand(app, exit_code, [](const auto& session, const server::UnitsRequest& request) {
    return fmi::startUnits(session, request.units, {request.apart, request.call_limit_ns});
  });
#else
  server::addServeCommand(app, exit_code);
#endif
  server::addRunCommand(app, exit_code);
  server::addValidateCommand(app, exit_code);
  server::addQualifyCommand(app, exit_code);
  server::addAnalyseCommand(app, exit_code);
  server::addIntegratorsCommand(app, exit_code);
  server::addReplayCommand(app, exit_code);
  server::addDiffCommand(app, exit_code);
  server::addExportCommand(app, exit_code);
  server::addModelsCommand(app, exit_code);
  server::addModelCommand(app, exit_code);
  server::addDoctorCommand(app, exit_code);
  server::addCertificateCommand(app, exit_code);
  server::addTokenCommand(app, exit_code);
#ifdef TACTUS_WITH_CLIENTS
  client::addSignalsCommand(app, exit_code, server::signalsOfModel);
  client::addTimingCommand(app, exit_code);
  client::addMetricsCommand(app, exit_code);
  client::addRecordingCommand(app, exit_code);
  client::addSnapshotCommand(app, exit_code, server::damageOfSnapshot);
  client::addSafeCommands(app, exit_code);
  client::addRoadCommand(app, exit_code);
  client::addSessionCommand(app, exit_code,
                            {server::parseAssignment, server::parseSetting, server::messageOfModelFile});
  client::addParameterCommands(app, exit_code, server::parseAssignment, server::nearestOf);
  client::addLinkCommand(app, exit_code);
  client::addSweepCommand(app, exit_code);
  client::addCommtestCommand(app, exit_code);
  client::addWatchCommand(app, exit_code);
  client::addViewCommand(app, exit_code);
  fmi::addFmuCommand(app, exit_code, server::describeBuild());
  fmi::addUnitProcessCommand(*app.get_subcommand("fmu"), exit_code);
  client::addAnalyseSessionCommand(*app.get_subcommand("analyse"), exit_code, server::parseAssignment);
  client::addDrawCommand(*app.get_subcommand("model"), exit_code);
#endif

  server::addCompletionCommand(app, exit_code);

  const std::string footer = app.get_footer();
  for (CLI::App* command : app.get_subcommands({})) server::endHelpWithoutModel(*command, footer, codes);
  server::addRulesOfAllOptions(app);

  if (argc < 2) {
    std::cerr << app.help();
    return text::kExitUsage;
  }
  if (const std::string refusal = server::refusalOfWord(app, argv[1]); !refusal.empty()) {
    std::cerr << "tactus: " << refusal << '\n';
    return text::kExitUsage;
  }
  CLI::App& serve = *app.get_subcommand("serve");
  if (argv[1] == serve.get_name())
    if (const std::string findings = server::readConfigFile(serve, {argv + 2, argv + argc}); !findings.empty()) {
      std::cerr << "tactus serve: --config: " << findings << '\n';
      return text::kExitUsage;
    }
  const std::vector<std::string> words = server::markedWords(app, {argv, argv + argc});
  try {
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    app.parse(argc, pointers.data());
  } catch (const CLI::ParseError& error) {
    // A word that is not known comes before a required one that is missing: it may be that one, misspelled.
    const bool incomplete =
        dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
    if (incomplete && !app.remaining(true).empty()) {
      std::cerr << server::refusalOfExtras(app, words) << '\n';
      return text::kExitUsage;
    }
    return app.exit(error) == 0 ? text::kExitOk : text::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << "tactus: " << error.what() << '\n';
    return text::kExitUsage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tactus;

  if (!server::holdStandardStreams()) return text::kExitUsage;
  // A write beyond the maximum size of a file (ulimit -f) fails; it does not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  const int exit_code = runProgram(argc, argv);
  // A server continues when the reader of its reports has left.
  const bool serves = argc > 1 && std::string(argv[1]) == "serve";
  if (server::flushStandardOutput() || serves) return exit_code;
  std::cerr << "tactus: standard output cannot be written\n";
  return exit_code == text::kExitOk ? text::kExitUsage : exit_code;
}
