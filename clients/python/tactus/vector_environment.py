"""Many simulations side by side for learning, with the interface of gymnasium's vector environments."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.errors import SessionFaulted
from tactus.simulation import Simulation
from tactus.tick_parts import tick_parts
from tactus.worker_threads import WorkerThreads

Array = npt.NDArray[np.float64]
Result = TypeVar("Result")


class VectorEnvironment:
    """Simulations of one model that take actions and give observations, rewards and endings.

    An environment that ends begins anew in the same step: the observation is that of the new beginning, and
    ``infos["final_obs"]`` has the last one of the episode. gymnasium is not imported and not needed.

    Ctrl-C in a step or a reset ends it between two ticks and waits for the threads. Each environment is then somewhere
    within the step; call `reset` to go on, with a seed if the episodes are to be repeated.

    Parameters
    ----------
    model : str, os.PathLike or dict
        As for `Simulation`.
    count : int
        Number of environments.
    actions : sequence of str
        Actuators, in the order of the columns of actions. Values are cut to the range of the actuator.
    observations : sequence of str
        Names of signals, in the order of the columns of observations; a glob that matches one signal is a name, too.
    reward : callable
        Gets observations and actions, shapes (count, ...), and returns rewards, shape (count,).
    terminated : callable, optional
        Gets observations and returns which episodes end, shape (count,). A fault ends an episode, too.
    start : callable, optional
        Gets a simulation after its reset and the ``numpy.random.Generator`` of its environment: sets parameters or inputs.
    ticks : int
        Ticks of a step.
    steps : int, optional
        Steps after which an episode is truncated.
    workers : int, optional
        Threads. Default: one for each core.
    **options
        Further arguments of `Simulation`.

    Examples
    --------
    >>> import numpy as np, tactus
    >>> environment = tactus.VectorEnvironment(
    ...     "motor_four_bar", 4, actions=["motor"], observations=["crank_angle", "crank_rate"],
    ...     reward=lambda observations, actions: -np.abs(observations[:, 1] - 5), ticks=10, steps=100)
    >>> observations, infos = environment.reset(seed=1)
    >>> observations, rewards, terminated, truncated, infos = environment.step(np.full((4, 1), 0.5))
    >>> observations.shape, rewards.shape
    ((4, 2), (4,))
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | Mapping[str, Any],
        count: int,
        *,
        actions: Sequence[str],
        observations: Sequence[str],
        reward: Callable[[Array, Array], npt.ArrayLike],
        terminated: Callable[[Array], npt.ArrayLike] | None = None,
        start: Callable[[Simulation, np.random.Generator], None] | None = None,
        ticks: int = 1,
        steps: int | None = None,
        workers: int | None = None,
        **options: Any,
    ) -> None:
        check.count("count", count)
        check.count("ticks", ticks)
        actions, observations = check.texts("actions", actions), check.texts("observations", observations)
        if reward is None:
            raise check.wrong("reward", reward, "a function")
        for word, value in (("reward", reward), ("terminated", terminated), ("start", start)):
            check.function(word, value)
        threads = check.workers(workers)
        if count < 1 or ticks < 1 or (steps is not None and check.count("steps", steps) < 1):
            raise ValueError(f"count={count!r}, ticks={ticks!r} and steps={steps!r} must be above zero")
        self._simulations = [Simulation(model, **options) for _ in range(count)]
        first = self._simulations[0]
        self._selected = [_one_signal(first, name) for name in observations]
        self._actuators = first._indices(actions)
        signals = {signal.name: signal for signal in first.signals()}
        self.num_envs, self.observation_names, self.action_names = count, list(observations), list(actions)
        #: Lowest and highest actions, shape (number of actions,).
        self.action_low = np.array([signals[name].minimum for name in actions])
        self.action_high = np.array([signals[name].maximum for name in actions])
        self._reward, self._terminated, self._start = reward, terminated, start
        self._ticks, self._limit = ticks, steps
        self._elapsed = np.zeros(count, dtype=np.int64)
        self._is_closed = False
        self._threads = WorkerThreads(threads)
        # After an interrupt that met another one, a thread may still be within its last part: the next one waits for it.
        self._locks = [threading.Lock() for _ in range(count)]
        self._random = [np.random.default_rng() for _ in range(count)]

    def __reduce__(self) -> tuple[object, ...]:  # a copy would share the simulations
        raise TypeError("a VectorEnvironment cannot be copied or pickled: send the arguments that made it, and make another one in each "
                        "process")

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins all episodes; returns observations, shape (count, signals), and infos.

        Parameters
        ----------
        seed : int, optional
            The same seed gives the same episodes. Default: the random numbers go on.
        options : dict, optional
            Part of the interface of gymnasium; not used. `start` prepares an episode.

        Examples
        --------
        >>> environment = tactus.VectorEnvironment(
        ...     "motor_four_bar", 3, actions=["motor"], observations=["crank_angle"], reward=lambda seen, done: seen[:, 0],
        ...     start=lambda simulation, random: simulation.set_parameters(rocker_mass=random.uniform(0.5, 2)))
        >>> observations, infos = environment.reset(seed=4)
        >>> observations.shape
        (3, 1)
        >>> environment.close()
        """
        if seed is not None:
            self._random = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(self.num_envs)]
        return np.array(self._in_threads(lambda k, stopped: self._begin(k), range(self.num_envs))), {}

    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_],
                                                    dict[str, Any]]:
        """A step of all environments.

        Parameters
        ----------
        actions : array_like, shape (count, number of actions)
            N, N m, or the unit of the actuator; held during the step.

        Returns
        -------
        observations : numpy.ndarray, shape (count, signals)
        rewards : numpy.ndarray, shape (count,)
        terminated, truncated : numpy.ndarray, shape (count,), bool
        infos : dict
            ``final_obs``, shape (count, signals), NaN where no episode ended; ``faults``, by number of the environment.

        Raises
        ------
        ValueError
            If the shape is wrong, also that of the rewards or of the endings, or an action is not a number.

        Examples
        --------
        >>> environment = tactus.VectorEnvironment(
        ...     "motor_four_bar", 3, actions=["motor"], observations=["crank_rate"], reward=lambda seen, done: -seen[:, 0] ** 2,
        ...     ticks=10, steps=2)
        >>> observations, infos = environment.reset(seed=4)
        >>> for _ in range(2):
        ...     observations, rewards, terminated, truncated, infos = environment.step(-0.1 * observations)
        >>> truncated  # after two steps all begin anew
        array([ True,  True,  True])
        >>> environment.close()
        """
        values = check.array("actions", actions)
        if values.shape != (self.num_envs, len(self._actuators)):
            raise ValueError(f"actions of shape {values.shape}: give numbers of shape "
                             f"({self.num_envs}, {len(self._actuators)})")
        if np.isnan(values).any():
            k = int(np.argwhere(np.isnan(values))[0][0])
            raise ValueError(f"actions[{k}]={values[k].tolist()} has a value that is not a number")
        values = np.clip(values, self.action_low, self.action_high)
        results = self._in_threads(lambda k, stopped: self._advance(k, values[k], stopped), range(self.num_envs))
        observations = np.array([row for row, _ in results])
        faults = {k: fault for k, (_, fault) in enumerate(results) if fault}
        self._elapsed += 1
        rewards = np.array(self._of_each("reward", self._reward(observations, values)), dtype=np.float64)
        ended = np.zeros(self.num_envs, dtype=bool)
        if self._terminated is not None:
            ended |= self._of_each("terminated", self._terminated(observations)).astype(bool)
        ended[list(faults)] = True
        truncated = ~ended & (self._elapsed >= self._limit if self._limit else np.zeros(self.num_envs, dtype=bool))
        final = np.full_like(observations, np.nan)
        over = np.flatnonzero(ended | truncated)
        final[over] = observations[over]
        for k, row in zip(over, self._in_threads(lambda k, stopped: self._begin(k), over.tolist())):
            observations[k] = row
        return observations, rewards, ended, truncated, {"final_obs": final, "faults": faults}

    def _of_each(self, argument: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
        found = np.asarray(values)
        if found.shape != (self.num_envs,):
            raise ValueError(f"{argument} returned the shape {found.shape}; return one value for each environment: the shape "
                             f"({self.num_envs},)")
        return found

    def close(self) -> None:
        """Ends the threads.

        Examples
        --------
        >>> environment = tactus.VectorEnvironment("four_bar", 2, actions=[], observations=["energy.total"],
        ...                                        reward=lambda seen, done: seen[:, 0])
        >>> environment.close()
        """
        self._is_closed = True
        self._threads.close()

    def _in_threads(self, work: Callable[[int, Callable[[], bool]], Result], numbers: Iterable[int]) -> list[Result]:
        """The results of environments. An exception, also of Ctrl-C, ends the work of all between two ticks."""
        if self._is_closed:
            raise ValueError("the environment is closed; make another one")
        stop = threading.Event()

        def run(k: int) -> Result | None:
            with self._locks[k]:
                return None if stop.is_set() else work(k, stop.is_set)

        numbers = list(numbers)
        results: dict[int, Result] = {}
        for at, result in self._threads.finished(run, numbers, stop):
            if result is not None:
                results[at] = result
        return [results[at] for at in range(len(numbers))]

    def _begin(self, k: int) -> list[float]:
        simulation = self._simulations[k]
        simulation.reset()
        if self._start is not None:
            self._start(simulation, self._random[k])
        self._elapsed[k] = 0
        return simulation._native.read(self._selected)

    def _advance(self, k: int, action: Array, stopped: Callable[[], bool]) -> tuple[list[float], str]:
        simulation = self._simulations[k]
        simulation._native.set_inputs(self._actuators, action)
        fault = ""
        try:
            for _, length, _ in tick_parts(0, self._ticks, self._ticks):
                if stopped():
                    break
                simulation.step(length)
        except SessionFaulted as failure:
            fault = str(failure)
        return simulation._native.read(self._selected), fault


def _one_signal(simulation: Simulation, name: str) -> int:
    """The number of the signal of a column."""
    selected = simulation._native.select([name])
    if len(selected) != 1:
        names = [signal.name for signal in simulation.signals(name)]
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        raise ValueError(f"observations has {name!r}, which matches {len(names)} signals: {shown}; name each of them, or give "
                         f"[signal.name for signal in simulation.signals({name!r})]")
    return selected[0]
