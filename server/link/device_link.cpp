#include "server/link/device_link.h"

#include "rt/error.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace tactus::server {

namespace {

// Interval at which a sender checks whether its link is closed.
constexpr std::chrono::milliseconds kIdleWait{20};

std::int64_t nowNs() noexcept {
  return rt::monotonicTime().now();
}

std::vector<int> signalsOf(const Session& session, const std::vector<std::string>& inputs) {
  std::vector<int> indices;
  for (const std::string& name : inputs) indices.push_back(session.feed().signals().find(name));
  return indices;
}

LinkTerms checked(const Session& session, LinkTerms terms) {
  if (session.spec().clock.lockstep())
    throw RequestError(Reason::kSessionState, "session", "a lockstep session is driven by its Tick stream",
                       "give the session the clock external");
  if (session.spec().clock.external() && terms.inputs.empty())
    throw RequestError(Reason::kRequestInvalid, "inputs", "a device that is the clock must bring inputs");
  const auto tooMany = [](const char* field, std::size_t count) {
    if (count > kDatagramValues)
      throw RequestError(Reason::kDatagramTooLarge, field, std::to_string(count) + " values do not fit into a datagram",
                         "at most " + std::to_string(kDatagramValues) + "; a layout is never split");
  };
  tooMany("inputs", terms.inputs.size());
  tooMany("outputs", terms.outputs.size());
  if (terms.max_backfilled > kMaxBackfilled)
    throw RequestError(Reason::kLimitExceeded, "max_backfilled",
                       "at most " + std::to_string(kMaxBackfilled) + " ticks");
  if (terms.lease.leave_safe_state && !terms.persistent)
    throw RequestError(Reason::kRequestInvalid, "leave_safe_state", "is allowed only with persistent");
  if (terms.idle_limit_ns < 10'000'000)
    throw RequestError(Reason::kRequestInvalid, "idle_limit_ns", "must be at least 10 ms");
  if (session.spec().clock.external()) terms.output_divisor = 1;
  return terms;
}

StreamOptions streamOptions(const LinkTerms& terms) {
  StreamOptions options;
  options.signals = terms.outputs;
  options.packed = true;
  options.divisor = terms.output_divisor;
  return options;
}

// Twice the rate of ticks, if the clock has one.
double datagramsPerSecond(const Session& session) {
  if (!session.spec().clock.paced()) return 0;
  return 2e9 / static_cast<double>(session.settings().period_ns) * session.spec().clock.scale;
}

}  // namespace

DeviceLink::DeviceLink(std::uint64_t id, std::shared_ptr<Session> session, LinkTerms terms,
                       const asio::ip::address& address, std::uint16_t port)
    : id_(id),
      session_(std::move(session)),
      terms_(checked(*session_, std::move(terms))),
      token_(randomToken()),
      key_(randomKey()),
      input_signals_(signalsOf(*session_, terms_.inputs)),
      input_layout_(session_->feed().signals().layoutHash(input_signals_)),
      output_layout_(session_->feed().signals().layoutHash(terms_.outputs)),
      reader_(session_->model(), terms_.inputs),
      streamer_(session_->feed().ring(), session_->feed().signals(), streamOptions(terms_)),
      gate_(token_, key_, datagramsPerSecond(*session_)),
      snapshot_(session_->model()),
      values_(terms_.inputs.size()),
      socket_(io_),
      heard_ns_(nowNs()) {
  const Peer here(address, port);
  asio::error_code error;
  socket_.open(here.protocol(), error);
  if (!error) socket_.bind(here, error);
  if (error) throw PortTaken("cannot bind UDP port " + std::to_string(port) + ": " + error.message());
  const Peer bound = socket_.local_endpoint();
  address_ =
      (address.is_v6() ? "[" + address.to_string() + "]" : address.to_string()) + ":" + std::to_string(bound.port());

  takeLease();
  place_.emplace(session_->feed().readers(), "udp", [this] { return std::pair(streamer_.sent(), streamer_.missed()); });

  // The receiver reports when it has made its real-time requests.
  std::promise<void> entered;
  auto ready = entered.get_future();
  receiver_ = std::thread([this, promise = std::move(entered)]() mutable { receive(promise); });
  try {
    ready.get();
    if (!session_->spec().clock.external() && !terms_.outputs.empty()) sender_ = std::thread([this] { sendStates(); });
  } catch (...) {  // the receiver could not start, or no thread can be made
    beginClose("it could not start");
    receiver_.join();
    throw;
  }
}

void DeviceLink::takeLease() {
  if (terms_.inputs.empty()) return;
  LeaseRequest request = terms_.lease;
  request.groups = session_->inputs().groupsOf(reader_.actuators());
  request.actuators = reader_.actuators();
  // The operator allowed the takeover for the opening, and the way out of the safe state for the return of the device.
  if (idle_) request.takeover_reason.reset();
  request.leave_safe_state = idle_ && request.leave_safe_state;
  lease_ = session_->inputs().lease(std::move(request));
  streamer_.nameInputsOf(lease_->id());
}

// Under lease_mutex_.
void DeviceLink::releaseLease() {
  earlier_ = fateUnderLock();
  lease_.reset();
}

rt::InputFate DeviceLink::fateUnderLock() const {
  const rt::InputFate now = lease_ ? lease_->fate() : rt::InputFate{};
  return {earlier_.used + now.used, earlier_.left_aside + now.left_aside};
}

rt::InputFate DeviceLink::fate() const {
  const std::unique_lock lock(lease_mutex_, std::try_to_lock);
  return lock ? fateUnderLock() : rt::InputFate{counts_.used, counts_.left_aside};
}

void DeviceLink::rest() {
  const std::unique_lock lock(lease_mutex_, std::try_to_lock);
  if (!lock || idle_.exchange(true)) return;
  releaseLease();
}

std::optional<std::string> DeviceLink::takenBy() const {
  const std::unique_lock lock(lease_mutex_, std::try_to_lock);
  if (!lock || !open() || !lease_ || !lease_->lost()) return {};
  return lease_->takenBy();
}

bool DeviceLink::beginClose(const std::string& why) {
  {
    std::lock_guard lock(mutex_);
    if (closing_.exchange(true)) return false;
    ended_ = why;
  }
  // Wakes the receiver, even on a socket without a peer.
  asio::error_code ignored;
  socket_.shutdown(asio::ip::udp::socket::shutdown_both, ignored);
  return true;
}

void DeviceLink::endClose() {
  receiver_.join();
  if (sender_.joinable()) sender_.join();
  asio::error_code ignored;
  socket_.close(ignored);
  {
    std::lock_guard lock(lease_mutex_);
    releaseLease();
  }
  place_.reset();
}

std::int64_t DeviceLink::silentForNs() const noexcept {
  return nowNs() - heard_ns_.load(std::memory_order_relaxed);
}

std::string DeviceLink::ended() const {
  std::lock_guard lock(mutex_);
  return ended_;
}

std::size_t DeviceLink::maxRepeated() const noexcept {
  const std::size_t sets = kDatagramValues / std::max<std::size_t>(terms_.inputs.size(), 1);
  return std::min<std::size_t>(sets, 255) - 1;
}

// ---- the receiving thread ----

void DeviceLink::receive(std::promise<void>& entered) {
  try {
    if (session_->spec().clock.external()) session_->thread().enter();
  } catch (...) {
    entered.set_exception(std::current_exception());
    return;
  }
  entered.set_value();
  InputDatagram datagram;
  Peer from;
  while (!closing_) {
    asio::error_code error;
    const std::size_t size = socket_.receive_from(asio::buffer(in_), from, 0, error);
    if (closing_) return;
    if (error) continue;  // of a datagram that could not be delivered
    const std::int64_t now = nowNs();
    if (idle_) gate_.expectGap();
    const DatagramGate::Verdict verdict = gate_.classify(std::span(in_).first(size), now, datagram);
    recordLost();
    if (verdict == DatagramGate::Verdict::kDuplicate || verdict == DatagramGate::Verdict::kOvertaken)
      ++session_->inputs().counts().duplicate;
    if (verdict != DatagramGate::Verdict::kFresh) continue;
    heard_ns_.store(now, std::memory_order_relaxed);
    {
      std::lock_guard lock(mutex_);
      peer_ = from;
    }
    std::lock_guard lock(lease_mutex_);
    if (!idle_ || wakeUp()) serve(datagram, from);
    const rt::InputFate fate = fateUnderLock();
    counts_.used = fate.used;
    counts_.left_aside = fate.left_aside;
  }
}

// The device has come back. Returns false if another controller has its inputs.
bool DeviceLink::wakeUp() {
  try {
    takeLease();
  } catch (const RequestError&) { return false; }
  idle_ = false;
  return true;
}

void DeviceLink::recordLost() {
  const std::uint64_t lost = gate_.lost();
  if (lost > lost_) session_->inputs().counts().lost += lost - lost_;
  if (lost < lost_ && session_->inputs().counts().lost > 0) --session_->inputs().counts().lost;
  lost_ = lost;
}

void DeviceLink::serve(const InputDatagram& datagram, const Peer& from) {
  if (datagram.layout != input_layout_ || datagram.count != values_.size())
    return refuse(RefusalCode::kLayout, counts_.refused_layout, datagram, from);
  if (!lease_ || lease_->lost()) return;
  session_->spec().clock.external() ? serveTicks(datagram, from) : serveNext(datagram, from);
}

// The datagram is a tick. The ticks of lost datagrams before it are made first.
void DeviceLink::serveTicks(const InputDatagram& datagram, const Peer& from) {
  std::int64_t missing = 0;
  if (datagram.tick > 0) {
    missing = datagram.tick - session_->rendezvous().lastTick() - 1;
    if (missing < 0) return refuseLate(datagram, from);
    if (missing > terms_.max_backfilled) return refuse(RefusalCode::kTooFar, counts_.too_far, datagram, from);
  } else if (served_ > 0) {
    missing = static_cast<std::int64_t>(std::min<std::uint64_t>(datagram.sequence - served_ - 1, datagram.sets - 1));
  }

  // Its own values are validated before the first tick; repeated values may be invalid.
  if (!validate(datagram, from)) return;
  std::uint64_t publication = 0;
  for (std::int64_t set = missing; set >= 0 && !closing_; --set) {
    const bool known = take(datagram, static_cast<std::uint64_t>(set));
    publication =
        known ? session_->rendezvous().tick(*lease_, snapshot_) : session_->rendezvous().tickHeld(*lease_, snapshot_);
    if (publication == 0) return refuse(RefusalCode::kNotTicking, counts_.not_ticking, datagram, from);
    if (known && set > 0) ++counts_.recovered;
  }
  if (closing_) return;
  streamer_.answer(publication, snapshot_, frame_);
  sendTo(from, out_, writeState(frame_, token_, output_layout_, key_, out_));
}

// The session ticks by itself: the input goes to the next tick, or to the tick that it is scheduled for.
void DeviceLink::serveNext(const InputDatagram& datagram, const Peer& from) {
  if (datagram.tick > 0) {
    session_->feed().ring().newest(snapshot_);
    if (datagram.tick <= snapshot_.header.tick) return refuseLate(datagram, from);
  }
  if (!validate(datagram, from)) return;
  if (datagram.tick == 0) {
    take(datagram, 0);
    return lease_->offer();
  }
  const std::vector<double> before = lease_->input().values;
  take(datagram, 0);
  if (lease_->offerAt(datagram.tick) == rt::ScheduleResult::kKept) return;
  lease_->input().values = before;
  refuse(RefusalCode::kTooFar, counts_.too_far, datagram, from);
}

// Whether the values of a datagram are valid; if not, refuses them.
bool DeviceLink::validate(const InputDatagram& datagram, const Peer& from) {
  datagram.values(0, values_);
  const InputVerdict verdict = reader_.validate(values_);
  if (verdict.ok()) return true;
  const bool finite = verdict.fault == InputVerdict::Fault::kOutOfRange;
  refuse(finite ? RefusalCode::kOutOfRange : RefusalCode::kNotFinite, counts_.refused_values, datagram, from,
         static_cast<std::uint32_t>(verdict.index));
  return false;
}

// Makes one set of values the input. Returns false if the set is missing, invalid, or was used already.
bool DeviceLink::take(const InputDatagram& datagram, std::uint64_t set) {
  if (set >= datagram.sets || set >= datagram.sequence || datagram.sequence - set <= served_) return false;
  datagram.values(set, values_);
  if (!reader_.read(datagram.sequence - set, values_, lease_->input()).ok()) return false;
  served_ = datagram.sequence - set;
  return true;
}

void DeviceLink::refuseLate(const InputDatagram& datagram, const Peer& from) {
  ++session_->inputs().counts().late;
  refuse(RefusalCode::kLate, counts_.late, datagram, from);
}

void DeviceLink::refuse(RefusalCode code, std::atomic<std::uint64_t>& counter, const InputDatagram& datagram,
                        const Peer& from, std::uint32_t index) {
  ++counter;
  ++session_->inputs().counts().refused;
  ++counts_.refusals_sent;
  session_->feed().ring().newest(snapshot_);
  sendTo(from, refusal_, writeRefusal(code, datagram.sequence, index, snapshot_.header.tick, token_, key_, refusal_));
}

// ---- the sending thread of a session that ticks by itself ----

void DeviceLink::sendStates() {
  while (!closing_) {
    const bool newer = session_->feed().waker().waitNewer(streamer_.seen(), kIdleWait) == rt::WaitResult::kNewer;
    if (closing_) return;
    std::optional<Peer> peer;
    {
      std::lock_guard lock(mutex_);
      peer = peer_;
    }
    // A closed ring does not wait.
    if (!newer || !peer) {
      std::this_thread::sleep_for(newer ? kIdleWait : std::chrono::milliseconds(1));
      continue;
    }
    if (streamer_.next(frame_)) sendTo(*peer, out_, writeState(frame_, token_, output_layout_, key_, out_));
  }
}

// An absent device and a full queue have the effect of a lost datagram.
void DeviceLink::sendTo(const Peer& peer, const DatagramBuffer& buffer, std::size_t size) {
  asio::error_code ignored;
  socket_.send_to(asio::buffer(buffer.data(), size), peer, MSG_DONTWAIT, ignored);
}

}  // namespace tactus::server
