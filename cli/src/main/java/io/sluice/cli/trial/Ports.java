// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.Programs;
import io.sluice.cli.trial.program.Programs.Background;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Ports of this machine that kubectl forwards to Services, until the command ends. */
final class Ports {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final Programs programs;
    private final Tell tell;
    private final Polling polling;
    private final Consumer<Duration> sleep;

    Ports(Programs programs, Tell tell, Polling polling, Consumer<Duration> sleep) {
        this.programs = programs;
        this.tell = tell;
        this.polling = polling;
        this.sleep = sleep;
    }

    /**
     * A Service to be reached.
     *
     * @param title for people
     * @param remote its port
     * @param preferred the port of this machine, if it is free
     */
    record Forward(String title, String namespace, String service, int remote, int preferred) {
        List<String> command(Kubectl kubectl, int local) {
            return kubectl.command(
                    "port-forward", "-n", namespace, "service/" + service, local + ":" + remote);
        }
    }

    private record Open(Forward forward, int local, List<String> command, Background program) {
        String text() {
            return forward.title() + ": http://localhost:" + local;
        }
    }

    /** Forwards until this process is interrupted. What ends, as with its pod, is begun anew. */
    void keep(Kubectl kubectl, List<Forward> forwards) {
        List<Open> open = forwards.stream().map(each -> opened(kubectl, each)).toList();
        open.forEach(each -> tell.seen(each.text()));
        tell.say("");
        tell.say("Ctrl-C ends this. The cluster stays as it is until sluice try --down.");
        while (!Thread.currentThread().isInterrupted()) {
            open = open.stream().flatMap(this::goingOn).toList();
            sleep.accept(LOOK);
        }
    }

    private Stream<Open> goingOn(Open open) {
        if (open.program().isRunning()) {
            return Stream.of(open);
        }
        tell.progress(
                open.forward().title()
                        + " is not forwarded: "
                        + open.program().lastLine()
                        + "; trying again");
        return Stream.of(
                new Open(
                        open.forward(),
                        open.local(),
                        open.command(),
                        programs.start(open.command())));
    }

    private Open opened(Kubectl kubectl, Forward forward) {
        int local = free(forward.preferred());
        List<String> command = forward.command(kubectl, local);
        tell.command(command);
        var open = new Open(forward, local, command, programs.start(command));
        boolean answers =
                polling.until(
                        forward.title(),
                        LIMIT,
                        () -> "",
                        () -> answers(local) || !open.program().isRunning());
        if (!answers || !open.program().isRunning()) {
            throw new TrialFailure(
                    forward.title() + " is not forwarded: " + open.program().lastLine());
        }
        return open;
    }

    private static boolean answers(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private static int free(int preferred) {
        return isFree(preferred) ? preferred : anyFree();
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static int anyFree() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new TrialFailure("no port of this machine is free: " + none.getMessage());
        }
    }
}
