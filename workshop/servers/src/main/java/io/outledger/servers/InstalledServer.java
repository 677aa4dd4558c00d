// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server program of the system, on 127.0.0.1, a free port and a temporary folder, which it keeps
 * when it is killed or stopped and started again. It ends with the JVM. Thread-safe, one verb at a
 * time.
 */
abstract class InstalledServer implements KillableServer {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Pattern VERSION = Pattern.compile("[0-9]+(\\.[0-9]+)+");

  private final String name;
  private final Path folder;
  private final int port = Ports.free();
  private final List<String> command;
  private Process process;
  private boolean isClosed;

  /**
   * Starts the server and returns when it takes connections.
   *
   * @param name of the server, for people and for the folder
   * @param program its path
   * @param debian the package that holds it
   * @param arguments of the program, for its folder and port
   */
  InstalledServer(
      String name, Path program, String debian, BiFunction<Path, Integer, List<String>> arguments) {
    if (!Files.isExecutable(program)) {
      throw new IllegalStateException(
          program + " is missing: on Debian, apt-get install --no-install-recommends " + debian);
    }
    this.name = name;
    this.folder = Scratch.folder(name);
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments.apply(folder, port));
    this.command = command;
    VerifyNotes.started(name, version(program));
    this.process = launch();
    Shutdown.closeLater(this);
  }

  /**
   * Where it listens, the same after a restart.
   *
   * @return a port of 127.0.0.1
   */
  public final int port() {
    return port;
  }

  /**
   * The process id of the server.
   *
   * @return the id of the process that was started last
   */
  @Override
  public final synchronized long pid() {
    return process.pid();
  }

  /** Kills it by SIGKILL and returns when it is gone. Its data stays. */
  @Override
  public final synchronized void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Stops it cleanly (SIGTERM). Its data stays. */
  public final synchronized void stop() {
    process.destroy();
    awaitEnd();
  }

  /** Freezes it (SIGSTOP): connections stay open and nothing is answered. */
  public final synchronized void suspend() {
    Signals.STOP.sendTo(process.pid());
  }

  /** Lets it go on (SIGCONT). */
  public final synchronized void resume() {
    Signals.CONT.sendTo(process.pid());
  }

  /** Starts again on the same data and port, after stopping cleanly if it is running. */
  @Override
  public final synchronized void restart() {
    if (process.isAlive()) {
      stop();
    }
    process = launch();
  }

  /**
   * What it wrote, for messages of failed tests.
   *
   * @return its output since it was first started
   */
  public final String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Kills it, whatever its state, and deletes its folder. */
  @Override
  public final synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      Shutdown.forget(this);
      kill();
      Scratch.delete(folder);
    }
  }

  /** The first number with a dot that the program says of itself. */
  private static String version(Path program) {
    String said =
        Commands.run(
            List.of("sh", "-c", "\"$0\" --version 2>&1 || \"$0\" -h || :", program.toString()));
    Matcher number = VERSION.matcher(said);
    return number.find() ? number.group() : "unknown";
  }

  private Process launch() {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile()));
    Process started = Commands.start(builder);
    Await.until(() -> name + " is ready: " + log(), PATIENCE, () -> isReady(started));
    return started;
  }

  private boolean isReady(Process started) {
    if (!started.isAlive()) {
      throw new IllegalStateException(name + " did not start: " + log());
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Ports.loopback(), port));
      return answers();
    } catch (IOException e) {
      return false;
    }
  }

  /** Says whether the server, which takes connections, also serves them. */
  boolean answers() throws IOException {
    return true;
  }

  private void awaitEnd() {
    Await.until(() -> name + " ends: " + log(), PATIENCE, () -> !process.isAlive());
  }

  /** Writes a file of settings into the server's folder. */
  static Path write(Path folder, String name, String text) {
    try {
      Path file = folder.resolve(name);
      SecretFile.create(file); // it may hold passwords
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
