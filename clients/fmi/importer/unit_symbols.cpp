// The lists: fmi2FunctionTypes.h of 2.0.4 and fmi3FunctionTypes.h of 3.0.1. The layout of the file: elf(5).
#include "clients/fmi/importer/unit_symbols.h"

#include "rt/error.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <elf.h>

namespace tactus::fmi {
namespace {

constexpr const char* kCoSimulation2 =
    "GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment EnterInitializationMode "
    "ExitInitializationMode Terminate Reset GetReal GetInteger GetBoolean GetString SetReal SetInteger SetBoolean "
    "SetString GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate "
    "GetDirectionalDerivative SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep GetStatus "
    "GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus";
constexpr const char* kOthers2 =
    "EnterEventMode NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates "
    "GetDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates";
constexpr const char* kCoSimulation3 =
    "GetVersion SetDebugLogging InstantiateModelExchange InstantiateCoSimulation InstantiateScheduledExecution "
    "FreeInstance EnterInitializationMode ExitInitializationMode EnterEventMode Terminate Reset GetFloat32 GetFloat64 "
    "GetInt8 GetUInt8 GetInt16 GetUInt16 GetInt32 GetUInt32 GetInt64 GetUInt64 GetBoolean GetString GetBinary GetClock "
    "SetFloat32 SetFloat64 SetInt8 SetUInt8 SetInt16 SetUInt16 SetInt32 SetUInt32 SetInt64 SetUInt64 SetBoolean "
    "SetString SetBinary SetClock GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState "
    "FreeFMUState SerializedFMUStateSize SerializeFMUState DeserializeFMUState GetDirectionalDerivative "
    "GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode GetIntervalDecimal GetIntervalFraction "
    "GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction "
    "EvaluateDiscreteStates UpdateDiscreteStates EnterStepMode GetOutputDerivatives DoStep";
constexpr const char* kOthers3 =
    "EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates GetContinuousStateDerivatives "
    "GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates GetNumberOfEventIndicators "
    "GetNumberOfContinuousStates ActivateModelPartition";

/// Part of a file as a value; its place may be anything.
template <class T>
T at(const std::string& bytes, std::uint64_t place) {
  T value;
  if (place > bytes.size() || bytes.size() - place < sizeof value)
    throw Error("the shared object is cut off or damaged");
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

std::string textAt(const std::string& bytes, const Elf64_Shdr& strings, std::uint64_t offset) {
  if (offset >= strings.sh_size || strings.sh_offset > bytes.size() ||
      strings.sh_size > bytes.size() - strings.sh_offset)
    throw Error("the shared object is cut off or damaged");
  const char* const begin = bytes.data() + strings.sh_offset + offset;
  return {begin, ::strnlen(begin, strings.sh_size - offset)};
}

Elf64_Shdr section(const std::string& bytes, const Elf64_Ehdr& header, std::uint64_t index) {
  return at<Elf64_Shdr>(bytes, header.e_shoff + index * sizeof(Elf64_Shdr));
}

std::set<std::string> exportedFunctions(const std::string& bytes) {
  if (!bytes.starts_with(ELFMAG)) throw Error("the binary is no shared object of Linux (ELF)");
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
    throw Error("the binary is for another processor (machine " + std::to_string(header.e_machine) +
                " of ELF); this program runs on x86-64");
  if (header.e_type != ET_DYN) throw Error("the binary is no shared object; link it with -shared");
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr table = section(bytes, header, i);
    if (table.sh_type != SHT_DYNSYM) continue;
    const Elf64_Shdr strings = section(bytes, header, table.sh_link);
    for (std::uint64_t k = 0; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
      const auto symbol = at<Elf64_Sym>(bytes, table.sh_offset + k * sizeof(Elf64_Sym));
      if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
        names.insert(textAt(bytes, strings, symbol.st_name));
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> standardFunctions(int version, bool for_co_simulation) {
  std::istringstream words(version == 2 ? kCoSimulation2 : kCoSimulation3);
  const std::string prefix = "fmi" + std::to_string(version);
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(prefix + word);
  std::istringstream others(version == 2 ? kOthers2 : kOthers3);
  if (!for_co_simulation)
    for (std::string word; others >> word;) names.push_back(prefix + word);
  return names;
}

void checkSymbols(const std::string& path, int version, std::vector<UnitFinding>& findings) {
  std::ifstream file(path, std::ios::binary);
  const std::set<std::string> exported =
      exportedFunctions({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  for (const std::string& name : standardFunctions(version, true))
    if (exported.count(name) == 0) findings.push_back({true, name + " is not exported"});
  const std::vector<std::string> all = standardFunctions(version, false);
  std::size_t others = 0;
  std::string first;
  for (const std::string& name : exported)
    if (std::find(all.begin(), all.end(), name) == all.end() && others++ == 0) first = name;
  if (others > 0)
    findings.push_back({false, std::to_string(others) +
                                   " symbols besides those of the standard are exported, such as " + first +
                                   "; two units in one process may disturb each other"});
}

}  // namespace tactus::fmi
