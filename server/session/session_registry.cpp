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

std::shared_ptr<Session> SessionRegistry::create(SessionSpec spec) {
  const auto bodies = static_cast<std::size_t>(spec.model->bodyCount());
  const std::string name = reserve(spec.name, bodies);
  spec.name = name;
  try {
    auto session = std::make_shared<Session>(std::move(spec));
    std::lock_guard lock(mutex_);
    if (draining_) throw RequestError(Reason::kDraining, "", "the server is shutting down");
    return sessions_[name] = std::move(session);
  } catch (...) {
    std::lock_guard lock(mutex_);
    sessions_.erase(name);
    bodies_ -= bodies;
    throw;
  }
}

std::string SessionRegistry::reserve(std::string name, std::size_t bodies) {
  if (!name.empty() && !isValidName(name))
    throw RequestError(Reason::kRequestInvalid, "name", "\"" + name + "\" is not a valid name for a session",
                       "1 to 64 of A-Z a-z 0-9 _ . -");
  std::lock_guard lock(mutex_);
  if (draining_) throw RequestError(Reason::kDraining, "", "the server is shutting down");
  if (sessions_.size() >= limit_)
    throw RequestError(Reason::kLimitExceeded, "", "there are " + std::to_string(limit_) + " sessions already",
                       "delete a session first");
  // The memory of a session grows with its bodies.
  if (bodies_ + bodies > most_bodies_)
    throw RequestError(Reason::kLimitExceeded, "",
                       "the sessions have " + std::to_string(bodies_) + " bodies and this model " +
                           std::to_string(bodies) + "; all sessions together have at most " +
                           std::to_string(most_bodies_),
                       "delete a session first");
  while (name.empty()) {
    std::string candidate = "session-" + std::to_string(next_number_++);
    if (!sessions_.contains(candidate)) name = std::move(candidate);
  }
  if (!sessions_.emplace(name, nullptr).second)
    throw RequestError(Reason::kSessionExists, "name", "there is a session \"" + name + "\" already",
                       "choose another name, or none");
  bodies_ += bodies;
  return name;
}

std::shared_ptr<Session> SessionRegistry::find(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = sessions_.find(name);
  if (found == sessions_.end() || !found->second) throw unknown(name);
  return found->second;
}

void SessionRegistry::remove(const std::string& name) {
  std::shared_ptr<Session> session;
  {
    std::lock_guard lock(mutex_);
    const auto found = sessions_.find(name);
    if (found == sessions_.end() || !found->second) throw unknown(name);
    session = std::move(found->second);
    bodies_ -= static_cast<std::size_t>(session->model().bodyCount());
    sessions_.erase(found);
  }
  session->close();
}

std::vector<std::shared_ptr<Session>> SessionRegistry::list() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Session>> sessions;
  for (const auto& [name, session] : sessions_)
    if (session) sessions.push_back(session);
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
  for (const auto& [known, session] : sessions_) names.push_back(known);
  const std::string near = rt::nearestName(name, names);
  return {Reason::kSessionUnknown, "session", "there is no session \"" + name + "\"",
          near.empty() ? "ListSessions lists the sessions" : "did you mean \"" + near + "\"?"};
}

}  // namespace tactus::server
