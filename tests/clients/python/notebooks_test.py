"""The notebooks run as they are, against a server of the test, and show what they promise."""

import json
import os
import re

import pytest

from conftest import SOURCE, needs_native

FOLDER = SOURCE / "clients/python/notebooks"
ADDRESS = "127.0.0.1:50051"  # in a notebook it stands for that of the test's server
PICTURES = {"drive_and_plot": 1, "design_a_controller": 1, "sweep_and_plot": 2}


def test_each_notebook_is_tested_and_holds_no_results():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(PICTURES)
    for name in PICTURES:
        for cell in json.loads((FOLDER / f"{name}.ipynb").read_text())["cells"]:
            assert not cell.get("outputs") and cell.get("execution_count") is None


@needs_native
@pytest.mark.parametrize("name", PICTURES)
def test_a_notebook_runs_from_top_to_bottom(name, address, tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient", reason="Debian: python3-nbclient and python3-ipykernel")
    nbformat = pytest.importorskip("nbformat")
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    text = (FOLDER / f"{name}.ipynb").read_text().replace(ADDRESS, address)
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3",
                            resources={"metadata": {"path": str(tmp_path)}}).execute(env=dict(os.environ))
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == PICTURES[name]
    assert not any(output.output_type == "error" for output in outputs)
    assert not re.search(r"Warning", "".join(output.get("text", "") for output in outputs))
