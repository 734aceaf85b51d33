#include "clients/cpp/frame.h"

#include <stdexcept>

namespace tactus::client {

Layout::Layout(const v1::Layout& message)
    : hash_(message.hash()), names_(message.signals().begin(), message.signals().end()) {
  for (std::size_t i = 0; i < names_.size(); ++i) index_.emplace(names_[i], i);
}

std::size_t Layout::indexOf(std::string_view name) const {
  const auto entry = index_.find(name);
  if (entry == index_.end()) throw std::out_of_range("'" + std::string(name) + "' is not in the layout of this stream");
  return entry->second;
}

}  // namespace tactus::client
