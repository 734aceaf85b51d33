#include "clients/cpp/credentials.h"

#include "clients/cpp/error.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

using namespace tactus::client;

namespace {

// The field of the error; empty if there is none.
std::string refusedField(const Credentials& credentials, const std::string& address) {
  try {
    openCredentials(credentials, address);
  } catch (const ClientError& error) {
    CHECK(error.reason() == "REQUEST_INVALID");
    CHECK(std::string(error.what()).find("SECRET") == std::string::npos);
    return error.field();
  }
  return "";
}

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tactus_credentials_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }

  std::string write(const std::string& name, const std::string& content, mode_t mode) const {
    const std::string file = path + "/" + name;
    std::ofstream(file) << content;
    ::chmod(file.c_str(), mode);
    return file;
  }

  std::string path;
};

}  // namespace

TEST_CASE("plaintext stays on this host, unless it is asked for without a token", "[clients]") {
  const Folder folder;
  const std::string token = folder.write("token", "SECRET\n", 0600);
  for (const char* here : {"127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/tmp/a"}) {
    CHECK(refusedField({}, here).empty());
    CHECK(openCredentials({.token_file = token}, here).authorization == "Bearer SECRET");
  }
  for (const char* elsewhere : {"192.0.2.1:1", "127.evil.invalid:1", "127.0.0.1.evil.invalid:1", "127.:1"})
    CHECK(refusedField({}, elsewhere) == "address");
  CHECK(refusedField({.token_file = token}, "127.9.8.7:1").empty());
  CHECK(refusedField({.token_file = token}, "192.0.2.1:1") == "address");
  CHECK(refusedField({.insecure = true}, "192.0.2.1:1").empty());
  CHECK(refusedField({.token_file = token, .insecure = true}, "192.0.2.1:1") == "token_file");
}

TEST_CASE("keys and tokens must be their owner's alone", "[clients]") {
  const Folder folder;
  const std::string ca = folder.write("ca", "x", 0644), open = folder.write("open", "SECRET", 0644);
  CHECK(refusedField({.token_file = open}, "127.0.0.1:1") == "token_file");
  CHECK(refusedField({.token_file = folder.path + "/nowhere"}, "127.0.0.1:1") == "token_file");
  CHECK(refusedField({.token_file = folder.write("empty", "", 0600)}, "127.0.0.1:1") == "token_file");
  CHECK(refusedField({.tls_ca = ca, .tls_cert = ca, .tls_key = open}, "127.0.0.1:1") == "tls_key");
  CHECK(refusedField({.tls_ca = folder.path + "/nowhere"}, "127.0.0.1:1") == "tls_ca");
  CHECK(refusedField({.tls_ca = ca, .tls_cert = ca}, "127.0.0.1:1") == "tls_key");
  CHECK(refusedField({.tls_cert = ca, .tls_key = ca}, "127.0.0.1:1") == "tls_ca");
}

TEST_CASE("the environment names the files", "[clients]") {
  ::setenv("TACTUS_TLS_CA", "a", 1);
  ::setenv("TACTUS_TOKEN_FILE", "b", 1);
  const Credentials credentials = Credentials::fromEnvironment();
  ::unsetenv("TACTUS_TLS_CA");
  ::unsetenv("TACTUS_TOKEN_FILE");
  CHECK(credentials.tls_ca == "a");
  CHECK(credentials.token_file == "b");
  CHECK(credentials.tls_key.empty());
  CHECK(Credentials::fromEnvironment().tls_ca.empty());
}
