# `make check` audits every claim; `make test` does the same and then runs every test. Both need Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: check test lint proofs bench clean help

check: .venv/.installed  ## audit every claim and print the ledger
	$(BIN)/verifier check

test: .venv/.installed-dev check lint  ## the audit, the lint, and the whole test command
	$(BIN)/verifier validate
	$(BIN)/verifier recheck
	$(BIN)/python -m pytest --cov --cov-report=term

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

proofs: .venv/.installed  ## write the certificates anew
	$(BIN)/verifier check --out proofs

bench: .venv/.installed-dev  ## print medians of the times the project promises
	$(BIN)/python -m tests.bench

.venv/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/.installed-dev: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

clean:  ## remove what was made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

help:
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/'
