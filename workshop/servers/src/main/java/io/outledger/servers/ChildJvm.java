// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * A Java main class that runs in a JVM of its own, with our class path, and that can be killed.
 *
 * <p>It ends with this JVM, on Linux even when that is killed. Thread-safe.
 */
public final class ChildJvm implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Process process;
  private final ChildOutput output;

  ChildJvm(Process process, ChildOutput output) {
    this.process = process;
    this.output = output;
    Shutdown.closeLater(this);
  }

  /**
   * Starts a main class with choices.
   *
   * @param main a class with a {@code main} method, on our class path
   * @return what collects them
   */
  public static ChildJvmBuilder of(Class<?> main) {
    return new ChildJvmBuilder(main.getName());
  }

  /**
   * Starts a main class that need not be on our class path.
   *
   * @param main its name; it is on the class path that is chosen
   * @param classPath as {@code java -cp} takes it
   * @return what collects the choices
   */
  public static ChildJvmBuilder of(String main, String classPath) {
    return new ChildJvmBuilder(main).classPath(classPath);
  }

  /**
   * The process id.
   *
   * @return the id, also when the process is gone
   */
  public long pid() {
    return process.pid();
  }

  /**
   * Whether the process still runs; a suspended one does.
   *
   * @return true until it has ended
   */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it by SIGKILL and returns when it is gone and its output is read. */
  public void kill() {
    // Through the handle: the process's own verbs would also close the output that is being read.
    process.toHandle().destroyForcibly();
    awaitExit(PATIENCE);
  }

  /** Freezes it (SIGSTOP). */
  public void suspend() {
    Signals.STOP.sendTo(pid());
  }

  /** Lets it go on (SIGCONT). */
  public void resume() {
    Signals.CONT.sendTo(pid());
  }

  /**
   * Asks it to end (SIGTERM) and returns when it has.
   *
   * @param timeout how long it may take
   * @throws AssertionError when it has not ended by then; it is killed in that case
   */
  public void stop(Duration timeout) {
    process.toHandle().destroy();
    try {
      awaitExit(timeout);
    } catch (AssertionError e) {
      kill();
      throw e;
    }
  }

  /**
   * Waits until it has ended by itself and its output is read.
   *
   * @param timeout how long it may take
   * @return its exit value; 128 and the signal's number when a signal ended it
   * @throws AssertionError when it has not ended by then
   */
  public int awaitExit(Duration timeout) {
    Await.until(
        () -> "process " + pid() + " ends; its output:\n" + output.tail(),
        timeout,
        () -> !process.isAlive() && output.isComplete());
    return process.exitValue();
  }

  /**
   * Waits for a line of output, seen already or still to come.
   *
   * @param wanted says which line
   * @param timeout how long it may take
   * @return the first such line among the last thousand
   * @throws AssertionError when the process ends without it or the time is over, with the output's
   *     tail
   */
  public String waitFor(Predicate<String> wanted, Duration timeout) {
    Await.until(
        () -> "process " + pid() + " says the line; its output:\n" + output.tail(),
        timeout,
        () -> {
          boolean isComplete = output.isComplete();
          boolean isSaid = output.first(wanted).isPresent();
          if (isComplete && !isSaid) {
            throw new AssertionError(
                "Process " + pid() + " ended without the line; its output:\n" + output.tail());
          }
          return isSaid;
        });
    return output.first(wanted).orElseThrow();
  }

  /**
   * The end of its output, for messages of failed tests.
   *
   * @return at most a thousand lines
   */
  public String outputTail() {
    return output.tail();
  }

  /**
   * What each of its threads does, for messages of failed tests: of one that hangs, the output says
   * nothing.
   *
   * @return the stacks, or why there are none
   */
  public String stacks() {
    Path jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
    try {
      return Commands.run(List.of(jstack.toString(), Long.toString(pid())));
    } catch (IllegalStateException e) {
      return "no stacks: " + e.getMessage();
    }
  }

  /**
   * Where its output goes.
   *
   * @return the file, which goes with this JVM unless the caller chose it
   */
  public Path outputFile() {
    return output.file();
  }

  /** Kills it if it still runs. */
  @Override
  public void close() {
    Shutdown.forget(this);
    if (process.isAlive()) {
      kill();
    }
  }
}
