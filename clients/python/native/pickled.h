// Results of the module tactus._native that go to another process: what pickle keeps of them, bit by bit.
#pragma once

#include "clients/engine/engine.h"
#include "clients/python/native/analysis.h"

#include <pybind11/pybind11.h>

namespace tactus::python {

/// The build, and the bytes of all values in its layout.
pybind11::tuple pickledOf(const SavedState& saved);
/// @throws Refusal SNAPSHOT_INCOMPATIBLE for damaged bytes and for the state of another build, whose layout and whose
///         next ticks may differ
SavedState savedOf(const pybind11::tuple& pickled);

/// Plain objects and arrays: another build reads them, too.
pybind11::tuple pickledOf(const LinearPoint& point);
LinearPoint pointOf(const pybind11::tuple& pickled);

}  // namespace tactus::python
