# Two commands set everything up by themselves: `make demo` and `make test`.
# They need python3 (3.10 or later) with venv, and make; on Debian or Ubuntu: apt-get install python3-venv make

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLE := examples/train_vae.py
EXAMPLE_LINE := 73

.PHONY: demo test test-python test-vscode test-torch editors vsix vsix-demo fuzz lint format package corpus clean

demo: $(VENV)/installed
	@echo; echo '$$ inplace-lsp check $(EXAMPLE)'; echo
	@$(BIN)/inplace-lsp check $(EXAMPLE); test $$? -eq 1
	@echo; echo '$$ inplace-lsp tape $(EXAMPLE):$(EXAMPLE_LINE)'; echo
	@$(BIN)/inplace-lsp tape $(EXAMPLE):$(EXAMPLE_LINE)

test: test-python test-vscode

# Those in Neovim are left out by name where there is none; with CI set that is a failure.
test-python: $(VENV)/installed-dev lint
	$(BIN)/pytest -n 2 -rs

# The VS Code extension: unit tests, in the extension host, in the workbench. What is missing is named and left out;
# with CI set that is a failure.
test-vscode: $(VENV)/installed-dev
	vscode-client/scripts/test.sh $(CURDIR)/$(BIN)/python

# What runs torch, with another release of it: make test-torch TORCH=2.6.0. An environment of about 6 GB, removed after.
# numpy 2 came after torch 2.2.
OTHER := .venv-torch-$(TORCH)
test-torch:
	@test -n "$(TORCH)" || { echo "make: say which release: make test-torch TORCH=2.6.0"; exit 1; }
	$(PYTHON) -m venv $(OTHER)
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH) \
	  $(if $(filter 2.0.% 2.1.% 2.2.%,$(TORCH)),'numpy<2',numpy)
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(OTHER)/bin/pytest -n 2 -rf tests/worker tests/verify tests/test_programs.py -k 'not static'; \
	  status=$$?; rm -rf $(OTHER); exit $$status

# What these tests run on: Node and two releases of VS Code, into ~/.cache/inplace-lsp/editors.
editors:
	vscode-client/scripts/get-editors.sh

# The extension for this machine: vscode-client/inplace-lsp-PLATFORM.vsix
vsix: $(BIN)/python
	vscode-client/scripts/vsix.sh $(CURDIR)/$(BIN)/python

# All the way from a clean checkout to a finding in VS Code, with a picture of it.
vsix-demo: $(BIN)/python
	vscode-client/scripts/get-editors.sh current
	vscode-client/scripts/vsix.sh $(CURDIR)/$(BIN)/python --demo

# Fresh random programs, judged by torch and by the static analysis: make fuzz COUNT=2000
fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.generated.fuzz --count $(or $(COUNT),400) --seed $$(date +%s) --save disagreements

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The sdist and the wheel, into dist/; tests/integrations/test_package.py installs and uses them.
package: $(VENV)/installed-dev
	$(BIN)/python -m build

corpus: $(VENV)/installed
	$(BIN)/python benchmarks/corpus.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "make: python3 is missing: apt-get install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo "make: Python 3.10 or later is needed; say which with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "make: python3 cannot make virtual environments: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# numpy is one of the extras; torch stands apart, because the tests judge by exactly this release.
$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,frameworks]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[editors]' \
	  || echo "make: pip has no Neovim for this machine; one of your own on the PATH is used, with: pip install pynvim"
	@touch $@
