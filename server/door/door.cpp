#include "server/door/door.h"

#include "proto/text/small_file.h"
#include "server/door/front_certificate.h"
#include "server/door/identity.h"
#include "server/wire/request_error.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/security/auth_context.h>
#include <spdlog/spdlog.h>

#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::server {

namespace {

constexpr std::string_view kScheme = "Bearer ";

std::vector<std::string> valuesOf(const grpc::AuthContext& context, const char* property) {
  std::vector<std::string> values;
  for (const grpc::string_ref& value : context.FindPropertyValues(property))
    values.emplace_back(value.data(), value.size());
  return values;
}

RequestError notAuthenticated(const std::string& what) {
  return {Reason::kNotAuthenticated, "", what,
          "give a token of this server with --token-file or TACTUS_TOKEN_FILE; `tactus token new` makes one"};
}

TokenFile readTokens(const std::string& path) {
  try {
    return TokenFile::read(path);
  } catch (const Error& error) { throw Error(std::string("--token-file ") + error.what()); }
}

std::string firstOf(const grpc::AuthContext& context, const char* property) {
  const std::vector<std::string> values = valuesOf(context, property);
  return values.empty() ? "" : values.front();
}

// "OK", or the code and the message.
std::string outcomeOf(const grpc::Status& status) {
  return status.ok() ? "OK" : "refused (" + std::to_string(status.error_code()) + "): " + status.error_message();
}

}  // namespace

Door::Door(const Access& access)
    : access_(access), log_(access.audit_log), certificates_(readCertificates(readAuthorities())) {
  if (!access_.token_file.empty()) tokens_ = readTokens(access_.token_file);
}

std::string Door::readAuthorities() const {
  if (!access_.verifiesClients()) return {};
  try {
    return text::readSmallFile(access_.tls_client_ca, text::FileReaders::kAny);
  } catch (const std::runtime_error& error) { throw Error(std::string("--tls-client-ca ") + error.what()); }
}

ClientCertificates Door::readCertificates(const std::string& authorities) const {
  std::optional<RevocationList> revoked;
  if (!access_.tls_crl.empty()) revoked = RevocationList::read(access_.tls_crl, access_.tls_client_ca);
  if (revoked)
    for (const std::string& name : revoked->unlisted())
      spdlog::warn("--tls-crl {}: has no list of the authority {}: none of its certificates can be revoked",
                   access_.tls_crl, name);
  if (!access_.verifiesClients()) return {std::nullopt, std::move(revoked)};
  return {authorities, std::move(revoked)};
}

bool Door::isRevoked(const std::string& certificate) const {
  if (access_.tls_crl.empty()) return false;
  const std::string key = RevocationList::keyOf(certificate);
  std::lock_guard lock(mutex_);
  return certificates_.revoked()->holds(key);
}

bool Door::holds(const std::optional<TokenFile::Entry>& token, const ShownCertificate& certificate) const {
  return (!token || tokens_.holds(*token)) && (certificate.empty() || certificates_.fault(certificate).empty());
}

Door::Admitted Door::admit(const grpc::ServerContextBase& context) const {
  const auto [front, front_end] = context.client_metadata().equal_range(kFrontHeader);
  if (front != front_end && !access_.trust_peer_header)
    throw notAuthenticated(std::string("the call carries the header ") + kFrontHeader + ", which only a proxy may set");
  if (!access_.identifies()) return {};

  const auto handshake = context.auth_context();
  ShownCertificate certificate;
  std::optional<FrontCertificate> presented;
  if (front != front_end) {
    if (std::next(front) != front_end) throw notAuthenticated("the call carries more than one certificate");
    presented = readFrontCertificate({front->second.data(), front->second.size()});
  }
  if (presented) {
    certificate.own = presented->pem;
  } else if (access_.verifiesClients()) {
    certificate = {firstOf(*handshake, GRPC_X509_PEM_CERT_PROPERTY_NAME),
                   firstOf(*handshake, GRPC_X509_PEM_CERT_CHAIN_PROPERTY_NAME)};
    if (certificate.empty()) throw notAuthenticated("the connection has no client certificate");
  }
  // The connection may be older than the list, than the authorities, and than the end of the certificate.
  if (!certificate.empty()) {
    std::lock_guard lock(mutex_);
    if (const std::string fault = certificates_.fault(certificate); !fault.empty()) throw notAuthenticated(fault);
  }

  // A token says more than the certificate of the machine that it comes from.
  if (!access_.token_file.empty()) {
    const auto [first, end] = context.client_metadata().equal_range("authorization");
    if (first != end) {
      const std::string_view value(first->second.data(), first->second.size());
      if (std::next(first) != end) throw notAuthenticated("the call carries more than one token");
      if (!value.starts_with(kScheme)) throw notAuthenticated("the header authorization must be: Bearer TOKEN");
      std::lock_guard lock(mutex_);
      std::optional<TokenFile::Entry> token = tokens_.find(value.substr(kScheme.size()));
      if (!token) throw notAuthenticated("the token is none of this server");
      return {{token->name, token->role}, std::move(token), std::move(certificate)};
    }
  }
  if (presented)
    return {peerOfCertificate(presented->uris, presented->common_name), std::nullopt, std::move(certificate)};
  if (access_.verifiesClients() && handshake && handshake->IsPeerAuthenticated()) {
    const std::vector<std::string> names = valuesOf(*handshake, GRPC_X509_CN_PROPERTY_NAME);
    return {peerOfCertificate(valuesOf(*handshake, GRPC_PEER_URI_PROPERTY_NAME), names.empty() ? "" : names.front()),
            std::nullopt, std::move(certificate)};
  }
  throw notAuthenticated("the call carries no token");
}

void Door::reloadTokens() {
  TokenFile tokens = access_.token_file.empty() ? TokenFile() : readTokens(access_.token_file);
  std::lock_guard lock(mutex_);
  tokens_ = std::move(tokens);
  cancelOthers();
}

void Door::reloadCertificates(const std::string& authorities) {
  ClientCertificates certificates = readCertificates(authorities);
  std::lock_guard lock(mutex_);
  certificates.continueFrom(certificates_);
  certificates_ = std::move(certificates);
  cancelOthers();
}

// The calls that would not be let in any more. Under mutex_.
void Door::cancelOthers() {
  std::vector<std::uint64_t> gone;
  for (const auto& [number, call] : open_)
    if (!holds(call.token, call.certificate)) gone.push_back(number);
  // A call that ends leaves the map.
  for (const std::uint64_t number : gone)
    if (const auto found = open_.find(number); found != open_.end()) found->second.context->TryCancel();
}

std::string Door::addressOf(const grpc::ServerContextBase& context) const {
  if (access_.trust_peer_header)
    if (const auto found = context.client_metadata().find(kFrontAddressHeader);
        found != context.client_metadata().end())
      return {found->second.data(), found->second.size()};
  return context.peer();
}

void Door::note(const grpc::ServerContextBase& context, const Peer* peer, const RpcRule& rule,
                const google::protobuf::Message& request, const std::string& subject, const grpc::Status& status) {
  if (!log_.on()) return;
  const bool refused = status.error_code() == grpc::StatusCode::PERMISSION_DENIED ||
                       status.error_code() == grpc::StatusCode::UNAUTHENTICATED;
  if (rule.changes || refused) log_.write(peer, addressOf(context), rule.name, request, subject, outcomeOf(status));
}

Visit::Visit(Door& door, grpc::ServerContextBase& context, const char* rpc)
    : door_(door), context_(context), rule_(rpcRule(rpc)) {
  Door::Admitted admitted = door.admit(context);
  peer_ = std::move(admitted.peer);
  if (!admitted.token && admitted.certificate.empty()) return;
  std::lock_guard lock(door_.mutex_);
  // The files may have been read again since.
  if (!door_.holds(admitted.token, admitted.certificate))
    throw notAuthenticated("the token or the certificate is not valid any more");
  number_ = door_.next_++;
  door_.open_.emplace(number_, Door::Open{&context, std::move(admitted.token), std::move(admitted.certificate)});
}

Visit::~Visit() {
  if (number_ == 0) return;
  std::lock_guard lock(door_.mutex_);
  door_.open_.erase(number_);
}

std::function<bool()> Visit::admission() const {
  if (number_ == 0) return {};
  std::lock_guard lock(door_.mutex_);
  const Door::Open& open = door_.open_.at(number_);
  return [&door = door_, token = open.token, certificate = open.certificate] {
    std::lock_guard still(door.mutex_);
    return door.holds(token, certificate);
  };
}

void Visit::note(const google::protobuf::Message& request, const grpc::Status& status) const {
  door_.log_.write(&peer_, door_.addressOf(context_), rule_.name, request, subject, outcomeOf(status));
}

}  // namespace tactus::server
