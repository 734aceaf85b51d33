// The lease on the inputs of a session, and the ticks that its holder makes.
#include "server/session/request_error.h"
#include "server/session/session.h"

#include <utility>

namespace tactus::server {

std::unique_ptr<Session::InputLease> Session::leaseInputs() {
  std::lock_guard lock(lease_);
  if (leased_)
    throw RequestError(Reason::kLeaseHeld, "inputs", "session \"" + spec_.name + "\" has a stream with inputs already",
                       "close that stream, or open this one without inputs");
  leased_ = true;
  return std::unique_ptr<InputLease>(new InputLease(*this, held_input_, resets_));
}

Session::InputLease::~InputLease() {
  std::lock_guard lock(session_.lease_);
  session_.leased_ = false;
  if (resets_ == session_.resets_) session_.held_input_ = std::move(input_);
}

rt::ActuatorInput& Session::InputLease::input() {
  // After a reset, a restore or a safe state the actuators that this holder does not drive have other values.
  if (session_.resets_ != resets_) {
    std::lock_guard lock(session_.lease_);
    resets_ = session_.resets_;
    input_.values = session_.held_input_.values;
  }
  return input_;
}

void Session::InputLease::offer() {
  session_.loop_.offerInput(input_);
}

std::uint64_t Session::InputLease::tick(rt::Snapshot& result) {
  return advance(true, result);
}

std::uint64_t Session::InputLease::tickHeld(rt::Snapshot& result) {
  return advance(false, result);
}

std::int64_t Session::InputLease::tickNow() const {
  std::lock_guard drive(session_.drive_);
  return session_.loop_.state().tick;
}

std::uint64_t Session::InputLease::advance(bool offer, rt::Snapshot& result) {
  std::lock_guard drive(session_.drive_);
  if (session_.closed_) return 0;
  session_.leaveReady();
  if (session_.state() != SessionState::kRunning) return 0;
  if (offer) session_.loop_.offerInput(input_);
  session_.loop_.tick();
  session_.settle();
  return session_.ring().newest(result);
}

}  // namespace tactus::server
