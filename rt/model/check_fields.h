// The rules that the fields of a spec state by themselves: range and reference of every value.
#pragma once

#include "rt/model/field.h"
#include "rt/model/rules.h"

namespace tactus::rt {

/// Checks every field of a spec and of the specs in it. Variants are left to the element that has them.
void checkFields(const void* spec, Fields fields, const FindingPlace& at);

/// A finding if a text is longer than 4096 bytes.
void checkText(const std::string& path, const std::string& text, FindingList& out);

template <Described Spec>
void checkFields(const Spec& spec, const FindingPlace& at) {
  checkFields(&spec, Spec::fields(), at);
}

}  // namespace tactus::rt
