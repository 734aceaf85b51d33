// TokenFile: the tokens that a server accepts, each with a name and a role. The file holds hashes, not tokens.
//
//   # role name salt:hash, both in hexadecimal digits
//   control lab 6d3c...:91f0...
#pragma once

#include "server/door/role.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

/// 32 random bytes as 43 characters of A-Z a-z 0-9 - _.
struct NewToken {
  std::string token;  ///< to be told once
  std::string line;   ///< of the file, with its end
};

class TokenFile {
 public:
  /// Reads and checks a file. @throws Error with file, line, rule; also if group or others have access
  static TokenFile read(const std::string& path);

  struct Entry {
    std::string name;
    Role role;
    std::array<unsigned char, 16> salt;
    std::array<unsigned char, 32> hash;
  };

  /// The entry of a token. Hashes with every salt and compares with every entry, each comparison in constant time.
  std::optional<Entry> find(std::string_view token) const;

  /// Whether it still has an entry with this name, role and hash.
  bool holds(const Entry& entry) const;

  /// The role of a name; none if there is no such entry any more.
  std::optional<Role> roleOf(const std::string& name) const;

  std::size_t size() const noexcept { return entries_.size(); }

 private:
  std::vector<Entry> entries_;
};

/// @throws Error for a name that is not 1 to 64 of A-Z a-z 0-9 _ . -
NewToken makeToken(const std::string& name, Role role);

/// Makes a token and appends its line to a file, which is made with mode 0600 if there is none. Processes that add to
/// one file wait for each other.
/// @param tell  gets the token before its line is in the file; what it throws leaves the file as it was
/// @throws Error if the file has the name already, is not valid, or cannot be written
void addToken(const std::string& path, const std::string& name, Role role,
              const std::function<void(const std::string& token)>& tell);

}  // namespace tactus::server
