// What a host is, in a line: reports of times say on what they were taken.
#pragma once

#include <string>

namespace tactus::server {

/// "AMD EPYC, 2 cores, virtual, Linux 6.1.0-18-amd64". What cannot be read is left out.
/// @param[in] root  "" for this host; tests put a folder in its place
std::string nameHost(const std::string& root);

}  // namespace tactus::server
