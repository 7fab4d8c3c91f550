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

# What is searched anew has to be in proofs/ to the byte. The evidence of the plays of Lemmas 6 and 7, and of the L pentomino,
# takes a minute or more each to find: it is decided as shipped, with all the rest, and so are the claims that join it.
PLAYS := $(addprefix specs/paper/,4-bounds/lemma-6% 4-bounds/lemma-7% 4-bounds/figure-6-caption.yaml \
  4-bounds/remark-2-two-full-fields.yaml 0-abstract/abstract-first-two-moves.yaml)
ANEW := $(filter-out paper beyond harary harries,$(patsubst specs/%/.,%,$(wildcard specs/*/.))) \
  harries-weak-skinny harries-weak-y5 harries-weak-n5 $(wildcard specs/harries/harries-strong-[nsy]*.yaml) $(filter-out specs/harary/weak-l5.yaml,$(wildcard specs/harary/animal-*.yaml specs/harary/skinny-*.yaml specs/harary/weak-*.yaml)) specs/paper/4-bounds/lemma-7-difference.yaml $(filter-out $(PLAYS),$(wildcard specs/paper/[0-9]-*/*.yaml))
# Z3 and cvc5 are asked about every obligation once more: they may give up, and contradict none.
.PHONY: audit
audit: .venv/.installed-dev  ## the documents' claims anew, compared with proofs/; the shipped evidence by the kernel alone
	rm -rf .venv/proofs
	$(BIN)/verifier check --anew --no-cache --out .venv/proofs $(ANEW)
	cd .venv/proofs && find . -type f ! -name INDEX.json -exec sha256sum {} + > ../proofs.sha256
	cd proofs && sha256sum --quiet --check ../.venv/proofs.sha256
	$(BIN)/verifier validate
	$(BIN)/verifier validate --schema | diff specs/schema.json -
	$(BIN)/verifier check --schema | diff specs/ledger-schema.json -
	$(BIN)/verifier check --no-cache
	$(BIN)/verifier recheck --jobs 2
	$(BIN)/python -m tests.export.second --jobs 2

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
