#include "clients/cli/link.h"

#include "clients/cli/remote.h"
#include "clients/cli/table.h"
#include "proto/text/duration_option.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string server = kDefaultServer, session, file = "link.txt";
  std::string controller, takeover;
  std::vector<std::string> inputs, outputs;
  std::int64_t idle_limit_ns = 10'000'000'000;
  std::uint32_t every = 1, most_made_up = 100;
  std::uint64_t id = 0;
  bool json = false;
};

std::string hex(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// A word and its value a line: what clients/udp/examples/device.c reads.
std::string linkFile(const v1::DeviceLink& link) {
  const std::string& address = link.address();
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  std::string key;
  for (const char byte : link.key()) key += hex(static_cast<unsigned char>(byte)).substr(14);
  return "host " + host + "\nport " + address.substr(colon + 1) + "\ntoken " + hex(link.token()) + "\nkey " + key +
         "\ninput_layout " + hex(link.inputs().hash()) + "\noutput_layout " + hex(link.outputs().hash()) + "\ninputs " +
         std::to_string(link.inputs().signals_size()) + "\noutputs " + std::to_string(link.outputs().signals_size()) +
         "\n";
}

/// The key is in it: nobody else may read the file.
void writeSecret(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written =
      fd >= 0 && ::fchmod(fd, 0600) == 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (fd >= 0 && ::close(fd) == 0 && written) return;
  throw std::runtime_error("cannot write " + path);
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
          {"counts", counts}};
}

void show(const std::vector<v1::DeviceLink>& links, bool json) {
  if (json) {
    Json all = Json::array();
    for (const v1::DeviceLink& link : links) all.push_back(toJson(link));
    std::printf("%s\n", Json{{"links", all}}.dump(2).c_str());
    return;
  }
  Table table({"id", "session", "address", "used", "lost", "recovered", "not used", "sent", "state"}, "rllrrrrrl");
  for (const v1::DeviceLink& link : links) {
    const v1::DeviceLinkCounts& counts = link.counts();
    const std::uint64_t unused = counts.malformed() + counts.wrong_token() + counts.forged() + counts.duplicate() +
                                 counts.overtaken() + counts.old() + counts.too_many() + counts.refusals_sent();
    table.add({std::to_string(link.id()), link.session(), link.address(),
               std::to_string(counts.fresh() - counts.refusals_sent()), std::to_string(counts.lost()),
               std::to_string(counts.recovered()), std::to_string(unused), std::to_string(counts.states_sent()),
               link.open() ? "open" : link.ended()});
  }
  std::printf("%s", table.text().c_str());
}

void open(const Choices& choices) {
  const Client client(choices.server);
  v1::OpenDeviceLinkRequest request;
  request.mutable_inputs()->Assign(choices.inputs.begin(), choices.inputs.end());
  request.mutable_outputs()->Assign(choices.outputs.begin(), choices.outputs.end());
  request.set_output_divisor(choices.every);
  request.set_idle_limit_ns(choices.idle_limit_ns);
  request.set_most_made_up(choices.most_made_up);
  request.set_controller(choices.controller);
  request.set_takeover(!choices.takeover.empty());
  request.set_takeover_reason(choices.takeover);
  const v1::DeviceLink link = chooseSession(client, choices.session).openLink(std::move(request));
  writeSecret(choices.file, linkFile(link));
  show({link}, choices.json);
  if (!choices.json) std::printf("address, token and key are in %s\n", choices.file.c_str());
}

CLI::App* addCommand(CLI::App* parent, const char* name, const char* description, Choices& choices) {
  CLI::App* command = parent->add_subcommand(name, description);
  command->add_option("--server", choices.server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_flag("--json", choices.json, "JSON in place of a table");
  return command;
}

}  // namespace

void addLinkCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("link", "Links for devices, by datagrams: open, list, close");
  command->require_subcommand(1);

  CLI::App* opening = addCommand(command, "open", "Agree on a link, and write what the device needs", *choices);
  opening->add_option("--session", choices->session, "Name of the session; default: the only one");
  opening->add_option("--inputs", choices->inputs, "Actuators, in the order of the values")->delimiter(',');
  opening->add_option("--outputs", choices->outputs, "Names and globs of the signals that come back")->delimiter(',');
  opening->add_option("--every", choices->every, "A state every so many ticks")->capture_default_str();
  text::addDuration(*opening, "--idle-limit", choices->idle_limit_ns, "The link ends after this time without an input");
  opening
      ->add_option("--most-made-up", choices->most_made_up,
                   "External clock: ticks that one datagram may make up for, when it names one that lies ahead")
      ->capture_default_str()
      ->check(CLI::Range(1U, 1'000'000U));
  opening->add_option("--controller", choices->controller, "Who this is, for those who watch; default: device link");
  opening->add_option("--takeover", choices->takeover,
                      "Take the groups of these actuators from who drives them; this reason is told to every stream");
  opening->add_option("--out", choices->file, "Written for the device; it holds the key")->capture_default_str();
  opening->callback([choices, &exit_code] { exit_code = exitCodeOf([&] { open(*choices); }); });

  CLI::App* listing = addCommand(command, "list", "Those that are open, and the last that have ended", *choices);
  listing->callback(
      [choices, &exit_code] { exit_code = exitCodeOf([&] { show(Client(choices->server).links(), choices->json); }); });

  CLI::App* closing = addCommand(command, "close", "End a link and show its counts", *choices);
  closing->add_option("ID", choices->id, "Number of the link")->required();
  closing->callback([choices, &exit_code] {
    exit_code = exitCodeOf([&] { show({Client(choices->server).closeLink(choices->id)}, choices->json); });
  });
}

}  // namespace tactus::client
