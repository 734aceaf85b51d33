"""Sweeps: many cases of a plan, each written when it is finished, on the cores of a machine or on workers of Dask."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.builds import BuildInfo
from tactus.errors import MixedBuildsWarning, warn_of
from tactus.private_file import draft_of, private_file, private_folder
from tactus.sweep_case import Cancelled, run_case, try_plan
from tactus.sweep_dask import on_dask
from tactus.sweep_plan import Case, Plan, digest
from tactus.worker_threads import WorkerThreads

_PLAN = "plan.json"
_CASES = "cases"
# A file that is being written has such a name for a moment. One that is a day old is left over from a process that was
# killed; the clocks of machines that share a folder may differ by hours.
_DRAFT = re.compile(r"\.(?:plan\.json|results(?:\.csv|\.npz)?|[0-9]{8,}-[0-9a-f]{16}\.json)\..+")
_OLD = 24 * 3600.0


class SweepResult(NamedTuple):
    """The collected rows of a sweep, in the order of its plan.

    Attributes
    ----------
    columns : dict of str to numpy.ndarray, shape (cases,)
        ``case``, ``id``, ``seed``, the variables, the metrics, ``end`` (s), ``stopped`` (number of the stop criterion,
        or -1), ``fault`` (empty for none), ``state_hash``, ``model_hash`` and ``build_hash``.
    provenance : dict of str to Any
        ``plan``, the hash of the plan; ``models``, the hashes of the models; ``builds``, each build that ran cases, by its
        hash (see `BuildInfo`); ``cases`` and ``missing``, the numbers of all cases and of missing cases.

    Examples
    --------
    >>> import tempfile, tactus
    >>> plan = {"model": "motor_four_bar", "until": "20ms", "variables": {"parameters.rocker_mass": [1.0, 2.0]},
    ...         "metrics": {"last": {"final": "crank_angle"}}}
    >>> result = tactus.sweep(plan, tempfile.mkdtemp())
    >>> result.columns["parameters.rocker_mass"].tolist(), result.provenance["cases"]
    ([1.0, 2.0], 2)
    """

    columns: dict[str, npt.NDArray[Any]]
    provenance: dict[str, Any]

    def to_dataframe(self) -> Any:
        """The columns as a ``pandas.DataFrame``, with the provenance in ``attrs``. Needs pandas.

        Examples
        --------
        >>> import tempfile
        >>> plan = {"model": "motor_four_bar", "until": "20ms", "variables": {"inputs.motor": [0.0, 0.5]},
        ...         "metrics": {"last": {"final": "crank_angle"}}}
        >>> table = tactus.sweep(plan, tempfile.mkdtemp()).to_dataframe()
        >>> table["inputs.motor"].tolist(), table.attrs["cases"]
        ([0.0, 0.5], 2)
        """
        import pandas

        frame = pandas.DataFrame(self.columns)
        frame.attrs.update(self.provenance)
        return frame


class Incomplete(ValueError):
    """A sweep that cannot be collected: cases are missing, or the folder has files that do not belong to it."""


def shard_of(text: str) -> tuple[int, int]:
    """The numbers of ``"2/8"``: the second of eight shards.

    Examples
    --------
    >>> shard_of("2/8")
    (2, 8)
    """
    first, slash, second = check.text("shard", text).partition("/")
    if not slash or not first.isdecimal() or not second.isdecimal() or not 1 <= int(first) <= int(second):
        raise ValueError(f"shard {text!r}: write I/N, from 1/N to N/N")
    return int(first), int(second)


def sweep(
    plan: str | os.PathLike[str] | Mapping[str, Any],
    out: str | os.PathLike[str],
    *,
    shard: str = "1/1",
    workers: int | None = None,
    client: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> SweepResult | None:
    """Runs the cases of a plan that the folder does not have yet.

    A finished case is a file; whatever ends the process loses the running cases only, and the next call goes on.

    Parameters
    ----------
    plan : str, os.PathLike or dict
        A plan, see the page of sweeps.
    out : str or os.PathLike
        Folder of the results; one folder for one plan, also for all its shards.
    shard : str
        ``"2/8"``: every eighth case, from the second on.
    workers : int, optional
        Threads. Default: one for each core.
    client : distributed.Client, optional
        Runs the cases on the workers of Dask, which need the package `tactus`; this process writes the files.
    progress : callable, optional
        Gets the number of finished cases and that of all cases of the shard.

    Returns
    -------
    SweepResult or None
        The collected result, if the folder is complete.

    Raises
    ------
    ValueError
        If the plan has mistakes, or the folder belongs to another plan.
    TactusError
        If the model or a name is refused, or the values of all cases: nothing is written then.
    OSError
        If a file cannot be written. Finished cases stay.

    Examples
    --------
    >>> import tempfile, tactus
    >>> plan = {"model": "motor_four_bar", "until": "50ms", "variables": {"parameters.rocker_mass": [0.5, 1.0]},
    ...         "metrics": {"peak": {"max": "crank_angle"}}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tactus.sweep(plan, folder).columns["parameters.rocker_mass"]
    array([0.5, 1. ])
    """
    first, count = shard_of(shard)
    threads = check.workers(workers)
    folder = pathlib.Path(check.path("out", out))
    check.function("progress", progress)
    if client is not None and not hasattr(client, "map"):
        raise check.wrong("client", client, "a distributed.Client")
    read = Plan(plan)
    cases = read.cases()
    mine = cases[first - 1 :: count]
    waiting = [case for case in mine if not _path(folder, case).exists()]
    if waiting:
        try_plan(read, cases)
    private_folder(folder / _CASES)
    stored = folder / _PLAN
    if not stored.exists():
        _write(stored, json.dumps(read.content, indent=2) + "\n")
    _check_same(read, stored)
    _remove_old_drafts(folder)
    done = len(mine) - len(waiting)
    if progress:
        progress(done, len(mine))

    results = on_dask(client, read, waiting) if client is not None else _on_threads(read, waiting, threads)
    try:
        for result in results:
            _write(_path(folder, cases[result["index"]]), json.dumps(result) + "\n")
            done += 1
            if progress:
                progress(done, len(mine))
    finally:
        results.close()
    complete = all(_path(folder, case).exists() for case in cases)
    return collect(folder) if complete else None


def _on_threads(plan: Plan, cases: list[Case], threads: int) -> Any:
    """Results in the order in which they are finished. Ticks run without the lock of the interpreter."""
    own = WorkerThreads(threads)
    stop = threading.Event()

    def run(case: Case) -> dict[str, Any] | None:
        try:
            return None if stop.is_set() else run_case(plan, case, stop.is_set)
        except Cancelled:
            return None

    try:
        for _, result in own.finished(run, cases, stop):
            if result is not None:
                yield result
    finally:
        stop.set()
        own.close()


def _path(folder: pathlib.Path, case: Case) -> pathlib.Path:
    return folder / _CASES / f"{case.number:08d}-{case.id}.json"


def _write(path: pathlib.Path, text: str) -> None:
    """Writes a file as a whole or not at all, also if the machine loses its power."""
    with draft_of(path) as draft, private_file(draft).open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _check_same(plan: Plan, stored: pathlib.Path) -> None:
    try:
        same = digest(json.loads(stored.read_text(encoding="utf-8"))) == plan.hash
    except ValueError as error:
        raise ValueError(f"{stored} is damaged ({error}); delete it if the folder has the results of this plan") from error
    if not same and not any((stored.parent / _CASES).glob("[0-9]*.json")):
        raise ValueError(f"{stored} is another plan, of which no case is finished; delete it if no other process runs it, "
                         "or give each plan a folder of its own")
    if not same:
        raise ValueError(f"{stored.parent} has the results of another plan; give each plan a folder of its own")


def _remove_old_drafts(folder: pathlib.Path) -> None:
    for path in (*folder.glob(".*"), *(folder / _CASES).glob(".*")):
        with contextlib.suppress(OSError):  # another shard may be first
            if _DRAFT.fullmatch(path.name) and path.stat().st_mtime < time.time() - _OLD:
                path.unlink()


def _no_sweep(root: pathlib.Path) -> str:
    return f"{root} has no {_PLAN}: it is no folder of a sweep"


def collect(folder: str | os.PathLike[str], partial: bool = False) -> SweepResult:
    """Merges the cases of a folder, and writes ``results.npz`` and ``results.csv`` in it: the same bits for any shards.

    Parameters
    ----------
    folder : str or os.PathLike
    partial : bool
        Collects what there is. Default: an incomplete folder is an error.

    Raises
    ------
    Incomplete
        Names the cases that are missing, damaged or foreign.
    OSError

    Warns
    -----
    MixedBuildsWarning
        If several builds ran the cases.

    Examples
    --------
    >>> import tempfile
    >>> plan = {"model": "motor_four_bar", "until": "5ms", "variables": {"inputs.motor": [0.0, 0.5]},
    ...         "metrics": {"last": {"final": "crank_angle"}}}
    >>> folder = tempfile.mkdtemp()
    >>> sweep(plan, folder, shard="1/2") is None  # one of two cases
    True
    >>> collect(folder, partial=True).columns["inputs.motor"].tolist()
    [0.0]
    """
    root = pathlib.Path(check.path("folder", folder))
    if not (root / _PLAN).exists():
        raise Incomplete(_no_sweep(root))
    plan = Plan(root / _PLAN)
    cases = plan.cases()
    expected = {_path(root, case).name: case for case in cases}
    found = {path.name for path in (root / _CASES).glob("*.json") if not path.name.startswith(".")}
    foreign = sorted(found - set(expected))
    missing = [case.number for name, case in expected.items() if name not in found]
    if foreign:
        raise Incomplete(f"{root / _CASES} has files that are no cases of the plan: {_some(foreign)}")
    if missing and not partial:
        raise Incomplete(f"{len(missing)} of {len(cases)} cases are missing: {_some(missing)}; run the sweep again to "
                         "finish them")
    rows = []
    for name in sorted(found):
        try:
            row = json.loads((root / _CASES / name).read_text(encoding="utf-8"))
            if (row["index"], row["id"]) != (expected[name].number, expected[name].id):
                raise ValueError("it is another case")
            _check_row(row, plan)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Incomplete(f"{root / _CASES / name} is damaged ({error}); delete it and run the sweep again") from error
        rows.append(row)
    columns: dict[str, npt.NDArray[Any]] = {
        "case": np.array([row["index"] for row in rows], dtype=np.int64),
        "id": np.array([row["id"] for row in rows], dtype=np.str_),
        "seed": np.array([row["seed"] for row in rows], dtype=np.int64)}
    for name in plan.variables:
        values = [row["values"][name] for row in rows]
        kind = np.float64 if np.array(values).dtype == np.object_ else None  # whole numbers above 64 bits, which no file takes
        columns[name] = np.array(values, dtype=kind)
    for name in plan.metrics:
        columns[name] = np.array([row["metrics"][name] for row in rows], dtype=np.float64)
    columns["end"] = np.array([row["end"] for row in rows], dtype=np.float64)
    columns["stopped"] = np.array([row["stopped"] for row in rows], dtype=np.int64)
    for name in ("fault", "state_hash", "model_hash"):
        columns[name] = np.array([row[name] for row in rows], dtype=np.str_)
    made_by = [_build_of(row) for row in rows]
    columns["build_hash"] = np.array([build.hash for build in made_by], dtype=np.str_)
    builds = {build.hash: build for build in sorted(set(made_by))}
    provenance = {"plan": plan.hash, "models": sorted({row["model_hash"] for row in rows} - {""}),
                  "builds": {key: build._asdict() for key, build in builds.items()}, "cases": len(cases),
                  "missing": len(missing)}
    _write_columns(root, columns, provenance)
    if len(builds) > 1:
        counts = ", ".join(f"{build.version} {build.commit} {build.compiler} ({key}) {made_by.count(build)} cases"
                           for key, build in builds.items())
        warn_of(f"{root}: {len(builds)} builds of Tactus ran the cases, so bits may differ: {counts}. The column build_hash "
                "names the build of each case. For results of one build, delete the cases of the others and run the sweep again",
                MixedBuildsWarning)
    return SweepResult(columns, provenance)


def _build_of(row: Mapping[str, Any]) -> BuildInfo:
    """The build that ran a case; rows of older versions do not name it, and it is then unknown."""
    return BuildInfo(**row["build"]) if "build" in row else BuildInfo("unknown", "", "", "", "")


def _check_row(row: Mapping[str, Any], plan: Plan) -> None:
    for key, names in (("values", plan.variables), ("metrics", plan.metrics)):
        if set(row[key]) != set(names):
            raise ValueError(f"its {key} are those of another plan")
    if not all(isinstance(value, float) for value in row["metrics"].values()):
        raise ValueError("a metric is no number")
    if not all(isinstance(row[key], kind) for key, kind in (
            ("seed", int), ("end", float), ("stopped", int), ("fault", str), ("state_hash", str), ("model_hash", str))):
        raise ValueError("an entry has a wrong type")
    build = _build_of(row)
    if not all(isinstance(value, str) for value in build):
        raise ValueError("the entry build has a wrong type")


def _some(items: Iterable[Any]) -> str:
    shown = [str(item) for item in items]
    return ", ".join(shown[:10]) + (f" and {len(shown) - 10} more" if len(shown) > 10 else "")


def _write_columns(root: pathlib.Path, columns: Mapping[str, npt.NDArray[Any]], provenance: Mapping[str, Any]) -> None:
    import csv
    import io

    text = io.StringIO()
    text.write(f"# {json.dumps(provenance)}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(column.tolist() for column in columns.values())))
    _write(root / "results.csv", text.getvalue())
    with draft_of(root / "results.npz") as draft, private_file(draft).open("wb") as file:
        np.savez(file, provenance=np.array(json.dumps(provenance)), **columns)


def load(folder: str | os.PathLike[str]) -> SweepResult:
    """The collected result of a folder.

    Raises
    ------
    OSError
        If it is not collected yet.
    ValueError
        If the file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> plan = {"model": "motor_four_bar", "until": "5ms", "variables": {"inputs.motor": [0.0, 0.5]},
    ...         "metrics": {"last": {"final": "crank_angle"}}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = sweep(plan, folder)
    ...     bool((load(folder).columns["last"] == result.columns["last"]).all())
    True
    """
    path = pathlib.Path(check.path("folder", folder)) / "results.npz"
    try:
        with np.load(path, allow_pickle=False) as file:
            columns = {name: file[name] for name in file.files if name != "provenance"}
            return SweepResult(columns, json.loads(str(file["provenance"])))
    except FileNotFoundError:
        root = path.parent
        if not (root / _PLAN).exists():
            raise FileNotFoundError(_no_sweep(root)) from None
        ended = any((root / _CASES).glob("[0-9]*.json"))
        raise FileNotFoundError(f"{root} has no {path.name}: " + (
            "its cases are not collected yet; `tactus sweep collect --partial` collects those that have ended"
            if ended else "no case has ended yet")) from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is damaged, or no result of a sweep; `tactus sweep collect` writes it again") from error
