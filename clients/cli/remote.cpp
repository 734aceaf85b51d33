#include "clients/cli/remote.h"

#include <cstdio>

namespace tactus::client {

Session chooseSession(const Client& client, const std::string& name) {
  if (!name.empty()) return client.session(name);
  const auto sessions = client.sessions();
  if (sessions.size() == 1) return client.session(sessions.front().name());

  v1::ErrorDetail detail;
  detail.set_reason("REQUEST_INVALID");
  detail.set_field("--session");
  if (sessions.empty()) throw ClientError(grpc::StatusCode::NOT_FOUND, "the server runs no session", detail);
  std::string hint = "choose one of";
  for (const v1::Session& session : sessions) hint += " " + session.name();
  detail.set_hint(hint);
  throw ClientError(grpc::StatusCode::INVALID_ARGUMENT, "the server runs more than one session", detail);
}

int exitCodeOf(const std::function<void()>& subcommand) {
  try {
    subcommand();
    return 0;
  } catch (const ClientError& error) {
    std::fprintf(stderr, "tactus: %s\n", error.what());
    if (error.unreachable()) return kExitUnreachable;
    const bool usage =
        error.code() == grpc::StatusCode::INVALID_ARGUMENT || error.code() == grpc::StatusCode::NOT_FOUND;
    return usage ? kExitUsage : kExitFinding;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tactus: %s\n", error.what());
    return kExitFinding;
  }
}

}  // namespace tactus::client
