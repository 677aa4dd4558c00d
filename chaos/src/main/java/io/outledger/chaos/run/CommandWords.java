// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/** The words of a command line, taken one after the other. Not thread-safe. */
public final class CommandWords {

  private final Deque<String> words;

  /** Starts with all words. */
  public CommandWords(Collection<String> words) {
    this.words = new ArrayDeque<>(words);
  }

  /** Returns whether all words have been taken. */
  public boolean isEmpty() {
    return words.isEmpty();
  }

  /** Takes the next option; there must be a word. */
  public String option() {
    return words.pop();
  }

  /** Takes the value of an option. */
  public String value(String option) throws BadOptionException {
    String word = words.poll();
    if (word == null || word.isEmpty()) {
      throw new BadOptionException(option + " needs a value");
    }
    return word;
  }

  /** Takes a whole number from min to max, both included. */
  public long number(String option, long min, long max) throws BadOptionException {
    String word = value(option);
    try {
      long number = Long.parseLong(word);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new BadOptionException(option + " takes a whole number, not '" + word + "'");
    }
    throw new BadOptionException(option + " takes " + min + " to " + max + ", not " + word);
  }

  /** Takes a file that can be written. */
  public Path file(String option) throws BadOptionException {
    Path file = Path.of(value(option)).toAbsolutePath();
    Path folder = file.getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw new BadOptionException(option + ": a file cannot be written there: " + file);
    }
    return file;
  }
}
