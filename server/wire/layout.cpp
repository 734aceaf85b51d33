#include "server/wire/layout.h"

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

}  // namespace tactus::server
