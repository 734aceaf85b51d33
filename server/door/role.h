// Role: what a client may do at most.
#pragma once

#include "rt/word.h"

#include <cstdint>

namespace tactus::server {

/// A higher role may do what a lower one may.
enum class Role : std::uint8_t {
  kObserve,  ///< reads
  kControl,  ///< creates sessions, and changes those that it has created
  kAdmin,    ///< changes everything
};
inline constexpr rt::Word<Role> kRoles[] = {
    {Role::kObserve, "observe"}, {Role::kControl, "control"}, {Role::kAdmin, "admin"}};
constexpr const char* toString(Role role) noexcept {
  return rt::wordOf(kRoles, role);
}

}  // namespace tactus::server
