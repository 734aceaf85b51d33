#include "rt/loop/compiled_model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include <utility>

namespace tactus::rt {

CompiledModel::CompiledModel(std::shared_ptr<const Model> model_in, int threads, std::uint64_t version_in)
    : model(std::move(model_in)),
      plan(std::make_unique<const Plan>(compilePlan(*model))),
      workspace(std::make_unique<Workspace>(*model, *plan, threads)),
      version(version_in) {}

CompiledModel::~CompiledModel() = default;

}  // namespace tactus::rt
