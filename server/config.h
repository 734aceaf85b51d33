// Config: the options of a server, set once at its start and passed down by const reference.
#pragma once

#include "rt/loop/overrun.h"
#include "rt/word.h"

#include <asio/ip/address.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// Pace of a session.
struct ClockChoice {
  enum class Mode : std::uint8_t { kRealTime, kFreeRun, kScaled, kLockstep, kExternal };
  Mode mode = Mode::kRealTime;
  double scale = 1;  ///< of kScaled: simulated seconds in a second

  /// Whether it keeps a grid of deadlines, and sleeps between them.
  bool paced() const noexcept { return mode == Mode::kRealTime || mode == Mode::kScaled; }
  bool lockstep() const noexcept { return mode == Mode::kLockstep; }
  bool external() const noexcept { return mode == Mode::kExternal; }

  /// Whether ticks run in the threads that bring the inputs, and not in a thread of the session.
  bool ticksInCaller() const noexcept { return lockstep() || external(); }
};

inline constexpr rt::Word<ClockChoice::Mode> kClockChoices[] = {{ClockChoice::Mode::kRealTime, "real-time"},
                                                                {ClockChoice::Mode::kFreeRun, "free-run"},
                                                                {ClockChoice::Mode::kScaled, "scaled"},
                                                                {ClockChoice::Mode::kLockstep, "lockstep"},
                                                                {ClockChoice::Mode::kExternal, "external"}};
constexpr const char* toString(ClockChoice::Mode mode) noexcept {
  return rt::wordOf(kClockChoices, mode);
}

/// Reads "real-time", "free-run", "scaled:0.5", "lockstep" or "external".
/// @throws Error naming these forms
ClockChoice parseClock(const std::string& text);

/// "scaled:0.5" and so on.
std::string formatClock(const ClockChoice& clock);

/// What parseOverrun() reads: 'stop, skip, "catch-up N" or slip'.
std::string overrunForms();

/// Reads "stop", "skip", "catch-up 3" (or "catch-up:3") and so on.
/// @throws Error naming the forms
rt::OverrunRule parseOverrun(const std::string& text);

/// "catch-up 3" and so on: the policy without grace and limits.
std::string formatOverrun(const rt::OverrunRule& rule);

/// Where the server listens.
struct Endpoint {
  std::string address;       ///< as gRPC takes it: "127.0.0.1:50051", "[::1]:50051", "unix:/run/tactus.sock"
  std::string unix_path;     ///< of a Unix socket, else empty
  bool other_hosts = false;  ///< neither a loopback address nor a Unix socket: other hosts may reach it
  unsigned unix_mode = 0600;
  std::string unix_group{};  ///< of the socket; empty: that of the process
};

/// Reads ADDR:PORT or unix:PATH. @throws Error naming the rule
Endpoint parseEndpoint(const std::string& text);

/// Reads the mode of a Unix socket, in octal digits: "0660". Access of others is refused.
/// @throws Error naming the rule
unsigned parseUnixMode(const std::string& text);

/// How clients are let in. As it is, everybody who reaches the endpoint is an administrator.
struct Access {
  std::string tls_cert{}, tls_key{};  ///< PEM files of the server; both or none
  std::string tls_client_ca{};        ///< PEM file: clients must have a certificate of one of these authorities
  std::string tls_crl{};              ///< PEM file: lists of revoked client certificates, of these authorities
  std::string token_file{};           ///< tokens of clients, see server/door/token_file.h
  std::string audit_log{};            ///< file for who did what; empty: none
  bool trust_peer_header = false;     ///< behind a proxy on a Unix socket: its header kFrontHeader has the certificate
  bool insecure = false;              ///< other hosts may come without encryption or without an identity

  bool encrypted() const { return !tls_cert.empty(); }
  /// In the handshake; behind a proxy, the proxy does.
  bool verifiesClients() const { return encrypted() && !tls_client_ca.empty(); }
  bool identifies() const { return trust_peer_header || !tls_client_ca.empty() || !token_file.empty(); }
  bool guarded() const { return encrypted() && identifies(); }
};

/// Where the datagrams of devices arrive. Each link takes a port of its own, from `port` on; 0 for free ports.
struct UdpEndpoint {
  asio::ip::address address;
  std::uint16_t port = 0;
};

/// Reads ADDR:PORT. The key of a link travels over gRPC, so addresses of other hosts need an encrypted gRPC.
/// @param other_hosts  whether they are allowed
/// @throws Error naming the rule
UdpEndpoint parseUdpEndpoint(const std::string& text, bool other_hosts);

/// What a client may request of the host for a session that it creates. The session of `tactus serve` is the
/// operator's and is not bound by it.
struct HostLimits {
  int priority = 99;                ///< highest real-time priority
  std::vector<int> cpus;            ///< cores for its tick thread; empty: any
  std::int64_t period_ns = 50'000;  ///< shortest wall-clock period of a clock that sleeps
};

/// How many things of one kind there may be at a time, and the words of its refusals. See server/door/quota.h.
struct Quota {
  const char* kind;     ///< of --share KIND=N
  const char* things;   ///< "there are 2 open streams already"
  const char* remedy;   ///< "close one first"
  std::size_t total;    ///< of all clients and of the server itself
  std::size_t share;    ///< of one identity below the role admin
  std::size_t reserve;  ///< of the total: stays free for the role admin

  /// What the identities below the role admin may have together.
  constexpr std::size_t forClients() const noexcept { return total > reserve ? total - reserve : 0; }
};

/// Limits of one server. A request beyond a limit is refused with LIMIT_EXCEEDED. No share is all that clients may
/// have: one identity alone cannot keep the others out.
struct Limits {
  /// Tick and Observe streams together; each keeps a thread.
  Quota streams{"streams", "open streams", "close one first", 128, 32, 4};
  Quota sessions{"sessions", "sessions", "delete a session first", 64, 16, 2};
  /// Of all sessions together: a body takes up to 30 KiB. The share is two of the largest models.
  Quota session_bodies{"bodies", "bodies of sessions", "delete a session first", 16'384, 8192, 1024};
  Quota models{"models", "loaded models", "remove one with UnloadModel", 64, 16, 2};  ///< loaded by clients
  /// To devices, open at a time; each keeps a port and one or two threads.
  Quota links{"links", "open links", "close one first", 64, 16, 1};
  Quota recordings{"recordings", "running recordings", "end one with StopRecording", 16, 4, 1};
  Quota downloads{"downloads", "downloads of recordings", "try again when one has ended", 4, 2, 1};
  /// Each keeps a core busy. None is reserved: each ends by itself within `analysis_time`.
  Quota analyses{"analyses", "analyses under way", "try again when one has ended", 2, 1, 0};
  int message_bytes = 4 << 20;                          ///< of a request and of a response
  int bodies = 4096;                                    ///< of a model
  std::size_t queue_frames = 4096;                      ///< deepest queue of an Observe stream
  std::size_t queue_values = 1 << 20;                   ///< values in such a queue
  std::int64_t step_ticks = 1'000'000;                  ///< of one StepSession
  std::size_t scripted_values = 1 << 20;                ///< of one CreateSession
  std::size_t recording_bytes = 256 << 20;              ///< of the ticks of one that wait in memory for its disk
  std::uint64_t disk_reserve = std::uint64_t{1} << 30;  ///< bytes of their disk that recordings leave free
  int analysed_bodies = 256;                            ///< of a session that Analyse takes
  std::chrono::milliseconds analysis_time{60'000};      ///< of the processor, for one analysis
  std::size_t reflection_streams = 4;                   ///< each keeps a thread
  int threads = 400;                                    ///< of gRPC: one for each stream and each unary call under way
  std::size_t calls = 320;                  ///< of one connection under way; beyond, the connection is closed
  std::chrono::milliseconds opening{5000};  ///< from the start of a Tick stream to its TickOpen
  HostLimits host;
};

/// All that have a share.
inline constexpr Quota Limits::*kQuotas[] = {&Limits::streams,   &Limits::sessions, &Limits::session_bodies,
                                             &Limits::models,    &Limits::links,    &Limits::recordings,
                                             &Limits::downloads, &Limits::analyses};

/// Reads "KIND=N": the share of one identity. @throws Error naming the kinds, or the range of N
void setShare(Limits& limits, const std::string& text);

/// Real-time requests for the thread that ticks. A request for a class or for cores includes locked memory.
struct RealtimeChoice {
  int priority = 0;            ///< SCHED_FIFO 1 to 99; 0 for the normal class
  std::vector<int> cpus;       ///< empty for any
  int threads = 1;             ///< that share a step, if the model allows it
  bool oversubscribe = false;  ///< threads may be more than the cores

  bool any() const noexcept { return priority > 0 || !cpus.empty(); }
};

struct Config {
  Endpoint endpoint{"127.0.0.1:50051", ""};
  Access access;
  std::optional<UdpEndpoint> udp;  ///< none: no device link can be opened
  Limits limits;
  std::string recordings_folder = "recordings";  ///< of the files that clients request; made with the first file
  int priority = 0;                              ///< of sessions with a paced clock whose request names none
};

/// Whether the server is open to other hosts without encryption or without identities (--insecure).
bool isInsecure(const Config& config);

/// @throws Error, naming the options to add, if isInsecure() holds and --insecure is not given; also if the header of a
///         proxy is to be trusted on an endpoint that others than the proxy can reach
void requireGuarded(const Config& config);

}  // namespace tactus::server
