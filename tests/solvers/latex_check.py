"""A strict reader of the LaTeX that crywolf writes: what it accepts, LaTeX typesets."""

import re

COMMANDS = {
    "documentclass", "usepackage", "setlength", "addtolength", "renewcommand", "dimexpr", "relax",
    "paperwidth", "paperheight", "oddsidemargin", "textwidth", "topmargin", "headheight", "headsep",
    "textheight", "parindent", "parskip", "LTpre", "LTpost", "arraystretch", "allowdisplaybreaks",
    "Large", "bfseries", "begin", "end", "section", "subsection", "subsubsection", "item", "toprule",
    "midrule", "endhead", "bottomrule", "textbackslash", "textasciitilde", "textasciicircum",
    "textless", "textgreater",
}  # fmt: skip
MATH = {
    "frac", "text", "mbox", "cdot", "left", "right", "ge", "le", "geq", "leq", "ne", "Pr", "mu",
    "to", "sim", "varepsilon", "quad", "qquad", "lvert", "rvert", "sqrt", "alpha", "beta", "gamma",
    "leftrightarrow",
}  # fmt: skip
ENVIRONMENTS = {"document", "center", "itemize", "longtable", "align*"}
TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|[{}$&#%_^~]|[^\\{}$&#%_^~]+", re.DOTALL)


def problems(source: str) -> list[str]:
    """What is wrong with a document or a fragment; empty if nothing is."""
    found = []
    stack = [("top", "text")]  # what is open, and the mode inside it
    tokens = TOKEN.findall(source)
    preamble = "\\documentclass" in source
    for i, token in enumerate(tokens):
        mode = stack[-1][1]
        if token in ("\\begin", "\\end"):
            name = tokens[i + 2]
            if name not in ENVIRONMENTS:
                found.append(f"environment {name}")
            if token == "\\begin":
                preamble = preamble and name != "document"
                stack.append((name, "math" if name == "align*" else "text"))
            elif stack.pop()[0] != name:
                found.append(f"{name} ends where something else is open")
        elif token in ("\\[", "\\]", "$"):
            opens = token == "\\[" or (token == "$" and stack[-1][0] != "$")
            if opens and mode == "math":
                found.append("a formula in a formula")
            if opens:
                stack.append(("\\]" if token == "\\[" else "$", "math"))
            elif stack.pop()[0] != token:
                found.append(f"{token} ends where something else is open")
        elif token == "{":
            words = tokens[i - 1] in ("\\text", "\\mbox")
            stack.append(("{", "text" if words else mode))
        elif token == "}":
            if stack.pop()[0] != "{":
                found.append("a brace closes too much")
        elif token[0] == "\\" and token[1:].rstrip("*").isalpha():
            name = token[1:].rstrip("*")
            if name not in COMMANDS | MATH:
                found.append(f"command {token}")
            elif name in MATH and mode != "math":
                found.append(f"{token} outside of a formula")
        elif token in "_^" and mode != "math":
            found.append(f"{token} in words")
        elif token == "&" and not {name for name, _ in stack} & {"longtable", "align*"}:
            found.append("& outside of a table")
        elif token in "#%~" and not preamble:
            found.append(f"bare {token}")
        if not stack:
            return [*found, "too much is closed"]
    if len(stack) > 1:
        found.append(f"{stack[1:]} still open")
    return found
