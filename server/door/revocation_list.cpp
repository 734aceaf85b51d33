#include "server/door/revocation_list.h"

#include "proto/text/small_file.h"
#include "rt/error.h"
#include "server/door/openssl_handle.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <stdexcept>
#include <vector>

namespace tactus::server {

namespace {

constexpr std::size_t kLargestList = 16 << 20;  // bytes: some 200 000 certificates

std::string revocationText(const char* option, const std::string& path) {
  try {
    return text::readSmallFile(path, text::FileReaders::kAny, kLargestList);
  } catch (const std::runtime_error& error) { throw Error(std::string(option) + ' ' + error.what()); }
}

std::string keyOf(const X509_NAME* issuer, const ASN1_INTEGER* number) {
  // One text for every spelling that OpenSSL compares as equal: other kinds of strings, letters and spaces.
  const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
  if (!memory || X509_NAME_print_ex(memory.get(), issuer, 0, XN_FLAG_RFC2253) < 0)
    throw Error("OpenSSL cannot write the name of an authority");
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  std::string key;
  for (long i = 0; i < size; ++i) {
    const bool is_escaped_space = text[i] == '\\' && i + 1 < size && text[i + 1] == ' ';
    if (text[i] != ' ' && !is_escaped_space)
      key.push_back(text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i]);
  }
  key.push_back(ASN1_STRING_type(number) == V_ASN1_NEG_INTEGER ? '-' : '+');
  key.append(reinterpret_cast<const char*>(ASN1_STRING_get0_data(number)),
             static_cast<std::size_t>(ASN1_STRING_length(number)));
  return key;
}

std::string commonNameOf(const X509* certificate) {
  char name[256] = "";
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
  return name;
}

}  // namespace

std::string RevocationList::keyOf(const std::string& certificate) {
  const OpenSslHandle<BIO> memory = bioOf(certificate);
  const OpenSslHandle<X509> parsed(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!parsed) return {};
  return server::keyOf(X509_get_issuer_name(parsed.get()), X509_get0_serialNumber(parsed.get()));
}

bool RevocationList::holds(const X509_NAME* authority, const ASN1_INTEGER* number) const {
  return keys_.contains(server::keyOf(authority, number));
}

RevocationList RevocationList::read(const std::string& path, const std::string& authorities) {
  const std::string content = revocationText("--tls-crl", path);
  const OpenSslHandle<BIO> memory = bioOf(content);
  const std::vector<OpenSslHandle<X509>> issuers =
      certificatesOf("--tls-client-ca " + authorities, revocationText("--tls-client-ca", authorities));
  RevocationList list;
  std::set<const X509*> listed;
  int count = 0;
  while (true) {
    const std::string_view rest = restOf(memory, content);
    const OpenSslHandle<X509_CRL> next(PEM_read_bio_X509_CRL(memory.get(), nullptr, nullptr, nullptr));
    if (!next && endsPem(rest)) break;
    ++count;
    const std::string which = "--tls-crl " + path + ": list " + std::to_string(count) + " ";
    if (!next) throw Error(which + "is damaged; copy the file again");
    const X509* issuer = nullptr;
    for (const auto& candidate : issuers)
      if (X509_NAME_cmp(X509_get_subject_name(candidate.get()), X509_CRL_get_issuer(next.get())) == 0 &&
          X509_CRL_verify(next.get(), X509_get0_pubkey(candidate.get())) == 1) {
        issuer = candidate.get();
        listed.insert(issuer);
      }
    ERR_clear_error();
    if (issuer == nullptr) throw Error(which + "is not signed by an authority of --tls-client-ca " + authorities);
    const ASN1_TIME* const end = X509_CRL_get0_nextUpdate(next.get());
    if (end != nullptr && X509_cmp_current_time(end) < 0)
      throw Error(which +
                  "has expired; `tactus certificate revoke` writes it again, also for a certificate that it names");
    STACK_OF(X509_REVOKED)* const revoked = X509_CRL_get_REVOKED(next.get());
    for (int i = 0; i < sk_X509_REVOKED_num(revoked); ++i)
      list.keys_.insert(server::keyOf(X509_get_subject_name(issuer),
                                      X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(revoked, i))));
  }
  if (count == 0) throw Error("--tls-crl " + path + ": holds no list of revoked certificates in PEM form");
  for (const auto& issuer : issuers)
    if (!listed.contains(issuer.get())) list.unlisted_.push_back(commonNameOf(issuer.get()));
  return list;
}

}  // namespace tactus::server
