#include "server/import/xml_tree.h"

#include "rt/error.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace tactus::server {
namespace {

using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;
using tinyxml2::XMLNode;

constexpr std::size_t kMaxShown = 80;

std::string quoted(const std::string& text) {
  return '"' + (text.size() > kMaxShown ? text.substr(0, kMaxShown) + "..." : text) + '"';
}

const char* nameAttribute(const XMLElement& element) {
  const char* name = element.Attribute("name");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

/// From the nearest element with a name: joint "elbow"/limit.
std::string labelOf(const XMLElement& element) {
  std::string label = element.Name();
  if (const char* name = nameAttribute(element)) return label + ' ' + quoted(name);
  const XMLNode* above = element.Parent();
  const XMLElement* parent = above == nullptr ? nullptr : above->ToElement();
  // A root with a name says nothing of where an element is.
  if (parent == nullptr) return label;
  const bool is_root = parent->Parent() == nullptr || parent->Parent()->ToElement() == nullptr;
  return (is_root ? std::string(parent->Name()) : labelOf(*parent)) + '/' + label;
}

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string readBytes(const std::filesystem::path& path, std::size_t limit) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) throw Error(path.string() + ": is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path.string() + ": cannot be opened: " + std::strerror(errno));
  // One byte more than allowed tells a file that is too large, whatever the file system says of its size.
  std::string text(limit + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw Error(path.string() + ": cannot be read: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > limit) throw Error(path.string() + ": is larger than 16 MiB, with all files that it includes");
  return text;
}

/// Whether a path, with its links followed, lies in a folder.
bool isBelow(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code failed;
  const auto root = std::filesystem::weakly_canonical(folder.empty() ? std::filesystem::path(".") : folder, failed);
  if (failed) return false;
  // Of a relative path without a part that exists the canonical one is relative, too.
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return !failed && std::mismatch(root.begin(), root.end(), whole.begin(), whole.end()).first == root.end();
}

/// The rule that broken XML breaks.
std::string ruleOf(const XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED: return "must not be nested deeper than 100 elements";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return "an element must end with the tag that it begins with";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "must hold an XML document; it is empty";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute must be written name=\"value\", once in an element; the file may end inside it";
    // Its line is that of the start of the innermost element.
    case tinyxml2::XML_ERROR_PARSING:
      return "must be whole: the file ends inside the element that begins in this line; its end tag is missing";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "a tag must begin with a name and end with \">\"; the file may end inside it";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "a text must be followed by a tag; the file may end inside it";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment must end with \"-->\"";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a <![CDATA[ section must end with \"]]>\"";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a <? declaration must end with \"?>\", and stand before all elements";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN: return "a <! declaration must end with \">\"";
    default: return "must be XML: " + std::string(document.ErrorName());
  }
}

/// An empty file counts as the begin of any.
bool beginsAsXml(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos || text[first] == '<';
}

bool endsAsModel(const std::filesystem::path& path) {
  return path.extension() == ".json" || path.extension() == ".txtpb";
}

}  // namespace

// ---- a node ----

std::string XmlNode::tag() const {
  return element_->Name();
}

std::vector<XmlNode> XmlNode::children() const {
  std::vector<XmlNode> found;
  tree_->appendChildren(*element_, found);
  return found;
}

std::vector<XmlNode> XmlNode::children(const std::string& tag) const {
  std::vector<XmlNode> found = children();
  std::erase_if(found, [&](const XmlNode& node) { return node.tag() != tag; });
  return found;
}

std::optional<XmlNode> XmlNode::child(const std::string& tag) const {
  const std::vector<XmlNode> found = children(tag);
  if (found.empty()) return std::nullopt;
  found.front().markRead();
  return found.front();
}

const tinyxml2::XMLAttribute* XmlNode::find(const char* attribute) const {
  const tinyxml2::XMLAttribute* found = element_->FindAttribute(attribute);
  if (found != nullptr) tree_->read_.insert(found);
  return found;
}

bool XmlNode::has(const char* attribute) const {
  return element_->FindAttribute(attribute) != nullptr;
}

std::optional<std::string> XmlNode::text(const char* attribute) const {
  const tinyxml2::XMLAttribute* found = find(attribute);
  return found == nullptr ? std::nullopt : std::optional<std::string>(found->Value());
}

std::string XmlNode::text(const char* attribute, const std::string& otherwise) const {
  return text(attribute).value_or(otherwise);
}

std::string XmlNode::content() const {
  markRead();
  const char* text = element_->GetText();
  std::string found = text == nullptr ? "" : text;
  while (!found.empty() && isBlank(found.back())) found.pop_back();
  return found.substr(static_cast<std::size_t>(std::find_if_not(found.begin(), found.end(), isBlank) - found.begin()));
}

std::optional<std::vector<double>> XmlNode::parse(const std::string& text, std::size_t fewest, std::size_t most,
                                                  const SourcePlace& at) const {
  std::vector<double> values;
  const char* next = text.data();
  const char* const end = next + text.size();
  bool good = true;
  while (good) {
    while (next != end && isBlank(*next)) ++next;
    if (next == end) break;
    if (*next == '+') ++next;
    double value = 0;
    const auto [rest, failed] = std::from_chars(next, end, value);
    good = failed == std::errc() && std::isfinite(value) && (rest == end || isBlank(*rest)) && values.size() < most;
    if (good) values.push_back(value);
    next = rest;
  }
  if (good && values.size() >= fewest) return values;
  const std::string count =
      fewest == most ? std::to_string(most) : std::to_string(fewest) + " to " + std::to_string(most);
  tree_->report_.error(
      at, quoted(text),
      most == 1 ? "must be a finite number" : "must be " + count + " finite numbers, with blanks between");
  return std::nullopt;
}

std::optional<std::vector<double>> XmlNode::numbers(const char* attribute, std::size_t fewest, std::size_t most) const {
  const std::optional<std::string> text = this->text(attribute);
  return text ? parse(*text, fewest, most, place(attribute)) : std::nullopt;
}

std::optional<double> XmlNode::number(const char* attribute) const {
  const auto values = numbers(attribute, 1, 1);
  return values ? std::optional<double>(values->front()) : std::nullopt;
}

double XmlNode::number(const char* attribute, double otherwise) const {
  return number(attribute).value_or(otherwise);
}

std::optional<Eigen::Vector3d> XmlNode::vector(const char* attribute) const {
  const auto values = numbers(attribute, 3, 3);
  return values ? std::optional<Eigen::Vector3d>(Eigen::Vector3d((*values)[0], (*values)[1], (*values)[2]))
                : std::nullopt;
}

std::optional<bool> XmlNode::flag(const char* attribute) const {
  const std::optional<std::string> text = this->text(attribute);
  if (!text) return std::nullopt;
  if (*text == "true" || *text == "1") return true;
  if (*text == "false" || *text == "0") return false;
  error(attribute, "must be \"true\" or \"false\"");
  return std::nullopt;
}

std::optional<std::vector<double>> XmlNode::contentNumbers(std::size_t fewest, std::size_t most) const {
  return parse(content(), fewest, most, place());
}

std::optional<double> XmlNode::contentNumber() const {
  const auto values = contentNumbers(1, 1);
  return values ? std::optional<double>(values->front()) : std::nullopt;
}

void XmlNode::markRead() const {
  tree_->read_.insert(element_);
}

void XmlNode::markAllRead() const {
  tree_->read_.insert(element_);
  tree_->all_read_.insert(element_);
}

void XmlNode::markRead(const char* attribute) const {
  find(attribute);
}

SourcePlace XmlNode::place() const {
  return {tree_->fileOf(*element_), element_->GetLineNum(), labelOf(*element_)};
}

SourcePlace XmlNode::place(const char* attribute) const {
  SourcePlace at = place();
  if (const tinyxml2::XMLAttribute* found = element_->FindAttribute(attribute)) at.line = found->GetLineNum();
  at.element += std::string("/@") + attribute;
  return at;
}

void XmlNode::refuse(std::string value, std::string rule, std::string hint) const {
  tree_->report_.error(place(), std::move(value), std::move(rule), std::move(hint));
}

void XmlNode::error(const char* attribute, std::string rule, std::string hint) const {
  const std::optional<std::string> value = text(attribute);
  tree_->report_.error(place(attribute), value ? quoted(*value) : "not given", std::move(rule), std::move(hint));
}

void XmlNode::dropped(LossEffect effect, std::string reason) const {
  markAllRead();
  tree_->report_.dropped(place(), effect, std::move(reason));
}

void XmlNode::dropped(const char* attribute, LossEffect effect, std::string reason) const {
  markRead(attribute);
  tree_->report_.dropped(place(attribute), effect, std::move(reason));
}

ImportReport& XmlNode::report() const {
  return tree_->report_;
}

// ---- a tree ----

XmlTree::XmlTree(std::filesystem::path path, ImportReport& report) : path_(std::move(path)), report_(report) {
  load(path_, nullptr);
}

XmlTree::~XmlTree() = default;

std::optional<XmlNode> XmlTree::root() {
  if (documents_.empty()) return std::nullopt;
  const XMLElement* element = documents_.front()->RootElement();
  if (element == nullptr) return std::nullopt;
  const XmlNode node(*this, *element);
  node.markRead();
  return node;
}

const XMLDocument* XmlTree::load(const std::filesystem::path& path, const SourcePlace* at) {
  const std::string text = readBytes(path, kMaxImportFile - bytes_);
  bytes_ += text.size();
  // A pipe has no path of its own.
  std::error_code no_file;
  seen_.insert(std::filesystem::weakly_canonical(path, no_file));
  if (at == nullptr && !beginsAsXml(text)) {
    report_.error({path.string(), 0, ""}, "", "must be a file of URDF, MJCF, SDF or OpenDRIVE, which are XML",
                  endsAsModel(path) ? "a model file of Tactus needs no import" : "");
    return nullptr;
  }
  auto document = std::make_unique<XMLDocument>();
  if (document->Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    report_.error({path.string(), document->ErrorLineNum(), ""}, "", ruleOf(*document));
    return nullptr;
  }
  for (const XMLNode* node = document->FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToUnknown() == nullptr) continue;
    report_.error({path.string(), node->GetLineNum(), ""}, "<!" + std::string(node->Value()).substr(0, 20) + "...>",
                  "must have no DOCTYPE: entities and files of others are not read", "write the values into the file");
    return nullptr;
  }
  if (document->RootElement() == nullptr) {
    report_.error(at != nullptr ? *at : SourcePlace{path.string(), 0, ""}, "", "must hold an XML element");
    return nullptr;
  }
  files_.emplace(document.get(), path);
  documents_.push_back(std::move(document));
  return documents_.back().get();
}

std::string XmlTree::fileOf(const XMLElement& element) const {
  const auto found = files_.find(element.GetDocument());
  return (found == files_.end() ? path_ : found->second).string();
}

void XmlTree::appendChildren(const XMLElement& element, std::vector<XmlNode>& out) {
  for (const XMLElement* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const XmlNode node(*this, *e);
    if (!include_.empty() && include_ == e->Name())
      appendIncluded(node, out);
    else
      out.push_back(node);
  }
}

void XmlTree::appendIncluded(const XmlNode& include, std::vector<XmlNode>& out) {
  const auto [known, is_new] = included_.emplace(include.key(), nullptr);
  if (is_new) {
    include.markRead();
    const std::filesystem::path name = include.text("file", "");
    const std::filesystem::path folder = std::filesystem::path(fileOf(*include.key())).parent_path();
    const std::filesystem::path whole = folder / name;
    std::error_code failed;
    if (name.empty()) return include.error("file", "must be given");
    if (name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end() || !isBelow(folder, whole))
      return include.error("file", "must lie in the folder of the including file",
                           "without \"..\" and links that lead out of it");
    if (!std::filesystem::is_regular_file(whole, failed))
      return include.error("file", "must be a file that exists", "in the folder of the including file");
    if (seen_.count(std::filesystem::weakly_canonical(whole)) > 0)
      return include.error("file", "must be included once; includes must not form a loop");
    const SourcePlace at = include.place();
    const XMLDocument* document = load(whole, &at);
    if (document != nullptr) known->second = document->RootElement();
    if (document != nullptr) read_.insert(known->second);
  }
  const XMLElement* root = known->second;
  if (root != nullptr) appendChildren(*root, out);
}

void XmlTree::reportUnread(const std::function<Unread(const std::string& element, const std::string& attribute)>& why) {
  const auto visit = [&](const auto& self, const XMLElement& element) -> void {
    if (all_read_.count(&element) > 0) return;
    const XmlNode node(*this, element);
    if (read_.count(&element) == 0) {
      const Unread reason = why(element.Name(), "");
      report_.dropped(node.place(), reason.effect, reason.reason);
      return;
    }
    for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
      if (read_.count(a) > 0) continue;
      const Unread reason = why(element.Name(), a->Name());
      report_.dropped(node.place(a->Name()), reason.effect, reason.reason);
    }
    for (const XMLElement* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) self(self, *e);
  };
  for (const auto& document : documents_)
    if (document->RootElement() != nullptr) visit(visit, *document->RootElement());
}

}  // namespace tactus::server
