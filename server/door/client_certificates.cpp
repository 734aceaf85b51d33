#include "server/door/client_certificates.h"

#include "rt/error.h"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace tactus::server {

namespace {

constexpr std::size_t kMostKnown = 1024;  // certificates of which a verdict is kept
constexpr std::size_t kMostBetween = 64;  // intermediate certificates that are kept
constexpr std::time_t kRefusalHolds = 1;  // s: a certificate may become valid
constexpr char kWhat[] = "the client certificate ";

struct StackFree {
  void operator()(STACK_OF(X509) * stack) const noexcept { sk_X509_free(stack); }
};

std::time_t timeOf(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? ::timegm(&parts) : 0;
}

std::string errorText(int error) {
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return "or an authority between has expired";
    case X509_V_ERR_CERT_NOT_YET_VALID: return "is not valid yet";
    default: return std::string("is not of an authority of --tls-client-ca: ") + X509_verify_cert_error_string(error);
  }
}

}  // namespace

ClientCertificates::ClientCertificates(const std::optional<std::string>& authorities,
                                       std::optional<RevocationList> revoked)
    : revoked_(std::move(revoked)) {
  if (!authorities) return;
  authorities_.reset(X509_STORE_new());
  if (!authorities_) throw Error("OpenSSL has no memory");
  // As gRPC in the handshake: each certificate of the file is trusted by itself.
  X509_STORE_set_flags(authorities_.get(), X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);
  for (const auto& authority : certificatesOf("--tls-client-ca", *authorities))
    if (X509_STORE_add_cert(authorities_.get(), authority.get()) != 1) {
      ERR_clear_error();
      throw Error("--tls-client-ca: OpenSSL cannot use a certificate of this file");
    }
}

std::string ClientCertificates::fault(const ShownCertificate& shown) {
  const std::time_t now = std::time(nullptr);
  auto found = known_.find(shown.own);
  // A certificate that was refused may come with its intermediate certificates now.
  const bool is_known = found != known_.end() && (found->second.fault.empty() || shown.others.empty());
  if (is_known && now < found->second.until) return found->second.fault;
  if (found == known_.end() && known_.size() >= kMostKnown) known_.clear();
  found = known_.insert_or_assign(shown.own, judge(shown)).first;
  ERR_clear_error();
  if (!found->second.fault.empty()) found->second.until = now + kRefusalHolds;
  return found->second.fault;
}

ClientCertificates::Verdict ClientCertificates::judge(const ShownCertificate& shown) {
  std::vector<OpenSslHandle<X509>> own, others;
  try {
    own = certificatesOf("", shown.own);
    others = certificatesOf("", shown.others);
  } catch (const Error&) { own.clear(); }
  if (own.empty()) return {std::string(kWhat) + "cannot be read", 0};
  X509* const leaf = own.front().get();

  if (!authorities_) {
    if (X509_cmp_current_time(X509_get0_notAfter(leaf)) < 0) return {std::string(kWhat) + "has expired", 0};
    if (revoked_ && revoked_->holds(X509_get_issuer_name(leaf), X509_get0_serialNumber(leaf)))
      return {std::string(kWhat) + "is revoked", 0};
    return {"", timeOf(X509_get0_notAfter(leaf))};
  }

  const std::unique_ptr<STACK_OF(X509), StackFree> between(sk_X509_new_null());
  const OpenSslHandle<X509_STORE_CTX> context(X509_STORE_CTX_new());
  if (!between || !context) throw Error("OpenSSL has no memory");
  for (const auto& each : others) sk_X509_push(between.get(), each.get());
  for (const auto& each : between_) sk_X509_push(between.get(), each.get());
  if (X509_STORE_CTX_init(context.get(), authorities_.get(), leaf, between.get()) != 1)
    throw Error("OpenSSL has no memory");
  if (X509_verify_cert(context.get()) != 1) return {kWhat + errorText(X509_STORE_CTX_get_error(context.get())), 0};

  STACK_OF(X509)* const chain = X509_STORE_CTX_get0_chain(context.get());
  std::time_t until = std::numeric_limits<std::time_t>::max();
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    const X509* const each = sk_X509_value(chain, i);
    until = std::min(until, timeOf(X509_get0_notAfter(each)));
    // The last one is in the file of authorities; another one of the file may have revoked it.
    const bool is_last = i + 1 == sk_X509_num(chain);
    const X509_NAME* const by =
        is_last ? X509_get_issuer_name(each) : X509_get_subject_name(sk_X509_value(chain, i + 1));
    if (revoked_ && revoked_->holds(by, X509_get0_serialNumber(each)))
      return {std::string(kWhat) + (i == 0 ? "is revoked" : "is of an authority that is revoked"), 0};
  }
  for (int i = 1; i < X509_STORE_CTX_get_num_untrusted(context.get()); ++i) keepBetween(sk_X509_value(chain, i));
  return {"", until};
}

void ClientCertificates::keepBetween(X509* certificate) {
  const bool is_kept = std::any_of(between_.begin(), between_.end(),
                                   [&](const auto& known) { return X509_cmp(known.get(), certificate) == 0; });
  if (is_kept) return;
  if (between_.size() >= kMostBetween) between_.erase(between_.begin());
  X509_up_ref(certificate);
  between_.emplace_back(certificate);
}

}  // namespace tactus::server
