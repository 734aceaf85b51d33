// Objects of OpenSSL that free themselves.
#pragma once

#include "rt/error.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

struct OpenSslFree {
  void operator()(BIO* object) const noexcept { BIO_free_all(object); }
  void operator()(BIGNUM* object) const noexcept { BN_free(object); }
  void operator()(EVP_PKEY* object) const noexcept { EVP_PKEY_free(object); }
  void operator()(X509* object) const noexcept { X509_free(object); }
  void operator()(X509_STORE* object) const noexcept { X509_STORE_free(object); }
  void operator()(X509_STORE_CTX* object) const noexcept { X509_STORE_CTX_free(object); }
  void operator()(X509_CRL* object) const noexcept { X509_CRL_free(object); }
  void operator()(X509_REVOKED* object) const noexcept { X509_REVOKED_free(object); }
  void operator()(ASN1_TIME* object) const noexcept { ASN1_STRING_free(object); }
  void operator()(X509_EXTENSION* object) const noexcept { X509_EXTENSION_free(object); }
};

template <class Object>
using OpenSslHandle = std::unique_ptr<Object, OpenSslFree>;

/// After a reader of PEM found nothing: whether the text holds no more objects. False: the next one is damaged.
/// @param rest  what was left of the text before the reader
inline bool endsPem(std::string_view rest) {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  if (ERR_GET_LIB(error) != ERR_LIB_PEM || ERR_GET_REASON(error) != PEM_R_NO_START_LINE) return false;
  // A first line that is cut off is none for OpenSSL.
  const std::size_t end = rest.find_last_not_of("\r\n"), line = rest.rfind('\n', end);
  const std::string_view last = rest.substr(line == std::string_view::npos ? 0 : line + 1);
  return last.empty() || last.front() != '-' || last.rfind("-----END", 0) == 0;
}

/// What is left to read.
inline std::string_view restOf(const OpenSslHandle<BIO>& memory, std::string_view text) {
  return text.substr(text.size() - BIO_ctrl_pending(memory.get()));
}

/// Memory to read from; the text must live as long. @throws Error without memory
inline OpenSslHandle<BIO> bioOf(const std::string& text) {
  OpenSslHandle<BIO> memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  if (!memory) throw Error("OpenSSL has no memory");
  return memory;
}

/// The certificates of a PEM text, in their order. @throws Error with `where`: one is damaged
inline std::vector<OpenSslHandle<X509>> certificatesOf(const std::string& where, const std::string& text) {
  const OpenSslHandle<BIO> memory = bioOf(text);
  std::vector<OpenSslHandle<X509>> certificates;
  while (true) {
    const std::string_view rest = restOf(memory, text);
    X509* const next = PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr);
    if (next == nullptr && endsPem(rest)) return certificates;
    if (next == nullptr)
      throw Error(where + ": certificate " + std::to_string(certificates.size() + 1) +
                  " is damaged; copy the file again");
    certificates.emplace_back(next);
  }
}

}  // namespace tactus::server
