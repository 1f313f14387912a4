# Two commands set everything up by themselves: `make demo` and `make test`.
# They need python3 (3.10 or later) with venv, and make; on Debian or Ubuntu: apt-get install python3-venv make

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLE := examples/train_vae.py
EXAMPLE_LINE := 73
SHELL := /bin/bash
WORKERS ?= 2
# Some images for containers set it; each of the hundreds of processes that tests start would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE
timed = @TIMEFORMAT='make: $(1) took %0R s (%0U + %0S s of CPU)'; time { $(2); }

.PHONY: demo test test-python test-vscode test-torch op-column editors vsix vsix-demo fuzz lint format package pages site \
  site-serve release corpus clean

demo: $(VENV)/installed
	@echo; echo '$$ inplace-lsp check $(EXAMPLE)'; echo
	@$(BIN)/inplace-lsp check $(EXAMPLE); test $$? -eq 1
	@echo; echo '$$ inplace-lsp tape $(EXAMPLE):$(EXAMPLE_LINE)'; echo
	@$(BIN)/inplace-lsp tape $(EXAMPLE):$(EXAMPLE_LINE)

# All at once: those of the extension mostly wait for VS Code, and pytest lets it go first. What each part took is printed.
test: $(VENV)/installed-dev
	+$(call timed,all of it,$(MAKE) --jobs=3 --no-print-directory lint test-python test-vscode)

# Those in Neovim are left out by name where there is none; with CI set that is a failure. What torch did with a program
# is kept until the recorder, torch or the program changes: tests/kept.py.
test-python: $(VENV)/installed-dev
	$(call timed,pytest,nice -n 10 $(BIN)/pytest -n $(WORKERS) --dist loadgroup -rs)

# The VS Code extension: unit tests, in the extension host, in the workbench. What is missing is named and left out;
# with CI set that is a failure.
test-vscode: $(VENV)/installed-dev
	$(call timed,the tests in VS Code,vscode-client/scripts/test.sh $(CURDIR)/$(BIN)/python)

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

# The column of another release in the op table: make op-column TORCH=2.6.0. The release of the table itself: leave
# TORCH out, and the table is written anew from the torch of $(VENV).
op-column: $(VENV)/installed-dev
	@if [ -z "$(TORCH)" ]; then $(BIN)/python -W ignore -m tools.op_table; exit; fi; \
	set -e; $(PYTHON) -m venv $(OTHER); trap 'rm -rf $(OTHER)' EXIT; \
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH) expecttest packaging pyyaml \
	  $(if $(filter 2.0.% 2.1.% 2.2.%,$(TORCH)),'numpy<2',numpy); \
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check --editable .; \
	$(OTHER)/bin/python -W ignore -m tools.op_table

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

# What is for the night: more of the generated programs and of torch's own op database than in `make test`, then fresh
# random programs, judged by torch and by the static analysis: make fuzz COUNT=2000
fuzz: $(VENV)/installed-dev
	INPLACE_LSP_PROGRAMS=340 INPLACE_LSP_SAMPLES=8 INPLACE_LSP_EXAMPLES=400 INPLACE_LSP_RUNS=200 $(BIN)/pytest -n 2 \
	  tests/generated tests/torch_ops/test_agreement.py tests/worker/test_truth.py tests/worker/test_silent.py \
	  tests/fixes/test_fixes_train_the_same.py tests/models/test_spellings.py tests/verify/test_faults.py
	$(BIN)/python -m tests.generated.fuzz --count $(or $(COUNT),400) --seed $$(date +%s) --save disagreements

lint: $(VENV)/installed-dev
	$(call timed,ruff and mypy,$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy)

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The sdist and the wheel, into dist/; tests/integrations/test_package.py installs and uses them.
package: $(VENV)/installed-dev
	$(BIN)/python -m build

# All of a release that can be done before its tag: make release VERSION=0.2.0. docs/releasing.md says what follows.
release: $(VENV)/installed-dev $(VENV)/installed-docs
	@test -n "$(VERSION)" || { echo "make: say which version: make release VERSION=0.2.0"; exit 1; }
	$(BIN)/python release/version.py bump $(VERSION)
	$(BIN)/python release/version.py check v$(VERSION)
	$(BIN)/python -m build
	$(BIN)/python release/version.py conda dist/inplace_lsp-$(VERSION).tar.gz
	$(BIN)/python -m mkdocs build --strict --quiet --config-file docs/mkdocs.yml
	@echo; echo "Now: make test, then git commit -am 'Release $(VERSION)' && git tag v$(VERSION) && git push origin main v$(VERSION)"

# What a program writes: pages of docs/, the schema of the configuration, what editors know of model files, pictures.
pages: $(VENV)/installed-dev
	$(BIN)/python -m tools.write_pages
	$(BIN)/python -m tools.pages.pictures

# The documentation as a site, into site/; a link that leads nowhere ends it. site-serve shows it while you write.
site: $(VENV)/installed-docs
	docs/website/playground/build.sh $(CURDIR)/$(BIN)/python
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --config-file docs/mkdocs.yml

site-serve: $(VENV)/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --config-file docs/mkdocs.yml

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

$(VENV)/installed-docs: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

# numpy is one of the extras; torch stands apart, because the tests judge by exactly this release.
$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs,frameworks,mcp]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[editors]' \
	  || echo "make: pip has no Neovim for this machine; one of your own on the PATH is used, with: pip install pynvim"
	@touch $@
