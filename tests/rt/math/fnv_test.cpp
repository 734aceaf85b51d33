#include "rt/math/fnv.h"

#include <catch2/catch.hpp>

using tactus::rt::Fnv1a;

namespace {

std::uint64_t hashOf(std::string_view text) {
  Fnv1a hash;
  hash.addText(text);
  return hash.value();
}

}  // namespace

TEST_CASE("FNV-1a gives the published values of its 64 bit form", "[rt][math]") {
  CHECK(hashOf("") == 0xcbf29ce484222325ULL);
  CHECK(hashOf("a") == 0xaf63dc4c8601ec8cULL);
  CHECK(hashOf("foobar") == 0x85944171f73967e8ULL);
}

TEST_CASE("a word is hashed as its eight bytes, the least significant one first", "[rt][math]") {
  Fnv1a word, bytes;
  word.addWord(0x0807060504030201ULL);
  const std::uint8_t same[] = {1, 2, 3, 4, 5, 6, 7, 8};
  bytes.addBytes(same, sizeof same);
  CHECK(word.value() == bytes.value());
}
