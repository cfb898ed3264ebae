// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.NamedTestRun.Outcome;
import io.sluice.testkit.mutants.NamedTestRun.TestResult;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs simulators in this process, each time with its own copy of all classes of this project: what
 * is static begins anew, and the libraries are warm.
 */
final class SimulatorRuns {
    private static final long MOST_MINUTES = 5;

    private final Path module;
    private final List<URL> own = new ArrayList<>();
    private final ClassLoader libraries;

    /** Classes of this project come from its own URLs, others from those that all runs share. */
    private static final class OwnClasses extends URLClassLoader {
        OwnClasses(List<URL> urls, ClassLoader others) {
            super(urls.toArray(URL[]::new), others);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.sluice.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    /**
     * @param classPath of the tests of {@code module}
     */
    SimulatorRuns(Path module, String classPath) {
        this.module = module;
        List<URL> others = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            boolean isOwn = Files.isDirectory(path) || isJarOfThisProject(path);
            (isOwn ? own : others).add(url(path));
        }
        libraries =
                new URLClassLoader(
                        others.toArray(URL[]::new), SimulatorRuns.class.getClassLoader());
    }

    private static boolean isJarOfThisProject(Path path) {
        return String.valueOf(path.getFileName()).startsWith("sluice-");
    }

    /**
     * Runs one test.
     *
     * @param planted where the classes of a mutant are
     * @param properties system properties of this process from then on
     */
    TestResult run(Optional<Path> planted, NamedTest test, Map<String, String> properties)
            throws InterruptedException {
        properties.forEach(System::setProperty);
        List<URL> urls = new ArrayList<>();
        planted.map(SimulatorRuns::url).ifPresent(urls::add);
        urls.addAll(own);
        String name = test.className(module) + test.method().map(it -> "#" + it).orElse("");
        try (var classes = new OwnClasses(urls, libraries)) {
            return within(classes, name);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static TestResult within(ClassLoader classes, String test) throws InterruptedException {
        var task = new FutureTask<>(() -> NamedTestRun.here(classes, test));
        Thread thread = new Thread(task, test);
        thread.setDaemon(true);
        thread.setContextClassLoader(classes);
        thread.start();
        try {
            return task.get(MOST_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException fault) {
            return new TestResult(Outcome.BROKEN, String.valueOf(fault.getCause()));
        } catch (TimeoutException tooLate) {
            return new TestResult(Outcome.BROKEN, "it did not end in " + MOST_MINUTES + " minutes");
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
