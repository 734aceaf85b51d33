// An XML file as the importers read it: elements with lines, numbers with their rules, and a note of everything that no
// importer has read.
//
// tinyxml2 keeps lines and expands no entities of a document; a DOCTYPE is refused all the same. It is used for URDF,
// too: Debian's urdfdom keeps no lines and says nothing of elements that it does not know.
#pragma once

#include "server/import/import_report.h"

#include <Eigen/Core>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace tinyxml2 {
class XMLAttribute;
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace tactus::server {

inline constexpr std::size_t kMaxImportFile = std::size_t{16} << 20;  ///< bytes of all files of an import together

class XmlTree;

/// An element; valid as long as its tree. What is read of it is noted in the tree.
class XmlNode {
 public:
  XmlNode(XmlTree& tree, const tinyxml2::XMLElement& element) : tree_(&tree), element_(&element) {}

  std::string tag() const;
  /// Child elements in the order of the file; an include that the tree resolves is replaced by what it includes.
  std::vector<XmlNode> children() const;
  std::vector<XmlNode> children(const std::string& tag) const;
  /// The first child of a name.
  std::optional<XmlNode> child(const std::string& tag) const;

  bool has(const char* attribute) const;
  std::optional<std::string> text(const char* attribute) const;
  std::string text(const char* attribute, const std::string& otherwise) const;
  /// What stands between the tags, without blanks at its ends.
  std::string content() const;

  // Numbers: what is none becomes an error and reads as not given.
  std::optional<double> number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  std::optional<Eigen::Vector3d> vector(const char* attribute) const;
  /// From `fewest` to `most` finite numbers.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t fewest, std::size_t most) const;
  std::optional<bool> flag(const char* attribute) const;
  std::optional<double> contentNumber() const;
  std::optional<std::vector<double>> contentNumbers(std::size_t fewest, std::size_t most) const;

  /// Notes the element as read; the tree then looks into it for what is not.
  void markRead() const;
  /// Notes the element and everything in it as read.
  void markAllRead() const;
  /// Notes an attribute as read.
  void markRead(const char* attribute) const;

  SourcePlace place() const;
  SourcePlace place(const char* attribute) const;
  /// An error of the element. @param value  what it has that breaks the rule; may be empty
  void refuse(std::string value, std::string rule, std::string hint = {}) const;
  /// An error of an attribute, which need not be given.
  void error(const char* attribute, std::string rule, std::string hint = {}) const;
  void dropped(LossEffect effect, std::string reason) const;
  void dropped(const char* attribute, LossEffect effect, std::string reason) const;

  ImportReport& report() const;
  XmlTree& tree() const { return *tree_; }
  bool operator==(const XmlNode& other) const { return element_ == other.element_; }
  const tinyxml2::XMLElement* key() const { return element_; }

 private:
  const tinyxml2::XMLAttribute* find(const char* attribute) const;
  std::optional<std::vector<double>> parse(const std::string& text, std::size_t fewest, std::size_t most,
                                           const SourcePlace& at) const;

  XmlTree* tree_;
  const tinyxml2::XMLElement* element_;
};

/// A file and what it includes.
class XmlTree {
 public:
  /// @throws Error if the file cannot be opened or is larger than kMaxImportFile
  /// Broken XML and a DOCTYPE become errors in the report; there is then no root.
  XmlTree(std::filesystem::path path, ImportReport& report);
  ~XmlTree();
  XmlTree(const XmlTree&) = delete;
  XmlTree& operator=(const XmlTree&) = delete;

  std::optional<XmlNode> root();
  ImportReport& report() { return report_; }
  const std::filesystem::path& path() const { return path_; }

  /// From now on elements of this name are replaced by the children of the root of the file that their attribute `file`
  /// names. It must lie in the folder of the including file, and each file is included once.
  void resolveIncludes(std::string tag) { include_ = std::move(tag); }

  /// What a reader says of elements and attributes that it did not read.
  struct Unread {
    LossEffect effect = LossEffect::kMotion;
    std::string reason;
  };
  /// Reports every element and attribute that was not read.
  /// @param why  of an element (attribute empty) or of an attribute
  void reportUnread(const std::function<Unread(const std::string& element, const std::string& attribute)>& why);

 private:
  friend class XmlNode;

  /// Null if it cannot be used; errors go to `at`, or have the lines of the file.
  const tinyxml2::XMLDocument* load(const std::filesystem::path& path, const SourcePlace* at);
  void appendChildren(const tinyxml2::XMLElement& element, std::vector<XmlNode>& out);
  void appendIncluded(const XmlNode& include, std::vector<XmlNode>& out);
  std::string fileOf(const tinyxml2::XMLElement& element) const;

  std::filesystem::path path_;
  ImportReport& report_;
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::map<const void*, std::filesystem::path> files_;           ///< of documents
  std::map<const void*, const tinyxml2::XMLElement*> included_;  ///< root of the file that an include names, or null
  std::set<std::filesystem::path> seen_;
  std::unordered_set<const void*> read_, all_read_;
  std::string include_;
  std::size_t bytes_ = 0;
};

}  // namespace tactus::server
