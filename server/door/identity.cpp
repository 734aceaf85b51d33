#include "server/door/identity.h"

#include "server/wire/request_error.h"

namespace tactus::server {

namespace {

constexpr std::string_view kClient = "tactus:client:", kRole = "tactus:role:";

RequestError unusable(const std::string& what) {
  return {Reason::kNotAuthenticated, "", "the client certificate " + what,
          "`tactus certificate issue` makes certificates with a name and a role"};
}

// The one URI with a prefix, without it; empty if there is none.
std::string partOf(const std::vector<std::string>& uris, std::string_view prefix) {
  std::string part;
  for (const std::string& uri : uris) {
    if (!uri.starts_with(prefix)) continue;
    if (!part.empty()) throw unusable("has two URIs " + std::string(prefix));
    part = uri.substr(prefix.size());
  }
  return part;
}

}  // namespace

bool isIdentity(std::string_view name) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  return !name.empty() && name.size() <= 64 && name.find_first_not_of(kLetters) == std::string_view::npos;
}

Peer peerOfCertificate(const std::vector<std::string>& uris, const std::string& common_name) {
  const std::string name = partOf(uris, kClient), role = partOf(uris, kRole);
  Peer peer{name.empty() ? common_name : name, Role::kObserve};
  if (!isIdentity(peer.name)) throw unusable("has no name of 1 to 64 of A-Z a-z 0-9 _ . -");
  if (role.empty()) return peer;
  const auto found = rt::fromWord(kRoles, role);
  if (!found) throw unusable("names a role that is none of " + rt::wordList(kRoles));
  peer.role = *found;
  return peer;
}

}  // namespace tactus::server
