// Mutation of a message by its descriptor: types stay, values, counts and choices change.
#pragma once

#include "tests/fuzz/target.h"

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace tactus::fuzz {

/// Changes one to three fields, at any depth: to a limit of its type, to a value near to the present one, away, or once
/// more.
void mutateMessage(google::protobuf::Message& message, Random& random);

/// The same for its bytes. Bytes that are no such message, and now and then others, come back with some of them
/// flipped.
template <class Message>
std::string mutateBytesOf(std::string_view bytes, Random& random) {
  Message message;
  std::string out(bytes);
  const bool parsed = message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  if (parsed && random() % 8 != 0) {
    mutateMessage(message, random);
    return message.SerializeAsString();
  }
  if (out.empty()) return "\n";
  for (std::size_t n = random() % 4 + 1; n > 0; --n)
    out[random() % out.size()] ^= static_cast<char>(1u << random() % 8);
  return out;
}

}  // namespace tactus::fuzz
