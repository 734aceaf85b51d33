#include "server/cli/certificate.h"

#include "proto/text/duration_option.h"
#include "server/cli/subcommand.h"
#include "server/door/test_authority.h"

#include <charconv>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tactus::server {
namespace {

constexpr std::int64_t kDay = 24 * 3'600'000'000'000, kYear = 365 * kDay;
constexpr std::int64_t kMostDays = 100 * 365;

struct AuthorityArguments {
  std::string folder;
  std::int64_t valid_ns = 10 * kYear;
};

struct IssueArguments {
  std::string folder, out, role;
  CertificateTerms terms;
};

struct RevokeArguments {
  std::string folder, name, file;
  std::int64_t valid_ns = 10 * kYear;
};

/// A duration, or a number of days: "365d".
std::int64_t parseValidity(std::string_view text) {
  std::int64_t days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc() || end != text.data() + text.size() - 1 || text.back() != 'd')
    return text::parseDuration(text);
  if (days < 1 || days > kMostDays)
    throw std::invalid_argument("\"" + std::string(text) + "\" must be 1d to " + std::to_string(kMostDays) + "d");
  return days * kDay;
}

void addValidity(CLI::App& command, std::int64_t& valid_ns, const std::string& help) {
  text::addParsed(command, "--valid", valid_ns, parseValidity, help + ": days, such as 30d, or a duration, such as 12h",
                  "TIME", std::to_string(valid_ns / kDay) + "d");
}

int revoke(const RevokeArguments& arguments) {
  if (arguments.name.empty() == arguments.file.empty()) throw Error("give either --name or --cert");
  const std::string file = arguments.file.empty() ? arguments.folder + "/" + arguments.name + ".crt" : arguments.file;
  const Revocation made = revokeCertificate(arguments.folder, file, arguments.valid_ns);
  std::cout << "revoked      " << file << (made.before ? ", before; the time of the list is new" : "")
            << "\nlist         " << made.list << '\n';
  return text::kExitOk;
}

int print(const CertificateFiles& files) {
  std::cout << "certificate  " << files.certificate << "\nkey          " << files.key << "\nvalid until  "
            << files.valid_until << (files.shortened ? ", the end of the authority, because --valid is longer" : "")
            << '\n';
  return text::kExitOk;
}

int issue(const IssueArguments& arguments) {
  CertificateTerms terms = arguments.terms;
  if (arguments.role.empty() == terms.hosts.empty())
    throw Error("give either --role for a client or --host for a server");
  if (!arguments.role.empty()) {
    terms.role = rt::fromWord(kRoles, arguments.role);
    if (!terms.role) throw Error("--role " + arguments.role + ": must be " + rt::wordList(kRoles));
  }
  return print(issueCertificate(arguments.folder, arguments.out.empty() ? arguments.folder : arguments.out, terms));
}

}  // namespace

void addCertificateCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("certificate", "Make certificates for TLS between the hosts of a bench");
  command->require_subcommand(1);

  CLI::App* authority =
      command->add_subcommand("new-ca", "Make a certificate authority: ca.crt, ca.key and ca.crl in a folder");
  const auto a = std::make_shared<AuthorityArguments>();
  authority->add_option("--folder", a->folder, "Folder of the authority; made if it does not exist")->required();
  addValidity(*authority, a->valid_ns, "Time until the certificate of the authority expires");
  onCall(*authority, exit_code, a, [](const AuthorityArguments& arguments) {
    return print(makeAuthority(arguments.folder, arguments.valid_ns));
  });

  CLI::App* issuing =
      command->add_subcommand("issue", "Sign a certificate of a client or of a server: NAME.crt, NAME.key");
  const auto b = std::make_shared<IssueArguments>();
  b->terms.valid_ns = kYear;
  issuing->add_option("--folder", b->folder, "Folder of the authority")->required();
  issuing->add_option("--name", b->terms.name, "Name of both files; of a client also its identity")->required();
  issuing->add_option("--role", b->role, "For a client: observe, control or admin");
  issuing->add_option("--host", b->terms.hosts,
                      "For a server: name or address by which clients reach it; localhost is always one");
  issuing->add_option("--out", b->out, "Folder for both files; default: that of the authority");
  addValidity(*issuing, b->terms.valid_ns, "Time until the certificate expires, at the latest with its authority");
  onCall(*issuing, exit_code, b, issue);

  CLI::App* revoking =
      command->add_subcommand("revoke", "Revoke a client certificate: add it to ca.crl, for serve --tls-crl");
  const auto c = std::make_shared<RevokeArguments>();
  revoking->add_option("--folder", c->folder, "Folder of the authority")->required();
  revoking->add_option("--name", c->name, "NAME.crt in that folder");
  revoking->add_option("--cert", c->file, "Or the file of the certificate");
  addValidity(*revoking, c->valid_ns, "Time until the list expires, after which servers refuse it");
  onCall(*revoking, exit_code, c, revoke);
}

}  // namespace tactus::server
