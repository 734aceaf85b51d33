#include "server/door/revocation_list.h"

#include "rt/error.h"
#include "server/door/test_authority.h"
#include "server/door/transport.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000, kOneHour = 3600 * kOneSecond;

std::string textIn(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string keyIn(const std::string& path) {
  return RevocationList::keyOf(textIn(path));
}

}  // namespace

TEST_CASE("a list names the certificates that its authority has revoked, and no others", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.path();
  const CertificateFiles ca = makeAuthority(path, kOneHour);
  const std::string list = path + "/ca.crl";
  const auto client = [&](const char* name) {
    return issueCertificate(path, path, {name, Role::kControl, {}, kOneHour}).certificate;
  };
  const std::string a = client("a"), b = client("b"), c = client("c");
  CHECK(RevocationList::read(list, ca.certificate).size() == 0);

  CHECK(revokeCertificate(path, a, kOneHour).list == list);
  CHECK_FALSE(revokeCertificate(path, c, kOneHour).before);
  const RevocationList revoked = RevocationList::read(list, ca.certificate);
  CHECK(revoked.size() == 2);
  CHECK(revoked.holds(keyIn(a)));
  CHECK_FALSE(revoked.holds(keyIn(b)));
  CHECK(revoked.holds(keyIn(c)));
  // What is no certificate is not let in.
  CHECK(revoked.holds(RevocationList::keyOf("nonsense")));

  CHECK_THROWS_WITH(revokeCertificate(path, path + "/nobody.crt", kOneHour), Catch::Contains("no such file"));
  CHECK_THROWS_WITH(revokeCertificate(path, list, kOneHour), Catch::Contains("is not a certificate of the authority"));
}

TEST_CASE("a list is refused if another authority signed it, if it has expired, and if it is none", "[server][door]") {
  const ScratchFolder folder, other;
  const CertificateFiles ca = makeAuthority(folder.path(), kOneHour), rogue = makeAuthority(other.path(), kOneHour);
  const std::string list = folder.file("ca.crl");
  CHECK_THROWS_WITH(RevocationList::read(list, rogue.certificate), Catch::Contains("list 1 is not signed by"));
  CHECK_THROWS_WITH(RevocationList::read(ca.certificate, ca.certificate), Catch::Contains("holds no list"));
  CHECK_THROWS_WITH(RevocationList::read(folder.file("none"), ca.certificate), Catch::Contains("cannot be read"));
  CHECK_THROWS_WITH(RevocationList::read("/proc", ca.certificate), Catch::Contains("cannot be read"));
  const std::string foreign =
      issueCertificate(other.path(), other.path(), {"x", Role::kAdmin, {}, kOneHour}).certificate;
  CHECK_THROWS_WITH(revokeCertificate(folder.path(), foreign, kOneHour),
                    Catch::Contains("is not a certificate of the authority"));

  // Two authorities of a bench: the lists of both in one file.
  const std::string both = folder.file("both.crl"), authorities = folder.file("both.crt");
  revokeCertificate(other.path(), foreign, kOneHour);
  for (const auto& [out, parts] : {std::pair{both, std::pair{list, other.file("ca.crl")}},
                                   std::pair{authorities, std::pair{ca.certificate, rogue.certificate}}})
    std::ofstream(out) << std::ifstream(parts.first).rdbuf() << std::ifstream(parts.second).rdbuf();
  CHECK(RevocationList::read(both, authorities).holds(keyIn(foreign)));
  CHECK_THROWS_WITH(RevocationList::read(both, ca.certificate), Catch::Contains("list 2 is not signed by"));

  // A copy that was cut off must not let anybody in.
  const std::string content = textIn(both), second = "-----BEGIN X509 CRL-----";
  const std::size_t from = content.find(second, second.size());
  for (const std::size_t length : {from + 1, from + second.size(), content.size() - 200, content.size() - 10}) {
    std::ofstream(both) << content.substr(0, length);
    CHECK_THROWS_WITH(RevocationList::read(both, authorities), Catch::Contains("list 2 is damaged"));
  }
  std::ofstream(both) << content << "\n# the end\n";
  CHECK(RevocationList::read(both, authorities).holds(keyIn(foreign)));
  const std::string whole = textIn(authorities);
  std::ofstream(authorities) << whole.substr(0, whole.size() - 200);
  CHECK_THROWS_WITH(RevocationList::read(list, authorities), Catch::Contains("certificate 2 is damaged"));

  const std::string mine =
      issueCertificate(folder.path(), folder.path(), {"y", Role::kAdmin, {}, kOneHour}).certificate;
  revokeCertificate(folder.path(), mine, kOneSecond);
  // Sleeping is what the list is waited for with: it expires by the clock.
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  CHECK_THROWS_WITH(RevocationList::read(list, ca.certificate), Catch::Contains("list 1 has expired"));
  // To revoke a certificate once more gives the list a new time.
  CHECK(revokeCertificate(folder.path(), mine, kOneHour).before);
  const RevocationList renewed = RevocationList::read(list, ca.certificate);
  CHECK(renewed.size() == 1);
  CHECK(renewed.holds(keyIn(mine)));

  Access access;
  access.tls_crl = list;
  CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("--tls-crl needs --tls-client-ca"));
}
