"""A syntax tree changed so that Python 3 does what Python 2 did.

What differs is done by `runtime`, which the changed program imports first; lines stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from card_arena.sandbox.languages.python2.runtime.values import NAMES
from card_arena.sandbox.languages.python2.syntax import unpacked

RUNTIME = "python2_runtime"
"""The name of the runtime beside a bot."""
OURS = "__python2__"
CAUGHT = "__caught__"
OWN_MODULES = frozenset(
    {"itertools", "math", "operator", "os", "random", "sets", "string", "StringIO", "sys"}
    | {"time", "types"}
)
"""Modules that the runtime has under their names."""
RENAMED = {
    "cStringIO": f"{RUNTIME}.modules.StringIO",
    "__builtin__": f"{RUNTIME}.builtins",
    "exceptions": "builtins",
    "cPickle": "pickle",
    "ConfigParser": "configparser",
    "copy_reg": "copyreg",
    "dummy_thread": "_thread",
    "Queue": "queue",
    "repr": "reprlib",
    "SocketServer": "socketserver",
    "thread": "_thread",
    "UserDict": "collections",
    "UserList": "collections",
    "UserString": "collections",
    **{name: f"{RUNTIME}.modules.{name}" for name in OWN_MODULES},
}
ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def changed(
    tree: ast.Module | ast.Expression,
    features: Collection[str],
    encoding: str,
    beside: Collection[str] = (),
    main: str = "",
) -> ast.Module | ast.Expression:
    """Change a tree in place.

    `features` are what it imports from `__future__`; `encoding` is that of its `unicode` texts;
    `beside` are the modules of the package that it is in; `main` is its file's name if it is the
    main one.
    """
    tree = _Changer(features, encoding, beside).visit(tree)
    if isinstance(tree, ast.Module):
        tree.body[_documented(tree.body) :] = [
            *_prologue(features, main),
            *tree.body[_documented(tree.body) :],
        ]
    return ast.fix_missing_locations(tree)


def _prologue(features: Collection[str], main: str) -> list[ast.stmt]:
    lines = [f"import {RUNTIME} as {OURS}", f"from {RUNTIME}.builtins import *"]
    if "print_function" in features:
        lines.append(f"from {RUNTIME}.streams import print_function as print")
    if main:
        lines += [f"{OURS}.begin({main!r})", f"__file__ = {main!r}"]
    return ast.parse("; ".join(lines)).body  # all on the first line


def _documented(body: Sequence[ast.stmt]) -> int:
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return int(is_text and isinstance(first.value.value, str))  # type: ignore[union-attr]


class _Changer(ast.NodeTransformer):
    def __init__(self, features: Collection[str], encoding: str, beside: Collection[str]) -> None:
        self._floors = "division" not in features
        self._prints_by_function = "print_function" in features
        self._all_unicode = "unicode_literals" in features
        self._encoding = encoding
        self._beside = beside
        self._leaks = True
        """Whether the name that a list runs through is left behind: not where it can't be."""
        self._fresh = 0

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and self._floors:
            return _call("div", node, node.left, node.right)
        if isinstance(node.op, ast.Mod) and not _is_number(node.left):
            return _call("mod", node, node.left, node.right)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A `print` writes each item before it works out the next one."""
        self.generic_visit(node)
        several = len(node.args) > 1 and not self._prints_by_function
        if not (several and isinstance(node.func, ast.Name) and node.func.id == "print"):
            return node
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        call = _call("Printing", node, *filter(None, [named.get("file")]))
        for item in node.args:
            call = _method(call, "item", item)
        return call if "end" in named else _method(call, "line")

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and self._floors:
            node.value = _call("Divisor", node.value, node.value)
        elif isinstance(node.op, ast.Mod) and isinstance(node.target, ast.Name):
            read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            value = _call("mod", node.value, read, node.value)
            return ast.copy_location(ast.Assign([node.target], value), node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if any(map(_asks_type, (node.left, *node.comparators))):
            same: dict[type[ast.cmpop], ast.cmpop] = {ast.Is: ast.Eq(), ast.IsNot: ast.NotEq()}
            node.ops = [same.get(type(op), op) for op in node.ops]
        if not any(type(op) in ORDERS for op in node.ops):
            return node
        if len(node.ops) == 1:
            return _call(ORDERS[type(node.ops[0])], node, node.left, node.comparators[0])
        if not any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            node.left = _call("Ordered", node.left, node.left)
            node.comparators = [_call("Ordered", operand, operand) for operand in node.comparators]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and node.attr in NAMES:
            name = ast.copy_location(ast.Constant(node.attr), node)
            return _call("attr", node, node.value, name)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        is_unicode = node.kind == "u" or self._all_unicode
        if is_unicode and isinstance(node.value, str) and not node.value.isascii():
            with suppress(UnicodeError, LookupError):  # characters written by their numbers
                node.value = node.value.encode("latin-1").decode(self._encoding)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Python 3 removes the name of what was caught at the end."""
        self.generic_visit(node)
        if node.name:
            target, caught = _target(node.name), ast.Name(CAUGHT, ast.Load())
            several = isinstance(target, ast.Tuple | ast.List)
            value = ast.Attribute(caught, "args", ast.Load()) if several else caught
            keep = ast.Assign([target], value)
            node.body.insert(0, ast.fix_missing_locations(ast.copy_location(keep, node.body[0])))
            node.name = CAUGHT
        return node

    def _visit_inside(self, node: ast.AST, *, leaks: bool = False) -> ast.AST:
        before, self._leaks = self._leaks, leaks
        self.generic_visit(node)
        self._leaks = before
        return node

    visit_GeneratorExp = visit_SetComp = visit_DictComp = _visit_inside

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._visit_inside(node)
        for statement in node.body:
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == "__metaclass__"
                for target in statement.targets
            ):
                node.keywords.append(ast.keyword("metaclass", statement.value))
                node.body[node.body.index(statement)] = ast.copy_location(ast.Pass(), statement)
        fit = ast.copy_location(ast.Attribute(ast.Name(OURS, ast.Load()), "fit", ast.Load()), node)
        node.decorator_list.append(fit)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._visit_inside(node, leaks=True)
        place = _documented(node.body)
        node.body[place:place] = [
            ast.fix_missing_locations(ast.copy_location(ast.Assign([target], packed), node.body[0]))
            for target, packed in _packed(node.args)
        ]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._visit_inside(node)
        for target, packed in _packed(node.args):
            once = ast.List([packed], ast.Load())
            part = ast.comprehension(target, once, [], 0)
            value = ast.Subscript(ast.ListComp(node.body, [part]), ast.Constant(0), ast.Load())
            node.body = ast.fix_missing_locations(ast.copy_location(value, node.body))
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self._visit_inside(node)
        if self._leaks:
            for part in node.generators:
                self._leak(part)
        return node

    def _leak(self, part: ast.comprehension) -> None:
        """Have a list run through a name of ours, and set the program's own from it each time."""
        kept = []
        for name in [n for n in ast.walk(part.target) if isinstance(n, ast.Name)]:
            if not isinstance(name.ctx, ast.Store):
                continue
            self._fresh += 1
            own, name.id = name.id, f"__each{self._fresh}__"
            value = ast.NamedExpr(ast.Name(own, ast.Store()), ast.Name(name.id, ast.Load()))
            kept.append(ast.copy_location(value, name))
        if kept:
            always = ast.copy_location(ast.Tuple(list(kept), ast.Load()), part.target)
            part.ifs.insert(0, always)

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for alias in node.names:
            if alias.name in self._beside:
                statements.append(ast.ImportFrom(None, [alias], 1))
            elif alias.name in RENAMED:
                statements.append(
                    ast.Import([ast.alias(RENAMED[alias.name], alias.asname or alias.name)])
                )
            else:
                statements.append(ast.Import([alias]))
        return [ast.copy_location(statement, node) for statement in statements]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        if node.module == "__future__":
            return ast.copy_location(ast.Pass(), node)
        if not node.level and node.module in self._beside:
            node.level = 1
        elif not node.level and node.module in RENAMED:
            node.module = RENAMED[node.module]
        return node


def _call(name: str, place: ast.expr, *args: ast.expr) -> ast.Call:
    """Call something of the runtime's, at the place in the text of what it stands for."""
    function = ast.Attribute(ast.Name(OURS, ast.Load()), name, ast.Load())
    return ast.fix_missing_locations(ast.copy_location(ast.Call(function, list(args), []), place))


def _method(value: ast.Call, name: str, *args: ast.expr) -> ast.Call:
    function = ast.Attribute(value, name, ast.Load())
    return ast.fix_missing_locations(ast.copy_location(ast.Call(function, [*args], []), value))


def _packed(args: ast.arguments) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parameters in parentheses: what each is assigned to, and the name of its own."""
    for arg in args.args:
        if unpacked(arg.arg):
            yield _target(arg.arg), ast.Name(arg.arg, ast.Load())


def _target(name: str) -> ast.expr:
    """The target of an assignment to a name, which may stand for several."""
    assigned = ast.parse(f"{unpacked(name) or name} = 0").body[0]
    assert isinstance(assigned, ast.Assign)
    return assigned.targets[0]


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _asks_type(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
