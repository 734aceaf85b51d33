"""A client shows a token or a certificate, and keeps secrets off other hosts, errors and representations."""
# Covers: clients/python/tactus/channel.py

import pytest

import tactus
from tactus.channel import Credentials, choose_credentials
from tactus.transport import open_channel

TOKEN = "NOT-TO-BE-SEEN"


def secret_file(path, mode=0o600):
    path.write_text(TOKEN + "\n")
    path.chmod(mode)
    return path


def refusal(*arguments, **named):
    with pytest.raises(tactus.RequestInvalid) as caught:
        open_channel(arguments[0], choose_credentials(**named))
    assert TOKEN not in str(caught.value)
    return caught.value.field


def test_plaintext_stays_on_this_host_unless_it_is_asked_for_without_a_token(tmp_path):
    for here in ("127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/tmp/a"):
        open_channel(here, choose_credentials(token=TOKEN)).close()
    for elsewhere in ("192.0.2.1:1", "127.evil.invalid:1", "127.0.0.1.evil.invalid:1", "127.:1"):
        assert refusal(elsewhere) == "address"
    open_channel("127.9.8.7:1", choose_credentials(token=TOKEN)).close()
    assert refusal("192.0.2.1:1", token=TOKEN) == "address"
    assert refusal("192.0.2.1:1", token=TOKEN, insecure=True) == "token"
    open_channel("192.0.2.1:1", choose_credentials(insecure=True)).close()


def test_an_address_names_its_port():
    for bare in ("127.0.0.1", "localhost", "[::1]", "::1", "127.0.0.1:", "localhost:http", "50051", ""):
        assert refusal(bare) == "address"


def test_keys_and_tokens_must_be_their_owners_alone(tmp_path):
    open_file = secret_file(tmp_path / "open", 0o644)
    assert refusal("127.0.0.1:1", token_file=open_file) == "token_file"
    assert refusal("127.0.0.1:1", token_file=tmp_path / "nowhere") == "token_file"
    assert refusal("127.0.0.1:1", tls_ca=open_file, tls_cert=open_file, tls_key=open_file) == "tls_key"
    assert refusal("127.0.0.1:1", tls_ca=tmp_path / "nowhere") == "tls_ca"
    assert refusal("127.0.0.1:1", tls_ca=open_file, tls_cert=open_file) == "tls_key"
    assert refusal("127.0.0.1:1", tls_cert=open_file, tls_key=open_file) == "tls_ca"
    assert refusal("127.0.0.1:1", token="a", token_file=open_file) == "token"


def test_a_token_is_one_word_and_its_error_does_not_show_it(tmp_path):
    assert choose_credentials(token=TOKEN + "\n").token == TOKEN
    two = secret_file(tmp_path / "two")
    two.write_text(TOKEN + "\n" + TOKEN)
    for wrong in ({"token": TOKEN + "\nx"}, {"token": TOKEN + " x"}, {"token": TOKEN + "\u00e4"}, {"token_file": two}):
        assert refusal("127.0.0.1:1", **wrong) == "token"


def test_the_environment_names_files_and_arguments_come_first(tmp_path, monkeypatch):
    monkeypatch.setenv("TACTUS_TOKEN_FILE", str(secret_file(tmp_path / "token")))
    monkeypatch.setenv("TACTUS_TLS_CA", "ca")
    assert choose_credentials().token == TOKEN
    assert choose_credentials(token="x").token == "x"
    assert choose_credentials().tls_ca == "ca"
    assert choose_credentials(tls_ca="").tls_ca == ""


def test_a_representation_does_not_show_the_token():
    assert TOKEN not in repr(Credentials(token=TOKEN))


def test_a_server_that_knows_no_identities_makes_everybody_an_administrator(address):
    with tactus.connect(address, token=TOKEN) as client:
        info = client.info()
        assert (info.identity, info.role, info.insecure) == ("", "admin", False)
        # Streams carry the token, too.
        with client.create_session("motor_four_bar", clock="lockstep") as session:
            with session.tick(inputs=["motor"], outputs=["*"]) as stream:
                assert stream.step({"motor": 1.0}).tick == 1
            assert session.run(3, outputs=["crank_angle"]).ticks[-1] == 4
