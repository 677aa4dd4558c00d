// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An entrant's own JVM, which ends with this object, or with this JVM. */
final class EntrantProcess implements AutoCloseable {

  /** The same for all. */
  static final int HEAP_MIB = 512;

  private static final long PATIENCE_SECONDS = 20;

  private final Entrant entrant;
  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private EntrantProcess(Entrant entrant, Process process) {
    this.entrant = entrant;
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static EntrantProcess start(Entrant entrant) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MIB + "m",
            "-cp",
            System.getProperty("java.class.path"),
            EntrantMain.class.getName(),
            entrant.id());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new EntrantProcess(entrant, process);
  }

  Entrant entrant() {
    return entrant;
  }

  /** Tells it what to do, and waits until it is done. */
  Reply tell(Object... words) throws IOException {
    orders.println(String.join(" ", List.of(words).stream().map(Object::toString).toList()));
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      Optional<Reply> reply = Reply.ofLine(line);
      if (reply.isPresent()) {
        return reply.get();
      }
      if (line.equals(EntrantMain.FAILED)) {
        throw new IllegalStateException(entrant.id() + " failed at " + words[0]);
      }
    }
    throw new IllegalStateException(entrant.id() + " has ended");
  }

  @Override
  public void close() {
    orders.close();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
