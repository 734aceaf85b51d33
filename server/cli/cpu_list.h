// Lists of cores as people write them on a command line.
#pragma once

#include <string>
#include <vector>

namespace tactus::server {

/// The numbers of "0,2-3": 0, 2, 3.
/// @throws Error if the text is not such a list
std::vector<int> parseCpuList(const std::string& text);

}  // namespace tactus::server
