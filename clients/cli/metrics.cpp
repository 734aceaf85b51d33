#include "clients/cli/metrics.h"

#include "clients/cli/command_names.h"
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

/// What one reading of a server gives.
struct Reading {
  std::vector<std::pair<std::string, v1::TimingReport>> reports;  ///< by the names of the sessions
  bool up = true;                                                 ///< the server answers, even if it refuses
  std::optional<ClientError> error;                               ///< the first one
};

/// False if no server answered in time, or if this client cannot use its credentials and asked no server.
bool isAnswer(const ClientError& error) {
  return !error.unreachable() && error.code() != grpc::StatusCode::DEADLINE_EXCEEDED &&
         error.code() != grpc::StatusCode::INVALID_ARGUMENT;
}

Reading readServer(const RemoteChoices& choices) {
  Reading reading;
  try {
    const Client client = connect(choices);
    for (const v1::Session& session : client.sessions()) {
      try {
        reading.reports.emplace_back(session.name(), client.session(session.name()).timing());
      } catch (const ClientError& error) {
        if (!isAnswer(error)) throw;
        // A session that is not known was deleted since.
        if (error.code() != grpc::StatusCode::NOT_FOUND && !reading.error) reading.error = error;
      }
    }
  } catch (const ClientError& error) {
    reading.up = isAnswer(error);
    reading.reports.clear();
    reading.error = error;
  }
  return reading;
}

/// True if the server does not take the identity of this client.
bool refusesIdentity(const ClientError& error) {
  return error.code() == grpc::StatusCode::UNAUTHENTICATED || error.code() == grpc::StatusCode::PERMISSION_DENIED;
}

/// The page of readings. Why a server gives no reports is a line on stderr, once for each reason that follows another.
class MetricsPage {
 public:
  std::string text(const Reading& reading) {
    const std::string reason = reading.error ? reading.error->reason() : "";
    if (reason != reason_ && reading.error)
      fmt::print(stderr, "tactus metrics: {}\n", inCommands(reading.error->what()));
    reason_ = reason;
    return fmt::format("# HELP tactus_up 1 if the server answers.\n# TYPE tactus_up gauge\ntactus_up {}\n",
                       reading.up ? 1 : 0) +
           text::prometheusText(reading.reports);
  }

 private:
  std::string reason_;  ///< of the last error; empty: there was none
};

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
    // A server that is down may start later; one that does not know this client will not get to know it.
    const Reading first = readServer(*choices);
    if (first.error && refusesIdentity(*first.error)) throw ClientError(*first.error);
    MetricsPage page;
    page.text(first);
    fmt::print("metrics of {}: http://{}/metrics\n", choices->server, pages->address());
    std::fflush(stdout);
    pages->serve({{"/metrics", {text::kPrometheusType, [&] { return page.text(readServer(*choices)); }}}});
    return text::kExitOk;
  });
}

}  // namespace tactus::client
