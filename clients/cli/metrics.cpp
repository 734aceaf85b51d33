#include "clients/cli/metrics.h"

#include "clients/cli/remote.h"
#include "clients/cpp/credentials.h"
#include "proto/text/page_server.h"
#include "proto/text/prometheus.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

struct MetricsChoices : RemoteChoices {
  std::string listen = "127.0.0.1:9464";
};

/// The reports of all sessions. `tactus_up` is 0 where the server does not answer.
std::string metricsOf(const RemoteChoices& choices) {
  std::vector<std::pair<std::string, v1::TimingReport>> reports;
  bool up = true;
  try {
    const Client client = connect(choices);
    for (const v1::Session& session : client.sessions()) {
      try {
        reports.emplace_back(session.name(), client.session(session.name()).timing());
      } catch (const ClientError& error) {
        if (error.unreachable()) throw;  // otherwise the session was deleted since
      }
    }
  } catch (const ClientError&) {
    up = false;
    reports.clear();
  }
  return fmt::format("# HELP tactus_up 1 if the server answers.\n# TYPE tactus_up gauge\ntactus_up {}\n", up ? 1 : 0) +
         text::prometheusText(reports);
}

}  // namespace

void addMetricsCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<MetricsChoices>();
  CLI::App* command = app.add_subcommand("metrics", "Serve the timing reports of a server to Prometheus, over HTTP");
  addServerOption(*command, *choices);
  command->add_option("--listen", choices->listen, "ADDR:PORT of the page, on loopback; port 0: any free port")
      ->capture_default_str();
  onCall(*command, exit_code, [choices] {
    openCredentials(choices->credentials, choices->server);  // a wrong option is an error, not a server that is down
    std::optional<text::PageServer> pages;
    try {
      pages.emplace("--listen", choices->listen);
    } catch (const std::invalid_argument& error) {
      fmt::print(stderr, "tactus: {}\n", error.what());
      return text::kExitUsage;
    }
    fmt::print("metrics of {}: http://{}/metrics\n", choices->server, pages->address());
    std::fflush(stdout);
    pages->serve({{"/metrics", {text::kPrometheusType, [choices] { return metricsOf(*choices); }}}});
    return text::kExitOk;
  });
}

}  // namespace tactus::client
