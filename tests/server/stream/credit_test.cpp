#include "server/stream/credit.h"

#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

using namespace tactus::server;

TEST_CASE("a stream gets the credit window that it requests, or the default", "[server][stream]") {
  CHECK(creditWindow(0) == kDefaultCreditWindow);
  CHECK(creditWindow(1) == 1);
  CHECK(creditWindow(kMaxCreditWindow) == kMaxCreditWindow);
}

TEST_CASE("a credit window above the maximum is refused", "[server][stream]") {
  try {
    creditWindow(kMaxCreditWindow + 1);
    FAIL("was not refused");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kLimitExceeded);
    CHECK(error.field() == "credit_window");
  }
}
