// The name of a host in one line, for reports of measured times.
#pragma once

#include <string>

namespace tactus::server {

/// "AMD EPYC, 2 cores, virtual, Linux 6.1.0-18-amd64". A part that cannot be read is left out.
/// @param[in] root  "" for this host; a folder that stands for it in a test
std::string nameHost(const std::string& root);

}  // namespace tactus::server
