# What there is to do with Pli. `make help` lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
LOCK := UV_CUSTOM_COMPILE_COMMAND="make lock" .lock/bin/uv pip compile --quiet --upgrade \
  --universal --generate-hashes --python-version 3.11
PO := $(wildcard locale/*/LC_MESSAGES/django.po)
MO := $(PO:.po=.mo)
# What the prod settings ask for, so that they can be checked.
PROD = SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))')" \
  PLI_SITE_URL=https://pli.example.org PLI_VAR=/var/lib/pli EMAIL_URL=smtp://localhost:25 \
  PLI_MAIL_DOMAIN=pli.example.org PLI_MAIL_FROM=games@pli.example.org \
  PLI_FACTOR_KEYS="$$($(BIN)/python -c 'from cryptography.fernet import Fernet as F; print(F.generate_key().decode())')"
AUDIT := .audit
MATCHES := .results/football.json
PINNED := compose.yaml Dockerfile
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test check fresh chaos test-long histories lint lint-messages bench-rules bench-programs bench-web bench-size bench-admin bench-clock bench-deadlines bench-mail bench-ratings bench-competition bench-browser bench-service lock images sbom audit messages clean packages

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

run: $(VENV)/base.stamp $(MO) ## start everything; PORT=, DATABASE_URL=, CELERY_BROKER_URL=, EMAIL_URL=
	@exec $(BIN)/python manage.py serve

test: $(VENV)/dev.stamp packages $(MO) ## run all tests but the long ones; ARGS="-k word" passes options to pytest
	@exec $(BIN)/python -m tests.run $(ARGS)

check: lint $(VENV)/dev.stamp ## lint, then run the fast tests; ARGS= as above
	@$(BIN)/python -m pytest --lane fast $(ARGS)

packages: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.packages

fresh: ## try both on a bare Debian, as root (ARGS= as above; PLI_FRESH_CACHE= keeps the Debian)
	@$(PYTHON) -m tests.fresh $(ARGS)

chaos: $(VENV)/dev.stamp packages $(MO) ## break every part of a running service; then the long tests, histories, requests and a year of competition
	@$(BIN)/python -m tests.chaos --minutes 28 $(ARGS)
	@$(MAKE) --no-print-directory test-long
	@$(MAKE) --no-print-directory histories
	@PLI_SCHEMA_EXAMPLES=300 $(BIN)/python -m tests.run tests/api/test_schema.py $(ARGS)
	@PLI_WORLD=1000,12 $(BIN)/python -m tests.run tests/competition -rP $(ARGS)

test-long: $(VENV)/dev.stamp packages $(MO) ## run the tests that `make test` leaves out: more games, languages and readers
	@$(BIN)/python -m tests.run -m long $(ARGS)

histories: $(VENV)/dev.stamp packages $(MO) ## make up histories of games at random, for about half an hour
	@PLI_CHAOS=25 $(BIN)/python -m tests.run $(wildcard tests/games/test_*machine*.py tests/notifications/outbox/test_*machine*.py) $(ARGS)

lint: $(VENV)/dev.stamp $(MO) ## check style, types, imports, migrations, settings, templates, translations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -m tests.figures
	$(BIN)/djlint . --check --lint
	$(BIN)/python manage.py makemigrations --check --dry-run --settings config.settings.test
	$(PROD) $(BIN)/python manage.py check --deploy --fail-level WARNING --settings config.settings.prod
	$(MAKE) --no-print-directory lint-messages

lint-messages: $(VENV)/base.stamp
	$(BIN)/python manage.py messages check

messages: $(VENV)/base.stamp ## collect the sentences to translate into locale/*/LC_MESSAGES/django.po
	$(BIN)/python manage.py messages extract

bench-rules: $(VENV)/bench.stamp ## measure the rules against well-known engines (about two minutes)
	@$(BIN)/python -m tests.bench.rules

bench-programs: $(VENV)/bench.stamp ## measure how well the programs play (some minutes; ARGS=--full for hours)
	@$(BIN)/python -m tests.bench.programs $(ARGS)

bench-web: $(VENV)/dev.stamp $(MO) ## measure pages against a bare Django (seven minutes; needs wrk); ARGS="--cases home"
	@$(BIN)/python -m tests.bench.web $(ARGS)

bench-size: $(VENV)/dev.stamp $(MO) ## measure turns and home with 1,000,000 games, and turns of long games; as bench-web
	@$(BIN)/python -m tests.bench.size $(ARGS)

bench-clock: $(VENV)/dev.stamp ## measure the sweep of the clock over a million games (about three minutes)
	@$(BIN)/python -m tests.bench.clock

bench-deadlines: $(VENV)/dev.stamp ## measure 10,000 deadlines due at once until all are told (two minutes)
	@$(BIN)/python -m tests.bench.deadlines $(ARGS)

bench-admin: $(VENV)/dev.stamp $(MO) ## measure the moderators' pages with 1,000,000 games (some minutes)
	@$(BIN)/python -m tests.bench.admin

bench-ratings: $(VENV)/dev.stamp $(MO) $(MATCHES) ## measure ratings against Elo and Glicko-2, and a rebuild of 1,000,000 games (an hour; needs npm)
	@$(BIN)/python -m tests.bench.ratings --results $(MATCHES) $(ARGS)

# Football matches of OpenFootball (public domain), as the npm package vega-datasets has them.
$(MATCHES):
	@command -v npm > /dev/null || { echo "npm is missing; on Debian: apt install npm"; exit 1; }
	@mkdir -p .results
	@cd .results && npm pack --silent vega-datasets@3.2.1 > /dev/null
	@tar -xzf .results/vega-datasets-3.2.1.tgz -C .results --strip-components=2 package/data/football.json
	@rm .results/vega-datasets-3.2.1.tgz
	@echo "89db986ec1fe0c2ef88cc56f6c7bfb22a4928735c4d6fc0055fc2745af316f3a  $@" | sha256sum --check --quiet
	@touch $@

bench-competition: $(VENV)/dev.stamp $(MO) ## measure lists, a season of 10,000 and wishes with 1,000,000 games (five minutes)
	@$(BIN)/python -m tests.bench.competition $(ARGS)

bench-browser: $(VENV)/dev.stamp $(MO) ## measure pages in Chromium: paint, readiness, layout shifts, a preview (two minutes)
	@$(BIN)/python -m tests.bench.browser $(ARGS)

bench-service: $(VENV)/dev.stamp $(MO) ## measure a start of `make run`, and what it costs while nobody plays (four minutes)
	@$(BIN)/python -m tests.bench.service $(ARGS)

bench-mail: $(VENV)/dev.stamp $(MO) ## measure what a mail costs against a ready-made one (about two minutes)
	@$(BIN)/python -m tests.bench.mail

lock: ## choose the newest versions again and write requirements/*.txt
	$(PYTHON) -m venv .lock
	.lock/bin/pip install --quiet --disable-pip-version-check uv
	$(LOCK) requirements/base.in --output-file requirements/base.txt
	$(LOCK) requirements/dev.in -c requirements/base.txt --output-file requirements/dev.txt
	$(LOCK) requirements/bench.in -c requirements/dev.txt --output-file requirements/bench.txt
	$(LOCK) requirements/audit.in --output-file requirements/audit.txt
	rm -rf .lock

sbom: $(AUDIT)/stamp ## write the parts of the service to sbom.cdx.json (CycloneDX)
	@$(AUDIT)/bin/cyclonedx-py requirements --output-reproducible --output-format JSON \
	  --output-file sbom.cdx.json requirements/base.txt
	@echo "sbom.cdx.json lists what requirements/base.txt names."

audit: $(AUDIT)/stamp ## look for known weaknesses of all requirements, where an index of advisories answers
	@$(AUDIT)/bin/python -m tests.audit $(AUDIT)/bin/pip-audit $(wildcard requirements/*.txt)

images: ## move the pinned container images to the newest of their tags (needs Docker)
	@for image in $$(sed -nE 's/.*[ "]([a-z]+:[0-9a-z.-]+)@sha256:[0-9a-f]{64}.*/\1/p' $(PINNED)); do \
	  digest=$$(docker buildx imagetools inspect "$$image" --format '{{.Manifest.Digest}}') || exit 1; \
	  sed -i -E "s|$$image@sha256:[0-9a-f]{64}|$$image@$$digest|" $(PINNED); \
	  echo "$$image@$$digest"; \
	done

clean: ## remove what was installed or built; var/ stays
	rm -rf $(VENV) .lock $(AUDIT) .results sbom.cdx.json .mypy_cache .ruff_cache .import_linter_cache .hypothesis test-results $(MO)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A half-made folder (Debian without python3-venv leaves one) must not look like a whole one.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Pli needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	@echo "Making $(VENV) ..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "Python's venv is missing; on Debian: apt install python3-venv"; exit 1; }

# Python compiles what it uses by itself, and keeps it.
$(VENV)/base.stamp: requirements/base.txt requirements/slim.py | $(BIN)/pip
	@echo "Installing $< ($$(grep -c '==' $<) packages; a quarter of a minute) ..."
	@$(PIP) --no-compile -r $<
	@$(BIN)/python -m pip uninstall --quiet --yes --disable-pip-version-check setuptools 2> /dev/null || true
	@$(BIN)/python requirements/slim.py
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt | $(BIN)/pip
	@echo "Installing $< ..."
	@$(PIP) -r $<
	@touch $@

$(VENV)/bench.stamp: requirements/bench.txt $(VENV)/dev.stamp
	@echo "Installing $< ..."
	@$(PIP) -r $<
	@touch $@

$(AUDIT)/stamp: requirements/audit.txt
	@echo "Installing $< ..."
	@$(PYTHON) -m venv --clear $(AUDIT)
	@$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

%.mo: %.po | $(VENV)/base.stamp
	@echo "Compiling $< ..."
	@$(BIN)/python manage.py messages compile
	@touch $@
