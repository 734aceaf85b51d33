#include "server/door/front_certificate.h"

#include "server/door/openssl_handle.h"
#include "server/wire/request_error.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <cstdint>

namespace tactus::server {

namespace {

constexpr std::size_t kLongest = 16'384;  // characters; gRPC takes 8 KiB of headers

RequestError unreadable(const std::string& what) {
  ERR_clear_error();
  return {Reason::kNotAuthenticated, "", "the certificate that the proxy names " + what,
          "HAProxy writes it as %[ssl_c_der,base64], see docker/haproxy.cfg"};
}

std::vector<std::uint8_t> decode(std::string_view base64) {
  if (base64.empty() || base64.size() > kLongest || base64.size() % 4 != 0) throw unreadable("is not base64");
  std::vector<std::uint8_t> bytes(base64.size() / 4 * 3);
  const int size = EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(base64.data()),
                                   static_cast<int>(base64.size()));
  if (size < 0) throw unreadable("is not base64");
  // The padding counts as zeros.
  const std::size_t last = base64.find_last_not_of('=');
  const std::size_t padding = last == std::string_view::npos ? base64.size() : base64.size() - last - 1;
  if (padding > 2) throw unreadable("is not base64");
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

std::string textOf(const ASN1_STRING* text) {
  std::string value(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                    static_cast<std::size_t>(ASN1_STRING_length(text)));
  if (value.find('\0') != std::string::npos) throw unreadable("has a name with a NUL");
  return value;
}

}  // namespace

FrontCertificate readFrontCertificate(std::string_view base64) {
  const std::vector<std::uint8_t> der = decode(base64);
  const unsigned char* at = der.data();
  const OpenSslHandle<X509> certificate(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
  if (!certificate || at != der.data() + der.size()) throw unreadable("is not one certificate in DER");

  FrontCertificate out;
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_URI) out.uris.push_back(textOf(name->d.uniformResourceIdentifier));
  }
  const X509_NAME* const subject = X509_get_subject_name(certificate.get());
  for (int i = -1; (i = X509_NAME_get_index_by_NID(subject, NID_commonName, i)) >= 0;)
    out.common_name = textOf(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, i)));

  const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509(memory.get(), certificate.get()) != 1) throw unreadable("cannot be written again");
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  out.pem.assign(text, static_cast<std::size_t>(size));
  ERR_clear_error();
  return out;
}

}  // namespace tactus::server
