"""``tactus sweep``: runs, collects and shows sweeps from the command line."""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tactus import sweep_recipes, sweep_run
from tactus.errors import MixedBuildsWarning, TactusError
from tactus.drawing import save

_FINDING, _USAGE = 1, 2
_OTHERS = """also:
  tactus sweep collect DIR [--partial]                                    merge the cases of all shards
  tactus sweep show DIR [--plot FILE] [--json]                            a summary, and a picture
  tactus sweep recipe {slurm,kubernetes} PLAN.json --shards N --out DIR   a script or manifest to run all shards
"""


def main(words: list[str]) -> int:
    """Runs a command line; returns the exit code of the program `tactus`: 0, 1 (a finding) or 2 (usage)."""
    actions = {"collect": _collect, "show": _show, "recipe": _recipe}
    try:
        if words[:1] and words[0] in actions:
            return actions[words[0]](words[1:])
        return _run(words)
    except (ValueError, TactusError, OSError) as error:
        print(f"tactus sweep: {error}", file=sys.stderr)
        return _FINDING if isinstance(error, (sweep_run.Incomplete, OSError)) else _USAGE
    except ImportError as error:
        print(f"tactus sweep: {error}; install it, for example: apt-get install python3-{error.name}", file=sys.stderr)
        return _USAGE
    except KeyboardInterrupt:
        print("tactus sweep: interrupted; run it again to continue", file=sys.stderr)
        return _FINDING


def _run(words: list[str]) -> int:
    parser = argparse.ArgumentParser("tactus sweep", description="Runs the cases of a plan that the folder does not "
                                     "have yet.", epilog=_OTHERS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", metavar="PLAN.json")
    parser.add_argument("--out", required=True, help="folder of the results, one for all shards")
    parser.add_argument("--shard", default="1/1", help="I/N: every N-th case, from the I-th on")
    parser.add_argument("--workers", type=int, help="threads; default: one for each core")
    parser.add_argument("--accept-faults", action="store_true", help="exit code 0 also if cases have a fault")
    arguments = parser.parse_args(words)
    try:
        open(arguments.plan, "rb").close()
    except OSError as error:
        raise ValueError(f"{arguments.plan}: {error.strerror}; name the file of a plan") from error

    def progress(done: int, count: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {count} cases", end="\n" if done == count else "", file=sys.stderr, flush=True)

    with _warnings_told():
        result = sweep_run.sweep(arguments.plan, arguments.out, shard=arguments.shard, workers=arguments.workers,
                                 progress=progress)
    if result is None:
        print(f"shard {arguments.shard} is finished; other shards are not")
        return 0
    code = _tell(result, arguments.out)
    return 0 if arguments.accept_faults else code


@contextlib.contextmanager
def _warnings_told() -> Iterator[None]:
    """Prints warnings without the source line, which does not help the user of a command."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MixedBuildsWarning)
        yield
    for warning in caught:
        print(f"tactus sweep: warning: {warning.message}", file=sys.stderr)


def _tell(result: sweep_run.SweepResult, folder: str) -> int:
    faults = int(np.count_nonzero(result.columns["fault"] != ""))
    print(f"{len(result.columns['case'])} cases, {faults} with a fault: {folder}/results.npz, {folder}/results.csv")
    if faults:
        first = int(np.flatnonzero(result.columns["fault"] != "")[0])
        print(f"the first fault, case {result.columns['case'][first]}: {result.columns['fault'][first]}")
    return _FINDING if faults else 0


def _require_sweep(folder: str) -> None:
    """A folder without a sweep is an error of usage; one whose cases are missing is a finding."""
    root = pathlib.Path(folder)
    if not root.is_dir():
        raise ValueError(f"{folder}: there is no such folder; name the --out of a sweep")
    if not any((root / name).exists() for name in ("plan.json", "results.npz")):
        raise ValueError(f"{folder} has no plan.json: it is no folder of a sweep; name the --out of a sweep")


def _collect(words: list[str]) -> int:
    parser = argparse.ArgumentParser("tactus sweep collect", description="Merges the cases of all shards.")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--partial", action="store_true", help="accept that cases are missing")
    arguments = parser.parse_args(words)
    _require_sweep(arguments.folder)
    with _warnings_told():
        result = sweep_run.collect(arguments.folder, arguments.partial)
    return _tell(result, arguments.folder)


def _show(words: list[str]) -> int:
    parser = argparse.ArgumentParser("tactus sweep show", description="Shows a collected sweep.")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--plot", metavar="FILE", help="picture: each metric over each variable; needs matplotlib")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args(words)
    _require_sweep(arguments.folder)
    result = sweep_run.load(arguments.folder)
    numbers = {name: values for name, values in result.columns.items()
               if values.dtype.kind in "if" and name not in ("case", "seed", "stopped")}
    summaries = {name: _summary(values) for name, values in numbers.items()}
    builds = result.provenance.get("builds", {})
    if arguments.json:
        print(json.dumps({"columns": [{"name": name, **summary} for name, summary in summaries.items()],
                          "builds": builds}, indent=2))
    else:
        print(f"{'column':<32} {'finite':>7} {'minimum':>14} {'mean':>14} {'maximum':>14}")
        for name, (count, *values) in ((name, summary.values()) for name, summary in summaries.items()):
            print(f"{name:<32} {count:>7} {' '.join('-'.rjust(14) if x is None else f'{x:14.6g}' for x in values)}")
        for key, build in builds.items():
            print(f"build {key}: tactus {build['version']}, {build['commit']}, {build['compiler']}, "
                  f"{build['instruction_set']}")
    if arguments.plot:
        _plot(numbers, list(result.columns), arguments.plot)
    return 0


def _summary(values: npt.NDArray[Any]) -> dict[str, float | None]:
    """How many values of a column are finite, and their minimum, mean and maximum; None where there are none."""
    finite = values[np.isfinite(values)]
    figures = (finite.min().item(), finite.mean().item(), finite.max().item()) if len(finite) else (None,) * 3
    return {"finite": len(finite), **dict(zip(("minimum", "mean", "maximum"), figures))}


def _plot(numbers: dict[str, npt.NDArray[Any]], order: list[str], path: str) -> None:
    import matplotlib.figure

    variables = [name for name in order[3:] if name in numbers
                 and (name == "period" or name.startswith(("parameters.", "inputs.", "settings.")))]
    metrics = [name for name in numbers if name not in variables and name != "end"]
    figure = matplotlib.figure.Figure(figsize=(3.2 * max(len(variables), 1), 2.4 * max(len(metrics), 1)))
    axes = figure.subplots(max(len(metrics), 1), max(len(variables), 1), squeeze=False)
    for i, metric in enumerate(metrics):
        for j, variable in enumerate(variables):
            axes[i, j].plot(numbers[variable], numbers[metric], ".", ms=4)
            axes[i, j].set(xlabel=variable, ylabel=metric)
    figure.tight_layout()
    save(figure, path)


def _recipe(words: list[str]) -> int:
    parser = argparse.ArgumentParser("tactus sweep recipe", description="Prints a script or manifest for all shards.")
    parser.add_argument("engine", choices=["slurm", "kubernetes"])
    parser.add_argument("plan", metavar="PLAN.json")
    parser.add_argument("--out", required=True)
    parser.add_argument("--shards", type=int, required=True)
    arguments = parser.parse_args(words)
    if arguments.shards < 1:
        raise ValueError(f"--shards {arguments.shards}: at least 1")
    make = {"slurm": sweep_recipes.slurm, "kubernetes": sweep_recipes.kubernetes}[arguments.engine]
    print(make(arguments.plan, arguments.out, arguments.shards), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
