#include "server/cli/model_signals.h"

#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/models/built_in_models.h"
#include "server/wire/layout.h"

#include <cstdio>

namespace tactus::server {

std::vector<v1::Signal> signalsOfModel(const std::string& model) {
  const ModelDocument document = openModel(model);
  for (const LocatedFinding& finding : document.findings)
    std::fprintf(stderr, "%s\n", toString(finding, model).c_str());
  if (!document.valid()) throw Error("'" + model + "' is not a valid model");

  const rt::Model built = rt::buildModel(document.spec);
  const rt::SignalDirectory directory(built);
  std::vector<v1::Signal> signals;
  for (const rt::Signal& signal : directory.signals()) writeSignal(signal, signals.emplace_back());
  return signals;
}

}  // namespace tactus::server
