#include "server/door/token_file.h"

#include "proto/text/secret_file.h"
#include "rt/error.h"
#include "server/door/identity.h"

#include <sodium.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

constexpr std::size_t kTokenBytes = 32, kTokenLength = 43, kMaxTokens = 1024;

constexpr int kEncoding = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

using Salt = std::array<unsigned char, 16>;
using Hash = std::array<unsigned char, 32>;
static_assert(Salt{}.size() >= crypto_generichash_KEYBYTES_MIN && Hash{}.size() >= crypto_generichash_BYTES_MIN);

void requireSodium() {
  if (sodium_init() < 0) throw Error("the random numbers of the system cannot be had");
}

// BLAKE2b with the salt as key. A token has 256 random bits, so a slow password hash would add nothing.
Hash hashOf(std::string_view token, const Salt& salt) {
  Hash hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(token.data()), token.size(),
                     salt.data(), salt.size());
  return hash;
}

template <std::size_t size>
std::string hexOf(const std::array<unsigned char, size>& bytes) {
  std::string text(2 * size + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes.data(), size);
  text.pop_back();
  return text;
}

template <std::size_t size>
bool readHex(std::string_view text, std::array<unsigned char, size>& bytes) {
  std::size_t count = 0;
  return text.size() == 2 * size &&
         sodium_hex2bin(bytes.data(), size, text.data(), text.size(), nullptr, &count, nullptr) == 0 && count == size;
}

// The line is not quoted: somebody may have written a token into it.
Error lineError(const std::string& path, int number, const std::string& rule) {
  return Error(path + ", line " + std::to_string(number) + ": " + rule);
}

TokenFile::Entry readLine(const std::string& path, int number, const std::string& line) {
  std::istringstream words(line);
  std::string role, name, secret, more;
  words >> role >> name >> secret;
  const auto found = rt::fromWord(kRoles, role);
  if (!found) throw lineError(path, number, "the first word must be a role: " + rt::wordList(kRoles));
  if (!isIdentity(name)) throw lineError(path, number, "the second word must be a name, 1 to 64 of A-Z a-z 0-9 _ . -");
  TokenFile::Entry entry{name, *found, {}, {}};
  const std::size_t colon = secret.find(':');
  if (colon == std::string::npos || !readHex(std::string_view(secret).substr(0, colon), entry.salt) ||
      !readHex(std::string_view(secret).substr(colon + 1), entry.hash) || words >> more)
    throw lineError(path, number, "the third and last word must be a hash as `tactus token new` writes it");
  return entry;
}

}  // namespace

TokenFile TokenFile::read(const std::string& path) {
  requireSodium();
  std::string content;
  try {
    content = text::readSecretFile(path);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
  TokenFile file;
  std::istringstream lines(content);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    Entry entry = readLine(path, number, line);
    if (file.roleOf(entry.name)) throw lineError(path, number, "\"" + entry.name + "\" has a token already");
    file.entries_.push_back(std::move(entry));
    if (file.entries_.size() > kMaxTokens)
      throw lineError(path, number, "a file has at most " + std::to_string(kMaxTokens) + " tokens");
  }
  return file;
}

std::optional<TokenFile::Entry> TokenFile::find(std::string_view token) const {
  if (token.size() != kTokenLength) return std::nullopt;
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    const Hash hash = hashOf(token, entry.salt);
    if (sodium_memcmp(hash.data(), entry.hash.data(), hash.size()) == 0) found = &entry;
  }
  return found ? std::optional(*found) : std::nullopt;
}

bool TokenFile::holds(const Entry& entry) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& known) {
    return known.name == entry.name && known.role == entry.role && known.hash == entry.hash;
  });
}

std::optional<Role> TokenFile::roleOf(const std::string& name) const {
  for (const Entry& entry : entries_)
    if (entry.name == name) return entry.role;
  return std::nullopt;
}

NewToken makeToken(const std::string& name, Role role) {
  requireSodium();
  if (!isIdentity(name)) throw Error("--name \"" + name + "\": must be 1 to 64 of A-Z a-z 0-9 _ . -");
  std::array<unsigned char, kTokenBytes> bytes;
  randombytes_buf(bytes.data(), bytes.size());
  NewToken made;
  made.token.resize(kTokenLength + 1);
  sodium_bin2base64(made.token.data(), made.token.size(), bytes.data(), bytes.size(), kEncoding);
  made.token.pop_back();
  sodium_memzero(bytes.data(), bytes.size());
  Salt salt;
  randombytes_buf(salt.data(), salt.size());
  made.line =
      std::string(toString(role)) + ' ' + name + ' ' + hexOf(salt) + ':' + hexOf(hashOf(made.token, salt)) + '\n';
  return made;
}

namespace {

/// The token file, locked: other processes that lock it wait until this one ends.
class LockedTokenFile {
 public:
  explicit LockedTokenFile(const std::string& path) : path_(path) {
    // Somebody may put another file in its place while this process waits for the lock.
    do {
      release();
      descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600);
      if (descriptor_ < 0) throw failed();
      while (::flock(descriptor_, LOCK_EX) != 0)
        if (errno != EINTR) throw failed();
    } while (!isCurrent());
  }
  ~LockedTokenFile() { release(); }
  LockedTokenFile(const LockedTokenFile&) = delete;
  LockedTokenFile& operator=(const LockedTokenFile&) = delete;

  /// Appends a line, or nothing if it fails.
  void append(const std::string& line) {
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    if (::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
        ::fsync(descriptor_) == 0)
      return;
    const Error error = failed();
    (void)!::ftruncate(descriptor_, size);
    throw error;
  }

  bool isEmpty() const {
    struct stat mine {};
    return ::fstat(descriptor_, &mine) == 0 && mine.st_size == 0;
  }

 private:
  Error failed() const { return Error(path_ + ": cannot be written: " + std::strerror(errno)); }
  bool isCurrent() const {
    struct stat mine {
    }, named{};
    return ::fstat(descriptor_, &mine) == 0 && ::stat(path_.c_str(), &named) == 0 && mine.st_dev == named.st_dev &&
           mine.st_ino == named.st_ino;
  }
  void release() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  const std::string path_;
  int descriptor_ = -1;
};

}  // namespace

void addToken(const std::string& path, const std::string& name, Role role,
              const std::function<void(const std::string& token)>& tell) {
  const NewToken made = makeToken(name, role);
  struct stat status {};
  const bool existed = ::stat(path.c_str(), &status) == 0;
  LockedTokenFile file(path);
  try {
    const TokenFile known = TokenFile::read(path);
    if (known.roleOf(name))
      throw Error(path + ": \"" + name + "\" has a token already; remove its line first, or choose another name");
    if (known.size() >= kMaxTokens)
      throw Error(path + ": has " + std::to_string(kMaxTokens) + " tokens, and a file has no more");
    // Somebody has edited the file and left out the end of its last line.
    const std::string content = text::readSecretFile(path);
    const bool ended = content.empty() || content.back() == '\n';
    tell(made.token);
    file.append((ended ? "" : "\n") + made.line);
  } catch (...) {
    if (!existed && file.isEmpty()) ::unlink(path.c_str());
    throw;
  }
}

}  // namespace tactus::server
