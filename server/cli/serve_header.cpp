#include "server/cli/serve_header.h"

#include "proto/text/duration.h"
#include "proto/text/report_line.h"
#include "rt/model/model.h"
#include "server/build_info.h"
#include "server/cli/shared_threads.h"
#include "server/service/server.h"

#include <fmt/format.h>

#include <iostream>
#include <vector>

namespace tactus::server {

namespace {

// Who is let in; empty if that is everybody who reaches the endpoint.
std::string doorText(const Access& access) {
  std::string text = access.encrypted() ? "TLS" : access.identifies() ? "plaintext" : "";
  if (access.trust_peer_header)
    text += ", client certificates as the proxy on the socket names them";
  else if (!access.tls_client_ca.empty())
    text += ", client certificates of " + access.tls_client_ca;
  if (!access.token_file.empty()) text += ", tokens of " + access.token_file;
  if (!access.audit_log.empty()) text += (text.empty() ? "" : ", ") + ("audit log " + access.audit_log);
  return text;
}

}  // namespace

void printHeader(Server& server, Session& session, const std::string& pages) {
  const BuildInfo& build = buildInfo();
  const rt::Model& model = session.model();
  const rt::AssemblyResult& assembly = session.assembly();
  const std::vector<rt::Grant> grants = session.thread().grants();
  std::cout << fmt::format("tactus    {}, commit {}, {}, {}\nendpoint  {}\n", build.version, build.commit,
                           build.compiler, build.instruction_set, server.address());
  if (const std::string door = doorText(server.service().door().access()); !door.empty())
    std::cout << "door      " << door << '\n';
  if (!pages.empty()) std::cout << fmt::format("metrics   http://{0}/metrics, http://{0}/health\n", pages);
  std::cout << fmt::format("session   {}: {}, {}, {}, {}, {}\n", session.spec().name, session.spec().model_label,
                           text::counted(model.bodyCount(), "body", "bodies"),
                           text::counted(model.declared_joints, "joint", "joints"),
                           text::counted(model.rows, "row", "rows"),
                           text::counted(model.actuatorCount(), "input", "inputs"))
            << fmt::format("clock     {}, period {}, {} iterations", formatClock(session.spec().clock),
                           text::formatDuration(session.settings().period_ns), session.settings().iterations);
  if (session.thread().spinMarginNs() > 0)
    std::cout << ", spins for " << text::formatMeasured(session.thread().spinMarginNs()) << " before each deadline";
  if (session.spec().clock.paced()) std::cout << ", overrun policy " << formatOverrun(session.spec().overrun);
  if (session.state() != SessionState::kRunning) std::cout << ", not started (tactus session start)";
  std::cout << '\n';
  if (const int asked = session.spec().realtime.threads; asked > 1)
    std::cout << "threads   " << sharedThreads(session.threads(), asked) << '\n';
  if (assembly.position_correction > 0 || assembly.velocity_correction > 0)
    std::cout << fmt::format("assembled moved by {:g} m or rad, velocities by {:g} m/s or rad/s\n",
                             assembly.position_correction, assembly.velocity_correction);
  std::cout << "host      " << server.service().hostChecks().host().grade() << " (tactus doctor explains it)";
  if (!session.spec().clock.ticksInCaller() && session.state() == SessionState::kRunning)
    std::cout << "; "
              << (rt::allGranted(grants) ? "every request is granted" : "best effort: some requests are not granted");
  std::cout << '\n';
  for (const rt::Grant& grant : grants) std::cout << "          " << rt::describe(grant) << '\n';
  std::cout << std::flush;
}

}  // namespace tactus::server
