"""A source includes what it names: for each name of a header that it uses, that header or one that includes it.

A source that lacks an include compiles behind others, where precompiled headers or the order of includes hide the gap,
and breaks when those change. The compiler would find it by compiling each source alone, in minutes; these rules read the
text. They know names at the scope of a namespace, not members, and stay silent where a name is ambiguous.
"""

import re

from include_rules import SOURCES, allows, area_of, includes_of
from source_tree import Finding

HEADERS = (".h", ".hpp")
# Comments, raw strings, strings and characters: what holds no names. A separator of digits is no character.
SILENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|[^\s\w]|\d[\w.']*")
WORD = re.compile(r"[A-Za-z_]\w*$")
CONSTANT = re.compile(r"k[A-Z]")
USING = re.compile(r"^\s*using\s+(?:\w+::)+(\w+);", re.MULTILINE)
# Words after which a name is used, where after another word it is declared.
BEFORE_USE = set(
    "return co_return co_yield throw else do case and or not new delete const constexpr constinit static inline virtual explicit "
    "mutable volatile extern thread_local public private protected override final noexcept requires template".split()
)
REFERENCES, BEHIND_BOUND = set("&*>"), set(",);={:([")
TYPES = ("class", "struct", "union", "enum")

# A name of the standard library, and the headers that are known to hold it: one of them is enough, the first is proposed.
STANDARD = {
    name: headers.split()
    for names, headers in {
        "accumulate iota inner_product": "numeric",
        "any_of all_of none_of clamp count count_if copy copy_n fill_n find find_if lower_bound max max_element min min_element minmax "
        "minmax_element nth_element replace reverse sort stable_sort transform unique upper_bound": "algorithm",
        "array": "array",
        "atomic atomic_flag memory_order_acquire memory_order_relaxed memory_order_release memory_order_seq_cst": "atomic",
        "barrier": "barrier",
        "bit_cast bit_width endian popcount": "bit",
        "chrono": "chrono condition_variable future mutex thread",
        "acos atan atan2 ceil cos exp floor hypot isfinite isnan llround log log2 lround nan nextafter pow round sin sqrt tan":
            "cmath complex random Eigen/Core Eigen/Geometry",
        "complex": "complex",
        "condition_variable": "condition_variable",
        "cerr cin cout": "iostream",
        "current_exception exception_ptr rethrow_exception": "exception future memory stdexcept string",
        "deque": "deque queue",
        "exchange": "utility",
        "filesystem": "filesystem",
        "fopen fprintf printf snprintf": "cstdio string",
        "fstream ifstream ofstream": "fstream",
        "from_chars from_chars_result to_chars": "charconv",
        "function": "functional",
        "future promise shared_future": "future",
        "getenv strtod strtol": "cstdlib string",
        "get_if holds_alternative monostate variant visit": "variant",
        "getline stod stoi stoul string to_string": "string",
        "istringstream ostringstream stringstream": "sstream",
        "jthread this_thread thread": "thread",
        "list": "list",
        "lock_guard mutex scoped_lock": "mutex",
        "logic_error invalid_argument out_of_range runtime_error": "stdexcept",
        "make_shared make_unique shared_ptr unique_ptr weak_ptr": "memory",
        "make_tuple tie tuple": "tuple",
        "map multimap": "map",
        "memcmp memcpy strerror strlen": "cstring",
        "mt19937 mt19937_64 normal_distribution uniform_int_distribution uniform_real_distribution": "random",
        "nullopt optional": "optional",
        "numbers": "numbers",
        "numeric_limits": "limits",
        "quoted setprecision setw": "iomanip",
        "regex sregex_iterator": "regex",
        "set multiset": "set",
        "shared_lock shared_mutex": "shared_mutex",
        "signal": "csignal",
        "span": "span",
        "stop_token": "stop_token thread",
        "string_view": "string_view string",
        "unique_lock": "mutex condition_variable shared_mutex",
        "unordered_map": "unordered_map",
        "unordered_set": "unordered_set",
        "vector": "vector",
    }.items()
    for name in names.split()
}
NAMESPACES = {"tactus", "bench", "client", "engine", "fmi", "offline", "python", "rt", "server", "tests", "text"}
# Scopes of other projects, and the header that each comes from.
SCOPES = {
    scope: re.compile(header)
    for scope, header in {
        "Eigen": r"Eigen/|unsupported/Eigen/", "grpc": r"grpc|.*\.grpc\.pb\.h$", "spdlog": r"spdlog/", "asio": r"asio", "v1": r".*\.pb\.h$",
    }.items()
}


def blanked(text):
    """A source without comments, strings and directives, line by line where it was."""
    hollow = lambda match: " " + "\n" * match.group().count("\n")
    return DIRECTIVE.sub(hollow, SILENT.sub(hollow, text))


def tokens_of(text):
    """Pairs of token and line number."""
    found, line, at = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.append((match.group(), line))
    return found


def skip(words, at, opening, closing):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(words):
        depth += (words[at] == opening) - (words[at] == closing)
        at += 1
        if depth == 0:
            break
    return at


def without_brackets(statement):
    """A declaration without template arguments and attributes."""
    kept, at = [], 0
    while at < len(statement):
        if statement[at] == "<" and kept and (WORD.match(kept[-1]) and kept[-1] != "operator"):
            at = skip(statement, at, "<", ">")
        elif statement[at] == "[" and at + 1 < len(statement) and statement[at + 1] == "[":
            at = skip(statement, at, "[", "]")
        else:
            kept.append(statement[at])
            at += 1
    return kept


def declared_by(statement):
    """The names that a declaration at the scope of a namespace declares."""
    words = without_brackets(statement)
    if "operator" in words or not words or words[0] in ("friend", "static_assert", "extern"):
        return []
    if words[0] == "template":
        words = words[1:]
    if words[0] == "requires":
        return []
    if words[0] == "using":
        return [words[1]] if len(words) > 2 and words[2] == "=" else []
    if words[0] == "concept":
        return [words[1]]
    kind = next((word for word in words[:2] if word in TYPES), None)
    if kind:
        at = words.index(kind) + 1
        if at < len(words) and words[at] in TYPES:
            at += 1
        while at < len(words) and words[at] == "alignas":
            at = skip(words, at + 1, "(", ")")
        # A variable or function of that type, "struct stat info", declares no type.
        if at < len(words) and (at + 1 == len(words) or words[at + 1] in (":", "final")):
            return [words[at]]
        return []
    end = next((i for i, word in enumerate(words) if word in ("(", "=", "[")), len(words))
    if end < 2 or not WORD.match(words[end - 1]) or words[end - 2] in ("::", "~"):
        return []
    return [words[end - 1]]


def names_of(text):
    """The names that a text without comments and directives declares at the scope of a namespace."""
    words = [word for word, _ in tokens_of(text)]
    found, statement, at = set(), [], 0
    while at < len(words):
        word = words[at]
        if word == "namespace":
            while at < len(words) and words[at] not in ("{", ";", "="):
                at += 1
            statement, at = [], at + 1
        elif word == "}":
            statement, at = [], at + 1
        elif word == ";":
            found.update(declared_by(statement))
            statement, at = [], at + 1
        elif word == "{":
            if statement:
                found.update(declared_by(statement))
                # A body ends its declaration; braces around a value do not.
                at = skip(words, at, "{", "}")
                statement = []
            else:
                at += 1
        elif word == "(":
            end = skip(words, at, "(", ")")
            statement += words[at:end]
            at = end
        else:
            statement.append(word)
            at += 1
    return found


class Names:
    """What each source of a tree includes, declares, uses and binds."""

    def __init__(self, tree):
        self.sources = [path for path in tree.paths if path.endswith(SOURCES) and not path.endswith(".c")]
        self.included = {path: [target for _, _, target in includes_of(tree, path)] for path in self.sources}
        self.declared, self.plain, self.scoped, self.bound = {}, {}, {}, {}
        self.headers = {}  # that declare a name
        self.seen = {}
        for path in self.sources:
            text = blanked(tree.text(path))
            self.plain[path], self.scoped[path], self.bound[path] = positions(tokens_of(text))
            self.bound[path].update(USING.findall(text))
            self.declared[path] = names_of(text) | set(MACRO.findall(tree.text(path)))
            if path.endswith(HEADERS):
                for name in self.declared[path]:
                    self.headers.setdefault(name, set()).add(path)

    def visible(self, path):
        """Everything that a source includes, itself or through others."""
        if path not in self.seen:
            self.seen[path] = set()
            for target in self.included[path]:
                self.seen[path] |= {target} | (self.visible(target) if target in self.included else set())
        return self.seen[path]


def positions(tokens):
    """The first line of each name and of each pair of scope and name in a source, and the names that it binds.

    A bound name is one behind a type ("Type name", "Type& name"), an enumerator or a structured binding.
    """
    plain, scoped, bound = {}, {}, set()
    words = ["", "", *(word for word, _ in tokens), ""]
    for i, (word, line) in enumerate(tokens, 2):
        if not WORD.match(word):
            continue
        before, after = words[i - 1], words[i + 1]
        if before in (".", "->"):
            continue
        if before == "::":
            scoped.setdefault((words[i - 2], word), line)
            # A namespace of this project may stand before a name.
            if words[i - 2] in NAMESPACES:
                plain.setdefault(word, line)
            continue
        # "Type a, b(1)" declares b.
        if word[0].isupper() or CONSTANT.match(word) or (after == "(" and before != ","):
            plain.setdefault(word, line)
        behind_type = (WORD.match(before) and before not in BEFORE_USE) or (before in REFERENCES and after in BEHIND_BOUND)
        listed = before in ("{", ",", "[") and after in (",", "}", "=", "]")
        if behind_type or (listed and not word[0].isupper()):
            bound.add(word)
    return plain, scoped, bound


def may_include(path, header):
    """Whether an arrow leads from a source to a header; to and from sources outside all layers, none does."""
    area, target = area_of(path), area_of(header)
    return area is not None and target is not None and allows(area, target)


def findings_of(names, path):
    """Findings on one source."""
    found, visible = [], names.visible(path)
    own = names.bound[path] | names.declared[path]
    for name, line in names.plain[path].items():
        headers = {header for header in names.headers.get(name, ()) if may_include(path, header)}
        if not headers or path in headers or headers & visible or name in own:
            continue
        # It may be a member of a class that the source sees.
        if not any(name in names.bound[header] for header in visible if header in names.bound):
            found.append(Finding(path, line, f"names {name} of {min(headers)}, which it does not include"))
    for (scope, name), line in names.scoped[path].items():
        if scope == "std" and name in STANDARD and not visible.intersection(STANDARD[name]):
            found.append(Finding(path, line, f"names std::{name}; include <{STANDARD[name][0]}>"))
        elif scope in SCOPES and name not in own and not any(SCOPES[scope].match(target) for target in visible):
            found.append(Finding(path, line, f"names {scope}::{name}, of a header that it does not include"))
    return found


def check_names(tree):
    """A finding for each name that a source uses and whose header it does not include."""
    names = Names(tree)
    return [finding for path in names.sources for finding in findings_of(names, path)]
