SHELL := /bin/bash
PREFIX ?= /usr/local
ARGS ?=
SECONDS ?= 60
MINUTES ?= 10

# The interactive program starts faster with the Swift runtime linked in.
RELEASE := swift build -c release --static-swift-stdlib

# Tests that wait for other programs hold threads, which the timing of the others cannot spare.
PROGRAMS := ServerProgramTests|PostgresStoreTests

.PHONY: run build test lint format bench soak sanitize fuzz-keys fuzz-pictures fuzz-requests
.PHONY: install clean setup

run: build  ## Open the market; ARGS="--language en" passes options.
	@.build/release/market $(ARGS)

build: setup  ## Build the release programs.
	$(RELEASE) --product market
	$(RELEASE) --product market-server

test: setup  ## Build and run all tests.
	swift build --build-tests
	swift test --skip-build --skip '$(PROGRAMS)|EndToEndTests'
	swift test --skip-build --filter '$(PROGRAMS)'
	swift test --skip-build --no-parallel --filter EndToEndTests

lint: setup  ## Check format, imports and shims.
	.ci/lint

format:  ## Rewrite the sources in the project's format.
	swift format --in-place --recursive Package.swift Sources Tests

bench: build  ## Measure beside others that are installed; ARGS="--svg FILE" draws as well.
	$(RELEASE) --product market-bench
	.build/release/market-bench $(ARGS)

soak: build  ## Use the program at random for MINUTES while its server comes and goes.
	$(RELEASE) --product market-soak
	.build/release/market-soak $(MINUTES)

sanitize: setup  ## Run all tests under the thread and the address sanitizer.
	Tests/sanitize.sh thread
	Tests/sanitize.sh address

fuzz-keys fuzz-pictures fuzz-requests: fuzz-%: setup  ## Feed random bytes to a reader for SECONDS.
	Tests/Fuzz/run.sh $* $(SECONDS)

install: build  ## Install below PREFIX.
	install -D -m 755 .build/release/market $(DESTDIR)$(PREFIX)/bin/market
	install -D -m 755 .build/release/market-server $(DESTDIR)$(PREFIX)/libexec/market/market-server

clean:  ## Remove everything that was built.
	rm -rf .build

setup:
	@.ci/setup
