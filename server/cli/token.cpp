#include "server/cli/token.h"

#include "proto/text/secret_file.h"
#include "server/cli/subcommand.h"
#include "server/door/token_file.h"

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace tactus::server {
namespace {

struct TokenArguments {
  std::string name, role, file, out;
};

int makeNew(const TokenArguments& arguments) {
  const auto role = rt::fromWord(kRoles, arguments.role);
  if (!role) throw Error("--role " + arguments.role + ": must be " + rt::wordList(kRoles));
  // A token that could not be written for the caller is not added to the file of the server either.
  bool written = false;
  try {
    addToken(arguments.file, arguments.name, *role, [&](const std::string& token) {
      if (arguments.out.empty()) {
        if (!(std::cout << token << std::endl))
          throw Error("the token cannot be written to stdout; name a file with --out");
        return;
      }
      text::writeNewSecretFile(arguments.out, token + '\n');
      written = true;
    });
  } catch (const std::runtime_error& error) {
    std::error_code ignored;
    if (written) std::filesystem::remove(arguments.out, ignored);
    throw Error(error.what());
  }
  if (written) std::cout << "the token of " << arguments.name << " is in " << arguments.out << '\n';
  return text::kExitOk;
}

}  // namespace

void addTokenCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("token", "Make tokens that identify clients to a server");
  command->require_subcommand(1);
  CLI::App* making =
      command->add_subcommand("new", "Make a token, print it once, and add its hash to the token file of a server");
  const auto a = std::make_shared<TokenArguments>();
  making->add_option("--name", a->name, "Identity of the client")->required();
  making->add_option("--role", a->role, "What it may do: observe, control or admin")->required();
  making->add_option("--file", a->file, "Token file of the server; a running one reads it again at SIGHUP")->required();
  making->add_option("--out", a->out, "Write the token into this new file of mode 0600 instead of to stdout");
  onCall(*making, exit_code, a, makeNew);
}

}  // namespace tactus::server
