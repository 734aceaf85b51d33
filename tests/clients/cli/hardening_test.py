"""What a hostile user of the host meets: the program as it is linked, and what it writes about bad requests."""
# Covers: server/service/server.cpp

import subprocess

import grpc
import pytest
from conftest import BUILD, Server


def test_the_program_is_linked_so_that_no_address_of_a_function_can_be_written_over():
    headers = subprocess.run(["readelf", "-W", "-l", "-d", BUILD / "tactus"], check=True, capture_output=True, text=True)
    assert "GNU_RELRO" in headers.stdout
    assert "BIND_NOW" in headers.stdout
    assert "Position-Independent Executable" in headers.stdout
    stack = next(line for line in headers.stdout.splitlines() if "GNU_STACK" in line)
    assert " RWE" not in stack and " RW " in stack


def test_requests_that_are_no_text_are_refused_without_a_line_in_the_log(tmp_path):
    address = f"unix:{tmp_path}/s.sock"
    with open(tmp_path / "log", "w+b") as log:
        with Server(address, "motor_four_bar", "--clock", "lockstep", stderr=log) as server:
            with grpc.insecure_channel(address) as channel:
                ask = channel.unary_unary("/tactus.v1.Simulation/GetSession")
                for _ in range(100):
                    with pytest.raises(grpc.RpcError):
                        ask(b"\x0a\x02\xff\xfe")  # a name of two bytes that are not UTF-8
            assert server.stop() == 0
        log.seek(0)
        written = log.read().decode()
    assert "UTF-8" not in written
    assert written.count("\n") < 5, written
