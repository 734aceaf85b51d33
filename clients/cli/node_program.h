// Programs of clients/web, which Node runs in place of this one.
#pragma once

#include <string>
#include <vector>

namespace tactus::client {

/// Replaces this program by a bundle that clients/web/build.sh has put beside it, such as "bridge.cjs".
/// @returns only if it cannot, after a line on stderr: the exit code
int becomeNodeProgram(const std::string& bundle, const std::vector<std::string>& arguments);

}  // namespace tactus::client
