# Each target makes its own virtual environment first: a machine with Python 3.11 and make is enough.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.locked
PEERS  := $(VENV)/.peers
TOOLS  := $(VENV)/.tools
BROWSER := $(VENV)/browser
CHROMIUM_READY := $(BROWSER)/.ready
# Bytecode caching keeps imports fast; BLAS threads would fight with the test workers.
unexport PYTHONDONTWRITEBYTECODE
export OPENBLAS_NUM_THREADS ?= 1
JOBS   ?= 2

.PHONY: help venv peers tools browser docs tour test nightly quick lint house dist bench lock clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

venv: $(STAMP)  ## build .venv with everything the tests need

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "noisewright needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

peers: $(PEERS)  ## add the packages that tests/peers and the benchmarks compare with

$(PEERS): benchmarks/peers.lock $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
	    --no-build-isolation -r benchmarks/peers.lock
	@touch $@

tools: $(TOOLS)  ## add the packages that build the site, run the notebooks and pack the wheel

$(TOOLS): docs/tools.lock $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r docs/tools.lock
	@touch $@

docs: $(TOOLS)  ## build the site into build/site
	$(BIN)/python docs/site_pages.py build/pages
	$(BIN)/zensical build --strict --clean

browser: $(CHROMIUM_READY)  ## add the browser that looks at pages in tests, without root

$(CHROMIUM_READY): tests/browser/package.json tests/browser/package-lock.json tests/browser/launch.mjs $(TOOLS)
	rm -rf $(BROWSER)
	mkdir -p $(BROWSER)
	cp tests/browser/package.json tests/browser/package-lock.json $(BROWSER)
	$(BIN)/npm --prefix $(BROWSER) ci --ignore-scripts --no-audit --no-fund --loglevel=error
	NOISEWRIGHT_BROWSER=$(abspath $(BROWSER)) $(BIN)/node tests/browser/launch.mjs
	@touch $@

tour: $(STAMP)  ## run every job end to end on bundled data and write an HTML report
	$(BIN)/noisewright tour --force

test: $(PEERS) $(TOOLS) $(CHROMIUM_READY)  ## run all tests, the slow statistical ones included
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

nightly: $(PEERS) $(TOOLS) $(CHROMIUM_READY)  ## run all tests with new seeds and the longest simulations in full
	NOISEWRIGHT_RANDOM_SEED=1 NOISEWRIGHT_NIGHTLY=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

quick: $(STAMP)  ## run the tests without the slow ones
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow"

lint: $(STAMP)  ## ruff, mypy --strict, import-linter, and the limits of the house
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m benchmarks.house

house: $(STAMP)  ## the size and order of the source tree in numbers
	$(BIN)/python -m benchmarks.house --verbose

dist: $(TOOLS)  ## build wheel and sdist, install them into clean environments, and run the quick starts there
	$(BIN)/python tests/distribution.py

bench: $(PEERS)  ## measure speed as ratios in one run, and print one table
	$(BIN)/python -m benchmarks

COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --no-annotate --no-header

# What the lock has for every platform, the other locks leave out.
LOCKED  = $$(sed -nE 's/^([a-z0-9-]+)==[^;]*$$/--no-emit-package \1/p' requirements.lock)

lock:  ## write requirements.lock, benchmarks/peers.lock and docs/tools.lock anew (needs uv)
	$(COMPILE) pyproject.toml --extra dev --no-emit-package noisewright -o requirements.lock
	$(COMPILE) benchmarks/peers.in -c requirements.lock -o benchmarks/peers.lock \
	    $(LOCKED)
	$(COMPILE) docs/tools.in -c requirements.lock -o docs/tools.lock \
	    $(LOCKED)

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache tour-report build dist
