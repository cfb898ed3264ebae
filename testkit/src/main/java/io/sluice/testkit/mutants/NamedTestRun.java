// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a process of its own and tells their outcomes on standard output, a line a test:
 * {@link #MARK}, the test as it was named, the {@link Outcome}, and what it failed with.
 *
 * @param named each a class with its package, or {@code class#method}
 */
record NamedTestRun(List<String> named, Map<String, TestResult> results)
        implements TestExecutionListener {
    static final String MARK = "named-test";

    /** What became of a test, from good to bad. */
    enum Outcome {
        PASSED,
        /** It could not run, or what it ran could not be linked. */
        BROKEN,
        FAILED
    }

    /** The worst outcome of all that ran by one name. */
    record TestResult(Outcome outcome, String message) {
        static final TestResult PASSED = new TestResult(Outcome.PASSED, "");

        /** Where more than one test goes by the name, that it is known which of them failed. */
        TestResult in(TestIdentifier test) {
            return outcome == Outcome.PASSED
                    ? this
                    : new TestResult(outcome, test.getLegacyReportingName() + ": " + message);
        }

        TestResult worse(TestResult other) {
            return other.outcome().compareTo(outcome) > 0 ? other : this;
        }
    }

    public static void main(String[] named) {
        var run = new NamedTestRun(List.of(named), new ConcurrentHashMap<>());
        run.execute(NamedTestRun.class.getClassLoader());
        for (String test : named) {
            TestResult told = run.result(test);
            System.out.printf("%n%s\t%s\t%s\t%s%n", MARK, test, told.outcome(), told.message());
        }
        System.out.flush();
        // Threads that a test has left running must not keep the process.
        Runtime.getRuntime().exit(0);
    }

    /** Runs one test in this process, with the class that {@code classes} have of it. */
    static TestResult here(ClassLoader classes, String test) {
        var run = new NamedTestRun(List.of(test), new ConcurrentHashMap<>());
        run.execute(classes);
        return run.result(test);
    }

    private void execute(ClassLoader classes) {
        LauncherFactory.create().execute(request(classes), this);
    }

    private TestResult result(String test) {
        return Optional.ofNullable(results.get(test))
                .orElseGet(() -> new TestResult(Outcome.BROKEN, "no such test was found"));
    }

    private LauncherDiscoveryRequest request(ClassLoader classes) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        named.stream()
                                .map(test -> test.split("#", 2)[0])
                                .distinct()
                                .map(name -> DiscoverySelectors.selectClass(classes, name))
                                .toList())
                .filters((PostDiscoveryFilter) this::wanted)
                .build();
    }

    private FilterResult wanted(TestDescriptor found) {
        boolean isMethod = found.getSource().filter(MethodSource.class::isInstance).isPresent();
        return FilterResult.includedIf(!isMethod || !names(found.getSource()).isEmpty());
    }

    /** By which of the names that were asked for something goes: its method's and its class'. */
    private List<String> names(Optional<TestSource> source) {
        return source.stream()
                .flatMap(
                        it ->
                                switch (it) {
                                    case MethodSource of ->
                                            Stream.of(
                                                    of.getClassName(),
                                                    of.getClassName() + "#" + of.getMethodName());
                                    case ClassSource of -> ofClass(of.getClassName());
                                    default -> Stream.of();
                                })
                .filter(named::contains)
                .toList();
    }

    private Stream<String> ofClass(String name) {
        return named.stream().filter(it -> it.equals(name) || it.startsWith(name + "#"));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Optional<TestResult> told =
                test.isTest()
                        ? Optional.of(ofTest(result).in(test))
                        : result.getThrowable().map(NamedTestRun::ofContainer);
        told.ifPresent(
                it ->
                        names(test.getSource())
                                .forEach(name -> results.merge(name, it, TestResult::worse)));
    }

    private static TestResult ofTest(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> TestResult.PASSED;
            case ABORTED -> new TestResult(Outcome.BROKEN, "it was left out");
            case FAILED ->
                    result.getThrowable()
                            .map(it -> new TestResult(isUnlinked(it), textOf(it)))
                            .orElseGet(() -> new TestResult(Outcome.FAILED, ""));
        };
    }

    private static TestResult ofContainer(Throwable fault) {
        return new TestResult(Outcome.BROKEN, textOf(fault));
    }

    private static Outcome isUnlinked(Throwable fault) {
        boolean unlinked =
                Stream.iterate(Optional.of(fault), Optional::isPresent, NamedTestRun::cause)
                        .flatMap(Optional::stream)
                        .anyMatch(LinkageError.class::isInstance);
        return unlinked ? Outcome.BROKEN : Outcome.FAILED;
    }

    private static Optional<Throwable> cause(Optional<Throwable> fault) {
        return fault.flatMap(it -> Optional.ofNullable(it.getCause()));
    }

    private static String textOf(Throwable fault) {
        String text = fault.getClass().getSimpleName() + ": " + fault.getMessage();
        return String.join(" ", Arrays.asList(text.strip().split("\\s+")));
    }
}
