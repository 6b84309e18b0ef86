# Every target sets up what it needs, so each may be the first command in a fresh clone.
# PYTHON=/path/to/python chooses the interpreter of a new environment, VENV=dir its place,
# ARGS="..." is passed on to the command of demo, test, bench and lock.

SHELL := bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV ?= .venv
JOBS ?= 2
ARGS ?=
PYTHON ?=

LINT_VENV := $(VENV)-lint
LOCK_VENV := $(VENV)-lock
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input -qq
INSTALL := install --no-deps --require-hashes

# An environment whose interpreter has gone is made anew.
ifneq ($(wildcard $(VENV)),)
ifneq ($(shell $(PY) -c 'print("runs")' 2>/dev/null),runs)
$(shell rm -f $(VENV)/.deps)
endif
endif

.PHONY: help demo test bench peers lint lock wheel clean

help:  ## show this help
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-7s %s\n", $$1, $$2}' Makefile

demo: $(VENV)/.ready  ## verify the published theorems, score policies and a language model, draw a figure in demo/
	$(PY) -m crywolf demo $(ARGS)

test: $(VENV)/.ready  ## run all tests, slow ones included
	$(PY) -m pytest -n $(JOBS) --dist loadfile $(ARGS)

bench: $(VENV)/.ready  ## compare speed and memory with peers, print the ratios
	$(PY) -m benchmarks $(ARGS)

peers: $(VENV)/.peers  ## install the independent programs that tests/peers and bench use (compiles for minutes)

# The type checker and the import linter look at the installed wheel, where crywolf.games and the
# others are one package. Paths in the type checker's messages are turned back into those of the sources.
lint: $(VENV)/.ready $(LINT_VENV)/.ready  ## check style, types and the direction of imports
	$(LINT_VENV)/bin/ruff check .
	$(LINT_VENV)/bin/ruff format --check .
	@rm -rf .lint build
	@$(PIP) wheel --no-deps --no-build-isolation --no-index --wheel-dir .lint .
	@$(PIP) install --no-deps --no-index --target .lint/site .lint/*.whl
	@rm -rf build *.egg-info
	cd .lint/site && $(abspath $(LINT_VENV))/bin/lint-imports --no-cache $(CURDIR)/pyproject.toml
	@printf '{"extends": "%s", "include": [%s], "exclude": ["**/__pycache__"], "extraPaths": ["site"]}\n' \
	    ../pyproject.toml '"site/crywolf"$(foreach d,$(wildcard tests benchmarks),, "../$(d)")' > .lint/pyrightconfig.json
	set -o pipefail; $(LINT_VENV)/bin/basedpyright -p .lint --pythonpath $(LINT_VENV)/bin/python \
	    | sed -E 's#\.lint/site/crywolf/(games|solvers|analysis|llm_bridge)/#\1/#; s#\.lint/site/##'

lock: $(LOCK_VENV)/.ready  ## bring the locks in line with pyproject.toml and requirements/*.in (ARGS=--upgrade: newest releases)
	$(COMPILE) pyproject.toml --extra dev -o requirements/run.lock $(ARGS)
	$(COMPILE) requirements/local.in -c requirements/run.lock --overrides requirements/local-overrides.in \
	    -o requirements/local.lock $(ARGS)
	$(COMPILE) requirements/lint.in -c requirements/run.lock -o requirements/lint.lock $(ARGS)
	$(COMPILE) requirements/peers.in -c requirements/run.lock --overrides requirements/peers-overrides.in \
	    -o requirements/peers.lock $(ARGS)
	$(COMPILE) requirements/peers-build.in -c requirements/run.lock -o requirements/peers-build.lock $(ARGS)

wheel: $(VENV)/.ready  ## build the wheel in dist/
	@rm -rf build dist
	$(PIP) wheel --no-deps --no-build-isolation --no-index --wheel-dir dist .
	@rm -rf build *.egg-info

clean:  ## remove the environments and everything that was built
	rm -rf $(VENV) $(LINT_VENV) $(LOCK_VENV) .lint build dist demo .hypothesis .pytest_cache .ruff_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One pin per package that serves every supported Python and system; no host names, no comments.
COMPILE = $(LOCK_VENV)/bin/uv pip compile -q --no-config --universal --python-version 3.11 --fork-strategy fewest \
    --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

# Sets $$python to the first interpreter that really runs (a pyenv shim may exist and not run), or says what is missing.
CANDIDATES := $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python)
FIND_PYTHON = for python in $(CANDIDATES) ""; do \
        test -z "$$python" || ! $$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' \
            > /dev/null 2>&1 || break; \
    done; \
    if test -z "$$python"; then \
        echo "crywolf needs Python 3.11 or newer with its modules venv and ensurepip (Debian, Ubuntu: package" \
            "python3-venv). None runs under: $(CANDIDATES). Name one: make PYTHON=/path/to/python ..." >&2; \
        exit 1; \
    fi

# The stamps are written last: what was interrupted is begun again.
$(VENV)/.deps: requirements/run.lock requirements/local.lock
	@$(FIND_PYTHON); echo "Setting up $(VENV) with $$($$python --version): about a minute, once."; \
	    $$python -m venv --clear $(VENV)
	@$(PIP) $(INSTALL) --only-binary :all: -r requirements/run.lock
	@$(PIP) $(INSTALL) --only-binary :all: -r requirements/local.lock || \
	    echo "The local language model could not be installed; everything but llm:local works without it." >&2
	@touch $@

$(VENV)/.ready: $(VENV)/.deps pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --no-index -e .
	@rm -rf *.egg-info  # left by builds; beside the sources it would hide what is installed
	@touch $@

$(VENV)/.peers: $(VENV)/.ready requirements/peers-build.lock requirements/peers.lock
	$(PIP) $(INSTALL) --only-binary :all: -r requirements/peers-build.lock
	PATH="$(abspath $(VENV))/bin:$$PATH" $(PIP) $(INSTALL) --no-build-isolation -r requirements/peers.lock
	@touch $@

# The lint environment sees the packages of the main one (but not its editable install: only
# a .pth file in a site directory itself is obeyed).
$(LINT_VENV)/.ready: $(VENV)/.deps requirements/lint.lock
	@echo "Setting up $(LINT_VENV)"
	@$(PY) -m venv --clear --without-pip $(LINT_VENV)
	@$(PIP) --python $(LINT_VENV)/bin/python $(INSTALL) --only-binary :all: -r requirements/lint.lock
	@site='import sysconfig; print(sysconfig.get_path("purelib"))'; \
	    $(PY) -c "$$site" > "$$($(LINT_VENV)/bin/python -c "$$site")/main_environment.pth"
	@touch $@

$(LOCK_VENV)/.ready:
	@$(FIND_PYTHON); $$python -m venv --clear $(LOCK_VENV)
	@$(LOCK_VENV)/bin/python -m pip --disable-pip-version-check -qq install uv
	@touch $@
