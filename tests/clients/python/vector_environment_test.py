"""Environments side by side: the bits of single simulations, seeds, endings and new beginnings."""
# Covers: clients/python/tactus/vector_environment.py, clients/python/tactus/tick_parts.py

import os
import signal
import threading
import time

import numpy as np
import pytest

import tactus
from conftest import needs_native

pytestmark = needs_native


def environment(count=3, **options):
    def start(simulation, random):
        simulation.set_parameters(rocker_mass=random.uniform(0.2, 4.0))

    settings = {"actions": ["motor"], "observations": ["crank_angle", "crank_rate"], "start": start, "ticks": 10,
                "reward": lambda observations, actions: observations[:, 0] - actions[:, 0]}
    return tactus.VectorEnvironment("motor_four_bar", count, **settings | options)


def test_each_environment_has_the_bits_of_a_simulation_alone():
    own = environment(start=None)
    begin, _ = own.reset(seed=1)
    singles = [tactus.Simulation("motor_four_bar") for _ in range(3)]
    np.testing.assert_array_equal(begin[0], [singles[0]["crank_angle"], singles[0]["crank_rate"]])
    for k in range(5):
        actions = np.array([[0.1 * k], [0.5], [-0.2]])
        observations, rewards, terminated, truncated, _ = own.step(actions)
        for single, action, row in zip(singles, actions, observations):
            single.step(10, action)
            np.testing.assert_array_equal(row, [single["crank_angle"], single["crank_rate"]])
        np.testing.assert_array_equal(rewards, observations[:, 0] - actions[:, 0])
    assert not terminated.any() and not truncated.any()
    own.close()


def test_a_seed_repeats_all_episodes_whatever_the_threads():
    def history(seed, workers):
        own = environment(workers=workers, steps=3)
        rows = [own.reset(seed=seed)[0]]
        rows += [own.step(np.full((3, 1), 0.3))[0] for _ in range(7)]
        return np.array(rows)

    np.testing.assert_array_equal(history(5, 1), history(5, 3))
    assert not np.array_equal(history(5, 1), history(6, 1))


def test_an_episode_that_ends_begins_anew_and_keeps_its_last_observation():
    own = environment(start=None, steps=4, terminated=lambda observations: observations[:, 1] > 1.0)
    begin, _ = own.reset()
    ended = cut = 0
    for _ in range(8):
        observations, _, terminated, truncated, infos = own.step([[5.0], [0.0], [0.0]])
        over = terminated | truncated
        np.testing.assert_array_equal(observations[over], begin[over])
        assert np.isnan(infos["final_obs"][~over]).all() and np.isfinite(infos["final_obs"][over]).all()
        ended += terminated[0]
        cut += truncated[1]
    assert ended > 0 and cut == 2


def test_actions_are_cut_to_their_range_and_wrong_ones_refused():
    own = environment(start=None)
    own.reset()
    rows = own.step([[1e9], [5.0], [0.0]])[0]
    np.testing.assert_array_equal(rows[0], rows[1])
    for actions in (np.zeros(3), np.zeros((2, 1)), [[np.nan], [0], [0]]):
        with pytest.raises(ValueError, match="shape|not a number"):
            own.step(actions)
    with pytest.raises(ValueError, match="above zero"):
        environment(count=0)
    with pytest.raises(tactus.SignalUnknown):
        environment(observations=["crank_angel"])
    # A column is one signal: a glob that matches several is refused, and not taken for its first match.
    with pytest.raises(ValueError, match=r"matches \d+ signals: .*crank_angle.*; name each"):
        environment(observations=["crank_*"])


def test_reset_takes_the_options_of_gymnasium_and_ignores_them():
    own = environment()
    np.testing.assert_array_equal(own.reset(seed=3)[0], own.reset(seed=3, options={"low": -1})[0])


@pytest.mark.parametrize("what, answer", [
    ("reward", np.zeros((3, 1))), ("reward", 0.0), ("terminated", np.zeros((3, 1), dtype=bool)), ("terminated", False)])
def test_one_reward_and_one_ending_for_each_environment(what, answer):
    own = environment(**{what: lambda *arguments: answer})
    own.reset()
    with pytest.raises(ValueError, match=rf"{what} returned the shape .*; return one value .*\(3,\)"):
        own.step(np.zeros((3, 1)))


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupt_ends_a_step_between_two_ticks_and_the_environments_begin_again(workers):
    own = environment(ticks=100_000_000, workers=workers)  # minutes
    begin, _ = own.reset(seed=2)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        own.step(np.full((3, 1), 0.5))
    # 0.5 s, and a part of at most 2048 ticks or about 0.1 s, on a busy machine.
    assert time.monotonic() - start < 20
    stopped = [simulation.tick for simulation in own._simulations]
    assert sum(tick > 0 for tick in stopped) >= min(workers, 3) and max(stopped) < 100_000_000
    time.sleep(0.2)
    assert [simulation.tick for simulation in own._simulations] == stopped  # no thread goes on
    np.testing.assert_array_equal(own.reset(seed=2)[0], begin)
    own.close()


@pytest.mark.parametrize("workers, kind", [(0, ValueError), (-1, ValueError), ("2", TypeError), (1.5, TypeError)])
def test_a_number_of_threads_that_is_none_is_refused(workers, kind):
    with pytest.raises(kind, match="workers="):
        environment(workers=workers)
