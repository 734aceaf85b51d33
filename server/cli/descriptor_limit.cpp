#include "server/cli/descriptor_limit.h"

#include "rt/error.h"

#include <string>

#include <sys/resource.h>

namespace tactus::server {

namespace {

// A server without clients has 20 open, and keeps 64 from connections (traffic_watch.cpp): the rest is for 76 of these.
constexpr rlim_t kFewest = 160;

}  // namespace

void raiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= kFewest) return;
  throw Error("this process may open " + std::to_string(limit.rlim_cur) +
              " files and connections, and a server needs " + std::to_string(kFewest) +
              "; raise the limit: ulimit -n 4096, LimitNOFILE=4096 of systemd, or docker run " +
              "--ulimit nofile=4096");
}

}  // namespace tactus::server
