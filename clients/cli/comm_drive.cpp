#include "clients/cli/comm_drive.h"

#include "clients/cli/remote.h"
#include "clients/udp/tactus_udp.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tactus::client {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCalls = 100;
// A test by datagrams ends when no state has come for this time and for so many periods.
constexpr std::chrono::seconds kPatience{2};
constexpr int kPatientPeriods = 100;
constexpr std::size_t kInFlight = 4096;  // maximum number of inputs whose send time is kept

std::int64_t nanoseconds(Clock::duration duration) {
  return duration / std::chrono::nanoseconds(1);
}

/// Measures the time from each input to the first state that used it.
class RoundTrips {
 public:
  explicit RoundTrips(std::vector<std::int64_t>& times) : times_(times) {}

  void sent(std::uint64_t sequence) {
    newest_ = sequence;
    sent_at_[sequence % kInFlight] = Clock::now();
  }

  void used(std::uint64_t sequence) {
    if (sequence > used_ && newest_ - sequence < kInFlight)
      times_.push_back(nanoseconds(Clock::now() - sent_at_[sequence % kInFlight]));
    used_ = std::max(used_, sequence);
  }

 private:
  std::vector<std::int64_t>& times_;
  std::array<Clock::time_point, kInFlight> sent_at_;
  std::uint64_t newest_ = 0, used_ = 0;
};

void driveStream(const Session& session, std::int64_t last, CommResult& result) {
  TickOptions options;
  options.outputs = {session.inputs().at(0)};
  TickStream stream = session.tick(options);
  const std::vector<double> values(stream.inputs().size(), 0.0);
  RoundTrips trips(result.round_trips_ns);
  const auto send = [&] {
    trips.sent(result.inputs_sent + 1);
    result.inputs_sent = stream.send(values);
  };
  send();
  session.start();
  for (Frame frame; stream.receive(frame);) {
    trips.used(frame.inputSequence());
    result.frames = frame.sequence();
    result.frames_missed = frame.missed();
    if (frame.tick() >= last) break;
    send();
  }
}

/// A datagram socket that is connected to one address.
class DatagramSocket {
 public:
  explicit DatagramSocket(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    std::string host = address.substr(0, colon);
    if (host.front() == '[') host = host.substr(1, host.size() - 2);
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_DGRAM;
    const int unknown = ::getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
    if (unknown != 0) throw std::runtime_error("cannot resolve " + address + ": " + ::gai_strerror(unknown));
    fd_ = ::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const timeval patience{.tv_sec = 0, .tv_usec = 20'000};
    const bool connected = fd_ >= 0 && ::connect(fd_, found->ai_addr, found->ai_addrlen) == 0;
    ::freeaddrinfo(found);
    if (!connected) fail(address);
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~DatagramSocket() { ::close(fd_); }
  DatagramSocket(const DatagramSocket&) = delete;
  DatagramSocket& operator=(const DatagramSocket&) = delete;

  void send(const std::uint8_t* bytes, std::size_t size) { static_cast<void>(::send(fd_, bytes, size, 0)); }

  /// Receives a datagram. @returns its size; 0 after a short time without one
  std::size_t receive(std::uint8_t* bytes, std::size_t size) {
    const ssize_t got = ::recv(fd_, bytes, size, 0);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

 private:
  [[noreturn]] static void fail(const std::string& address) {
    throw std::system_error(errno, std::generic_category(), "cannot open a datagram socket to " + address);
  }
  int fd_ = -1;
};

tactus_udp_link linkOf(const v1::DeviceLink& message) {
  tactus_udp_link link{};
  link.token = message.token();
  std::copy(message.key().begin(), message.key().end(), link.key);
  link.input_layout = message.inputs().hash();
  link.output_layout = message.outputs().hash();
  link.inputs = static_cast<std::size_t>(message.inputs().signals_size());
  link.outputs = static_cast<std::size_t>(message.outputs().signals_size());
  return link;
}

/// Counts a state that arrived, in any order.
void takeState(const tactus_udp_state& state, CommResult& result, std::uint64_t& newest) {
  CommResult::Datagrams& datagrams = *result.datagrams;
  ++result.frames;
  if (state.sequence <= newest) {
    ++datagrams.states_overtaken;
    if (datagrams.states_lost > 0) --datagrams.states_lost;
    return;
  }
  datagrams.states_lost += newest > 0 ? state.sequence - newest - 1 : 0;
  newest = state.sequence;
}

void driveDatagrams(const Client& client, const Session& session, std::int64_t last, std::int64_t period_ns,
                    CommResult& result) {
  v1::OpenDeviceLinkRequest request;
  for (const std::string& input : session.inputs()) request.add_inputs(input);
  request.add_outputs(session.inputs().at(0));
  const v1::DeviceLink opened = session.openLink(std::move(request));
  const tactus_udp_link link = linkOf(opened);
  DatagramSocket socket(opened.address());
  result.datagrams.emplace();

  const std::vector<double> values(link.inputs, 0.0);
  std::array<std::uint8_t, TACTUS_UDP_LARGEST> buffer;
  RoundTrips trips(result.round_trips_ns);
  std::uint64_t newest = 0, missed_before = 0;
  const auto send = [&] {
    const std::uint64_t sequence = ++result.inputs_sent;
    const std::size_t size = tactus_udp_write_input(
        &link, sequence, 0, newest, nanoseconds(Clock::now().time_since_epoch()), values.data(), 1, buffer.data());
    trips.sent(sequence);
    socket.send(buffer.data(), size);
  };
  send();
  session.start();
  tactus_udp_state state{};
  const auto patience = kPatience + kPatientPeriods * std::chrono::nanoseconds(period_ns);
  auto heard = Clock::now();
  for (std::int64_t tick = 0; tick < last;) {
    const std::size_t size = socket.receive(buffer.data(), buffer.size());
    if (tactus_udp_read(&link, buffer.data(), size, &state) == TACTUS_UDP_STATE) {
      heard = Clock::now();
      trips.used(state.acknowledged);
      // States that were due before the server knew this address do not count as missed.
      if (result.frames == 0) missed_before = state.missed;
      result.frames_missed = state.missed - missed_before;
      tick = std::max(tick, state.tick);
      takeState(state, result, newest);
    }
    if (Clock::now() - heard > patience)
      throw std::runtime_error(
          "no datagram from " + opened.address() +
          " any more: the session has ended, or something drops UDP; look at `tactus session list`, and open the "
          "ports of `serve --udp` in the firewall");
    if (tick < last) send();
  }
  result.datagrams->inputs = client.closeLink(opened.id()).counts();
}

}  // namespace

CommResult driveSession(const Client& client, const CommDrive& drive) {
  CommResult result;
  for (int i = 0; i < kCalls; ++i) {
    const auto begin = Clock::now();
    client.serverInfo();
    result.calls_ns.push_back(nanoseconds(Clock::now() - begin));
  }

  v1::CreateSessionRequest request;
  request.set_model_name(drive.model);
  request.set_period_ns(drive.period_ns);
  request.set_miss_limit(0);
  const Session session = client.createSession(request);
  if (session.inputs().empty())
    throw refused("--model", "model \"" + drive.model + "\" has no input to send",
                  "choose a model with an actuator, e.g. motor_four_bar");
  const std::int64_t last = drive.duration_ns / drive.period_ns;
  drive.udp ? driveDatagrams(client, session, last, drive.period_ns, result) : driveStream(session, last, result);
  session.pause();
  const v1::TimingReport report = session.timing();
  result.ticks = report.ticks();
  result.fresh = report.ticks() - static_cast<std::int64_t>(report.held_ticks());
  result.inputs_superseded = report.inputs_superseded();
  return result;
}

}  // namespace tactus::client
