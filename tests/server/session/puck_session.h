// A session of a free body with two inputs, and how tests wait for it.
#pragma once

#include "server/session/session.h"
#include "server/wire/request_error.h"
#include "tests/server/puck.h"

#include <chrono>
#include <functional>
#include <memory>

namespace tactus::server::tests {

inline const std::function<bool()> kNever;

inline SessionSpec specOf(ClockChoice::Mode clock, std::shared_ptr<const rt::Model> model = makePuck()) {
  SessionSpec spec;
  spec.name = "test";
  spec.model = std::move(model);
  spec.clock.mode = clock;
  return spec;
}

inline Reason reasonOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const RequestError& error) { return error.reason(); }
  return Reason::kInternal;
}

inline void awaitTick(Session& session, std::int64_t tick) {
  while (session.feed().newest().header.tick < tick)
    session.feed().ring().waitNewer(session.feed().ring().newestIndex(), std::chrono::seconds(1));
}

inline void awaitState(Session& session, SessionState state) {
  while (session.state() != state)
    session.feed().events().wait(session.feed().events().newest(), std::chrono::milliseconds(1));
}

}  // namespace tactus::server::tests
