# Sluice's front door. `make help` lists what there is.
#
# CLUSTER=local    (default) a one-node Kubernetes of our own, built and started by local/cluster
# CLUSTER=current  the current kubectl context; images come from IMAGES=<registry prefix>, TAG=<tag>
# SLUICE_CACHE     where tools, images and (then also) Maven's and Go's downloads are kept

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
CLUSTER ?= local
export CLUSTER

##@ The two commands

.PHONY: demo
demo: ## Run a Flink job on a real cluster: admitted, scaled, upgraded with its state, rolled back, deleted
	@e2e/main-job/run --tell

.PHONY: test
test: ## Run every test: unit, simulator, API server, MiniCluster, and the demo's scenario on the real node
	@e2e/test-all

##@ Around the demo

.PHONY: demo-down
demo-down: ## Remove what the demo left: the local cluster, or Sluice from the current one
	@e2e/main-job/down

.PHONY: cluster-up cluster-down cluster-status
cluster-up: ## Start the local one-node Kubernetes
	@local/cluster up
cluster-down: ## Stop it and leave no trace
	@local/cluster down
cluster-status: ## Show its parts and its node
	@local/cluster status

##@ Building

.PHONY: build
build: ## Compile, check and run the tests that need no cluster
	@./mvnw verify -DskipITs

.PHONY: check
check: ## Format, compile and unit-test the modules that differ from HEAD, in under a minute; MODULE=<others> TEST=<single ones>
	@testkit/check $(MODULE) $(if $(TEST),-- '$(TEST)')

.PHONY: format
format: ## Format all sources
	@./mvnw -q spotless:apply

.PHONY: docs
docs: ## Write the generated reference anew
	@./mvnw -q test -Dgolden.update=true

.PHONY: site
site: ## Build the documentation site (target/site), and check its links
	@docs/site

.PHONY: images
images: ## Build the container images (tars below target/)
	@images/build

.PHONY: sbom
sbom: ## Build the images and check their bills of materials (target/images/*.cdx.json) and the advisories that concern them
	@supply/check

.PHONY: scan
scan: ## Have an installed scanner (trivy, grype or osv-scanner) look at the bills of materials
	@supply/scan

.PHONY: release
release: ## Make a release in target/release/VERSION: VERSION=0.1.0 [REGISTRY=host/path, pushed to] [SIGNING_KEY=cosign.key]
	@REGISTRY='$(REGISTRY)' SIGNING_KEY='$(SIGNING_KEY)' release/make '$(VERSION)'

.PHONY: check-release
check-release: ## Make a release twice, the second time in a fresh clone, and compare the two; VERSION=0.1.0
	@release/check '$(VERSION)'

##@ Longer runs

.PHONY: e2e
e2e: ## Run every scenario on the real node
	@e2e/run-all

.PHONY: chaos
chaos: ## Have a user edit a job on the real node while everything around it fails; MINUTES=<60> [SEED=<from the clock>] [FLINK=<1.20 or 2.3>] [MODE=<standalone or session>]
	@e2e/chaos/run --minutes $(or $(MINUTES),60) $(if $(SEED),--seed $(SEED)) $(if $(FLINK),--flink $(FLINK)) $(addprefix --,$(MODE))

.PHONY: bench-webhook
bench-webhook: ## Measure the webhook against a server that does nothing (report: target/bench/webhook.txt)
	@bench/webhook

.PHONY: bench-autoscaler
bench-autoscaler: ## Autoscale 118 simulated jobs, and compare with Flink's engine alone (report: target/bench/autoscaler.html)
	@bench/autoscaler-bench

.PHONY: bench-operator
bench-operator: ## Measure the operator with 100, 1,000 and 10,000 resources (report: target/bench/operator.txt)
	@bench/operator-bench

.PHONY: bench-operator-snapshots
bench-operator-snapshots: ## Measure the operator with 10,000 jobs of ten FlinkStateSnapshots each; JOBS=<other numbers, by commas> (report: target/bench/operator-snapshots.txt)
	@bench/operator-snapshots $(JOBS)

.PHONY: bench-operator-shards
bench-operator-shards: ## Measure two operators that share 10,000 applications by a label, beside one (report: target/bench/operator-shards.txt)
	@bench/operator-shards

.PHONY: soak
soak: soak-simulator churn soak-operator ## All three of these, some six hours

.PHONY: soak-simulator
soak-simulator: ## Have each of the six simulators take two million steps; STEPS=<others>, FIRST=<seed>
	@./mvnw -q -pl operator -am test -Dtest='*SimTest#keepsItsPromises*' -Dsim.steps=$(or $(STEPS),2000000) -Dsim.first=$(or $(FIRST),0) \
	    -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: churn
churn: ## Have a thousand resources come and go at once, and see that the operator keeps nothing of them; SIZE=<fewer>
	@SLUICE_API_TEST=$$(local/toolbox api-test) ./mvnw -q -pl operator -am verify -Dtest=none -Dit.test=ChurnIT -Dchurn.size=$(or $(SIZE),1000) \
	    -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false

.PHONY: soak-operator
soak-operator: ## Have applications come and go for four hours, and see that memory does not grow; MINUTES=<fewer> (report: target/bench/soak.txt)
	@bench/operator-soak $(MINUTES)

.PHONY: bench-autoscaler-scale
bench-autoscaler-scale: ## Measure one autoscaler process on one core with a thousand jobs (report: target/bench/autoscaler-scale.txt)
	@bench/autoscaler-scale

.PHONY: bench-upgrade
bench-upgrade: ## Measure where the downtime of an upgrade goes, on a real cluster; COUNT=<3 of each mode> (report: target/bench/upgrade.txt)
	@bench/upgrade $(COUNT)

.PHONY: siege
siege: ## Attack webhook, operator and autoscaler at once, and see that ordinary users notice nothing; SECONDS=<600> (report: target/siege/siege.txt)
	@bench/siege-run $(or $(SECONDS),600)

.PHONY: compare-decisions record-decisions
compare-decisions: ## Compare what 40 seeds of each simulated world decide with what is on record
	@./mvnw -q -pl operator -am test -Dtest='*SimTest#decidesAsRecorded' -Dsurefire.failIfNoSpecifiedTests=false -Dsim.compared=40
record-decisions: ## Record them anew, after a change that is meant to change what is decided
	@./mvnw -q -pl operator -am test -Dtest='*SimTest#decidesAsRecorded' -Dsurefire.failIfNoSpecifiedTests=false -Dsim.record=true

.PHONY: mutants
mutants: ## Plant each fault of mutants/, and see that the test it names catches it; ONLY=<word in their names>
	@mutants/run $(ONLY)

.PHONY: mutants-simulator
mutants-simulator: ## Plant them again, and see that simulators alone catch each at its seed; HUNT=1 to look for seeds of the others, ONLY=<word>
	@mutants/run --simulator $(if $(HUNT),--hunt) $(ONLY)

.PHONY: coverage-simulator
coverage-simulator: ## Count the branches of production's code that simulators alone reach, and list the classes they miss most of; STEPS=<those of each, instead of as many as in make test>
	@testkit/coverage $(STEPS)

.PHONY: fuzz
fuzz: ## Send the webhook 200,000 reviews that nobody would write, and answer 20,000 requests as no JobManager would; SEED=<first>
	@./mvnw -q -pl webhook,flink-rest -am test -Dtest='*FuzzTest' -Dfuzz.cases=200000 -Dfuzz.answers=20000 -Dfuzz.seed=$(or $(SEED),1) \
	    -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: clean
clean: ## Remove what was built in this checkout (not the cache, not the cluster)
	@./mvnw -q clean && rm -rf target

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  make %-22s %s\n", $$1, $$2}' Makefile
