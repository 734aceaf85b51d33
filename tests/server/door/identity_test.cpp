#include "server/door/identity.h"

#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

using namespace tactus::server;

TEST_CASE("a certificate gives its name and its role by URIs", "[server][door]") {
  const Peer peer = peerOfCertificate({"https://example.org", "tactus:client:lab", "tactus:role:control"}, "somebody");
  CHECK(peer.name == "lab");
  CHECK(peer.role == Role::kControl);
}

TEST_CASE("a certificate without a role may observe, under its common name", "[server][door]") {
  const Peer peer = peerOfCertificate({}, "bench-3");
  CHECK(peer.name == "bench-3");
  CHECK(peer.role == Role::kObserve);
}

TEST_CASE("a certificate that says two things, or nothing, gives no identity", "[server][door]") {
  for (const auto& uris :
       std::vector<std::vector<std::string>>{{"tactus:client:a", "tactus:client:b"},
                                             {"tactus:client:a", "tactus:role:root"},
                                             {"tactus:client:a", "tactus:role:admin", "tactus:role:observe"},
                                             {"tactus:client:a b"},
                                             {"tactus:client:a\nb"},
                                             {}})
    CHECK_THROWS_AS(peerOfCertificate(uris, ""), RequestError);
  CHECK_THROWS_AS(peerOfCertificate({}, "a b"), RequestError);
  CHECK_THROWS_AS(peerOfCertificate({}, std::string(65, 'a')), RequestError);
}
