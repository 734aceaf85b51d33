#include "server/wire/layout.h"

#include "rt/state/state.h"
#include "server/wire/request_error.h"

namespace tactus::server {

void writeSignal(const rt::Signal& signal, v1::Signal& message) {
  message.set_name(signal.name);
  message.set_unit(signal.unit);
  message.set_frame(signal.frame);
  message.set_shape(1);
  message.set_description(signal.description);
  const bool input = signal.causality == rt::Causality::kInput;
  message.set_causality(input ? v1::CAUSALITY_INPUT : v1::CAUSALITY_OUTPUT);
  if (input) {
    message.set_minimum(signal.minimum);
    message.set_maximum(signal.maximum);
  }
}

void writeLayout(const rt::SignalDirectory& directory, const std::vector<int>& indices, v1::Layout& message) {
  message.set_hash(directory.layoutHash(indices));
  for (const int index : indices) message.add_signals(directory.signals()[static_cast<std::size_t>(index)].name);
}

void expectLayout(std::uint64_t expected, std::uint64_t found, const char* field) {
  if (expected == 0 || expected == found) return;
  throw RequestError(Reason::kLayoutMismatch, field,
                     "the layout has the hash " + rt::formatHash(found) + ", not " + rt::formatHash(expected),
                     "names, units or their order have changed: read the layout again");
}

}  // namespace tactus::server
