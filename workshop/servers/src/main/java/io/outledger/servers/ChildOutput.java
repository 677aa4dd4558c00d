// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The output of a child: written to a file, passed on by line, its tail kept. Thread-safe. */
final class ChildOutput {
  private static final int LINES_KEPT_MAX = 1000;

  private final Path file;
  private final Consumer<String> reader;
  private final Deque<String> lines = new ArrayDeque<>();
  private boolean isComplete;

  ChildOutput(Path file, Consumer<String> reader) {
    this.file = file;
    this.reader = reader;
  }

  void readFrom(InputStream said, String threadName) {
    Thread thread = new Thread(() -> read(said), threadName);
    thread.setDaemon(true);
    thread.start();
  }

  Path file() {
    return file;
  }

  synchronized boolean isComplete() {
    return isComplete;
  }

  synchronized String tail() {
    return String.join("\n", lines);
  }

  synchronized Optional<String> first(Predicate<String> wanted) {
    return lines.stream().filter(wanted).findFirst();
  }

  private void read(InputStream said) {
    try (BufferedReader in =
            new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8));
        BufferedWriter out =
            Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.write(line);
        out.newLine();
        out.flush();
        keep(line);
        reader.accept(line);
      }
    } catch (IOException e) {
      keep("(the output could not be read on: " + e + ")");
      throw new UncheckedIOException(e);
    } finally {
      complete();
    }
  }

  private synchronized void keep(String line) {
    if (lines.size() == LINES_KEPT_MAX) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  private synchronized void complete() {
    isComplete = true;
  }
}
