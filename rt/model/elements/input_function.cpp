#include "rt/model/elements/input_function.h"

#include "rt/model/model.h"

namespace tactus::rt {

Fields InputFunctionSpec::fields() {
  return {};
}

void build(const InputFunctionSpec&, Drive& drive) {
  drive.kind = DriveKind::kInput;
}

}  // namespace tactus::rt
