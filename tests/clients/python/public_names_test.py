"""Every public name says what it is, in which units, and shows itself at work: each example runs as it is printed."""
# Covers: clients/python/tactus/__init__.py, clients/python/kind_examples.py, clients/python/generate_kinds.py

import contextlib
import doctest
import enum
import importlib
import inspect
import os
import warnings

import numpy as np
import pytest

import tactus
from conftest import BUILD, HAS_NATIVE, SOURCE, needs_native

pytestmark = needs_native
ADDRESS = "127.0.0.1:50051"  # in an example it stands for that of the test's server
PACKAGE = BUILD / "python/tactus"  # with the modules that are generated
MODULES = sorted(".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PACKAGE.rglob("*.py")
                 if ">>>" in path.read_text() and "v1" not in path.parts)
# Public names without an example of their own.
WITHOUT_EXAMPLE = {
    "LinearSystem.to_control": "Debian 12 has no python-control",
    "aio.Opening": "what the calls of tactus.aio return, which show it",
}


def is_error(kind):
    return isinstance(kind, type) and issubclass(kind, Exception)


def is_our_own(member):
    return getattr(member, "__module__", "").startswith("tactus")


def public_members(name, kind):
    """Public methods and properties, also those of the parts that a class is made of."""
    for word in dir(kind):
        owner = next((base for base in kind.__mro__ if word in vars(base)), None)
        if word.startswith("_") or owner is None or not is_our_own(owner):
            continue
        member = inspect.getattr_static(kind, word)
        member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if inspect.isfunction(member) or isinstance(member, property):
            yield f"{name}.{word}", member


def public_names():
    """All names of the package and of its modules `build` and `aio`, and the members of their classes."""
    if not HAS_NATIVE:
        return {}
    spaces = {"": tactus, "build.": tactus.build, "aio.": tactus.aio}
    names = {prefix + name: getattr(space, name) for prefix, space in spaces.items() for name in space.__all__}
    for name, kind in list(names.items()):
        if isinstance(kind, type) and not is_error(kind) and not issubclass(kind, enum.Enum):
            names.update(public_members(name, kind))
    return {name: value for name, value in names.items() if not inspect.ismodule(value)}


NAMES = public_names()
ERRORS = [name for name, value in NAMES.items() if is_error(value)]
OTHERS = [name for name in NAMES if name not in ERRORS]
PROPERTIES = [name for name, value in NAMES.items() if isinstance(value, property)]


def test_the_list_of_names_is_complete_and_has_no_name_twice():
    assert len(set(tactus.__all__)) == len(tactus.__all__)
    assert {name for name in dir(tactus) if getattr(tactus, name, None) is not None} >= set(tactus.__all__)
    # The walk reaches what is inherited, generated and asynchronous.
    assert {"Simulation.trim", "Session.restore_snapshot", "build.Model.slip_tyre", "aio.Session.run"} <= set(NAMES)
    assert len(NAMES) > 300


@pytest.mark.parametrize("name", [name for name in OTHERS if name not in PROPERTIES and name not in WITHOUT_EXAMPLE])
def test_each_class_function_and_method_has_a_docstring_with_an_example(name):
    assert ">>>" in (inspect.getdoc(NAMES[name]) or "")


@pytest.mark.parametrize("name", [*PROPERTIES, *WITHOUT_EXAMPLE])
def test_each_property_has_a_docstring_that_says_its_type(name):
    assert name in NAMES, "WITHOUT_EXAMPLE has a name that is gone"
    text = inspect.getdoc(NAMES[name])
    assert text and (name in WITHOUT_EXAMPLE or " : " in text.split("\n")[0])


def test_no_name_is_left_out_of_the_examples_that_has_one():
    assert not [name for name in WITHOUT_EXAMPLE if ">>>" in inspect.getdoc(NAMES[name])]


@pytest.mark.parametrize("name", ERRORS)
def test_each_error_and_warning_has_a_docstring_of_its_own(name):
    assert NAMES[name].__dict__["__doc__"].strip().endswith((".", "leave it.", "since when.", "`."))


@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if inspect.isfunction(value)])
def test_each_function_and_method_has_types(name):
    signature = inspect.signature(NAMES[name])
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in list(signature.parameters.values()):
        assert parameter.name in ("self", "cls") or parameter.annotation is not inspect.Parameter.empty, parameter.name


def workbench():
    """What the examples of elements are built on: two bars on hinges, a wheel above a road."""
    build = tactus.build
    model = build.Model("workbench")
    arm = model.body("arm", build.Box([1, 0.1, 0.1], density=500), at=[0.5, 0, 0])
    load = model.body("load", build.Box([1, 0.1, 0.1], density=500), at=[1.5, 0, 0])
    wheel = model.body("wheel", build.Cylinder(0.3, 0.2, mass=20, orientation=build.rotation([1, 0, 0], np.pi / 2)), at=[0, 2, 0.29])
    hinge = model.revolute("hinge", "ground", arm, at=[0, 0, 0], along=[0, 1, 0])
    return {"model": model, "arm": arm, "load": load, "wheel": wheel, "hinge": hinge, "build": build}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run_as_printed(name, address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{BUILD}:{os.environ['PATH']}")
    module = importlib.import_module("tactus" if name == "__init__" else f"tactus.{name}".removesuffix(".__init__"))
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    output, ran = [], 0
    for test in doctest.DocTestFinder().find(module):
        if not test.examples:
            continue
        with contextlib.ExitStack() as stack:
            # The names that the docstrings of the classes introduce.
            test.globs.update(tactus=tactus, np=np)
            if name == "kinds":
                test.globs.update(workbench())
            if not name.startswith("aio") and any(word in test.docstring for word in ("client.", "session.")):
                client = stack.enter_context(tactus.connect(address))
                session = stack.enter_context(client.create_session("motor_four_bar", clock="lockstep", period="1ms"))
                test.globs.update(client=client, session=session)
            for example in test.examples:
                example.source = example.source.replace(ADDRESS, address)
            with warnings.catch_warnings():
                warnings.simplefilter("error", ResourceWarning)
                ran += runner.run(test, out=output.append, clear_globs=False).attempted
    assert runner.summarize(verbose=False).failed == 0, "".join(output)
    assert ran > 0
