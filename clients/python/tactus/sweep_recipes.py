"""How existing engines run the shards of a sweep: an array of Slurm, an indexed job of Kubernetes."""

from __future__ import annotations

import json
import posixpath
import shlex

# Where the pods of a job mount the shared volume.
_VOLUME = "/data"


def slurm(plan: str, out: str, shards: int, program: str = "tactus") -> str:
    """A script for ``sbatch``.

    Examples
    --------
    >>> print(slurm("plan.json", "/shared/out", 8).splitlines()[2])
    #SBATCH --array=1-8
    """
    return f"""#!/bin/bash
#SBATCH --job-name=tactus-sweep
#SBATCH --array=1-{shards}
#SBATCH --requeue
# Each task runs one shard. {json.dumps(out)} must lie on a file system that all nodes share.
# Then: tactus sweep collect {shlex.quote(out)}
set -eu
exec {shlex.quote(program)} sweep {shlex.quote(plan)} --shard "$SLURM_ARRAY_TASK_ID/{shards}" --out {shlex.quote(out)}
"""


def kubernetes(plan: str, out: str, shards: int, image: str = "tactus") -> str:
    """A manifest for ``kubectl apply -f``, in JSON, which is YAML as well. Cases with a fault do not fail the job.

    Parameters
    ----------
    plan, out : str
        Paths in the pods, below ``/data``, where they mount the shared volume.
    shards : int
    image : str

    Raises
    ------
    ValueError
        If a path is not below ``/data``: a pod has no such plan, or loses its results when it ends.

    Examples
    --------
    >>> import json
    >>> json.loads(kubernetes("/data/plan.json", "/data/out", 8))["spec"]["completions"]
    8
    """
    mistakes = [f"{name} = {path!r}: write a path below {_VOLUME}, where the pods mount the shared volume, such as "
                f"{_VOLUME}/{example}; pods have no other files that outlive them{hint}"
                for name, path, example, hint in (("plan", plan, "plan.json", ". Copy the plan to the volume"),
                                                  ("--out", out, "out", ""))
                if not posixpath.normpath(path).startswith(f"{_VOLUME}/")]
    if mistakes:
        raise ValueError("\n".join(mistakes))
    words = (f'exec tactus sweep {shlex.quote(plan)} --shard "$((JOB_COMPLETION_INDEX + 1))/{shards}" --accept-faults '
             f"--out {shlex.quote(out)}")
    container = {"name": "sweep", "image": image, "command": ["/bin/sh", "-c", words],
                 "volumeMounts": [{"name": "data", "mountPath": _VOLUME}]}
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "tactus-sweep"}}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "tactus-sweep"},
           "spec": {"completions": shards, "parallelism": shards, "completionMode": "Indexed", "backoffLimit": 6 * shards,
                    "template": {"spec": {"restartPolicy": "OnFailure", "containers": [container],
                                          "volumes": [volume]}}}}
    return json.dumps(job, indent=2) + "\n"
