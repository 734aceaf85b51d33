// MetricsPage: what monitoring reads of a server over HTTP: timing of all sessions, and health.
#pragma once

#include "proto/text/page_server.h"

#include <string>
#include <thread>

namespace tactus::server {

class SimulationService;

/// Serves /metrics (Prometheus) and /health (200 while calls are taken) to readers of this host, in one thread of the
/// normal class, until the page is destroyed. The texts hold numbers and names of sessions, and no values of signals.
class MetricsPage {
 public:
  /// @param listen  ADDR:PORT, see text::PageServer. The service must outlive the page. @throws Error
  MetricsPage(SimulationService& service, const std::string& listen);
  ~MetricsPage();
  MetricsPage(const MetricsPage&) = delete;
  MetricsPage& operator=(const MetricsPage&) = delete;

  /// With the actual port.
  const std::string& address() const noexcept { return pages_.address(); }

 private:
  text::PageServer pages_;
  std::thread thread_;
};

/// The text of /metrics.
std::string metricsOf(SimulationService& service);

}  // namespace tactus::server
