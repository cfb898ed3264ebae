// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells which classes of the class path are loaded by a piece of work: it is run in a class loader
 * of its own, which loads everything anew but what the JDK has.
 */
public final class LoadedClasses {
    private static final Pattern NEVER_LOADED = Pattern.compile("neverLoaded: \\[(.+)]");

    private LoadedClasses() {}

    /**
     * The names of the classes that are loaded by running {@code work}.
     *
     * @param work a class with a public constructor without parameters; it is loaded by name, so
     *     that nothing of it is shared with the test
     */
    public static Set<String> by(Class<? extends Runnable> work) throws Exception {
        try (Recorder recorder = new Recorder(classPath())) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(recorder);
            try {
                ((Runnable) recorder.loadClass(work.getName()).getConstructor().newInstance())
                        .run();
            } finally {
                thread.setContextClassLoader(before);
            }
            return recorder.loaded;
        }
    }

    /**
     * How the names of the classes begin of which {@code advisories}, the project's list of them,
     * says that they are never loaded.
     */
    public static List<String> saidNeverToBeLoaded(Path advisories) throws IOException {
        try (Stream<String> lines = Files.lines(advisories)) {
            return lines.map(NEVER_LOADED::matcher)
                    .filter(Matcher::find)
                    .flatMap(matcher -> Arrays.stream(matcher.group(1).split(", *")))
                    .distinct()
                    .toList();
        }
    }

    private static URL[] classPath() throws MalformedURLException {
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < entries.length; i++) {
            urls[i] = new File(entries[i]).toURI().toURL();
        }
        return urls;
    }

    private static final class Recorder extends URLClassLoader {
        private final Set<String> loaded = new ConcurrentSkipListSet<>();

        Recorder(URL[] urls) {
            super(urls, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> found = super.findClass(name);
            loaded.add(name);
            return found;
        }
    }
}
