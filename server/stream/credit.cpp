#include "server/stream/credit.h"

#include "server/wire/request_error.h"

namespace tactus::server {

std::uint32_t creditWindow(std::uint32_t requested) {
  if (requested > kMaxCreditWindow)
    throw RequestError(Reason::kLimitExceeded, "credit_window",
                       "at most " + std::to_string(kMaxCreditWindow) + " frames may be unacknowledged");
  return requested == 0 ? kDefaultCreditWindow : requested;
}

}  // namespace tactus::server
