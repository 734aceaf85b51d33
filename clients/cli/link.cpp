#include "clients/cli/link.h"

#include "clients/cli/remote.h"
#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct LinkChoices : RemoteChoices {
  std::string file = "link.txt", controller, takeover;
  std::vector<std::string> inputs, outputs;
  std::int64_t idle_limit_ns = 10'000'000'000;
  std::uint32_t every = 1, max_backfilled = 100;
  std::uint64_t id = 0;
  bool persistent = false, leave_safe_state = false;
};

/// One word and its value a line, as clients/udp/examples/device.c reads them.
std::string linkFile(const v1::DeviceLink& link) {
  const std::string& address = link.address();
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  std::string key;
  for (const char byte : link.key()) key += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return fmt::format(
      "host {}\nport {}\ntoken {:016x}\nkey {}\ninput_layout {:016x}\noutput_layout {:016x}\ninputs {}\noutputs {}\n"
      "clock {}\n",
      host, address.substr(colon + 1), link.token(), key, link.inputs().hash(), link.outputs().hash(),
      link.inputs().signals_size(), link.outputs().signals_size(), clockWord(link.clock()));
}

/// Writes a file that only its owner can read: it holds the key.
void writeSecret(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written =
      fd >= 0 && ::fchmod(fd, 0600) == 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (fd >= 0 && ::close(fd) == 0 && written) return;
  throw std::runtime_error("cannot write " + path + "; no link is open, choose another --out");
}

Json toJson(const v1::DeviceLink& link) {
  Json counts;
  const v1::DeviceLinkCounts& message = link.counts();
  const auto* description = message.GetDescriptor();
  for (int i = 0; i < description->field_count(); ++i)
    counts[description->field(i)->name()] = message.GetReflection()->GetUInt64(message, description->field(i));
  return {{"id", link.id()},
          {"session", link.session()},
          {"address", link.address()},
          {"inputs", std::vector<std::string>(link.inputs().signals().begin(), link.inputs().signals().end())},
          {"outputs", std::vector<std::string>(link.outputs().signals().begin(), link.outputs().signals().end())},
          {"open", link.open()},
          {"ended", link.ended()},
          {"persistent", link.persistent()},
          {"idle", link.idle()},
          {"owner", link.owner()},
          {"counts", counts}};
}

void show(const std::vector<v1::DeviceLink>& links, bool json) {
  if (json) {
    Json all = Json::array();
    for (const v1::DeviceLink& link : links) all.push_back(toJson(link));
    return fmt::print("{}", text::jsonText({{"links", all}}));
  }
  text::Table table({"id", "session", "address", "fresh", "used", "ignored in the safe state", "lost", "recovered",
                     "refused", "unusable datagrams", "sent", "state"},
                    "rllrrrrrrrrl");
  for (const v1::DeviceLink& link : links) {
    const v1::DeviceLinkCounts& counts = link.counts();
    const std::uint64_t unusable = counts.malformed() + counts.wrong_token() + counts.forged() + counts.duplicate() +
                                   counts.overtaken() + counts.old() + counts.too_many();
    table.add({std::to_string(link.id()), link.session(), link.address(), std::to_string(counts.fresh()),
               std::to_string(counts.used()), std::to_string(counts.left_aside()), std::to_string(counts.lost()),
               std::to_string(counts.recovered()), std::to_string(counts.refusals_sent()), std::to_string(unusable),
               std::to_string(counts.states_sent()),
               !link.open()  ? link.ended()
               : link.idle() ? "waits for its device"
                             : "open"});
  }
  fmt::print("{}", table.text());
}

void open(const LinkChoices& choices) {
  const Client client = connect(choices);
  v1::OpenDeviceLinkRequest request;
  request.mutable_inputs()->Assign(choices.inputs.begin(), choices.inputs.end());
  request.mutable_outputs()->Assign(choices.outputs.begin(), choices.outputs.end());
  request.set_output_divisor(choices.every);
  request.set_idle_limit_ns(choices.idle_limit_ns);
  request.set_max_backfilled(choices.max_backfilled);
  request.set_persistent(choices.persistent);
  request.set_leave_safe_state(choices.leave_safe_state);
  request.set_controller(choices.controller);
  request.set_takeover(!choices.takeover.empty());
  request.set_takeover_reason(choices.takeover);
  const bool replaces = ::access(choices.file.c_str(), F_OK) == 0;
  const v1::DeviceLink link = chooseSession(client, choices.session).openLink(std::move(request));
  try {
    writeSecret(choices.file, linkFile(link));
  } catch (...) {  // a link whose key nobody has would hold its inputs
    client.closeLink(link.id());
    throw;
  }
  show({link}, choices.json);
  if (!choices.json)
    fmt::print("address, token and key are in {}{}\n", choices.file, replaces ? ", in place of what was there" : "");
}

}  // namespace

void addLinkCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<LinkChoices>();
  CLI::App* command = app.add_subcommand("link", "Open, list and close datagram links for devices");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* description, void (*act)(const LinkChoices&)) {
    CLI::App* added = addRemoteCommand(*command, name, description, *choices);
    onCall(*added, exit_code, [choices, act] {
      act(*choices);
      return text::kExitOk;
    });
    return added;
  };

  CLI::App* opening = add("open", "Open a link, and write the file that the device needs", open);
  addSessionOption(*opening, *choices);
  opening->add_option("--inputs", choices->inputs, "Actuators, in the order of the values")->delimiter(',');
  opening->add_option("--outputs", choices->outputs, "Names and globs of the signals to send back")->delimiter(',');
  opening->add_option("--every", choices->every, "Send a state every N ticks")->capture_default_str();
  text::addDuration(*opening, "--idle-limit", choices->idle_limit_ns, "The link ends after this time without an input");
  opening
      ->add_option("--max-backfilled", choices->max_backfilled,
                   "External clock: maximum number of ticks that one datagram may backfill")
      ->capture_default_str()
      ->check(CLI::Range(1U, 10'000U));
  CLI::Option* persistent = opening->add_flag("--persistent", choices->persistent,
                                              "Keep the link when its device is silent: it releases its inputs and "
                                              "takes them again when the device comes back");
  opening
      ->add_flag("--leave-safe-state", choices->leave_safe_state,
                 "A device that comes back leaves the safe state that its silence led to")
      ->needs(persistent);
  opening->add_option("--controller", choices->controller, "Name of the controller in notices; default: device link");
  opening->add_option("--takeover", choices->takeover,
                      "Take the groups of these actuators from their current controller, for this reason");
  opening->add_option("--out", choices->file, "File for the device; it holds the key")->capture_default_str();

  add("list", "List the open links, and the last ones that ended",
      [](const LinkChoices& chosen) { show(connect(chosen).links(), chosen.json); });

  add("close", "Close a link and show its counts",
      [](const LinkChoices& chosen) { show({connect(chosen).closeLink(chosen.id)}, chosen.json); })
      ->add_option("ID", choices->id, "Number of the link")
      ->required();
}

}  // namespace tactus::client
