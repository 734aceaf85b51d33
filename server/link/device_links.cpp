#include "server/link/device_links.h"

#include "server/wire/request_error.h"

#include <chrono>
#include <iterator>
#include <string>
#include <utility>

namespace tactus::server {

namespace {

constexpr std::chrono::milliseconds kPoll{20};  // between two checks for silent devices
constexpr std::size_t kRemembered = 64;         // links that have ended

}  // namespace

DeviceLinks::DeviceLinks(const std::optional<UdpEndpoint>& where, const Quota& quota)
    : where_(where), quota_(quota), timer_(io_) {
  if (!where_) return;
  look();
  watch_ = std::thread([this] { io_.run(); });
}

DeviceLinks::~DeviceLinks() {
  io_.stop();
  if (watch_.joinable()) watch_.join();
  closeAll(nullptr, "the server shuts down");
}

std::shared_ptr<DeviceLink> DeviceLinks::open(const std::shared_ptr<Session>& session, LinkTerms terms,
                                              const Peer& peer) {
  if (!where_)
    throw RequestError(Reason::kUdpDisabled, "", "this server accepts no datagrams", "start it with --udp ADDR:PORT");
  std::lock_guard lock(mutex_);
  QuotaUse use;
  for (const auto& [id, known] : links_)
    if (known->open()) use.add(peer, known->terms().owner);
  requireRoom(quota_, peer, use);
  terms.owner = peer.name;
  std::shared_ptr<DeviceLink> link = bind(session, terms);
  links_.emplace(next_id_++, link);
  forget();
  return link;
}

std::shared_ptr<DeviceLink> DeviceLinks::bind(const std::shared_ptr<Session>& session, const LinkTerms& terms) {
  for (std::size_t i = 0; i < quota_.total; ++i) {
    const std::size_t port = where_->port == 0 ? 0 : where_->port + i;
    if (port > 65535) break;
    try {
      return std::make_shared<DeviceLink>(next_id_, session, terms, where_->address, static_cast<std::uint16_t>(port));
    } catch (const PortTaken&) {
      if (port == 0) throw;
    }
  }
  throw RequestError(Reason::kLimitExceeded, "",
                     "every UDP port from " + std::to_string(where_->port) + " on is taken");
}

// Forgets the oldest links that have ended.
void DeviceLinks::forget() {
  for (auto link = links_.begin(); link != links_.end() && links_.size() > quota_.total + kRemembered;)
    link = link->second->open() ? std::next(link) : links_.erase(link);
}

std::shared_ptr<DeviceLink> DeviceLinks::find(std::uint64_t id) const {
  std::lock_guard lock(mutex_);
  const auto found = links_.find(id);
  if (found == links_.end())
    throw RequestError(Reason::kLinkUnknown, "id", "there is no link " + std::to_string(id),
                       "ListDeviceLinks lists the links");
  return found->second;
}

std::shared_ptr<DeviceLink> DeviceLinks::close(std::uint64_t id) {
  std::shared_ptr<DeviceLink> link = find(id);
  std::lock_guard lock(mutex_);
  link->close("closed");
  return link;
}

void DeviceLinks::closeAll(const Session* session, const std::string& why) {
  closeWhere([session](const DeviceLink& link) { return session == nullptr || &link.session() == session; }, why);
}

void DeviceLinks::closeNotAdmitted() {
  closeWhere([](const DeviceLink& link) { return link.terms().admitted && !link.terms().admitted(); },
             "the identity that opened it is not let in any more");
}

void DeviceLinks::closeWhere(const std::function<bool(const DeviceLink&)>& applies, const std::string& why) {
  std::lock_guard lock(mutex_);
  std::vector<DeviceLink*> ending;
  for (const auto& [id, link] : links_)
    if (applies(*link) && link->beginClose(why)) ending.push_back(link.get());
  for (DeviceLink* link : ending) link->endClose();
}

std::vector<std::shared_ptr<DeviceLink>> DeviceLinks::list() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<DeviceLink>> links;
  for (const auto& [id, link] : links_) links.push_back(link);
  return links;
}

// Ends the links whose device has sent nothing for too long.
void DeviceLinks::look() {
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, link] : links_) {
      if (const auto by = link->takenBy()) link->close("its inputs were taken over by " + *by);
      if (!link->open() || link->silentForNs() <= link->terms().idle_limit_ns) continue;
      link->terms().persistent ? link->rest() : link->close("the device sent nothing");
    }
  }
  timer_.expires_after(kPoll);
  timer_.async_wait([this](const asio::error_code& error) {
    if (!error) look();
  });
}

}  // namespace tactus::server
