// Files of other formats as texts, and what the import makes of them.
#pragma once

#include "server/import/import_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tactus::server::tests {

/// A folder with one file, removed at the end of the test.
class ImportedText {
 public:
  explicit ImportedText(const std::string& text, const std::string& name = "file.xml")
      : folder_(std::filesystem::temp_directory_path() / ("tactus-import-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    write(name, text);
    path_ = (folder_ / name).string();
  }
  ~ImportedText() { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  const std::filesystem::path& folder() const { return folder_; }
  ImportedFile read(const ImportOptions& options = {}) const { return importFile(path_, options); }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

inline std::string joined(const ImportReport& report) {
  std::string text;
  for (const ImportError& error : report.errors()) text += toString(error) + '\n';
  return text;
}

inline const std::string kMass =
    R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";

inline std::string linkOf(const std::string& name, const std::string& inside = kMass) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}

inline std::string jointOf(const std::string& name, const std::string& type, const std::string& parent,
                           const std::string& child, const std::string& inside = R"(<axis xyz="0 0 1"/>)") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

inline std::string robot(const std::string& inside) {
  return "<robot name=\"r\">\n" + inside + "</robot>\n";
}

inline std::string mujoco(const std::string& inside) {
  return "<mujoco>\n" + inside + "</mujoco>\n";
}

}  // namespace tactus::server::tests
