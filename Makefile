# Needs make and Python 3.11 or newer; everything else goes into .venv. `make help` lists the targets.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

define IS_PYTHON
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "$(PYTHON) is missing or older than Python 3.11: name another one, as in 'make check PYTHON=python3.12'" >&2; exit 1; }
endef

.DEFAULT_GOAL := help
# The steps of a target run in the order in which they are written, also under `make -j`.
.NOTPARALLEL:
# Python keeps what it has compiled: the tests start some hundred commands, and each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: check
check: .venv/.installed  ## audit every claim and print the ledger
	$(BIN)/verifier check

.PHONY: test
test: .venv/.installed-dev lint unit  ## lint, and every test that a change needs (minutes)

.PHONY: unit
unit: .venv/.installed-dev  ## the tests that are not marked slow
	$(BIN)/python -m pytest -n auto --dist loadfile -m 'not slow'

# Everything that `make test` leaves out; `.ci/run` runs both, so that each test runs once.
.PHONY: ci
ci: .venv/.installed-dev audit  ## the rest: the audit anew, the slow tests, the browser, Coq where it is installed
	if command -v coqc >/dev/null; then $(MAKE) coq; fi
	$(BIN)/python -m pytest -n auto --dist loadfile -m slow

# Each certificate is decided once: what is searched anew has to be in proofs/ to the byte, and of the rest of proofs/ every
# claim is decided as shipped, with a cache that begins empty. Z3 and cvc5 are asked once more about the obligations of what
# was searched for: they may give up, and contradict none.
AUDIT := .venv/audit
.PHONY: audit
audit: .venv/.installed-dev  ## claims searched anew and compared with proofs/, all others decided as shipped
	rm -rf $(AUDIT)
	$(BIN)/verifier check --anew --cache $(AUDIT)/cache --out $(AUDIT)/proofs $$($(BIN)/python -m tests.anew)
	cd $(AUDIT)/proofs && find . -type f ! -name INDEX.json -exec sha256sum {} + > ../sha256
	cd proofs && sha256sum --quiet --check ../$(AUDIT)/sha256
	$(BIN)/verifier validate
	$(BIN)/verifier validate --schema | diff specs/schema.json -
	$(BIN)/verifier check --schema | diff specs/ledger-schema.json -
	$(BIN)/verifier check --all --cache $(AUDIT)/cache
	$(BIN)/python -m tests.export.second --jobs 2 $$($(BIN)/python -m tests.anew)

.PHONY: lint
lint: .venv/.installed-dev  ## style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

.PHONY: coverage
coverage: .venv/.installed-dev  ## the tests, and which lines they run
	$(BIN)/python -m pytest -n auto --dist loadfile --cov --cov-report=term

.PHONY: proofs
proofs: .venv/.installed  ## write the certificates in proofs/ anew
	rm -rf .venv/proofs
	$(BIN)/verifier check --anew --all --no-cache --out .venv/proofs
	rm -rf proofs/evidence proofs/tables
	cp -r .venv/proofs/. proofs

.PHONY: bench
bench: .venv/.installed-dev  ## measure what is promised of times, in a fresh clone too, and the speed of searches
	$(BIN)/python -m tests.bench --fresh
	$(BIN)/python -m tests.bench.boards
	$(BIN)/python -m tests.bench.cells

.PHONY: coq
coq:  ## write the data of the Coq proofs, build them, print what they prove and assume; installs nothing, says how
	@$(IS_PYTHON)
	$(PYTHON) -m proofs.coq.tools

.PHONY: clean
clean:  ## remove the virtual environment, caches and builds
	rm -rf .venv build dist .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find verifier tests proofs -type d -name __pycache__ -prune -exec rm -rf {} +

.PHONY: help
help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf 'make %-8s %s\n' "$$name" "$$text"; done

# The stamps lie inside .venv, so that no stamp outlives the environment it speaks of.
.venv/.created:
	@$(IS_PYTHON)
	$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.installed: .venv/.created pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

.venv/.installed-dev: .venv/.installed
	$(PIP) -e '.[dev]'
	@touch $@
