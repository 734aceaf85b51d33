// How many files and connections the server may have open.
#pragma once

namespace tactus::server {

/// Raises the limit of this process to what the system allows it.
/// @throws Error if that is too few for a server
void raiseDescriptorLimit();

}  // namespace tactus::server
