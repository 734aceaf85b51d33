#include "clients/fmi/importer/unit_xml.h"

#include "rt/error.h"

#include <expat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace tactus::fmi {
namespace {

constexpr std::size_t kMostBytes = 64U << 20, kDeepest = 64;

}  // namespace

std::string attributeOf(const XmlAttributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second;
}

void UnitXml::Free::operator()(XML_ParserStruct* parser) const {
  XML_ParserFree(parser);
}

UnitXml::UnitXml(std::string name, std::vector<UnitFinding>& findings)
    : name_(std::move(name)), findings_(findings), parser_(XML_ParserCreate(nullptr)) {
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(
      parser_.get(),
      [](void* self, const XML_Char* element, const XML_Char** words) {
        auto& xml = *static_cast<UnitXml*>(self);
        if (!xml.stopped_.empty()) return;
        xml.open_.emplace_back(element);
        if (xml.open_.size() > kDeepest) return xml.stop("elements are nested too deeply");
        XmlAttributes attributes;
        for (; *words != nullptr; words += 2) attributes.emplace(words[0], words[1]);
        xml.begin(element, attributes);
      },
      [](void* self, const XML_Char* element) {
        auto& xml = *static_cast<UnitXml*>(self);
        if (!xml.stopped_.empty()) return;
        xml.open_.pop_back();
        xml.end(element);
      });
  XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<UnitXml*>(self)->stop("a document type is not allowed: no entities are read; remove <!DOCTYPE");
  });
}

UnitXml::~UnitXml() = default;

void UnitXml::parse(const std::string& path) {
  if (std::filesystem::file_size(path) > kMostBytes) throw Error(name_ + " is larger than 64 MiB");
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const XML_Status status = XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), 1);
  if (!stopped_.empty()) throw Error(stopped_);
  if (status != XML_STATUS_OK) throw Error(at(line()) + XML_ErrorString(XML_GetErrorCode(parser_.get())));
}

void UnitXml::end(const std::string& /*element*/) {}

std::int64_t UnitXml::line() const {
  return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get()));
}

void UnitXml::find(std::int64_t line, const std::string& text) {
  findings_.push_back({true, at(line) + text});
}

void UnitXml::stop(const std::string& why) {
  if (stopped_.empty()) stopped_ = at(line()) + why;
  XML_StopParser(parser_.get(), XML_FALSE);
}

}  // namespace tactus::fmi
