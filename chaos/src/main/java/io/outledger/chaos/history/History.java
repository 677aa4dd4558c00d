// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A history file, open for more. What {@link #write} returned from outlives this process, though
 * not the machine: it is with the operating system. A process killed in the middle of a line leaves
 * it torn, and readers pass over torn lines. Thread-safe.
 */
public final class History implements AutoCloseable {

  private final FileChannel file;

  private History(FileChannel file) {
    this.file = file;
  }

  /** Opens a file to append to, made if need be. A line that an earlier process tore is ended. */
  public static History open(Path path) {
    try {
      History history = new History(FileChannel.open(path, CREATE, APPEND));
      history.writeText("\n");
      return history;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appends an entry. */
  public void write(Entry entry) {
    writeText(EntryText.write(entry) + "\n");
  }

  /** Appends entries, one after the other with none of another thread between. */
  public void writeAll(List<? extends Entry> entries) {
    StringBuilder text = new StringBuilder();
    entries.forEach(entry -> text.append(EntryText.write(entry)).append('\n'));
    writeText(text.toString());
  }

  /**
   * Reads a file from its beginning, an entry at a time.
   *
   * @param path the file; one that is not there has no entries
   * @param each what is called with each entry
   * @return how many torn lines were passed over
   */
  public static long read(Path path, Consumer<Entry> each) {
    if (!Files.exists(path)) {
      return 0;
    }
    long torn = 0;
    try (BufferedReader reader = Files.newBufferedReader(path)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.isEmpty()) {
          Optional<Entry> entry = EntryText.read(line);
          entry.ifPresent(each);
          torn += entry.isPresent() ? 0 : 1;
        }
      }
      return torn;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void writeText(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
