SHELL := /bin/bash
PREFIX ?= /usr/local
ARGS ?=
SECONDS ?= 60
MINUTES ?= 10
SEED ?=

# The interactive program starts faster with the Swift runtime linked in.
RELEASE := .ci/build -c release --static-swift-stdlib

FUZZ := fuzz-heads fuzz-keys fuzz-multipart fuzz-pages fuzz-pictures fuzz-requests fuzz-store

.PHONY: run build test help lint format bench tour city crowd soak sanitize fuzz $(FUZZ) rebuild fresh migrate-millions pgbouncer install \
  uninstall clean setup setup-test

run: build  ## Build and open the market; ARGS="--language en" passes options.
	@.build/release/market $(ARGS)

build: setup  ## Build the release programs.
	$(RELEASE) --product market
	$(RELEASE) --product market-server

test: setup-test  ## Build and run all tests; ARGS="--filter PriceTests" runs some.
	@.ci/test $(ARGS)

help:  ## List the targets.
	@sed -nE 's/^([a-z$$()A-Z-]+):.*## (.*)/\1\t\2/p' Makefile | sed 's/^$$(FUZZ)/fuzz-NAME/' | \
	  while IFS=$$'\t' read -r name text; do printf '%-16s %s\n' "$$name" "$$text"; done

lint: setup-test  ## Check format, imports, floors and shims.
	.ci/lint

format:  ## Format the sources.
	swift format --in-place --recursive Package.swift Sources Tests

bench: build  ## Measure speed and memory beside other programs; ARGS="--svg FILE" draws a chart.
	$(RELEASE) --product market-bench
	.build/release/market-bench $(ARGS)

tour: build  ## Draw the README's moving picture from screens of the program.
	$(RELEASE) --product market-tour
	.build/release/market-tour .github/pictures/tour.svg

city: build  ## Load three servers on one database for SECONDS, with crashes and restarts.
	$(RELEASE) --product market-city
	.build/release/market-city $(SECONDS)

crowd: build  ## Let 5,000 clients watch one server while products change, and measure it.
	$(RELEASE) --product market-crowd
	.build/release/market-crowd

soak: build  ## Press random keys for MINUTES while the server fails; SEED repeats a run.
	$(RELEASE) --product market-soak
	.build/release/market-soak $(MINUTES) $(SEED)

sanitize: setup-test  ## Run all tests under the thread and address sanitizers.
	Tests/sanitize.sh thread
	Tests/sanitize.sh address

fuzz: $(FUZZ)  ## Feed random bytes to every parser for SECONDS each.

$(FUZZ): fuzz-%: setup-test  ## Feed random bytes to one parser for SECONDS.
	Tests/Fuzz/run.sh $* $(SECONDS)

rebuild: setup-test  ## Check that an incremental build works after a change in the lowest target.
	.ci/rebuild

migrate-millions: build setup-test  ## Migrate a database of nine million rows while others write.
	Tests/Databases/migrate-millions.sh

pgbouncer: build setup-test  ## Serve a database behind pgbouncer, which must be installed.
	Tests/Databases/pgbouncer.sh

fresh:  ## Try the README's commands on a bare Debian (as root).
	.ci/fresh

# The programs, and where each kind of file that they print is installed below PREFIX.
PROGRAMS := market market-server
MANUALS := share/man/man1 share/man/ko/man1
COMPLETIONS := share/bash-completion/completions share/zsh/site-functions \
  share/fish/vendor_completions.d
# What the hosts of guests over ssh need, beside the documentation.
GUESTS := Resources/ssh/sshd_config Resources/ssh/banner Resources/systemd/openmarket-guests.service \
  .github/SSH.md
DOCUMENTS := share/doc/openmarket
FILES := $(addprefix $(DOCUMENTS)/ssh/,$(notdir $(GUESTS))) $(foreach name,$(PROGRAMS),bin/$(name) $(addsuffix /$(name).1,$(MANUALS)) \
  $(join $(COMPLETIONS),/$(name) /_$(name) /$(name).fish))

install: build  ## Build and install below PREFIX (default /usr/local).
	@set -e -o pipefail; put() { install -D -m "$$1" /dev/stdin "$(DESTDIR)$(PREFIX)/$$2"; }; \
	for name in $(PROGRAMS); do \
	  program=.build/release/$$name; \
	  put 755 bin/$$name < $$program; \
	  $$program manual --language en | put 644 share/man/man1/$$name.1; \
	  $$program manual --language ko | put 644 share/man/ko/man1/$$name.1; \
	  $$program completion bash | put 644 share/bash-completion/completions/$$name; \
	  $$program completion zsh | put 644 share/zsh/site-functions/_$$name; \
	  $$program completion fish | put 644 share/fish/vendor_completions.d/$$name.fish; \
	done; \
	for file in $(GUESTS); do put 644 $(DOCUMENTS)/ssh/$${file##*/} < $$file; done

uninstall:  ## Remove the installation below PREFIX.
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(FILES))
	-@cd $(DESTDIR)$(PREFIX) 2>/dev/null && rmdir -p --ignore-fail-on-non-empty \
	  bin $(MANUALS) $(COMPLETIONS) $(DOCUMENTS)/ssh 2>/dev/null

clean:  ## Delete all build products.
	rm -rf .build

setup:
	@.ci/setup build

setup-test:
	@.ci/setup test
