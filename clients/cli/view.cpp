#include "clients/cli/view.h"

#include "clients/cli/node_program.h"
#include "clients/cli/remote.h"
#include "clients/cpp/credentials.h"
#include "proto/text/exit_code.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {
namespace {

struct ViewChoices : RemoteChoices {
  std::string listen = "127.0.0.1", page_token_file, token_on_the_command_line;
  std::vector<std::string> origins;
  int port = 8080;
};

/// Replaces this program by the bridge.
/// @returns only if it cannot: the exit code
int becomeBridge(const ViewChoices& choices) {
  if (!choices.token_on_the_command_line.empty()) {
    fmt::print(stderr,
               "tactus view: --token: every user of the host can read a command line. Put the secret into a file that "
               "only you can read, and give --page-token-file FILE, or set TACTUS_VIEW_TOKEN\n");
    return text::kExitUsage;
  }
  std::vector<std::string> words{"--server", choices.server, "--port", std::to_string(choices.port),
                                 "--listen", choices.listen};
  for (const std::string& origin : choices.origins) words.insert(words.end(), {"--origin", origin});
  // The bridge takes the paths from here, too.
  const auto set = [](const char* name, const std::string& path) {
    if (!path.empty()) ::setenv(name, path.c_str(), 1);
  };
  set("TACTUS_TLS_CA", choices.credentials.tls_ca);
  set("TACTUS_TLS_CERT", choices.credentials.tls_cert);
  set("TACTUS_TLS_KEY", choices.credentials.tls_key);
  set("TACTUS_TOKEN_FILE", choices.credentials.token_file);
  set("TACTUS_VIEW_TOKEN_FILE", choices.page_token_file);
  return becomeNodeProgram("bridge.cjs", words);
}

}  // namespace

void addViewCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<ViewChoices>();
  CLI::App* command = app.add_subcommand("view", "See and drive the sessions of a server in a browser");
  addServerOption(*command, *choices);
  command->add_option("--port", choices->port, "Port of the page; 0: any free port")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--listen", choices->listen, "Address of the page; if other hosts can reach it, a secret is needed")
      ->capture_default_str();
  command->add_option("--origin", choices->origins, "Further origin whose pages may connect: http://HOST:PORT");
  command->add_option("--page-token-file", choices->page_token_file,
                      "File that only its owner may read, with a secret of 16 characters or more that pages must give; "
                      "or the secret itself in TACTUS_VIEW_TOKEN");
  // Known, so that its refusal says what to do; an empty group keeps it out of the help.
  command->add_option("--token", choices->token_on_the_command_line, "")->group("");
  onCall(*command, exit_code, [choices] {
    openCredentials(choices->credentials, choices->server);  // the rules of every other command
    return becomeBridge(*choices);
  });
}

}  // namespace tactus::client
