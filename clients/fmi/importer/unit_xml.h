// UnitXml: one XML file of an FMU of anybody, read element by element within limits.
#pragma once

#include "clients/fmi/importer/unit_description.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct XML_ParserStruct;

namespace tactus::fmi {

using XmlAttributes = std::map<std::string, std::string>;

/// Empty if there is no attribute of this name.
std::string attributeOf(const XmlAttributes& attributes, const char* name);

/// What derives from this class says what an element means. A document type, and with it every entity, is refused.
class UnitXml {
 public:
  /// @param name  of the file in findings and errors
  /// @param[out] findings  rules that the file breaks
  UnitXml(std::string name, std::vector<UnitFinding>& findings);
  virtual ~UnitXml();
  UnitXml(const UnitXml&) = delete;
  UnitXml& operator=(const UnitXml&) = delete;

  /// @throws Error with the line, for a file that is no XML, is too large or too deep, or that stop() refuses
  void parse(const std::string& path);

 protected:
  /// Called in the order of the file. open() ends with this element.
  virtual void begin(const std::string& element, const XmlAttributes& attributes) = 0;
  virtual void end(const std::string& element);

  /// Elements around the place of the parser, the root first.
  const std::vector<std::string>& open() const noexcept { return open_; }
  std::int64_t line() const;
  void find(std::int64_t line, const std::string& text);
  /// Ends the parse: parse() throws this reason.
  void stop(const std::string& why);

 private:
  struct Free {
    void operator()(XML_ParserStruct* parser) const;
  };

  std::string at(std::int64_t line) const { return name_ + ':' + std::to_string(line) + ": "; }

  std::string name_;
  std::vector<UnitFinding>& findings_;
  const std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::vector<std::string> open_;
  std::string stopped_;
};

}  // namespace tactus::fmi
