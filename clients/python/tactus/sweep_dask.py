"""The cases of a sweep on the workers of Dask."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

from tactus.sweep_case import run_case
from tactus.sweep_plan import Case, Plan


def on_dask(client: Any, plan: Plan, cases: list[Case]) -> Iterator[dict[str, Any]]:
    """Rows of cases, see `run_case`, in the order in which they are finished. Closing it cancels the cases that are left.

    Parameters
    ----------
    client : distributed.Client
    plan : Plan
    cases : list of Case
    """
    from distributed import as_completed

    # The plan is a task of its own: it is sent once, and Dask makes it again where a worker is lost that had it.
    text = client.submit(str, json.dumps(plan.content), pure=False)
    futures = client.map(_run_on_worker, [text] * len(cases), cases, pure=False)
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        client.cancel([future for future in futures if not future.done()])


def _run_on_worker(text: str, case: Case) -> dict[str, Any]:
    return run_case(_plan_of(text), case)


@functools.lru_cache(maxsize=1)
def _plan_of(text: str) -> Plan:
    """The plan of a JSON text: a worker reads it once for all cases."""
    return Plan(json.loads(text))
