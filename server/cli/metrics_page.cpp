#include "server/cli/metrics_page.h"

#include "proto/text/prometheus.h"
#include "rt/error.h"
#include "server/service/simulation_service.h"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace tactus::server {

std::string metricsOf(SimulationService& service) {
  std::vector<std::pair<std::string, v1::TimingReport>> reports;
  std::size_t running = 0, faulted = 0;
  for (const std::shared_ptr<Session>& session : service.sessions().list()) {
    const SessionState state = session->state();
    running += state == SessionState::kRunning;
    faulted += state == SessionState::kFaulted;
    v1::TimingReport report;
    service.writeTiming(*session, report);
    reports.emplace_back(session->spec().name, std::move(report));
  }
  std::size_t recording = 0;
  for (const v1::Recording& each : service.recordings().list("")) recording += each.running();
  const auto gauge = [](const char* name, const char* help, std::size_t value) {
    return fmt::format("# HELP tactus_{0} {1}\n# TYPE tactus_{0} gauge\ntactus_{0} {2}\n", name, help, value);
  };
  return gauge("up", "1 if the server answers.", 1) + gauge("sessions", "Sessions that exist.", reports.size()) +
         gauge("sessions_running", "Sessions that tick.", running) +
         gauge("sessions_faulted", "Sessions that a fault has ended.", faulted) +
         gauge("recordings_running", "Recordings that take ticks.", recording) + text::prometheusText(reports);
}

MetricsPage::MetricsPage(SimulationService& service, const std::string& listen) try
    : pages_("--metrics", listen), thread_([this, &service] {
        pages_.serve({{"/metrics", {text::kPrometheusType, [&service] { return metricsOf(service); }}},
                      {"/health", {"text/plain", [&service] {
                                     if (service.draining()) throw Error("NOT_SERVING");  // an answer of 500
                                     return std::string("SERVING\n");
                                   }}}});
      }) {
} catch (const std::exception& error) { throw Error(error.what()); }

MetricsPage::~MetricsPage() {
  pages_.stop();
  thread_.join();
}

}  // namespace tactus::server
