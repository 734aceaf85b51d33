#include "server/service/outbox.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using tactus::server::Outbox;

namespace {

/// A stream that accepts a message when the test lets it.
struct Stream {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> taken;
  const std::string* under_way = nullptr;
  std::atomic<int> cancelled{0};
  bool overlapped = false;
  Outbox<std::string> outbox{[this](const std::string* message) {
                               std::lock_guard lock(mutex);
                               overlapped = overlapped || under_way != nullptr;
                               under_way = message;
                               changed.notify_all();
                             },
                             [this] { ++cancelled; }};

  /// Waits for a write to begin and ends it.
  void take(bool ok = true) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return under_way != nullptr; });
      if (ok) taken.push_back(*under_way);
      under_way = nullptr;
    }
    outbox.written(ok);
  }
};

}  // namespace

TEST_CASE("an outbox writes one message at a time, in order", "[server][service]") {
  Stream stream;
  int done = 0;
  const std::string first = "first", third = "third";
  stream.outbox.send(first, [&] { ++done; });
  stream.outbox.send(std::make_unique<const std::string>("second"));
  stream.outbox.send(third, [&] { ++done; });
  CHECK(done == 0);
  stream.take();
  CHECK(done == 1);
  stream.take();
  CHECK(done == 1);
  stream.take();
  CHECK(done == 2);
  CHECK(stream.taken == std::vector<std::string>{"first", "second", "third"});
  CHECK_FALSE(stream.overlapped);
  stream.outbox.close();  // nothing is left to wait for
  CHECK(stream.cancelled == 0);
}

TEST_CASE("threads that wait for their messages get their turn, each once", "[server][service]") {
  Stream stream;
  constexpr int kThreads = 4, kMessages = 200;
  std::atomic<int> written{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::string message;
      for (int i = 0; i < kMessages; ++i) {
        message = std::to_string(t) + ":" + std::to_string(i);
        if (stream.outbox.write(message)) ++written;
      }
    });
  for (int i = 0; i < kThreads * kMessages; ++i) stream.take();
  for (std::thread& thread : threads) thread.join();
  CHECK(written == kThreads * kMessages);
  CHECK_FALSE(stream.overlapped);
  std::vector<int> next(kThreads);
  bool ordered = true;
  for (const std::string& message : stream.taken) {
    const auto t = static_cast<std::size_t>(message[0] - '0');
    ordered = ordered && std::stoi(message.substr(2)) == next[t]++;
  }
  CHECK(ordered);
}

TEST_CASE("a broken stream releases every waiting thread", "[server][service]") {
  Stream stream;
  const std::string frame = "frame";
  int done = 0;
  stream.outbox.send(frame, [&] { ++done; });
  stream.outbox.send(frame, [&] { ++done; });
  bool written = true;
  std::thread waiting([&] { written = stream.outbox.write(frame); });
  stream.take(false);
  waiting.join();
  CHECK(done == 2);
  CHECK_FALSE(written);
  CHECK_FALSE(stream.outbox.write(frame));
  stream.outbox.send(frame, [&] { ++done; });
  CHECK(done == 3);
  CHECK(stream.taken.empty());
}

TEST_CASE("a client that leaves without accepting a message is cancelled", "[server][service]") {
  Stream stream;
  const std::string frame = "frame";
  bool written = true;
  std::thread waiting([&] { written = stream.outbox.write(frame); });
  stream.outbox.leave();
  while (stream.cancelled == 0) std::this_thread::yield();
  stream.take(false);
  waiting.join();
  CHECK_FALSE(written);
  CHECK(stream.cancelled == 1);
  stream.outbox.close();
}
