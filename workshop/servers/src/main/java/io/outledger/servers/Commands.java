// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Starts processes of the operating system, and runs short commands to their end. Thread-safe. */
final class Commands {
  private static final long TIMEOUT_S = 180;

  /**
   * Linux ends a process with its parent <em>thread</em> when it was asked to end it with its
   * parent, so all are started by one thread that lives as long as the JVM.
   */
  private static final ExecutorService STARTER =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "servers-starter");
            thread.setDaemon(true);
            return thread;
          });

  private Commands() {}

  /** Starts a process that is not waited for. */
  static Process start(ProcessBuilder builder) {
    try {
      return STARTER.submit(builder::start).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while starting " + builder.command(), e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("Cannot start " + builder.command(), e.getCause());
    }
  }

  /**
   * Runs a command to its end.
   *
   * @throws IllegalStateException with the command's output when it does not end with 0
   */
  static String run(List<String> command) {
    return run(new ProcessBuilder(command));
  }

  static String run(ProcessBuilder builder) {
    Path output = temporaryFile();
    try {
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      Process process = start(builder);
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(builder.command() + " did not end in time");
      }
      String said = Files.readString(output);
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            builder.command() + " ended with " + process.exitValue() + ":\n" + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted during " + builder.command(), e);
    } finally {
      Scratch.delete(output);
    }
  }

  private static Path temporaryFile() {
    try {
      return Files.createTempFile(Scratch.temporary(), "outledger-command-", ".out");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the search path holds the program. */
  static boolean have(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
