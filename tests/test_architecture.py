"""The invariants of docs/ARCHITECTURE.md, held against what every module imports and calls."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

import inplace_lsp

PACKAGE = Path(inplace_lsp.__file__).parent
MODELS = PACKAGE / "models"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if MODELS not in path.parents or path == MODELS / "__init__.py")
"""All but the model files, which are data: they are executed by the recorder alone."""

ROOMS = {
    name: set(allowed.split())
    for name, allowed in {
        "tape": "",
        "torch_ops": "",
        "messages": "tape",
        "worker": "messages tape",
        "source": "tape cancellation",
        "models": "disk",
        "uses": "source torch_ops",
        "interpret": "source tape torch_ops models uses cancellation",
        "facts": "disk environments interpret models orphans source",
        "hazards": "tape torch_ops",
        "memory": "source interpret hazards tape",
        "internal_errors": "",
        "analysis": "internal_errors interpret hazards tape",
        "outcomes": "cancellation internal_errors interpret memory source tape analysis_progress",
        "severity": "hazards interpret memory outcomes source tape",
        "engine": "analysis cancellation interpret memory outcomes python_frames source tape torch_ops severity",
        "why": "analysis engine hazards interpret source tape torch_ops",
        "fixes": "analysis engine hazards source tape torch_ops",
        "offers": "analysis fixes hazards source tape torch_ops",
        "inside": "hazards report tape worker",
        "executors": "version",
        "verify": "config engine environments facts files hazards messages source tape uses",
        "report": "analysis engine explanations hazards notebooks source tape verify why version",
        "analysis_progress": "",
        "disk": "",
        "environments": "disk",
        "user_cache": "disk",
        "patterns": "",
        "config": "disk environments hazards patterns",
        "files": "config disk patterns",
        "suppress": "config hazards source",
        "modelling": "",
        "notebooks": "hazards magics tape",
        "magics": "",
        "model_files": "source interpret models hazards tape",
        "project": "analysis config disk engine facts interpret hazards model_files offers source suppress tape",
        "explanations": "hazards model_files offers suppress",
        "across_files": "analysis hazards source suppress tape",
        "lsp": """
            across_files analysis cancellation config disk engine environments explanations facts files fixes hazards
            internal_errors interpret isolated memory_limit magics notebooks orphans project report tape user_cache
            verify why version
        """,
        "agents": "explanations hazards isolated version",
        "isolated": "own_path",
        "cli": """
            across_files agents analysis config disk engine environments executors explanations facts files fixes
            hazards interpret lsp memory_limit notebooks own_path project report suppress tape torch_ops
            user_cache analysis_progress version verify why
        """,
        "cancellation": "",
        "python_frames": "",
        "orphans": "",
        "own_path": "",
        "memory_limit": "engine",
        "version": "",
        "__init__": "inside version",
        "__main__": "cli",
    }.items()
}
"""What a room (or a module that is in none) may import of the package, besides itself."""

PARTS = {
    "interpret": "state autograd machine torch_api python interpreter entries".split(),
    "fixes": "program repairs".split(),
    "lsp": "transport client documents workspace session requests notifications commands".split(),
}
"""The parts of the largest rooms; each may import those before it. What lies beside the parts of `fixes` and `lsp` is
above."""

HANDLERS = {"requests": "SessionView", "notifications": "Session", "commands": "Session"}
"""The parts of `lsp` whose modules answer messages, and what their `handle` gets: a request must not change the
session. None imports another."""

LIBRARIES: dict[str, set[str]] = {
    "tape": {"typing_extensions"},  # for the type checker alone
    "source": {"libcst", "parso"},
    "interpret": {"yaml"},
    "facts": {"jedi", "parso"},
    "fixes": {"libcst"},
    "worker": {"torch"},
    "report": {"jinja2", "markdown_it", "markupsafe", "pygments", "rich"},
    "config": {"tomli"},
    "patterns": {"pathspec"},
    "files": {"pathspec"},
    "lsp": {"pygls", "lsprotocol", "attr", "attrs"},
    "verify": {"yaml"},
    "inside": {"pytest", "IPython"},
    "executors": {"distributed", "ray"},
    "models": {"inplace_lsp_libraries"},  # the model files beside the package
    "user_cache": {"inplace_lsp_libraries", "platformdirs"},
    "environments": {"platformdirs"},
    "agents": {"anyio", "jsonschema", "mcp"},
    "cli": {"cattrs", "click", "platformdirs", "rich", "watchfiles"},
}
"""What it may import besides the standard library."""

REPAIRS = PACKAGE / "fixes" / "repairs"

CORE = {
    *"tape source uses interpret hazards fixes offers torch_ops models model_files why".split(),
    *"analysis engine memory outcomes severity magics notebooks suppress explanations".split(),
    *"across_files cancellation analysis_progress".split(),
}
OUTSIDE = {"torch_ops/table.py", "models/__init__.py"}
"""The loaders of the op table and the model files, the package's own data."""
WORLD = {"os", "pathlib", "subprocess", "socket", "shutil", "tempfile", "glob", "urllib", "importlib.resources"}
CALLS = {"open", "print", "input", "read_text", "read_bytes", "write_text", "write_bytes", "exec", "eval"}


def room(module: Path) -> str:
    """The name by which the tables know a module."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(module: Path) -> Iterator[tuple[str, int]]:
    """Every imported module, with its line; those inside functions and for type checking only count too."""
    package = ["inplace_lsp", *module.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            name = (base + (node.module or "")).rstrip(".")
            if (PACKAGE.parent / name.replace(".", "/")).is_dir():
                yield from ((f"{name}.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield name, node.lineno


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_imports(module: Path):
    here = room(module)
    own = here.split("/")[0]
    wrong = []
    for name, line in imports(module):
        top, _, rest = name.partition(".")
        if top == "inplace_lsp":
            allowed = rest.split(".")[0] in ROOMS[own] | {own}
        else:
            allowed = top in sys.stdlib_module_names or top in LIBRARIES.get(here, set())
        if not allowed:
            wrong.append(f"{module.relative_to(PACKAGE)}:{line}: {here} may not import {name}")
    assert wrong == []


@pytest.mark.parametrize(
    "module",
    [
        path
        for path in MODULES
        if room(path) in PARTS and path.parent not in (PACKAGE / "fixes", PACKAGE / "lsp") and path.stem != "__init__"
    ],
    ids=lambda module: str(module.relative_to(PACKAGE)),
)
def test_parts_import_one_way(module: Path):
    here, part = module.relative_to(PACKAGE).parts[:2]
    parts = PARTS[here]
    allowed = set(parts[: parts.index(part.removesuffix(".py")) + 1])
    prefix = f"inplace_lsp.{here}."
    used = {name.removeprefix(prefix).split(".")[0] for name, _ in imports(module) if name.startswith(prefix)}
    assert used <= allowed


@pytest.mark.parametrize(
    "module",
    [path for path in MODULES if path.parent.parent == PACKAGE / "lsp" and path.parent.name in HANDLERS],
    ids=lambda module: str(module.relative_to(PACKAGE)),
)
def test_handlers_get_what_they_may_use(module: Path):
    part = module.parent.name
    used = [name for name, _ in imports(module)]
    others = tuple(f"inplace_lsp.lsp.{other}." for other in HANDLERS if other != part)
    assert [name for name in used if name.startswith(others)] == []
    if part == "requests":
        sessions = {name for name in used if name.startswith("inplace_lsp.lsp.session.")}
        assert sessions <= {"inplace_lsp.lsp.session.view"}
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in ("handle", "did_open"):
            assert ast.unparse(node.args.args[0]) == f"session: {HANDLERS[part]}"


def module_name(module: Path) -> str:
    return ".".join(("inplace_lsp", *module.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def test_no_modules_import_each_other():
    """No circles, not even through imports inside functions or for type checking."""
    known = {module_name(module): module for module in MODULES}
    imported = {name: imported_modules(module, known.keys()) - {name} for name, module in known.items()}
    circles = [sorted(circle) for circle in find_circles(imported)]
    assert circles == []


def imported_modules(module: Path, known: Set[str]) -> set[str]:
    """The modules of the package that a module imports, not the packages round them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & known
            found |= inner or {node.module} & known
    return found


def find_circles(imported: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of modules of which each leads to each other."""
    reached: dict[str, set[str]] = {}
    for name, direct in imported.items():
        seen: set[str] = set()
        waiting = list(direct)
        while waiting:
            found = waiting.pop()
            if found not in seen:
                seen.add(found)
                waiting += imported[found]
        reached[name] = seen
    inside = {name for name in imported if name in reached[name]}
    return {frozenset(other for other in reached[name] if name in reached[other]) for name in inside}


@pytest.mark.parametrize("module", sorted(REPAIRS.rglob("*.py")), ids=lambda module: str(module.relative_to(REPAIRS)))
def test_repairs_know_only_those_of_their_own_folder(module: Path):
    own = ".".join(("inplace_lsp", *module.parent.relative_to(PACKAGE).parts))
    used = {name for name, _ in imports(module) if name.startswith("inplace_lsp.fixes.repairs")}
    assert all(name.startswith(f"{own}.") for name in used)


@pytest.mark.parametrize(
    "module",
    [path for path in MODULES if room(path) in CORE and str(path.relative_to(PACKAGE)) not in OUTSIDE],
    ids=lambda module: str(module.relative_to(PACKAGE)),
)
def test_the_core_does_no_io(module: Path):
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute))
    }
    assert called & CALLS == set()
    assert {name for name, _ in imports(module)} & WORLD == set()


@pytest.mark.parametrize(
    "module",
    [path for path in MODULES if path.parent == PACKAGE / "worker"],
    ids=lambda module: str(module.relative_to(PACKAGE)),
)
def test_the_worker_travels_as_text(module: Path):
    """In the user's interpreter its modules lie in no file."""
    names = {node.id for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert "__file__" not in names


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_static_analysis_never_imports_torch():
    other = (
        "inplace_lsp.worker",
        "inplace_lsp.inside.pytest",
        "inplace_lsp.__main__",
        "inplace_lsp.executors.on_",  # Dask loads numpy
    )
    names = [f"inplace_lsp.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}" for path in MODULES]
    code = "import sys\nfrom inplace_lsp.engine import analyse_source\n"
    code += "".join(f"import {name.removesuffix('.__init__')}\n" for name in names if not name.startswith(other))
    code += (
        "analyse_source('import torch\\nx = torch.rand(3, requires_grad=True)\\ny = x.exp()\\ny += 1\\n', '/a.py')\n"
    )
    code += "print([name for name in sys.modules if name.split('.')[0] in ('torch', 'torchgen', 'numpy')])"
    assert run_python(code) == "[]\n"


def test_the_worker_needs_torch_and_the_standard_library_only():
    """Imported where no third-party package but torch and what torch itself needs can be found."""
    code = """
import sys
import torch
before = set(sys.modules)
import pkgutil, inplace_lsp.worker
for module in pkgutil.walk_packages(inplace_lsp.worker.__path__, "inplace_lsp.worker."):
    __import__(module.name)
ours = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(ours - set(sys.stdlib_module_names) - {"inplace_lsp", "torch"}))
rooms = {name.split(".")[1] for name in sys.modules if name.startswith("inplace_lsp.")}
print(sorted(rooms))
"""
    assert run_python(code) == "[]\n['messages', 'tape', 'version', 'worker']\n"


def test_hazards_and_repairs_alone_name_codes():
    """Others ask a hazard for its traits, so that a new one needs no list elsewhere."""
    outside = [module for module in MODULES if room(module) != "hazards" and REPAIRS not in module.parents]
    named = {
        f"{module.relative_to(PACKAGE)}: {node.value}"
        for module in outside
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"IP\d{3}", node.value)
    }
    assert named == set()


VAGUE = frozenset(
    "ageing amounts behind carried copied_in declared elsewhere handed handed_back handed_on held holders in_forward "
    "into_loop kept known late leftovers masked moved observed offered other_first other_side partly passed_on pieces "
    "predicted prepared readings scattered scripted settable settled shares sight sites spared stuff telling things "
    "told unseen unshown utils wanted watched ways weighing words yielding".split()
)
"""Names that say nothing of what is in a file: a participle without its noun, or a word that fits anything."""


def test_file_names_say_what_is_in_the_file():
    tools = sorted((PACKAGE.parents[1] / "tools").rglob("*.py"))
    assert [module for module in (*MODULES, *tools) if module.stem in VAGUE] == []


def test_every_room_stands_in_the_architecture_page():
    page = (PACKAGE.parent.parent / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    missing = [name for name in ROOMS if not name.startswith("__") and f"`{name}" not in page]
    assert missing == []


def test_the_walks_of_the_architecture_page_name_what_there_is():
    page = (PACKAGE.parent.parent / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    walks = page.partition("## Three walks")[2].partition("## Rooms")[0]
    named = re.findall(r"`([\w/]+\.py)`:\s+`(\w+)`", walks)
    missing = []
    for file, name in named:
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        defined = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
        missing += [f"{file}: {name}"] if name not in defined else []
    assert len(named) > 15
    assert missing == []
