"""Every public name says what it is, in which units, and shows itself at work: each example runs as it is printed."""
# Covers: clients/python/tactus/__init__.py

import doctest
import importlib
import inspect

import pytest

import tactus
from conftest import HAS_NATIVE, SOURCE, needs_native

pytestmark = needs_native
NAMES = tactus.__all__ if HAS_NATIVE else []
ADDRESS = "127.0.0.1:50051"  # in an example it stands for that of the test's server
MODULES = sorted(path.stem for path in (SOURCE / "clients/python/tactus").glob("*.py") if ">>>" in path.read_text())


def is_error(name):
    kind = getattr(tactus, name)
    return isinstance(kind, type) and issubclass(kind, Exception)


def test_the_list_of_names_is_complete_and_has_no_name_twice():
    assert len(set(tactus.__all__)) == len(tactus.__all__)
    assert {name for name in dir(tactus) if getattr(tactus, name, None) is not None} >= set(tactus.__all__)


@pytest.mark.parametrize("name", [name for name in NAMES if not is_error(name)])
def test_each_name_has_a_docstring_with_an_example(name):
    assert ">>>" in inspect.getdoc(getattr(tactus, name))


@pytest.mark.parametrize("name", [name for name in NAMES if is_error(name)])
def test_each_error_and_warning_has_a_docstring_of_its_own(name):
    assert getattr(tactus, name).__dict__["__doc__"].strip().endswith((".", "leave it.", "since when.", "`."))


@pytest.mark.parametrize("name", ["Client", "Session", "TickStream", "Observation", "Simulation", "Block", "Recorder", "Recording"])
def test_each_public_method_has_a_docstring_and_types(name):
    kind = getattr(tactus, name)
    for verb, member in inspect.getmembers(kind, inspect.isfunction):
        if not verb.startswith("_"):
            assert member.__doc__, verb
            assert "return" in member.__annotations__, verb


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["__init__", "aio", *(module for module in MODULES if module != "__init__")])
def test_the_examples_of_a_module_run_as_printed(name, address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = tactus if name == "__init__" else importlib.import_module(f"tactus.{name}")
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    output = []
    for test in doctest.DocTestFinder().find(module):
        for example in test.examples:
            example.source = example.source.replace(ADDRESS, address)
        runner.run(test, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)
