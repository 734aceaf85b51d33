#include "server/service/observe_call.h"

#include "server/stream/credit.h"
#include "server/stream/frame_pump.h"
#include "server/stream/stream_slots.h"
#include "server/wire/layout.h"

#include "tactus/v1/simulation.grpc.pb.h"

#include <algorithm>
#include <utility>

namespace tactus::server {

namespace {

constexpr std::uint32_t kDefaultQueueDepth = 64;

void chooseDelivery(const v1::ObserveRequest& request, const Limits& limits, StreamOptions& options) {
  switch (request.delivery()) {
    case v1::DELIVERY_UNSPECIFIED:
    case v1::DELIVERY_LATEST: return;
    case v1::DELIVERY_QUEUE: break;
    default:
      throw RequestError(Reason::kRequestInvalid, "delivery", "unknown delivery " + std::to_string(request.delivery()));
  }
  options.delivery = StreamOptions::Delivery::kQueue;
  options.queue_depth = request.queue_depth() == 0 ? kDefaultQueueDepth : request.queue_depth();
  const std::size_t values = std::max<std::size_t>(options.signals.size(), 1);
  const std::size_t deepest = std::min(limits.queue_frames, limits.queue_values / values);
  if (options.queue_depth > deepest)
    throw RequestError(
        Reason::kLimitExceeded, "queue_depth",
        "a queue of " + std::to_string(values) + " signals holds at most " + std::to_string(deepest) + " frames");
}

StreamOptions streamOptions(const Session& session, const v1::ObserveRequest& request, const Limits& limits) {
  StreamOptions options;
  const SignalSelection selection =
      selectSignals(session.feed().signals(), {request.signals().begin(), request.signals().end()}, "signals");
  expectLayout(request.expected_layout_hash(), selection.layout_hash, "expected_layout_hash");
  options.signals = selection.indices;
  options.packed = request.packed();
  options.divisor = std::max<std::uint32_t>(request.every(), 1);
  options.credit_window = request.credit_window() == 0 ? 0 : creditWindow(request.credit_window());
  options.from_current = true;
  chooseDelivery(request, limits, options);
  return options;
}

}  // namespace

void serveObserver(grpc::ServerContext& context, const v1::ObserveRequest& request,
                   grpc::ServerWriter<v1::ObserveResponse>& stream, const Peer& peer, SessionRegistry& sessions,
                   Observers& observers, const Limits& limits) {
  const std::shared_ptr<Session> session = sessions.find(request.session());
  StateStreamer streamer(session->feed().ring(), session->feed().signals(), streamOptions(*session, request, limits));
  SendNotifier notifier;
  const Observers::Place place(observers, streamer, notifier, peer.name);
  const ReaderList::Place reader(session->feed().readers(), "observe",
                                 [&] { return std::pair(streamer.sent(), streamer.missed()); });
  FramePump<v1::ObserveResponse> pump(*session, streamer, notifier, session->feed().events().opening());

  v1::ObserveResponse response;
  v1::ObserveOpened& opened = *response.mutable_opened();
  opened.set_stream_id(place.id());
  writeLayout(session->feed().signals(), streamer.options().signals, *opened.mutable_layout());
  opened.set_period_ns(session->settings().period_ns);
  opened.set_credit_window(static_cast<std::uint32_t>(streamer.options().credit_window));
  if (!stream.Write(response)) return;

  const auto end = pump.run([&](const v1::ObserveResponse& message) { return stream.Write(message); },
                            [&](bool idle) { return idle && context.IsCancelled(); });
  if (end) throw reasonOf(*end);
}

}  // namespace tactus::server
