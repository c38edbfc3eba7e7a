SHELL := /bin/bash
PREFIX ?= /usr/local
ARGS ?=
SECONDS ?= 60
MINUTES ?= 10
SEED ?=

# The interactive program starts faster with the Swift runtime linked in.
RELEASE := swift build -c release --static-swift-stdlib

# Tests that wait for other programs hold threads, which the timing of the others cannot spare.
PROGRAMS := ServerProgramTests|ManualTests|EncryptedServerTests|PostgresStoreTests

FUZZ := fuzz-keys fuzz-multipart fuzz-pages fuzz-pictures fuzz-requests

.PHONY: run build test lint format bench city soak sanitize $(FUZZ) install clean setup

run: build  ## Open the market; ARGS="--language en" passes options.
	@.build/release/market $(ARGS)

build: setup  ## Build the release programs.
	$(RELEASE) --product market
	$(RELEASE) --product market-server

test: setup  ## Build and run all tests.
	swift build --build-tests
	.ci/test --skip '$(PROGRAMS)|EndToEndTests'
	.ci/test --filter '$(PROGRAMS)'
	.ci/test --no-parallel --filter EndToEndTests

lint: setup  ## Check format, imports and shims.
	.ci/lint

format:  ## Rewrite the sources in the project's format.
	swift format --in-place --recursive Package.swift Sources Tests

bench: build  ## Measure beside others that are installed; ARGS="--svg FILE" draws as well.
	$(RELEASE) --product market-bench
	.build/release/market-bench $(ARGS)

city: build  ## Use three servers on one database for SECONDS while they and it come and go.
	$(RELEASE) --product market-city
	.build/release/market-city $(SECONDS)

soak: build  ## Use the program at random for MINUTES while its server fails; SEED repeats a run.
	$(RELEASE) --product market-soak
	.build/release/market-soak $(MINUTES) $(SEED)

sanitize: setup  ## Run all tests under the thread and the address sanitizer.
	Tests/sanitize.sh thread
	Tests/sanitize.sh address

$(FUZZ): fuzz-%: setup  ## Feed random bytes to a reader for SECONDS.
	Tests/Fuzz/run.sh $* $(SECONDS)

install: build  ## Install below PREFIX.
	install -D -m 755 .build/release/market $(DESTDIR)$(PREFIX)/bin/market
	install -D -m 755 .build/release/market-server $(DESTDIR)$(PREFIX)/libexec/market/market-server
	.build/release/market manual | \
	  install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/man/man1/market.1
	.build/release/market completion | \
	  install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/bash-completion/completions/market

clean:  ## Remove everything that was built.
	rm -rf .build

setup:
	@.ci/setup
