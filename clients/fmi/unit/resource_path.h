// Where the resources of a unit are.
#pragma once

#include <string>

namespace tactus::fmi {

/// The folder that a URI of FMI 2.0 names: "file:///a%20b" is "/a b". A text that is no URI is taken as a path.
/// @throws Error for no URI, another scheme or another host
std::string pathOfUri(const char* uri);

/// The folder that a path of FMI 3.0 names, without a slash at its end. @throws Error for none
std::string pathOfFolder(const char* path);

}  // namespace tactus::fmi
