// Objects of OpenSSL that free themselves.
#pragma once

#include "rt/error.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace tactus::server {

struct OpenSslFree {
  void operator()(BIO* object) const noexcept { BIO_free_all(object); }
  void operator()(BIGNUM* object) const noexcept { BN_free(object); }
  void operator()(EVP_PKEY* object) const noexcept { EVP_PKEY_free(object); }
  void operator()(X509* object) const noexcept { X509_free(object); }
  void operator()(X509_CRL* object) const noexcept { X509_CRL_free(object); }
  void operator()(X509_REVOKED* object) const noexcept { X509_REVOKED_free(object); }
  void operator()(ASN1_TIME* object) const noexcept { ASN1_STRING_free(object); }
  void operator()(X509_EXTENSION* object) const noexcept { X509_EXTENSION_free(object); }
};

template <class Object>
using OpenSslHandle = std::unique_ptr<Object, OpenSslFree>;

/// Memory to read from; the text must live as long. @throws Error without memory
inline OpenSslHandle<BIO> bioOf(const std::string& text) {
  OpenSslHandle<BIO> memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  if (!memory) throw Error("OpenSSL has no memory");
  return memory;
}

}  // namespace tactus::server
