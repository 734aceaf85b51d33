"""Threads whose caller is interrupted."""
# Covers: clients/python/tactus/worker_threads.py

import random
import signal
import threading
import time

import pytest
from tactus.worker_threads import WorkerThreads


def test_each_result_has_the_number_of_its_item():
    threads = WorkerThreads(3)
    found = list(threads.finished(lambda item: item * 10, range(20), threading.Event()))
    assert sorted(found) == [(number, number * 10) for number in range(20)]
    assert list(threads.finished(abs, [], threading.Event())) == []
    threads.close()


def test_an_exception_of_a_job_is_raised_and_jobs_that_have_not_begun_are_left_out():
    threads = WorkerThreads(1)
    begun = []

    def work(item):
        begun.append(item)
        if item == 2:
            raise LookupError(item)
        if item > 2:
            stop.wait(timeout=60)  # else the jobs may all be done before the caller gets the exception

    stop = threading.Event()
    with pytest.raises(LookupError):
        list(threads.finished(work, range(1000), stop))
    assert stop.is_set() and len(begun) <= 4
    assert list(threads.finished(abs, [-1], threading.Event())) == [(0, 1)]  # the threads serve the next caller
    threads.close()


def test_a_caller_that_leaves_waits_for_jobs_that_have_begun():
    threads = WorkerThreads(2)
    stop, second, ended = threading.Event(), threading.Event(), []

    def work(item):
        if item == 0:
            second.wait(timeout=60)
        else:
            second.set()
            stop.wait(timeout=60)
        ended.append(item)

    for number, _ in threads.finished(work, [0, 1, 2], stop):
        assert number == 0
        break
    assert stop.is_set() and 1 in ended
    threads.close()


def test_threads_end_with_the_object_that_has_them():
    threads = WorkerThreads(2)
    owner = threads._owner
    list(threads.finished(abs, [1, 2], threading.Event()))
    del threads
    owner.join(timeout=60)
    assert not owner.is_alive()


@pytest.fixture
def alarm():
    """SIGALRM interrupts as Ctrl-C does."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.signal(signal.SIGALRM, before)


def test_an_interrupt_taken_by_another_thread_ends_the_wait_of_the_caller(alarm):
    threads = WorkerThreads(1)
    stop = threading.Event()

    def work(item):
        time.sleep(0.2)  # the caller waits for the result by now
        signal.pthread_kill(threading.get_ident(), signal.SIGALRM)
        return stop.wait(timeout=20)

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(threads.finished(work, [0], stop))
    assert time.monotonic() - begin < 15  # before the job gives up after 20 s
    threads.close()


def test_an_interrupt_at_any_place_leaves_no_thread_waiting(alarm):
    seed = random.Random(5)
    interrupted = 0
    for _ in range(400):
        threads = WorkerThreads(3)
        try:
            try:
                # Between the first instruction of a batch and its last one, of some 1 ms.
                signal.setitimer(signal.ITIMER_REAL, seed.uniform(1e-6, 2e-3))
                for _ in threads.finished(lambda item: time.sleep(1e-5), range(20), threading.Event()):
                    pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            interrupted += 1
        threads.close()
        threads._owner.join(timeout=60)
        assert not threads._owner.is_alive()
    assert interrupted > 40  # of 400, else the times are those of a machine that is much faster
