// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.NamedTestRun.Outcome;
import io.sluice.testkit.mutants.NamedTestRun.TestResult;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs simulators in this process. All runs without a mutant share the classes of this project, and
 * so do all runs with one: it replaces some of them meanwhile. Where that can't be done, a run has
 * its own copy of all of them, and is several times slower, as only the libraries are warm.
 */
final class SimulatorRuns {
    private static final long MOST_MINUTES = 10;

    private final Path module;
    private final List<URL> own = new ArrayList<>();
    private final ClassLoader libraries;
    private final OwnClasses mutable;
    private final OwnClasses watched;

    /** Classes of this project come from its own URLs, others from those that all runs share. */
    private static class OwnClasses extends URLClassLoader {
        OwnClasses(List<URL> urls, ClassLoader others) {
            super(urls.toArray(URL[]::new), others);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.sluice.") || name.equals(ReachedLines.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    /** Classes that tell which of their lines are run. */
    private static final class WatchedClasses extends OwnClasses {
        private final ReachedLines lines;
        private final Set<String> names;

        /**
         * @param names of the classes, without those that are nested in them
         */
        WatchedClasses(List<URL> urls, ClassLoader others, ReachedLines lines, Set<String> names) {
            super(urls, others);
            this.lines = lines;
            this.names = names;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!names.contains(name.split("\\$", 2)[0])) {
                return super.findClass(name);
            }
            try (InputStream found = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (found == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = lines.watched(found.readAllBytes(), this);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException fault) {
                throw new ClassNotFoundException(name, fault);
            }
        }
    }

    /**
     * @param classPath of the tests of {@code module}
     * @param lines is told which lines are run without a mutant
     * @param mutated the names of the classes whose lines these are
     */
    SimulatorRuns(Path module, String classPath, ReachedLines lines, Set<String> mutated) {
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
        mutable = new OwnClasses(own, libraries);
        watched = new WatchedClasses(own, libraries, lines, mutated);
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
        String name = test.className(module) + test.method().map(it -> "#" + it).orElse("");
        try {
            if (planted.isEmpty()) {
                return within(watched, name);
            }
            Optional<ReplacedClasses> replaced = ReplacedClasses.of(planted.get(), mutable);
            if (replaced.isEmpty()) {
                return inACopy(planted.get(), name);
            }
            try (ReplacedClasses _ = replaced.get()) {
                return within(mutable, name);
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private TestResult inACopy(Path planted, String name) throws IOException, InterruptedException {
        List<URL> urls = new ArrayList<>();
        urls.add(url(planted));
        urls.addAll(own);
        try (var classes = new OwnClasses(urls, libraries)) {
            return within(classes, name);
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
