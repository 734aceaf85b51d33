#include "clients/fmi/unit/resource_path.h"

#include "rt/error.h"

#include <charconv>

namespace tactus::fmi {

std::string pathOfFolder(const char* path) {
  if (path == nullptr || *path == '\0')
    throw Error("the importer passed no path of the resources; it must unpack resources/ and pass it");
  std::string folder = path;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

std::string pathOfUri(const char* uri) {
  std::string text = pathOfFolder(uri);
  if (text.find(':') == std::string::npos || text.front() == '/') return text;
  if (!text.starts_with("file:")) throw Error("the location of the resources, " + text + ", must begin with file://");
  text.erase(0, 5);
  if (text.starts_with("//")) {
    const std::size_t path = text.find('/', 2);
    const std::string host = text.substr(2, path == std::string::npos ? path : path - 2);
    if (path == std::string::npos || (!host.empty() && host != "localhost"))
      throw Error("the location of the resources, file:" + text + ", must be a folder of this host");
    text.erase(0, path);
  }
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += text[i];
    }
  }
  return path;
}

}  // namespace tactus::fmi
