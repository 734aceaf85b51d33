// The calls on signals.
#include "server/service/answer.h"
#include "server/wire/layout.h"
#include "server/wire/state_frame.h"

namespace tactus::server {

namespace {

// No pattern means every signal.
template <class Patterns>
std::vector<std::string> patternsOrAll(const Patterns& patterns) {
  if (patterns.empty()) return {"*"};
  return {patterns.begin(), patterns.end()};
}

/// @throws RequestError if an answer has more bytes than a message may have
void requireAnswer(const google::protobuf::Message& answer, int signals, const Limits& limits) {
  const auto most = static_cast<std::size_t>(limits.message_bytes);
  if (const std::size_t bytes = answer.ByteSizeLong(); bytes > most)
    throw RequestError(Reason::kLimitExceeded, "patterns",
                       std::to_string(signals) + " signals take " + std::to_string(bytes) +
                           " bytes; an answer has at most " + std::to_string(most),
                       "name fewer of them by patterns, and call once more for the rest");
}

}  // namespace

grpc::Status SimulationService::ListSignals(grpc::ServerContext* context, const v1::ListSignalsRequest* request,
                                            v1::ListSignalsResponse* response) {
  return answer(*context, "ListSignals", *request, [&] {
    if (request->session().empty() == request->model().empty())
      throw RequestError(Reason::kRequestInvalid, "session", "give a session or a model, one of them");
    const std::shared_ptr<const rt::Model> model =
        request->model().empty() ? sessions_.find(request->session())->spec().model : models_.open(request->model());
    const rt::SignalDirectory directory(*model);
    const SignalSelection selection = selectSignals(directory, patternsOrAll(request->patterns()), "patterns");
    for (const int index : selection.indices)
      writeSignal(directory.signals()[static_cast<std::size_t>(index)], *response->add_signals());
    requireAnswer(*response, response->signals_size(), config_.limits);
  });
}

grpc::Status SimulationService::ReadSignals(grpc::ServerContext* context, const v1::ReadSignalsRequest* request,
                                            v1::ReadSignalsResponse* response) {
  return answer(*context, "ReadSignals", *request, [&] {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const rt::SignalDirectory& directory = session->feed().signals();
    const SignalSelection selection = selectSignals(directory, patternsOrAll(request->patterns()), "patterns");
    writeLayout(directory, selection.indices, *response->mutable_layout());
    FrameWriter(directory, selection.indices, false).write(session->feed().newest(), *response->mutable_frame());
    requireAnswer(*response, static_cast<int>(selection.indices.size()), config_.limits);
  });
}

}  // namespace tactus::server
