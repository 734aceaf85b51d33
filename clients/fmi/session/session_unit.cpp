#include "clients/fmi/session/session_unit.h"

#include "clients/fmi/importer/unit_symbols.h"
#include "clients/fmi/importer/unpacked_unit.h"
#include "clients/fmi/session/unit_map.h"
#include "clients/fmi/session/unit_run.h"
#include "server/wire/request_error.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <future>
#include <memory>
#include <set>
#include <thread>
#include <utility>

namespace tactus::fmi {
namespace {

using server::Session;

constexpr std::chrono::seconds kPatience{2};  // with a call of a unit that is to end

/// A unit with its files and its thread.
class SessionUnit {
 public:
  SessionUnit(std::string name, const std::shared_ptr<Session>& session, std::unique_ptr<UnpackedUnit> files,
              UnitDescription description, UnitMap map, const UnitProcessOptions& process)
      : files_(std::move(files)),
        run_(std::make_shared<UnitRun>(std::move(name), session, files_->folder(), std::move(description),
                                       std::move(map), process)) {}
  SessionUnit(const SessionUnit&) = delete;
  SessionUnit& operator=(const SessionUnit&) = delete;
  ~SessionUnit() {
    if (!thread_.joinable()) return;
    run_->stop();
    bool ready = ended_.wait_for(kPatience) == std::future_status::ready;
    if (!ready && run_->endUnit()) ready = ended_.wait_for(kPatience) == std::future_status::ready;
    if (ready) {
      thread_.join();
      spdlog::info("fmu {}: {}{}{}", run_->name(), run_->counts(), run_->end().empty() ? "" : "; ", run_->end());
    } else {
      thread_.detach();
      spdlog::error("fmu {}: {}; it hangs in a call and is left behind", run_->name(), run_->counts());
    }
  }

  void takeInputs() { run_->takeInputs(); }
  void start() {
    ended_ = run_->ended();
    thread_ = std::thread([run = run_] { run->run(); });
  }

 private:
  const std::unique_ptr<UnpackedUnit> files_;
  const std::shared_ptr<UnitRun> run_;
  std::future<void> ended_;
  std::thread thread_;
};

using Units = std::vector<std::unique_ptr<SessionUnit>>;

void addUnit(const std::shared_ptr<Session>& session, const std::string& word, std::set<std::string>& names,
             const UnitProcessOptions& process, Units& units, std::vector<std::string>& findings) {
  const std::size_t equals = word.find('='), colon = word.rfind(':');
  if (equals == std::string::npos || colon == std::string::npos || equals == 0 || colon <= equals + 1 ||
      colon + 1 == word.size()) {
    findings.push_back("--fmu " + word + ": it must be NAME=FILE.fmu:MAP.json");
    return;
  }
  const std::string name = word.substr(0, equals), file = word.substr(equals + 1, colon - equals - 1);
  if (!names.insert(name).second)
    findings.push_back("--fmu " + word + ": another unit has this name; choose another one");
  const std::size_t before = findings.size();
  try {
    auto files = std::make_unique<UnpackedUnit>(file);
    std::vector<UnitFinding> faults;
    UnitDescription description = readDescription(files->folder() + "/modelDescription.xml", faults);
    if (description.identifier.empty()) throw Error("it has no co-simulation; export it for co-simulation");
    checkSymbols(files->folder() + '/' + description.binary(), description.version, faults);
    for (const UnitFinding& fault : faults)
      if (fault.is_error) findings.push_back(file + ": " + fault.text);
    UnitMap map = readUnitMap(word.substr(colon + 1), description, *session, findings);
    if (findings.size() != before) return;
    units.push_back(std::make_unique<SessionUnit>(name, session, std::move(files), std::move(description),
                                                  std::move(map), process));
    units.back()->takeInputs();
  } catch (const server::RequestError& error) {
    findings.push_back("--fmu " + word + ": " + error.what() +
                       "; one controller holds all actuators of a group, so leave them to one unit");
  } catch (const Error& error) { findings.push_back(file + ": " + error.what()); }
}

}  // namespace

std::shared_ptr<void> startUnits(const std::shared_ptr<Session>& session, const std::vector<std::string>& words,
                                 const UnitProcessOptions& process) {
  std::vector<std::string> findings;
  if (session->spec().clock.external())
    findings.push_back("--fmu: with --clock external one device brings all inputs; choose another clock");
  auto units = std::make_shared<Units>();
  std::set<std::string> names;
  for (const std::string& word : words) addUnit(session, word, names, process, *units, findings);
  std::string all;
  for (const std::string& finding : findings) all += (all.empty() ? "" : "\n") + finding;
  if (!all.empty()) throw Error(all);
  for (const std::unique_ptr<SessionUnit>& unit : *units) unit->start();
  return units;
}

}  // namespace tactus::fmi
