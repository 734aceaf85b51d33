"""An importer of FMI 2.0 and 3.0 for the tests, by ctypes and after the text of the standard: it shares no code with the
unit."""

import ctypes
import pathlib
import zipfile
import xml.etree.ElementTree as xml

OK, WARNING, DISCARD, ERROR, FATAL = range(5)
LOG2 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
LOG3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


# environment, time, set requested, get allowed, step finished, may return early, *early return requested, *early return time
UPDATE3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, *4 * [ctypes.c_bool], ctypes.POINTER(ctypes.c_bool),
                           ctypes.POINTER(ctypes.c_double))


class Callbacks2(ctypes.Structure):
    """fmi2CallbackFunctions."""

    _fields_ = [("log", LOG2)] + [(name, ctypes.c_void_p) for name in ("allocate", "release", "finished", "environment")]


class Unit:
    """An unpacked FMU and its shared object."""

    def __init__(self, fmu, folder):
        with zipfile.ZipFile(fmu) as archive:
            archive.extractall(folder)
        self.folder = pathlib.Path(folder)
        self.root = xml.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(self.root.get("fmiVersion")[0])
        self.token = self.root.get("guid" if self.version == 2 else "instantiationToken")
        identifier = self.root.find("CoSimulation").get("modelIdentifier")
        platform = "linux64" if self.version == 2 else "x86_64-linux"
        self.binary = self.folder / "binaries" / platform / f"{identifier}.so"
        self.library = ctypes.CDLL(str(self.binary))
        self.variables = {v.get("name"): v for v in self.root.find("ModelVariables")}
        self.references = {name: int(v.get("valueReference")) for name, v in self.variables.items()}

    def function(self, name):
        return getattr(self.library, f"fmi{self.version}{name}")


class Instance:
    """One instance in step mode at its start time, unless `begin` is false. update(time, set_requested, get_allowed,
    finished, may_return) returns the time of an early return, or None."""

    def __init__(self, unit, start=0.0, begin=True, logging=False, token=None, resources=None, update=None,
                 early_return=False, intermediate=()):
        self.unit, self.two, self.messages = unit, unit.version == 2, []
        token = (token or unit.token).encode()
        folder = unit.folder / "resources" if resources is None else resources
        if self.two:
            self._log = LOG2(lambda _e, _i, status, category, text: self._told(status, category, text))
            self._callbacks = Callbacks2(log=self._log)
            make, words = unit.function("Instantiate"), (b"one", 1, token, pathlib.Path(folder).as_uri().encode())
            arguments = (*words, ctypes.byref(self._callbacks), 0, int(logging))
        else:
            self._log = LOG3(lambda _e, status, category, text: self._told(status, category, text))
            make, words = unit.function("InstantiateCoSimulation"), (b"one", token, str(folder).encode())
            flags = (False, logging, False, early_return)
            self._update = UPDATE3(self._between) if update else None
            self._between_steps = update
            references = (ctypes.c_uint32 * len(intermediate))(*intermediate)
            arguments = (*words, *map(ctypes.c_bool, flags), references, ctypes.c_size_t(len(intermediate)), None, self._log,
                         self._update)
        make.restype = ctypes.c_void_p
        self.handle = make(*arguments)
        if begin and self.handle:
            self.begin(start)

    def _told(self, status, category, text):
        self.messages.append((status, category.decode(), text.decode()))

    def _between(self, _environment, *state):
        end = self._between_steps(*state[:5])
        if end is not None:
            state[5][0], state[6][0] = True, end

    def call(self, name, *arguments):
        return self.unit.function(name)(ctypes.c_void_p(self.handle), *arguments)

    def set_times(self, start=0.0, stop=None):
        """The call with the times of the experiment: in FMI 3.0 it enters the initialization."""
        flag, number = ctypes.c_int if self.two else ctypes.c_bool, ctypes.c_double
        self.time = start
        return self.call("SetupExperiment" if self.two else "EnterInitializationMode", flag(False), number(0), number(start),
                         flag(stop is not None), number(stop or 0))

    def begin(self, start=0.0, stop=None):
        assert self.set_times(start, stop) == OK, self.messages
        if self.two:
            assert self.call("EnterInitializationMode") == OK
        assert self.call("ExitInitializationMode") == OK

    def _reals(self, call, references, values):
        count = ctypes.c_size_t(len(references))
        ends = () if self.two else (count,)
        return self.call(call + ("Real" if self.two else "Float64"), (ctypes.c_uint32 * len(references))(*references),
                         count, values, *ends)

    def set(self, **values):
        numbers = (ctypes.c_double * len(values))(*values.values())
        return self._reals("Set", [self.unit.references[name.replace("__", ".")] for name in values], numbers)

    def get(self, *names):
        numbers = (ctypes.c_double * len(names))()
        assert self._reals("Get", [self.unit.references[name] for name in names], numbers) == OK, self.messages
        return numbers[0] if len(names) == 1 else list(numbers)

    def derivative(self, unknowns, knowns, seed, adjoint=False):
        """Status, and the numbers of GetDirectionalDerivative or GetAdjointDerivative."""
        lists = [(ctypes.c_uint32 * len(names))(*(self.unit.references[name] for name in names)) for names in (unknowns, knowns)]
        given, result = (ctypes.c_double * len(seed))(*seed), (ctypes.c_double * len(knowns if adjoint else unknowns))()
        arguments = [part for names in lists for part in (names, ctypes.c_size_t(len(names)))]
        for values in (given, result):
            arguments += [values] if self.two else [values, ctypes.c_size_t(len(values))]
        return self.call("GetAdjointDerivative" if adjoint else "GetDirectionalDerivative", *arguments), list(result)

    def hash(self):
        reference, one = (ctypes.c_uint32 * 1)(self.unit.references["state_hash"]), ctypes.c_size_t(1)
        if self.two:
            text = (ctypes.c_char_p * 1)()
            assert self.call("GetString", reference, one, text) == OK
            return text[0].decode()
        number = (ctypes.c_uint64 * 1)()
        assert self.call("GetUInt64", reference, one, number, one) == OK
        return f"{number[0]:016x}"

    def step(self, size=None, at=None):
        size = float(self.unit.root.find("DefaultExperiment").get("stepSize")) if size is None else size
        begin = ctypes.c_double(self.time if at is None else at)
        if self.two:
            status = self.call("DoStep", begin, ctypes.c_double(size), 1)
        else:
            flags, last = [ctypes.c_bool() for _ in range(3)], ctypes.c_double()
            status = self.call("DoStep", begin, ctypes.c_double(size), ctypes.c_bool(True), *map(ctypes.byref, flags),
                               ctypes.byref(last))
            self.returned_early, self.last_time = flags[2].value, last.value
            if self.returned_early:
                self.time = last.value
                return status
        if status == OK:
            self.time = self.time + size
        return status

    def state(self, state=None):
        saved = state or ctypes.c_void_p()
        assert self.call("GetFMUstate" if self.two else "GetFMUState", ctypes.byref(saved)) == OK
        return saved

    def restore(self, state, time):
        self.time = time
        return self.call("SetFMUstate" if self.two else "SetFMUState", state)

    def free_state(self, state):
        return self.call("FreeFMUstate" if self.two else "FreeFMUState", ctypes.byref(state))

    def serialize(self, state):
        size = ctypes.c_size_t()
        name = "FMUstate" if self.two else "FMUState"
        assert self.call(f"Serialized{name}Size", state, ctypes.byref(size)) == OK
        written = ctypes.create_string_buffer(size.value)
        assert self.call(f"Serialize{name}", state, written, size) == OK
        return written.raw

    def deserialize(self, data):
        state = ctypes.c_void_p()
        name = "DeSerializeFMUstate" if self.two else "DeserializeFMUState"
        return self.call(name, data, ctypes.c_size_t(len(data)), ctypes.byref(state)), state

    def free(self):
        self.call("FreeInstance")
