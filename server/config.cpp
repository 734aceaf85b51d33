#include "server/config.h"

#include "rt/error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace tactus::server {

namespace {

constexpr std::string_view kScaled = "scaled:";
constexpr std::string_view kUnix = "unix:";
constexpr std::int64_t kMaxBurst = 1'000'000;

bool isLoopback(const std::string& host) {
  if (host == "localhost") return true;
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

Endpoint parseUnix(const std::string& text) {
  const std::string path = text.substr(kUnix.size());
  if (path.empty()) throw Error("--listen " + text + ": the path of the socket is missing");
  if (path.size() >= sizeof(sockaddr_un::sun_path))
    throw Error("--listen " + text + ": the path of a Unix socket has at most " +
                std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
  return {text, path};
}

struct HostAndPort {
  std::string host;
  std::uint16_t port = 0;
};

// ADDR:PORT, an IPv6 address in brackets.
HostAndPort splitAddress(const std::string& option, const std::string& text, const std::string& forms) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) throw Error(option + " " + text + ": must be " + forms);
  std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
  if (error != std::errc{} || rest != text.data() + text.size())
    throw Error(option + " " + text + ": the port must be a number from 0 to 65535");
  return {host, port};
}

// "streams, sessions, ..."
std::string kindsOfShares() {
  std::string kinds;
  for (Quota Limits::*const quota : kQuotas) kinds += (kinds.empty() ? "" : ", ") + std::string((Limits{}.*quota).kind);
  return kinds;
}

}  // namespace

void setShare(Limits& limits, const std::string& text) {
  const std::string kind = text.substr(0, text.find('='));
  for (Quota Limits::*const member : kQuotas) {
    Quota& quota = limits.*member;
    if (kind != quota.kind || kind.size() == text.size()) continue;
    std::size_t share = 0;
    const auto [rest, error] = std::from_chars(text.data() + kind.size() + 1, text.data() + text.size(), share);
    if (error != std::errc{} || rest != text.data() + text.size() || share > quota.forClients())
      throw Error("--share " + text + ": must be a number from 0 to " + std::to_string(quota.forClients()) +
                  ", which is what all clients below the role admin may have together");
    quota.share = share;
    return;
  }
  throw Error("--share " + text + ": must be KIND=N; the kinds are " + kindsOfShares());
}

ClockChoice parseClock(const std::string& text) {
  using Mode = ClockChoice::Mode;
  if (const auto mode = rt::fromWord(kClockChoices, text); mode && *mode != Mode::kScaled) return {*mode, 1};

  // scaled:F
  if (text.starts_with(kScaled)) {
    const char* first = text.data() + kScaled.size();
    const char* last = text.data() + text.size();
    double scale = 0;
    const auto [rest, error] = std::from_chars(first, last, scale);
    if (error == std::errc{} && rest == last && std::isfinite(scale) && scale > 0) return {Mode::kScaled, scale};
    throw Error("--clock " + text + ": the factor must be a number above zero, as in scaled:0.5");
  }
  throw Error("--clock " + text + ": must be real-time, free-run, scaled:F, lockstep or external");
}

std::string formatClock(const ClockChoice& clock) {
  if (clock.mode != ClockChoice::Mode::kScaled) return toString(clock.mode);
  char text[48];
  std::snprintf(text, sizeof text, "scaled:%.17g", clock.scale);
  return text;
}

std::string overrunForms() {
  std::string forms = rt::wordList(rt::kOverrunPolicies);
  const std::string word = toString(rt::OverrunPolicy::kCatchUp);
  return forms.replace(forms.find(word), word.size(), '"' + word + " N\"");
}

rt::OverrunRule parseOverrun(const std::string& text) {
  rt::OverrunRule rule;
  const std::string_view catch_up = toString(rt::OverrunPolicy::kCatchUp);
  if (const auto policy = rt::fromWord(rt::kOverrunPolicies, text); policy && text != catch_up) {
    rule.policy = *policy;
    return rule;
  }

  // catch-up N
  const bool separated =
      text.size() > catch_up.size() && (text[catch_up.size()] == ' ' || text[catch_up.size()] == ':');
  if (text.starts_with(catch_up) && separated) {
    const char* last = text.data() + text.size();
    rule.policy = rt::OverrunPolicy::kCatchUp;
    const auto [rest, error] = std::from_chars(text.data() + catch_up.size() + 1, last, rule.burst);
    if (error == std::errc{} && rest == last && rule.burst >= 1 && rule.burst <= kMaxBurst) return rule;
    throw Error("--overrun " + text + ": the number of consecutive late ticks must be from 1 to " +
                std::to_string(kMaxBurst) + ", as in \"catch-up 3\"");
  }
  throw Error("--overrun " + text + ": must be " + overrunForms());
}

std::string formatOverrun(const rt::OverrunRule& rule) {
  const std::string word = toString(rule.policy);
  return rule.policy == rt::OverrunPolicy::kCatchUp ? word + " " + std::to_string(rule.burst) : word;
}

Endpoint parseEndpoint(const std::string& text) {
  if (text.starts_with(kUnix)) return parseUnix(text);

  const HostAndPort found = splitAddress("--listen", text, "ADDR:PORT or unix:PATH");
  if (found.host.empty() || found.host == "*")
    throw Error("--listen " + text + ": the address is missing; 0.0.0.0 and [::] stand for every address of this host");
  return {text, "", !isLoopback(found.host)};
}

unsigned parseUnixMode(const std::string& text) {
  unsigned mode = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (error == std::errc{} && rest == text.data() + text.size() && (mode & 0600) == 0600 && (mode & ~0660u) == 0)
    return mode;
  throw Error("--unix-mode " + text + ": must be 0600, or 0660 for a group as well");
}

bool isInsecure(const Config& config) {
  return !config.access.guarded() &&
         (config.endpoint.other_hosts || (config.udp && !config.udp->address.is_loopback()));
}

void requireGuarded(const Config& config) {
  if (config.access.trust_peer_header && config.endpoint.unix_path.empty())
    throw Error("--trust-peer-header needs --listen unix:PATH: whoever reaches " + config.endpoint.address +
                " could name any certificate. docker/haproxy.cfg is the proxy in front of such a socket");
  if (config.access.trust_peer_header && config.access.encrypted())
    throw Error("--trust-peer-header and --tls-cert exclude each other: the proxy has the certificate of the server");
  if (config.access.insecure || !config.endpoint.other_hosts || !isInsecure(config)) return;
  const Access& access = config.access;
  std::string missing;
  if (!access.encrypted()) missing = "--tls-cert and --tls-key";
  if (!access.identifies())
    missing += (missing.empty() ? "" : ", and ") + std::string("--tls-client-ca or --token-file");
  throw Error(
      "--listen " + config.endpoint.address +
      ": this is not a loopback address, so other hosts can reach it, and the server needs " + missing +
      ". `tactus certificate` and `tactus token` make the files (server/doc/security.md). --insecure starts the "
      "server without them: whoever reaches the port can then read, drive and delete everything");
}

UdpEndpoint parseUdpEndpoint(const std::string& text, bool other_hosts) {
  const HostAndPort found = splitAddress("--udp", text, "ADDR:PORT");
  if (!other_hosts && !isLoopback(found.host))
    throw Error(
        "--udp " + text + ": \"" + found.host +
        "\" is not a loopback address. The key of a link travels over gRPC, so links of other hosts need --tls-cert, "
        "--tls-key, and --tls-client-ca or --token-file; --insecure allows them without");
  asio::error_code error;
  const asio::ip::address address =
      found.host == "localhost" ? asio::ip::address_v4::loopback() : asio::ip::make_address(found.host, error);
  if (error) throw Error("--udp " + text + ": \"" + found.host + "\" is not an address");
  return {address, found.port};
}

}  // namespace tactus::server
