"""Parameters of a running session, and takeover of its inputs, from Python."""

import pytest
from conftest import needs_native

import tactus


def test_parameters_are_read_and_set_together(client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        session.step(3)
        names = {parameter.name: parameter.value for parameter in session.parameters()}
        assert names == {"rocker_mass": 0.6, "gravity_y": -9.81}
        assert session.set_parameters({"rocker_mass": 2.0}, gravity_y=0.0) == 4
        assert session.set_parameters(rocker_mass=2.5) == 4
        assert session.parameters("rocker_mass")[0].value == 2.5


def test_a_session_is_created_with_other_values_of_parameters(client):
    with client.create_session("motor_four_bar", clock="lockstep", parameters={"rocker_mass": 2.0}) as session:
        assert {parameter.name: parameter.value for parameter in session.parameters()} == {
            "rocker_mass": 2.0,
            "gravity_y": -9.81,
        }
    with pytest.raises(tactus.ParameterUnknown, match="rocker_mass"):
        client.create_session("motor_four_bar", clock="lockstep", parameters={"rocker_mas": 2.0})


def test_a_refused_value_raises_its_own_error_and_changes_no_parameter(client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        before = session.state_hash
        with pytest.raises(tactus.ParameterUnknown, match="rocker_mas") as unknown:
            session.set_parameters({"gravity_y": 0.0, "rocker_mas": 1.0})
        assert "rocker_mass" in unknown.value.hint
        with pytest.raises(tactus.NotFinite):
            session.set_parameters(rocker_mass=float("nan"))
        with pytest.raises(tactus.ValueOutOfRange):
            session.set_parameters(rocker_mass=5.1)
        with pytest.raises(tactus.ParameterUnknown):
            session.parameters("mass")
        assert session.state_hash == before
        assert [parameter.value for parameter in session.parameters()] == [0.6, -9.81]


# What no input reaches (the table in server/doc/sessions.md).
GUSTY = {
    "name": "gusty",
    "gravity": [0, 0, 0],
    "bodies": [{"name": "sail", "mass": 2, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "forces": [{"name": "air", "air_load": {"body": "sail", "area": 1, "drag": 1, "density": 1.2, "wind": [0, 0, 0]}}],
    "parameters": [{"name": "wind", "unit": "m/s", "minimum": -30, "maximum": 30, "targets": ["forces.air.wind[0]"]}],
}


def test_a_gust_changes_the_wind_between_two_ticks(client):
    client.load_model(GUSTY)
    with client.create_session("gusty", clock="lockstep", period="1ms") as session:
        session.step(10)
        assert session.read("sail.v.x")["sail.v.x"] == 0.0
        assert session.set_parameters(wind=10.0) == 11
        session.step(1)
        # Drag 1/2 rho A w^2 = 60 N on 2 kg for half a step: the trapezoidal rule takes the wind at its end.
        gained = session.read("sail.v.x")["sail.v.x"]
        assert 0.014 < gained < 0.016
        session.set_parameters(wind=0.0)
        session.step(1000)
        # The other half of the pulse, and no more.
        assert 0.028 < session.read("sail.v.x")["sail.v.x"] < 0.031


def test_a_takeover_ends_the_lease_of_the_former_controller_and_tells_it_why(client):
    with client.create_session("motor_four_bar", clock="real-time", period="5ms") as session:
        session.start()
        notices = []
        with session.tick(["motor"], ["crank_angle"], controller="wheel", on_notice=notices.append) as former:
            with pytest.raises(tactus.LeaseHeld, match="wheel"):
                session.tick(["motor"], ["crank_angle"])
            with session.tick(["motor"], ["crank_angle"], controller="rescue", takeover="the wheel hangs"):
                assert session.status().groups[0].controller == "rescue"
                while not notices:
                    former.receive()
                assert notices[0].reason == "INPUTS_TAKEN_OVER"
                assert "the wheel hangs" in notices[0].message
        assert session.status().groups[0].controller == ""


def test_a_stream_that_lost_its_inputs_raises_once_and_can_go_on_watching(client):
    with client.create_session("motor_four_bar", clock="real-time", period="5ms", miss_limit=0) as session:
        session.start()
        with session.tick(["motor"], ["motor"], controller="wheel") as former:
            former.send([0.1])
            # An input on its way would be refused besides: the takeover comes after its use.
            while former.receive()["motor"] != 0.1:
                pass
            with session.tick(["motor"], ["motor"], controller="rescue", takeover="the wheel hangs") as rescue:
                rescue.send([0.7])
                # Without a further input of its own: the notice alone tells it.
                with pytest.raises(tactus.LeaseLost, match="rescue.*the wheel hangs"):
                    for _ in former:
                        pass
                while former.receive()["motor"] != 0.7:
                    pass
                former.send([0.2])
                with pytest.raises(tactus.LeaseLost):
                    for _ in former:
                        pass
                # The new controller is told of the takeover and loses nothing.
                for _ in range(3):
                    rescue.send([0.7])
                    assert rescue.receive() is not None
                assert session.read("motor")["motor"] == 0.7


def test_a_step_of_a_stream_that_lost_its_inputs_raises_and_makes_no_tick(lockstep):
    with lockstep.tick(controller="wheel") as former:
        former.step([0.1])
        with lockstep.tick(controller="rescue", takeover="the wheel hangs") as rescue:
            with pytest.raises(tactus.LeaseLost, match="rescue") as lost:
                former.step([0.2])
            assert (lost.value.reason, lost.value.code) == ("LEASE_LOST", "ABORTED")
            assert lockstep.status().tick == 1
            assert rescue.step([0.3]).tick == 2


def test_the_handle_of_a_session_shows_its_state(client):
    with client.create_session("motor_four_bar", clock="lockstep", name="shown") as session:
        assert repr(session) == f"<Session shown of motor_four_bar on {client.address}: READY>"
        session.step(1)
        assert repr(session).endswith(": RUNNING>")
    assert repr(session).endswith(": SESSION_UNKNOWN>")


SPRING = {
    "name": "spring",
    "gravity": [0, 0, 0],
    "bodies": [{"name": "mass", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [1, 0, 0]}],
    "joints": [{"name": "rail", "body_1": "ground", "body_2": "mass",
                "prismatic": {"point_1": [0, 0, 0], "point_2": [-1, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}}],
    "forces": [{"name": "coil",
                "translational_spring": {"body_1": "ground", "body_2": "mass", "point_1": [0, 0, 0], "point_2": [0, 0, 0],
                                         "stiffness": 100, "free_length": 0.9}}],
    "parameters": [{"name": "k", "minimum": 1, "maximum": 1e8, "targets": ["forces.coil.stiffness"]}],
    "solver": {"period": 0.001, "third_order": True},
}


def test_a_value_that_steps_of_third_order_would_amplify_is_refused_while_running_as_at_the_start(client):
    name = client.load_model(SPRING).info.name
    with pytest.raises(tactus.ModelInvalid, match="amplify"):
        client.create_session(name, clock="lockstep", parameters={"k": 9e6})
    with client.create_session(name, clock="lockstep") as session:
        session.step(2)
        before = session.state_hash
        with pytest.raises(tactus.ModelInvalid, match="third-order steps of 0.001 s amplify .* 'coil'"):
            session.set_parameters(k=9e6)
        assert session.state_hash == before and session.parameters("k")[0].value == 100
        session.set_parameters(k=2e4)  # 0.14 rad a step


@needs_native
def test_the_engine_refuses_the_same_value(client):
    simulation = tactus.Simulation(SPRING)
    with pytest.raises(tactus.ModelInvalid, match="not valid") as refused:
        simulation.set_parameters(k=9e6)
    assert "amplify" in str(refused.value) + str(refused.value.findings)
    assert simulation.parameters == {"k": 100}
    simulation.set_parameters(k=2e4)
