# One command each: `make run` and `make test` set up what they need on a fresh machine.
.DEFAULT_GOAL := help
.PHONY: help run check test faults mutants lint format translations bench gallery sbom audit security scan load lock clean

PYTHON ?= python3
BIN := .venv/bin
# One process more than cores, because tests also wait for browsers and services; more of them only slow each other down.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where it is set, each of the many processes of the tests would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

run: .venv/run ## Start the local replica and the dashboard, with demo people and a believable fleet
	@exec $(BIN)/dashboard demo

test: .venv/dev .venv/browser ## Run every test, a real browser included
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: .venv/dev ## Check style and types, the rules, and the tests of the nouns that differ from main: under a minute
	@$(BIN)/python -m tests.check $(ARGS)

faults: .venv/dev ## Kill processes at every point, under every behaviour of the service, and print what came of it
	$(BIN)/pytest -m faults -n $(WORKERS) --dist worksteal -p tests.faults.report --faults-report docs/faults.md tests $(ARGS)
	$(BIN)/python -m tests.faults.mutants

mutants: .venv/dev ## Weaken a copy of the product in one place at a time, and see that a test notices
	$(BIN)/python -m tests.faults.mutants $(ARGS)

lint: .venv/dev ## Check style, types and templates
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/djlint templates dashboard/replica/templates --lint --quiet

format: .venv/dev ## Put code into the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

translations: .venv/dev ## Bring the catalogues of the languages up to date with the sentences of code and templates
	@$(BIN)/python -m dashboard.translations.update $(ARGS)

bench: .venv/dev .venv/browser ## Measure how fast it is, into docs/bench.md; ARGS="pages ledger" measures those groups alone
	@$(BIN)/python -m tests.bench $(ARGS)

gallery: .venv/dev .venv/browser ## Draw every page in its states as pictures, into var/gallery/index.html; ARGS="many" draws that state alone
	@$(BIN)/python -m tests.gallery $(ARGS)

sbom: .venv/dev ## List every part of the dashboard with its hashes, into dist/sbom.json (CycloneDX)
	@$(BIN)/python deploy/sbom.py dist/sbom.json

audit: .venv/dev ## Ask whether a locked library has a known weakness; says so where the data cannot be reached
	@$(BIN)/python deploy/audit.py

security: .venv/dev ## Run the tests of docs/threat-model.md
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal $$($(BIN)/python -m tests.rules.test_threat_model) $(ARGS)

scan: .venv/dev ## Have wapiti look for weaknesses of a running demo: make run in one terminal, make scan in another
	@$(BIN)/python -m tests.bench.scan $(ARGS)

load: .venv/dev ## Work as 200 people for ten minutes while 30 % of the service's calls fail; ARGS="--people 50 --minutes 2"
	@$(BIN)/python -m tests.bench.load $(ARGS)

lock: .venv/dev ## Resolve the dependencies again, into the lock files
	$(BIN)/pip install --quiet "uv>=0.13,<0.14"
	$(BIN)/uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --upgrade --quiet -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra build --extra dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --upgrade --quiet -o requirements-dev.lock

clean: ## Remove the virtual environment and caches (never the data in var/)
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results

# A stamp file for each stage: a second run starts at once, and a changed lock file installs again.
.venv/created:
	@sh deploy/setup.sh venv $(PYTHON)
	@touch $@

.venv/run: .venv/created requirements.lock pyproject.toml
	@echo "Installing what the dashboard needs …"
	@$(BIN)/pip install --quiet --require-hashes --only-binary :all: -r requirements.lock
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: .venv/run requirements-dev.lock
	@echo "Installing what the tests need …"
	@$(BIN)/pip install --quiet --require-hashes --only-binary :all: -r requirements-dev.lock
	@touch $@

.venv/browser: .venv/dev
	@sh deploy/setup.sh browser
	@touch $@
