"""The shards of a sweep on the daemons of Slurm, on this machine: the file of a run without an engine.

Slurm's daemons need root. Where they are not installed the test is skipped; `docker/install_packages.sh sweep` installs
them. It starts its own daemons, on ports and in a folder of its own, and ends them.
"""
# Covers: clients/python/tactus/sweep_recipes.py

import os
import shutil
import socket
import subprocess
import time

import pytest

import tactus
from conftest import BUILD, needs_native

DAEMONS = ("munged", "slurmctld", "slurmd")
PLAN = {
    "model": "motor_four_bar", "until": "100ms", "period": "1ms",
    "variables": {"parameters.rocker_mass": [0.2, 0.6, 1.5, 4.0], "inputs.motor": [0.0, 0.4, 0.8]},
    "metrics": {"peak": {"max": "crank_angle"}},
}
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def slurm(tmp_path):
    """The environment of a cluster of one node."""
    missing = [name for name in (*DAEMONS, "sbatch") if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]
    if missing or os.geteuid() != 0:
        pytest.skip(f"Slurm is not tested: {', '.join(missing) or 'root'} is missing (docker/install_packages.sh sweep)")
    folder = tmp_path / "slurm"
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    host = socket.gethostname().partition(".")[0]
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(host=host, folder=folder, controller=free_port(), node=free_port(),
                                                  cores=os.cpu_count()))
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
    environment = os.environ | {"SLURM_CONF": str(configuration), "PATH": f"{BUILD}:{os.environ['PATH']}:/usr/sbin"}
    commands = [["munged", "--foreground", "--force", f"--socket={folder}/munge.sock", f"--key-file={key}",
                 f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed"],
                ["slurmctld", "-D", "-f", configuration], ["slurmd", "-D", "-f", configuration, "-N", host]]
    started = []
    with open(folder / "log", "w", encoding="utf-8") as log:
        try:
            for command in commands:
                started.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment))
                time.sleep(0.5)
            deadline = time.monotonic() + 30
            while b"idle" not in subprocess.run(["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True).stdout:
                if time.monotonic() > deadline or any(process.poll() is not None for process in started):
                    log.flush()
                    pytest.fail((folder / "log").read_text(encoding="utf-8")[-3000:])
                time.sleep(0.2)
            yield environment
        finally:
            for process in reversed(started):
                process.terminate()
            for process in reversed(started):
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@needs_native
def test_an_array_of_slurm_gives_the_file_of_a_run_without_slurm(slurm, tmp_path):
    import json

    tactus.sweep(PLAN, tmp_path / "expected")
    plan, out, script = tmp_path / "plan.json", tmp_path / "out", tmp_path / "array.sh"
    plan.write_text(json.dumps(PLAN))
    recipe = subprocess.run([BUILD / "tactus", "sweep", "recipe", "slurm", plan, "--shards", "3", "--out", out],
                            check=True, capture_output=True, text=True)
    script.write_text(recipe.stdout)
    job = subprocess.run(["sbatch", "--wait", "--parsable", f"--output={tmp_path}/task_%a.log", script], env=slurm,
                         capture_output=True, text=True, timeout=120)
    logs = "".join(path.read_text() for path in sorted(tmp_path.glob("task_*.log")))
    assert job.returncode == 0, job.stderr + logs
    assert len(list(tmp_path.glob("task_*.log"))) == 3, "each shard is a task of the array"
    assert (out / "results.npz").read_bytes() == (tmp_path / "expected/results.npz").read_bytes()
