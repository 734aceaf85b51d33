// Requests over HTTP to a page server of this process, byte by byte.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

namespace tactus::tests {

/// A connection to ADDR:PORT of this host.
inline int connectTo(const std::string& address) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  ::inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  return fd;
}

/// Everything that the server answers to a request until it closes the connection.
inline std::string ask(const std::string& address, const std::string& request) {
  const int fd = connectTo(address);
  REQUIRE(::send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
  std::string answer;
  char part[512];
  for (ssize_t n = 0; (n = ::recv(fd, part, sizeof part, 0)) > 0;) answer.append(part, static_cast<std::size_t>(n));
  ::close(fd);
  return answer;
}

}  // namespace tactus::tests
