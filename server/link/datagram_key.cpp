#include "server/link/datagram_key.h"

#include "rt/error.h"

#include <sodium.h>

namespace tactus::server {

namespace {

static_assert(crypto_shorthash_siphash24_KEYBYTES == DatagramKey::kBytes);
static_assert(crypto_shorthash_siphash24_BYTES == sizeof(DatagramKey::Tag));

void requireSodium() {
  if (sodium_init() < 0) throw Error("the random numbers of the system cannot be had");
}

const unsigned char* raw(const std::byte* bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes);
}

}  // namespace

DatagramKey::~DatagramKey() {
  sodium_memzero(bytes_.data(), bytes_.size());
}

DatagramKey::Tag DatagramKey::tag(std::span<const std::byte> message) const noexcept {
  Tag tag;
  crypto_shorthash_siphash24(reinterpret_cast<unsigned char*>(tag.data()), raw(message.data()), message.size(),
                             raw(bytes_.data()));
  return tag;
}

bool DatagramKey::fits(std::span<const std::byte> message, std::span<const std::byte, 8> tag) const noexcept {
  const Tag own = this->tag(message);
  return sodium_memcmp(own.data(), tag.data(), own.size()) == 0;
}

DatagramKey::Bytes randomKey() {
  requireSodium();
  DatagramKey::Bytes bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

std::uint64_t randomToken() {
  requireSodium();
  std::uint64_t token = 0;
  while (token == 0) randombytes_buf(&token, sizeof token);
  return token;
}

}  // namespace tactus::server
