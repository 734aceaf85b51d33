#include "server/cli/analyse.h"

namespace tactus::server {

void addAnalyseCommand(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("analyse",
                         "Linearize a model or a session, find its modes, equilibria, trims, response, sensitivities")
          ->alias("analyze");
  command->require_subcommand(1);
  addLinearizeCommand(*command, exit_code);
  addModesCommand(*command, exit_code);
  addEquilibriumCommand(*command, exit_code);
  addResponseCommand(*command, exit_code);
  addSensitivityCommand(*command, exit_code);
  addTrimCommand(*command, exit_code);
}

}  // namespace tactus::server
