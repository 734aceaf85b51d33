// Files that hold a secret: only their owner may read them.
#pragma once

#include <string>

namespace tactus::text {

/// The content of a file that neither its group nor others can read, write or execute.
/// @throws std::runtime_error naming the file, what is wrong and how to fix it; never with the content
std::string readSecretFile(const std::string& path);

/// The first line of such a file, without white space around it: a token.
/// @throws std::runtime_error as above, and for an empty file
std::string readSecretLine(const std::string& path);

/// Writes a new file of mode 0600. @throws std::runtime_error if there is a file already, which stays, or if the new
/// file cannot be written, which then is removed
void writeNewSecretFile(const std::string& path, const std::string& content);

}  // namespace tactus::text
