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

.PHONY: help
help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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
test: fmt-check lint unit doc policy wasm ## Run every check: format, lints, tests, documentation, dependency policy, wasm
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
	  $(CARGO) check --locked --no-default-features --target wasm32-unknown-unknown $(SANS_IO:%=--package %); \
	else \
	  echo "Skipped: the wasm check. To run it: rustup target add wasm32-unknown-unknown"; \
	fi

.PHONY: bench
bench: ## Measure the speed: delivered packets per CPU second, peak memory
	$(ACKCLOCK) bench

.PHONY: fuzz
fuzz: ## Fuzz each target for FUZZ_SECONDS (needs cargo-fuzz and a nightly toolchain)
	@command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz --locked" >&2; exit 1; }
	@for target in $$($(CARGO) +nightly fuzz list); do \
	  echo "Fuzzing $$target for $(FUZZ_SECONDS) s."; \
	  $(CARGO) +nightly fuzz run "$$target" -- -max_total_time=$(FUZZ_SECONDS); \
	done

.PHONY: schema
schema: ## Write the scenario files' JSON Schema, for editors: out/scenario.schema.json
	@mkdir -p out
	$(ACKCLOCK) schema > out/scenario.schema.json

.PHONY: clean
clean: ## Remove what was built and what was written to out/
	$(CARGO) clean
	rm -rf out
