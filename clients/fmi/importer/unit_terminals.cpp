// The rules: https://fmi-standard.org/docs/3.0.1 chapter 2.4.9.
#include "clients/fmi/importer/unit_terminals.h"

#include "clients/fmi/importer/unit_xml.h"

#include <filesystem>
#include <set>

namespace tactus::fmi {
namespace {

class TerminalParser : public UnitXml {
 public:
  TerminalParser(const UnitDescription& unit, std::vector<UnitFinding>& findings)
      : UnitXml("terminalsAndIcons.xml", findings) {
    for (const UnitVariable& variable : unit.variables) known_.insert(variable.name);
  }

 private:
  /// A terminal that is open, or the list of the outermost ones.
  struct Names {
    std::set<std::string> terminals, members;
    bool needs_names = true;  ///< of its members
  };

  void fault(const std::string& text) { find(line(), text); }

  void begin(const std::string& element, const XmlAttributes& attributes) override {
    const auto of = [&attributes](const char* name) { return attributeOf(attributes, name); };
    if (open().size() == 1) {
      if (element != "fmiTerminalsAndIcons")
        return stop("the root element must be fmiTerminalsAndIcons, not " + element);
      if (!of("fmiVersion").starts_with("3.")) fault("fmiVersion=\"" + of("fmiVersion") + "\": it must be 3.0");
    } else if (element == "Terminal") {
      terminal(of("name"), of("matchingRule"));
    } else if (element == "TerminalMemberVariable") {
      member(of("variableName"), of("memberName"), of("variableKind"));
    }
  }

  void end(const std::string& element) override {
    if (element == "Terminal") terminals_.pop_back();
  }

  void terminal(const std::string& name, const std::string& rule) {
    if (name.empty()) fault("a terminal has no name");
    if (!terminals_.back().terminals.insert(name).second) fault("two terminals are called \"" + name + "\"");
    // Other rules need a prefix of their tool.
    if (rule != "plug" && rule != "bus" && rule != "sequence" && rule.find('.') == std::string::npos)
      fault("terminal \"" + name + "\": matchingRule=\"" + rule + "\": it must be plug, bus or sequence");
    terminals_.push_back({{}, {}, rule != "sequence"});
  }

  void member(const std::string& variable, const std::string& name, const std::string& kind) {
    if (known_.count(variable) == 0) fault("variable \"" + variable + "\" of a terminal is no variable of the unit");
    if (name.empty() && terminals_.back().needs_names) fault("the member \"" + variable + "\" needs a memberName");
    if (!name.empty() && !terminals_.back().members.insert(name).second)
      fault("two members of a terminal are called \"" + name + "\"");
    if (kind != "signal" && kind != "inflow" && kind != "outflow" && kind.find('.') == std::string::npos)
      fault("member \"" + name + "\": variableKind=\"" + kind + "\": it must be signal, inflow or outflow");
  }

  std::set<std::string> known_;
  std::vector<Names> terminals_{1};
};

}  // namespace

void checkTerminals(const std::string& path, const UnitDescription& unit, std::vector<UnitFinding>& findings) {
  if (std::filesystem::exists(path)) TerminalParser(unit, findings).parse(path);
}

}  // namespace tactus::fmi
