"""`python -m tests.figures`: how easy the source is to find one's way in, held against limits.

Measures the source without tests and migrations, prints each figure beside its limit in
pyproject.toml ([tool.figures]), and exits with 1 if one of them is worse.
"""

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounts", "config", "games", "notifications")
SMALL = 25
"""Files with fewer lines than this that are not empty are counted as small."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> int:
    """Print every figure; return 1 if one is worse than its limit."""
    limits = read_limits()
    worse = 0
    for name, value in measure(read_source(ROOT)).items():
        is_worse = value > limits[name]
        worse += is_worse
        mark = "   WORSE" if is_worse else ""
        print(f"{name.replace('-', ' '):50} {value:>8g}   limit {limits[name]:g}{mark}")  # noqa: T201
    return 1 if worse else 0


def read_limits() -> dict[str, float]:
    """Return the worst value that is accepted of each figure."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return dict(settings["tool"]["figures"])


def read_source(root: Path) -> dict[str, str]:
    """Return the text of each source file by its path below `root`."""
    paths = (path for package in PACKAGES for path in (root / package).rglob("*.py"))
    relative = (path.relative_to(root) for path in paths)
    return {
        str(path): (root / path).read_text("utf-8")
        for path in sorted(relative)
        if "migrations" not in path.parts
    }


def measure(source: dict[str, str]) -> dict[str, float]:
    """Return each figure by its name in pyproject.toml. Higher is worse."""
    trees = {path: ast.parse(text) for path, text in source.items()}
    functions = sum(len(list(functions_of(tree))) for tree in trees.values())
    once = sum(len(helpers_used_once(tree)) for tree in trees.values())
    return {
        "lines": sum(len(text.splitlines()) for text in source.values()),
        "lines-of-the-longest-file": max(len(text.splitlines()) for text in source.values()),
        "small-files": sum(is_small(path, text) for path, text in source.items()),
        "percent-of-functions-private-and-used-once": round(100 * once / max(functions, 1), 1),
        "longest-chain-of-imports": longest_chain(imports_of(trees)),
    }


def functions_of(tree: ast.Module) -> Iterator[Function]:
    """Yield every function and method of a file."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def helpers_used_once(tree: ast.Module) -> list[str]:
    """Return the names of private functions that their file mentions once besides defining them."""
    uses = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    names = [function.name for function in functions_of(tree)]
    return [
        name
        for name in names
        if name.startswith("_") and not name.startswith("__") and uses[name] == 1
    ]


def is_small(path: str, text: str) -> bool:
    """Tell whether a file is small; what only marks a package or an app is not counted."""
    filled = sum(1 for line in text.splitlines() if line.strip())
    return filled < SMALL and Path(path).name not in ("__init__.py", "apps.py")


def imports_of(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Return which of our modules each module imports when it is loaded."""
    names = {module_name(path) for path in trees}
    found: dict[str, set[str]] = {}
    for path, tree in trees.items():
        module = module_name(path)
        found[module] = set()
        for node in nodes_at_load(tree):
            if isinstance(node, ast.Import):
                candidates = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                candidates = [
                    full if (full := f"{node.module}.{alias.name}") in names else node.module
                    for alias in node.names
                ]
            else:
                continue
            found[module] |= {name for name in candidates if name in names and name != module}
    return found


def nodes_at_load(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is loaded: all but its functions and what types need."""
    for child in ast.iter_child_nodes(node):
        for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not isinstance(child, Function) and not for_types:
            yield child
            yield from nodes_at_load(child)


def module_name(path: str) -> str:
    """Return the dotted name of a file."""
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def longest_chain(imports: dict[str, set[str]]) -> int:
    """Return how many modules the longest chain of imports has; a cycle counts once."""
    open_modules: set[str] = set()

    @cache
    def length(module: str) -> int:
        open_modules.add(module)
        below = [length(one) for one in sorted(imports[module]) if one not in open_modules]
        open_modules.discard(module)
        return 1 + max(below, default=0)

    return max((length(module) for module in sorted(imports)), default=0)


if __name__ == "__main__":
    sys.exit(main())
