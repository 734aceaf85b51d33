#include "server/session/session_registry.h"

#include "rt/model/check_model.h"
#include "rt/model/model.h"

#include <algorithm>
#include <utility>

namespace tactus::server {

bool isValidName(const std::string& name) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  return !name.empty() && name.size() <= 64 && name != "." && name != ".." &&
         name.find_first_not_of(kAllowed) == std::string::npos;
}

std::shared_ptr<Session> SessionRegistry::create(SessionSpec spec, const Peer& peer) {
  const std::string name = reserve(spec.name, static_cast<std::size_t>(spec.model->bodyCount()), peer);
  spec.name = name;
  spec.owner = peer.name;
  try {
    auto session = std::make_shared<Session>(std::move(spec));
    std::lock_guard lock(mutex_);
    if (draining_) throw RequestError(Reason::kDraining, "", "the server is shutting down");
    return sessions_[name].session = std::move(session);
  } catch (...) {
    std::lock_guard lock(mutex_);
    sessions_.erase(name);
    throw;
  }
}

std::string SessionRegistry::reserve(std::string name, std::size_t bodies, const Peer& peer) {
  if (!name.empty() && !isValidName(name))
    throw RequestError(Reason::kRequestInvalid, "name", "\"" + name + "\" is not a valid name for a session",
                       "1 to 64 of A-Z a-z 0-9 _ . -");
  std::lock_guard lock(mutex_);
  if (draining_) throw RequestError(Reason::kDraining, "", "the server is shutting down");
  QuotaUse sessions, all_bodies;  // the memory of a session grows with its bodies
  for (const auto& [known, entry] : sessions_) {
    sessions.add(peer, entry.owner);
    all_bodies.add(peer, entry.owner, entry.bodies);
  }
  requireRoom(quota_, peer, sessions);
  requireRoom(bodies_, peer, all_bodies, bodies);
  while (name.empty()) {
    std::string candidate = "session-" + std::to_string(next_number_++);
    if (!sessions_.contains(candidate)) name = std::move(candidate);
  }
  if (!sessions_.emplace(name, Entry{nullptr, peer.name, bodies}).second)
    throw RequestError(Reason::kSessionExists, "name", "there is a session \"" + name + "\" already",
                       "choose another name, or none");
  return name;
}

std::shared_ptr<Session> SessionRegistry::find(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = sessions_.find(name);
  if (found == sessions_.end() || !found->second.session) throw unknown(name);
  return found->second.session;
}

void SessionRegistry::remove(const std::string& name) {
  std::shared_ptr<Session> session;
  {
    std::lock_guard lock(mutex_);
    const auto found = sessions_.find(name);
    if (found == sessions_.end() || !found->second.session) throw unknown(name);
    session = std::move(found->second.session);
    sessions_.erase(found);
  }
  session->close();
}

std::vector<std::shared_ptr<Session>> SessionRegistry::list() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Session>> sessions;
  for (const auto& [name, entry] : sessions_)
    if (entry.session) sessions.push_back(entry.session);
  return sessions;
}

std::size_t SessionRegistry::size() const {
  std::lock_guard lock(mutex_);
  return sessions_.size();
}

void SessionRegistry::drain(const std::string& reason) {
  {
    std::lock_guard lock(mutex_);
    draining_ = true;
  }
  for (const auto& session : list())
    session->feed().post(SessionEvent::Kind::kDraining, session->feed().newest().header.tick, reason);
}

RequestError SessionRegistry::unknown(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& [known, entry] : sessions_) names.push_back(known);
  const std::string near = rt::nearestName(name, names);
  return {Reason::kSessionUnknown, "session", "there is no session \"" + name + "\"",
          near.empty() ? "ListSessions lists the sessions" : "did you mean \"" + near + "\"?"};
}

}  // namespace tactus::server
