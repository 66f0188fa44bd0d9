# The daily tasks. `make` or `make help` lists them; nothing here needs more than Rust, except
# where the line says so.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
ACKCLOCK := $(CARGO) run --quiet --release --locked --package ackclock --
REPORT := out/report
# Crates that must also build where there is no operating system, such as a browser.
SANS_IO := units controllers transport netsim experiments
FUZZ_SECONDS ?= 60
# Crates with benchmarks of their parts.
BENCHED := controllers netsim transport

.PHONY: help
help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Build, run the published experiments in about a minute, and write the report page
	@echo "Building ackclock (cargo fetches its libraries the first time; nothing else is installed)."
	$(CARGO) build --release --locked --package ackclock
	@echo "Running the experiments on all cores, in their quick form."
	$(ACKCLOCK) reproduce --quick --out $(REPORT)

.PHONY: build
build: ## Build the program, optimised: target/release/ackclock
	$(CARGO) build --release --locked --package ackclock

.PHONY: test
test: fmt-check lint unit doc policy wasm python speed-gate ## Run every check: format, lints, tests, documentation, dependency policy, wasm, Python, speed
	@echo "All checks passed."

.PHONY: unit
unit: ## Run the tests only, those in the documentation included
	$(CARGO) test --workspace --locked

.PHONY: fmt
fmt: ## Format the code
	$(CARGO) fmt --all

.PHONY: fmt-check
fmt-check:
	$(CARGO) fmt --all --check

.PHONY: lint
lint: ## Run clippy on all targets; a warning is an error
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

.PHONY: doc
doc: ## Build the documentation, private items included; a warning is an error
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items --locked

# The advisory database is fetched over the network, so only `make deny` asks it. Licences and
# sources are also checked by the test crates/cli/tests/architecture.rs, which needs no cargo-deny.
.PHONY: deny
deny: ## Check dependencies: licences, sources, advisories (needs cargo-deny and the network)
	@command -v cargo-deny >/dev/null || { echo "cargo-deny is missing: cargo install cargo-deny --locked" >&2; exit 1; }
	$(CARGO) deny check

.PHONY: policy
policy:
	@if command -v cargo-deny >/dev/null; then \
	  $(CARGO) deny --log-level error check --hide-inclusion-graph licenses bans sources; \
	else \
	  echo "cargo-deny is not installed; the architecture test has checked licences and sources."; \
	fi

.PHONY: wasm
wasm: ## Check that the crates below the command line build for wasm32-unknown-unknown
	@if [ -d "$$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then \
	  set -x; \
	  $(CARGO) check --locked --target wasm32-unknown-unknown $(SANS_IO:%=--package %); \
	else \
	  echo "Skipped: the wasm check. To run it: rustup target add wasm32-unknown-unknown"; \
	fi

# Everything goes into target/ and .venv/. The wheel is built with the settings of `make unit`, so
# that what that has compiled serves here too.
PYTHON ?= python3
VENV := .venv
WHEELS := target/wheels

.PHONY: python
python: ## Build the Python package, install it into a clean environment, run its tests (needs Python)
	@if $(PYTHON) -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  $(MAKE) --no-print-directory python-checked; \
	else \
	  echo "Skipped: the Python package. Its tests need Python 3.11 or newer with venv."; \
	fi

.PHONY: python-checked
python-checked: $(VENV)/.tested-with
	rm -rf $(WHEELS) target/clean-venv
	$(VENV)/bin/maturin build --quiet --locked --out $(WHEELS)
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps $(WHEELS)/*.whl
	@echo "The wheel alone, in an environment where nothing else is:"
	$(PYTHON) -m venv target/clean-venv
	target/clean-venv/bin/pip install --quiet --no-index $(WHEELS)/*.whl
	target/clean-venv/bin/python crates/python/examples/first_steps.py
	target/clean-venv/bin/python crates/python/examples/own_controller.py
	@echo "Types and stubs:"
	$(VENV)/bin/mypy
	$(VENV)/bin/stubtest ackclock._core
	@echo "Tests, one of which runs the program:"
	@[ -x target/debug/ackclock ] || $(CARGO) build --locked --package ackclock --target-dir target
	$(VENV)/bin/pytest --quiet

$(VENV)/.tested-with: crates/python/requirements-test.txt
	@echo "Installing the tools of the Python tests into $(VENV)/."
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

.PHONY: bench
bench: ## Measure the speed: delivered packets per CPU second, peak memory
	$(ACKCLOCK) bench

.PHONY: bench-parts
bench-parts: ## Measure the parts: pending set, queues, controllers, loss recovery (criterion)
	$(CARGO) bench --locked --benches $(BENCHED:%=--package %)

.PHONY: bench-instructions
bench-instructions: valgrind ## Count processor instructions per packet, whatever else the machine does (needs valgrind)
	@command -v valgrind >/dev/null || { echo "valgrind is missing; Debian: apt-get install valgrind" >&2; exit 1; }
	$(ACKCLOCK) bench --instructions

.PHONY: bench-scaling
bench-scaling: build ## Measure how much faster two cores run a sweep than one (on a machine that does nothing else)
	@sweep() { \
	  rm -rf out/bench-scaling; \
	  "$${CARGO_TARGET_DIR:-target}/release/ackclock" sweep bench/w2 --set sweep.seeds=64 \
	    --jobs "$$1" --out out/bench-scaling >/dev/null; \
	}; \
	TIMEFORMAT=%R; \
	exec 3>&2; \
	one=$$({ time sweep 1 2>&3; } 2>&1); \
	two=$$({ time sweep 2 2>&3; } 2>&1); \
	awk "BEGIN { printf \"One core: $$one s. Two: $$two s. Times as fast: %.2f\\n\", $$one / $$two }"

# The limits stand in crates/cli/src/commands/bench/instructions.rs.
.PHONY: speed-gate
speed-gate: valgrind
	@if command -v valgrind >/dev/null; then \
	  set -x; $(ACKCLOCK) bench --instructions --gate; \
	else \
	  echo "Skipped: the limit on instructions per packet. To run it, install valgrind."; \
	fi

# Installed where this needs no questions asked: as root, on Debian and its like.
.PHONY: valgrind
valgrind:
	@if ! command -v valgrind >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "valgrind is missing: installing the package with apt-get."; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	      apt-get install -y -qq --no-install-recommends valgrind libc6-dbg >/dev/null; } \
	    || echo "apt-get did not install valgrind." >&2; \
	fi

.PHONY: fingerprints
fingerprints: ## Print a checksum of each scenario's summary: the same before and after a change that moves no result
	@for file in scenarios/*.toml scenarios/bench/*.toml; do \
	  sum=$$($(ACKCLOCK) run "$$file" --json 2>/dev/null | git hash-object --stdin) \
	    || { echo "$$file does not run" >&2; exit 1; }; \
	  echo "$$sum  $$file"; \
	done

.PHONY: fuzz
fuzz: ## Fuzz each target for FUZZ_SECONDS (needs cargo-fuzz and a nightly toolchain)
	@command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz --locked" >&2; exit 1; }
	@targets=$$($(CARGO) +nightly fuzz list); \
	for target in $$targets; do \
	  echo "Fuzzing $$target for $(FUZZ_SECONDS) s, from what earlier runs found."; \
	  mkdir -p "fuzz/corpus/$$target"; \
	  case "$$target" in scenario) seeds=scenarios; dict=-dict=fuzz/scenario.dict ;; *) seeds=; dict= ;; esac; \
	  $(CARGO) +nightly fuzz run "$$target" "fuzz/corpus/$$target" $$seeds \
	    -- -max_total_time=$(FUZZ_SECONDS) $$dict; \
	done

# What is mutated, and what not, stands in .cargo/mutants.toml. A shard: make mutants SHARD=0/16.
SHARD ?= 0/1
.PHONY: mutants
mutants: ## Mutate controllers and endpoints and run their tests: hours (installs cargo-mutants)
	@command -v cargo-mutants >/dev/null || $(CARGO) install cargo-mutants --locked
	$(CARGO) mutants --shard "$(SHARD)" --output out

.PHONY: schema
schema: ## Write the scenario files' JSON Schema, for editors: out/scenario.schema.json
	@mkdir -p out
	$(ACKCLOCK) schema > out/scenario.schema.json

.PHONY: clean
clean: ## Remove what was built and what was written to out/
	$(CARGO) clean
	rm -rf out
