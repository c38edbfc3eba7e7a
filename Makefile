SHELL := /bin/bash
PREFIX ?= /usr/local
ARGS ?=
SECONDS ?= 60
MINUTES ?= 10
SEED ?=

# The interactive program starts faster with the Swift runtime linked in.
RELEASE := .ci/build -c release --static-swift-stdlib

FUZZ := fuzz-heads fuzz-keys fuzz-multipart fuzz-pages fuzz-pictures fuzz-requests fuzz-store

.PHONY: run build test help lint format bench city soak sanitize fuzz $(FUZZ) rebuild fresh migrate-millions pgbouncer install \
  uninstall clean setup setup-test

run: build  ## Open the market; ARGS="--language en" passes options.
	@.build/release/market $(ARGS)

build: setup  ## Build the release programs.
	$(RELEASE) --product market
	$(RELEASE) --product market-server

test: setup-test  ## Build and run all tests; ARGS="--filter PriceTests" runs some.
	@.ci/test $(ARGS)

help:  ## List the targets.
	@sed -nE 's/^([a-z$$()A-Z-]+):.*## (.*)/\1\t\2/p' Makefile | sed 's/^$$(FUZZ)/fuzz-NAME/' | \
	  while IFS=$$'\t' read -r name text; do printf '%-11s %s\n' "$$name" "$$text"; done

lint: setup-test  ## Check format, imports and shims.
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

sanitize: setup-test  ## Run all tests under the thread and the address sanitizer.
	Tests/sanitize.sh thread
	Tests/sanitize.sh address

fuzz: $(FUZZ)  ## Feed random bytes to each reader for SECONDS.

$(FUZZ): fuzz-%: setup-test  ## Feed random bytes to one reader for SECONDS.
	Tests/Fuzz/run.sh $* $(SECONDS)

rebuild: setup-test  ## Build again after a change in the lowest target and in what the tests share.
	.ci/rebuild

migrate-millions: build setup-test  ## Update the tables of a database with nine million rows while others write.
	Tests/Databases/migrate-millions.sh

pgbouncer: build setup-test  ## Serve a database behind pgbouncer, which has to be installed.
	Tests/Databases/pgbouncer.sh

fresh:  ## Try the README's commands on a bare Debian; as root.
	.ci/fresh

# The programs, and where each kind of file that they print is installed below PREFIX.
PROGRAMS := market market-server
MANUALS := share/man/man1 share/man/ko/man1
COMPLETIONS := share/bash-completion/completions share/zsh/site-functions \
  share/fish/vendor_completions.d
FILES := $(foreach name,$(PROGRAMS),bin/$(name) $(addsuffix /$(name).1,$(MANUALS)) \
  $(join $(COMPLETIONS),/$(name) /_$(name) /$(name).fish))

install: build  ## Install below PREFIX.
	@set -e -o pipefail; put() { install -D -m "$$1" /dev/stdin "$(DESTDIR)$(PREFIX)/$$2"; }; \
	for name in $(PROGRAMS); do \
	  program=.build/release/$$name; \
	  put 755 bin/$$name < $$program; \
	  $$program manual --language en | put 644 share/man/man1/$$name.1; \
	  $$program manual --language ko | put 644 share/man/ko/man1/$$name.1; \
	  $$program completion bash | put 644 share/bash-completion/completions/$$name; \
	  $$program completion zsh | put 644 share/zsh/site-functions/_$$name; \
	  $$program completion fish | put 644 share/fish/vendor_completions.d/$$name.fish; \
	done

uninstall:  ## Remove what install put below PREFIX.
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(FILES))
	-@cd $(DESTDIR)$(PREFIX) 2>/dev/null && rmdir -p --ignore-fail-on-non-empty \
	  bin $(MANUALS) $(COMPLETIONS) 2>/dev/null

clean:  ## Remove everything that was built.
	rm -rf .build

setup:
	@.ci/setup build

setup-test:
	@.ci/setup test
