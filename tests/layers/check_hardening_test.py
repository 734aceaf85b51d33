"""The rules of check_hardening.py, held against programs with and without each protection."""
import subprocess
import tempfile
import unittest
from pathlib import Path

import check_hardening

SOURCE = """#include <cstdio>
#include <cstring>
#include <vector>
int main(int count, char** words) {
  char text[16];
  std::strcpy(text, words[0]);
  std::vector<int> numbers(count);
  return numbers[static_cast<std::size_t>(text[0])] + std::printf("%s", text);
}
"""


def build(folder, *flags):
    program = Path(folder) / "program"
    subprocess.run(("c++", "-O1", "-x", "c++", "-", "-o", program, *flags), input=SOURCE, text=True, check=True)
    return program


class CheckHardeningTest(unittest.TestCase):
    def test_a_program_with_all_protections_has_no_finding(self):
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder, *check_hardening.FLAGS, "-fPIE", "-pie", "-Wl,-z,relro,-z,now,-z,noexecstack")
            self.assertEqual(check_hardening.missing_of_program(program), [])

    def test_each_missing_protection_is_a_finding(self):
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder, "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fno-pie", "-no-pie",
                            "-Wl,-z,norelro,-z,lazy,-z,execstack")
            self.assertEqual(len(check_hardening.missing_of_program(program)), 7)

    def test_a_source_compiled_without_a_flag_is_named(self):
        source = str(check_hardening.ROOT / "server" / "main.cpp")
        kept = " ".join(check_hardening.FLAGS[1:])
        commands = [{"file": source, "command": f"c++ {kept} -c {source}"},
                    {"file": str(check_hardening.ROOT / "rt" / "word.cpp"), "command": "c++ -c"}]
        self.assertEqual(check_hardening.missing_of_commands(commands), [(source, check_hardening.FLAGS[0])])

    def test_a_source_in_c_needs_no_checks_of_containers(self):
        source = str(check_hardening.ROOT / "clients" / "device.c")
        commands = [{"file": source, "command": " ".join(("cc", *check_hardening.FLAGS[:3], "-c", source))}]
        self.assertEqual(check_hardening.missing_of_commands(commands), [])
        commands[0]["command"] = "cc -c"
        self.assertEqual(len(check_hardening.missing_of_commands(commands)), 3)


if __name__ == "__main__":
    unittest.main()
