// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processes of one PostgreSQL server. Not thread-safe. */
final class Postmaster {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration OWN_WAY_OUT = Duration.ofSeconds(2);
  private static final int PORTS_TRIED_MAX = 5;
  private static final int TAIL_CHARS = 4000;

  private final PostgresBinaries binaries;
  private final PostgresFolder folder;
  private final Map<String, String> settings;
  private int port;
  private @Nullable Process process;

  Postmaster(PostgresBinaries binaries, PostgresFolder folder, Map<String, String> settings) {
    this.binaries = binaries;
    this.folder = folder;
    this.settings = settings;
  }

  /** One of the same programs and settings on another folder, not started. */
  Postmaster another(PostgresFolder other, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(more);
    return new Postmaster(binaries, other, Map.copyOf(all));
  }

  /** Starts on the port, or for 0 on a free one. */
  void start(int wantedPort) {
    int tries = wantedPort == 0 ? PORTS_TRIED_MAX : 1;
    for (int tried = 1; !startOn(wantedPort == 0 ? Ports.free() : wantedPort); tried++) {
      // A free port may have been taken by someone else before the server got it.
      if (tried == tries || !logTail().contains("could not bind")) {
        throw new IllegalStateException("PostgreSQL did not start:\n" + logTail());
      }
    }
  }

  /** Starts on the same port again. */
  void startAgain() {
    if (isRunning()) {
      throw new IllegalStateException("PostgreSQL is running already, process " + pid());
    }
    start(port);
  }

  int port() {
    return port;
  }

  PostgresFolder folder() {
    return folder;
  }

  long pid() {
    return running().pid();
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Asks to stop by the signal and waits until all processes are gone. */
  void stop(Signals signal) {
    Process stopping = running();
    List<Long> family = Signals.familyOf(stopping.pid());
    signal.sendTo(stopping.pid());
    awaitEnd(family, PATIENCE);
    process = null;
  }

  void kill() {
    Process killed = running();
    // Held still first, so that it has no child that we do not know of.
    Signals.STOP.sendTo(killed.pid());
    List<Long> family = Signals.familyOf(killed.pid());
    Signals.KILL.sendTo(killed.pid());
    // Idle children see that it is gone and go by themselves; busy or suspended ones do not.
    try {
      awaitEnd(family, OWN_WAY_OUT);
    } catch (AssertionError e) {
      Signals.KILL.sendTo(family);
      awaitEnd(family, PATIENCE);
    }
    PostmasterFile file = PostmasterFile.in(folder.data());
    file.releaseMemory();
    file.delete();
    process = null;
  }

  void suspend() {
    long pid = pid();
    Signals.STOP.sendTo(pid);
    Signals.STOP.sendTo(Signals.familyOf(pid));
  }

  void resume() {
    List<Long> family = new ArrayList<>(Signals.familyOf(pid()));
    Collections.reverse(family);
    Signals.CONT.sendTo(family);
  }

  String logTail() {
    try {
      String log = new String(Files.readAllBytes(folder.log()), StandardCharsets.UTF_8);
      return log.substring(Math.max(0, log.length() - TAIL_CHARS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean startOn(int chosenPort) {
    port = chosenPort;
    folder.configure(port, settings);
    List<String> command =
        List.of(binaries.program("postgres").toString(), "-D", folder.data().toString());
    ProcessBuilder builder = new ProcessBuilder(folder.account().command(command));
    builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(folder.log().toFile()));
    Process started = Commands.start(builder);
    process = started;
    PostmasterFile file = PostmasterFile.in(folder.data());
    try {
      Await.until("it is ready", PATIENCE, () -> !started.isAlive() || file.isReady(started.pid()));
    } catch (AssertionError e) {
      kill();
      throw new IllegalStateException("PostgreSQL did not start:\n" + logTail(), e);
    }
    if (!started.isAlive()) {
      process = null;
    }
    return process != null;
  }

  private void awaitEnd(List<Long> family, Duration timeout) {
    Await.until(
        () -> "PostgreSQL's processes end:\n" + logTail(),
        timeout,
        () -> family.stream().noneMatch(Signals::isAlive));
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("PostgreSQL is not running");
    }
    return process;
  }
}
