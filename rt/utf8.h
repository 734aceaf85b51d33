// Texts in UTF-8 that are cut or come from outside: a message with half a character in it cannot be read by any client.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tactus::rt {

/// Length of the UTF-8 character at the start of a text that is not empty; 0 if there is none.
inline std::size_t characterAt(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Neither longer than needed, nor a surrogate, nor above U+10FFFF.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

/// At most `bytes` bytes from the start of a text in UTF-8, without a part of a character at the end.
inline std::string cutText(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

/// The text with '?' in place of each byte that is not part of a UTF-8 character.
inline std::string validText(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = characterAt(std::string_view(text).substr(i));
    if (length == 0) text[i] = '?';
    i += length == 0 ? 1 : length;
  }
  return text;
}

}  // namespace tactus::rt
