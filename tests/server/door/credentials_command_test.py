"""`tactus certificate` and `tactus token` as a user meets them. Usage: credentials_command_test.py PROGRAM"""
# Covers: server/cli/certificate.cpp, server/cli/token.cpp

import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
PROCESSES = 8


class Credentials(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.ca = self.path("ca")

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words):
        return subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_program(self, *words, code=0):
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, (words, out, err))
        return out, err

    def certificate(self, action, *words, **checks):
        return self.run_program("certificate", action, "--folder", self.ca, *words, **checks)

    def refused(self, *words, because):
        """The command fails with this reason and says nothing of success."""
        out, err = self.run_program(*words, code=2)
        self.assertEqual(out, "")
        self.assertIn(because, err)

    def test_processes_at_the_same_time_lose_no_certificate_and_no_revocation(self):
        self.certificate("new-ca")
        names = [f"c{i}" for i in range(PROCESSES)]
        for action, more in (("issue", ["--role", "control"]), ("revoke", [])):
            started = [self.start("certificate", action, "--folder", self.ca, "--name", name, *more) for name in names]
            for process in started:
                out, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, err)
        # A server takes the list, and a second revocation of each name finds it there.
        for name in names:
            self.assertIn(", before; the time of the list is new", self.certificate("revoke", "--name", name)[0])
        expected = {"ca.crt", "ca.key", "ca.crl", *(f"{name}.{end}" for name in names for end in ("crt", "key"))}
        self.assertEqual(set(os.listdir(self.ca)), expected)

    def test_what_fails_says_nothing_of_success_and_leaves_nothing_behind(self):
        self.certificate("new-ca")
        before = set(os.listdir(self.ca))
        revoke = ("certificate", "revoke", "--folder", self.ca)
        self.refused(*revoke, "--name", "nobody", because="nobody.crt: there is no such file")
        self.refused(*revoke, "--name", "ca", because="the authority itself")
        self.refused(*revoke, "--cert", os.path.join(self.ca, "ca.key"), because="is not a certificate of the authority")
        self.refused(*revoke, "--cert", "/dev/zero", because="is not a regular file")
        self.refused(*revoke, "--cert", self.ca, because="it is a folder; give the path of a file in it")
        os.mkfifo(self.path("fifo"))
        self.refused(*revoke, "--cert", self.path("fifo"), because="is not a regular file")
        issue = ("certificate", "issue", "--folder", self.ca, "--role", "control")
        self.refused(*issue, "--name", "lab", "--out", self.path("nowhere"), because="No such file or directory")
        self.refused(*issue, "--name", "ca", because="--name ca")
        self.refused(*issue, "--name", "a/b", because="--name a/b")
        self.refused("certificate", "new-ca", "--folder", self.path("a/b"), because="No such file or directory")
        self.refused("certificate", "new-ca", "--folder", self.ca, because="exists already")
        self.assertEqual(set(os.listdir(self.ca)), before)

        # A certificate whose key has been moved to its host.
        self.certificate("issue", "--name", "lab", "--role", "control")
        os.remove(os.path.join(self.ca, "lab.key"))
        self.refused(*issue, "--name", "lab", because="lab.crt: exists already")
        self.assertNotIn("lab.key", os.listdir(self.ca))

    def test_times_are_in_days_and_end_with_the_authority(self):
        for action, days in (("new-ca", "3650d"), ("issue", "365d"), ("revoke", "3650d")):
            self.assertIn(f"--valid TIME={days}", self.run_program("certificate", action, "--help")[0])
        end = re.search("valid until  (.*)\n", self.certificate("new-ca", "--valid", "10d")[0]).group(1)
        lab = self.certificate("issue", "--name", "lab", "--role", "control", "--valid", "240h")[0]
        self.assertIn("valid until  " + end, lab)  # 10 days, too
        short = self.certificate("issue", "--name", "short", "--role", "control", "--valid", "3d")[0]
        self.assertNotIn("end of the authority", short)
        long = self.certificate("issue", "--name", "long", "--role", "control")[0]
        self.assertIn(f"valid until  {end}, the end of the authority", long)
        for wrong in ("0d", "1000000d", "d", "5", "-1d", "1.5d"):
            self.run_program("certificate", "issue", "--folder", self.ca, "--name", "x", "--role", "control",
                             "--valid", wrong, code=2)

    def test_a_token_that_nobody_got_is_not_accepted(self):
        tokens = self.path("tokens")
        new = ("token", "new", "--role", "control", "--file", tokens, "--name")
        self.refused(*new, "lab", "--out", self.path("nowhere/x"), because="No such file or directory")
        self.assertFalse(os.path.exists(tokens))
        self.run_program(*new, "boss")
        with open(tokens) as file:
            before = file.read()
        self.refused(*new, "lab", "--out", self.path("nowhere/x"), because="No such file or directory")
        self.refused(*new, "lab", "--out", tokens, because="exists already")
        self.refused(*new, "boss", "--out", self.path("boss.token"), because="has a token already")
        self.assertFalse(os.path.exists(self.path("boss.token")))
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *new, "lab"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("stdout", done.stderr)
        with open(tokens) as file:
            self.assertEqual(file.read(), before)

    def test_token_files_that_are_no_files_are_refused(self):
        os.mkfifo(self.path("fifo"), 0o600)
        os.mkdir(self.path("folder"))
        with open(self.path("open"), "w"):
            os.chmod(self.path("open"), 0o644)
        for name, reason in (("fifo", "is not a regular file"), ("folder", "Is a directory"), ("a/b", "No such file"),
                             ("open", "chmod 600")):
            self.refused("token", "new", "--name", "lab", "--role", "control", "--file", self.path(name), because=reason)

    @unittest.skipIf(os.geteuid() != 0, "only root can give up its rights")
    def test_a_folder_that_is_read_only_is_refused(self):
        self.certificate("new-ca")
        self.certificate("issue", "--name", "lab", "--role", "control")
        os.chmod(self.folder, 0o755)
        subprocess.run(["chown", "-R", "nobody", self.ca], check=True)
        os.chmod(self.ca, 0o500)
        before = set(os.listdir(self.ca))
        for words in (("revoke", "--name", "lab"), ("issue", "--name", "b", "--role", "control")):
            command = ["setpriv", "--reuid", "nobody", "--clear-groups", PROGRAM, "certificate", words[0], "--folder", self.ca]
            done = subprocess.run([*command, *words[1:]], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("Permission denied", done.stderr)
        self.assertEqual(set(os.listdir(self.ca)), before)


if __name__ == "__main__":
    unittest.main()
