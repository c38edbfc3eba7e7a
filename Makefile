SHELL := /bin/bash
PREFIX ?= /usr/local
ARGS ?=
TESTS ?=
export ARGS TESTS
SECONDS ?= 60
MINUTES ?= 10
SEED ?=
ROUNDS ?= 5

# The interactive program starts faster with the Swift runtime and small libraries linked in. What is packed
# uses the system's libraries, which the system's updates mend.
LIBRARIES := static
deb tarball wheel image check-packages: LIBRARIES := shared
RELEASE = LIBRARIES=$(LIBRARIES) .ci/build -c release --static-swift-stdlib --disable-local-rpath

FUZZ := fuzz-heads fuzz-keys fuzz-multipart fuzz-pages fuzz-pictures fuzz-requests fuzz-store

.PHONY: run build test load-programs pictures help lint format strings bench bench-counts demo load-cluster load-watchers soak sanitize fuzz $(FUZZ) check-incremental-build nightly mutate build-times check-readme pgbouncer check-web \
  check-terminals check-monitoring check-storage rolling-upgrade-test failover-test cluster-soak failover-test-patroni install uninstall deb tarball wheel image check-packages release clean setup setup-test setup-packages setup-web

run: setup  ## Build and open the market; ARGS="--language en" passes options.
	.ci/build --product market
	@.build/debug/market $(ARGS)

build: setup  ## Build the release programs, market and market-server.
	$(RELEASE) --target Programs

test: setup-test  ## Build and run all tests; TESTS=Market,Screen runs those of two folders, ARGS="--filter PriceTests" some.
	@.ci/test

load-programs: setup-test  ## Build the programs that measure, without optimizing.
	LOAD_PROGRAMS=1 .ci/build

pictures: setup-test  ## Make the pictures of all screens in Tests/Screen/Pictures anew; look at what changes.
	rm -f Tests/Screen/Pictures/*
	SCREEN_PICTURES=write .ci/test --filter ScreenPictureTests

strings:  ## Make the list of phrases from the tables of texts.
	.ci/strings

help:  ## List the targets.
	@sed -nE 's/^([a-z$$()A-Z-]+):.*## (.*)/\1\t\2/p' Makefile | sed 's/^$$(FUZZ)/fuzz-NAME/' | \
	  while IFS=$$'\t' read -r name text; do printf '%-16s %s\n' "$$name" "$$text"; done

lint: setup-test  ## Check format, imports, floors and shims.
	.ci/lint

format:  ## Format the sources.
	swift format --in-place --recursive Package.swift Sources Tests

bench: build  ## Measure speed and memory beside other programs; ARGS="--svg FILE" draws a chart.
	LOAD_PROGRAMS=1 $(RELEASE) --product market-bench
	.build/release/market-bench $(ARGS)

bench-counts: build setup-test  ## Count instructions of the programs beside limits; ARGS=long counts 100,000 products too.
	Tests/Load/Counts/counts.py .build/release $(ARGS)

demo: build  ## Draw the README's moving picture from screens of the program.
	LOAD_PROGRAMS=1 $(RELEASE) --product market-demo
	.build/release/market-demo Documentation/pictures/demo.svg

load-cluster: build  ## Load three servers on one database for SECONDS, with crashes and restarts.
	LOAD_PROGRAMS=1 $(RELEASE) --product market-load-cluster
	.build/release/market-load-cluster $(SECONDS)

load-watchers: build  ## Let 5,000 clients watch one server while products change, and measure it.
	LOAD_PROGRAMS=1 $(RELEASE) --product market-load-watchers
	.build/release/market-load-watchers

soak: build  ## Press random keys for MINUTES while the server fails; SEED repeats a run.
	LOAD_PROGRAMS=1 $(RELEASE) --product market-soak
	.build/release/market-soak $(MINUTES) $(SEED)

sanitize: setup-test  ## Run all tests under the thread and address sanitizers.
	Tests/sanitize.sh thread
	Tests/sanitize.sh address

fuzz: $(FUZZ)  ## Feed random bytes to every parser for SECONDS each.

$(FUZZ): fuzz-%: setup-test  ## Feed random bytes to one parser for SECONDS.
	Tests/Fuzz/run.sh $* $(SECONDS)

nightly: setup-test  ## What the gate leaves out: a second build, other random tests, longer fuzzing, sanitizers, programs that measure; packages as root.
	$(MAKE) check-incremental-build
	TEST_SEED=$$RANDOM .ci/test
	$(MAKE) bench-counts
	$(MAKE) fuzz
	$(MAKE) sanitize
	$(foreach name,bench demo load-cluster load-watchers soak,LOAD_PROGRAMS=1 $(RELEASE) --product market-$(name) &&) true
	[[ $$(id -u) != 0 ]] || $(MAKE) check-packages

mutate: setup-test  ## Put faults into ten modules, one at a time, and say which no test finds; SEED=7 the same again.
	.ci/mutate $(SEED)

build-times: setup  ## Build market from nothing beside, and print what each module cost; ARGS="market-server debug" another.
	@.ci/build-times $(ARGS)

check-incremental-build: setup-test  ## Check that an incremental build works after a change in the lowest target.
	.ci/check-incremental-build

pgbouncer: build setup-test  ## Serve a database behind pgbouncer, which must be installed.
	Tests/Databases/pgbouncer.sh

check-web: build setup-web  ## Look at the server's pages with Chromium, and check them with axe-core; ARGS=list for some.
	.build/web/python/bin/python Tests/Web/check.py .build/release .build/web/pictures $(ARGS)
	.build/web/python/bin/python Tests/Web/photos.py .build/release .build/web/pictures
	.build/web/python/bin/python Tests/Web/photo_troubles.py .build/release

check-terminals: build  ## Run the market in real terminals on a virtual X server, and judge what they show; ARGS=NAMES for some.
	Tests/Terminals/check.py .build/terminals $(ARGS)
	$(if $(ARGS),,Tests/Terminals/codes.py .build/terminals)

check-monitoring: build  ## Check dashboard and alert rules against a Prometheus, which must be installed.
	Tests/Failover/check-monitoring.sh

check-storage: build  ## Keep pictures in a folder and two object storages, which must be installed (MOTO=PROGRAM).
	MOTO=$(MOTO) Tests/Storage/check.sh

rolling-upgrade-test: build  ## Replace servers by ones of a later version, with one more table, under load, behind nginx.
	Tests/Failover/rolling-upgrade.sh

failover-test: build  ## Let the database fall in seven ways under two servers, ROUNDS times each; ARGS="'disk full'" names some.
	ROUNDS=$(ROUNDS) Tests/Failover/failover.sh $(ARGS)

cluster-soak: build  ## Let everything fall under three servers for MINUTES, with clients of both APIs and 200 watchers.
	MINUTES=$(MINUTES) MOTO=$(MOTO) Tests/Failover/soak.sh $(ARGS)

failover-test-patroni: build  ## Let each of three machines with Patroni and etcd die under two servers, behind HAProxy.
	Tests/Failover/patroni.sh

check-readme:  ## Try the README's commands on a bare Debian (as root).
	.ci/check-readme

install: build  ## Build and install below PREFIX (default /usr/local).
	.ci/packaging/install "$(DESTDIR)$(PREFIX)"

uninstall:  ## Remove the installation below PREFIX.
	.ci/packaging/install --remove "$(DESTDIR)$(PREFIX)"

deb: build setup-packages  ## Make Debian packages of the programs, in .build/packages.
	.ci/packaging/deb

tarball: build setup-packages  ## Make one folder of the programs and their libraries, for any Linux.
	.ci/packaging/tarball

wheel: tarball  ## Pack that folder as a wheel for pip and pipx.
	.ci/packaging/wheel

image: deb  ## Make the system of the server's container image (as root).
	.ci/packaging/image

check-packages: deb wheel  ## Try what was packed on bare systems (as root); ARGS="bookworm trixie" names them.
	.ci/packaging/check $(ARGS)

release: setup-packages  ## Check everything, make what a version is given as, and write checksums (as root).
	.ci/packaging/release

clean:  ## Delete all build products.
	rm -rf .build

setup:
	@.ci/setup build

setup-test:
	@.ci/setup test

setup-packages:
	@.ci/setup packages

setup-web:
	@.ci/setup web
