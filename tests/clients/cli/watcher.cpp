// Reads every frame of a session until that is gone, and says whether one was missing: `watcher ADDR [SESSION]`.
#include "clients/cpp/client.h"

#include <cstdint>
#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  using namespace tactus::client;
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: watcher ADDR [SESSION]\n");
    return 2;
  }
  std::int64_t frames = 0, gaps = 0, last = -1;
  std::uint64_t missed = 0;
  try {
    const Client client(argv[1]);
    ObserveOptions options;
    options.signals = {"energy.total"};
    options.delivery = tactus::v1::DELIVERY_QUEUE;
    options.queue_depth = 4096;
    Observation frames_of = client.session(argc == 3 ? argv[2] : "main").observe(options);
    for (const Frame& frame : frames_of) {
      if (frames++ == 0) {
        std::printf("from tick %lld\n", static_cast<long long>(frame.tick()));
        std::fflush(stdout);
      } else if (frame.tick() != last + 1) {
        ++gaps;
      }
      last = frame.tick();
      missed = frame.missed();
    }
  } catch (const std::exception& error) { std::fprintf(stderr, "watcher: %s\n", error.what()); }
  std::printf("frames %lld, gaps %lld, missed %llu, last tick %lld\n", static_cast<long long>(frames),
              static_cast<long long>(gaps), static_cast<unsigned long long>(missed), static_cast<long long>(last));
  return gaps == 0 && missed == 0 ? 0 : 1;
}
