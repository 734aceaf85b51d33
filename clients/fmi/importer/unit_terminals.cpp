// The rules: https://fmi-standard.org/docs/3.0.1 chapter 2.4.9.
#include "clients/fmi/importer/unit_terminals.h"

#include "rt/error.h"

#include <expat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace tactus::fmi {
namespace {

constexpr std::size_t kMostTerminalBytes = 64U << 20, kDeepestTerminal = 64;

class TerminalParser {
 public:
  TerminalParser(const UnitDescription& unit, std::vector<UnitFinding>& findings)
      : findings_(findings), parser_(XML_ParserCreate(nullptr)) {
    for (const UnitVariable& variable : unit.variables) known_.insert(variable.name);
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** words) {
          static_cast<TerminalParser*>(self)->begin(name, words);
        },
        [](void* self, const XML_Char* name) { static_cast<TerminalParser*>(self)->end(name); });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<TerminalParser*>(self)->stop("a document type is not allowed: remove <!DOCTYPE");
        });
  }

  void read(const std::string& text) {
    const XML_Status status = XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), 1);
    if (!stopped_.empty()) throw Error(stopped_);
    if (status != XML_STATUS_OK) throw Error(here() + XML_ErrorString(XML_GetErrorCode(parser_.get())));
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  /// A terminal that is open, or the list of the outermost ones.
  struct Names {
    std::set<std::string> terminals, members;
  };

  std::string here() const {
    return "terminalsAndIcons.xml:" + std::to_string(XML_GetCurrentLineNumber(parser_.get())) + ": ";
  }
  void find(const std::string& text) { findings_.push_back({true, here() + text}); }
  void stop(const std::string& why) {
    if (stopped_.empty()) stopped_ = here() + why;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void begin(const std::string& name, const XML_Char** words) {
    if (!stopped_.empty()) return;
    std::map<std::string, std::string> attributes;
    for (; *words != nullptr; words += 2) attributes.emplace(words[0], words[1]);
    if (++depth_ > kDeepestTerminal) return stop("elements are nested too deeply");
    if (depth_ == 1) {
      if (name != "fmiTerminalsAndIcons") return stop("the root element must be fmiTerminalsAndIcons, not " + name);
      if (!attributes["fmiVersion"].starts_with("3."))
        find("fmiVersion=\"" + attributes["fmiVersion"] + "\": it must be 3.0");
    } else if (name == "Terminal") {
      terminal(attributes["name"], attributes["matchingRule"]);
    } else if (name == "TerminalMemberVariable") {
      member(attributes["variableName"], attributes["memberName"], attributes["variableKind"]);
    }
  }

  void end(const std::string& name) {
    --depth_;
    if (name == "Terminal" && open_.size() > 1) open_.pop_back();
  }

  void terminal(const std::string& name, const std::string& rule) {
    if (name.empty()) find("a terminal has no name");
    if (!open_.back().terminals.insert(name).second) find("two terminals are called \"" + name + "\"");
    // Other rules need a prefix of their tool.
    if (rule != "plug" && rule != "bus" && rule != "sequence" && rule.find('.') == std::string::npos)
      find("terminal \"" + name + "\": matchingRule=\"" + rule + "\": it must be plug, bus or sequence");
    needs_names_ = rule != "sequence";
    open_.emplace_back();
  }

  void member(const std::string& variable, const std::string& name, const std::string& kind) {
    if (known_.count(variable) == 0) find("variable \"" + variable + "\" of a terminal is no variable of the unit");
    if (name.empty() && needs_names_) find("the member \"" + variable + "\" needs a memberName");
    if (!name.empty() && !open_.back().members.insert(name).second)
      find("two members of a terminal are called \"" + name + "\"");
    if (kind != "signal" && kind != "inflow" && kind != "outflow" && kind.find('.') == std::string::npos)
      find("member \"" + name + "\": variableKind=\"" + kind + "\": it must be signal, inflow or outflow");
  }

  std::vector<UnitFinding>& findings_;
  const std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::set<std::string> known_;
  std::vector<Names> open_{1};
  std::size_t depth_ = 0;
  bool needs_names_ = true;
  std::string stopped_;
};

}  // namespace

void checkTerminals(const std::string& path, const UnitDescription& unit, std::vector<UnitFinding>& findings) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  if (missing) return;
  if (size > kMostTerminalBytes) throw Error("terminalsAndIcons.xml is larger than 64 MiB");
  std::ifstream file(path, std::ios::binary);
  TerminalParser(unit, findings).read({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

}  // namespace tactus::fmi
