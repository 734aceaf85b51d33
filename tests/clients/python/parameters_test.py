"""Parameters of a running session, and takeover of its inputs, from Python."""

import pytest

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
