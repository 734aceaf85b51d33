#include "server/door/quota.h"

#include "server/wire/request_error.h"

namespace tactus::server {

namespace {

// "; 5 more exceed the limit of 8", where more than one is asked for.
std::string excess(std::size_t more, const std::string& limit) {
  return more == 1 ? "" : "; " + std::to_string(more) + " more exceed " + limit;
}

}  // namespace

void requireRoom(const Quota& quota, const Peer& peer, const QuotaUse& use, std::size_t more) {
  const std::string things = ' ' + std::string(quota.things) + " already";
  const std::string all = "there are " + std::to_string(use.all) + things;
  if (use.all + more > quota.total)
    throw RequestError(Reason::kLimitExceeded, "",
                       all + excess(more, "the limit of this server, " + std::to_string(quota.total)), quota.remedy);
  if (peer.role == Role::kAdmin) return;
  if (use.own + more > quota.share)
    throw RequestError(Reason::kLimitExceeded, "",
                       '"' + peer.name + "\" has " + std::to_string(use.own) + things +
                           (more == 1 ? ", the share of one client"
                                      : excess(more, "the share of one client, " + std::to_string(quota.share))),
                       (quota.share == 0 ? "an administrator may; raise the share: tactus serve --share "
                                         : std::string(quota.remedy) + ", or raise the share: tactus serve --share ") +
                           quota.kind + "=N");
  if (use.all + more > quota.forClients())
    throw RequestError(Reason::kLimitExceeded, "",
                       all + excess(more, "what clients may have together, " + std::to_string(quota.forClients())) +
                           "; the last " + std::to_string(quota.reserve) + " of " + std::to_string(quota.total) +
                           " are kept for the role admin",
                       quota.remedy);
}

}  // namespace tactus::server
