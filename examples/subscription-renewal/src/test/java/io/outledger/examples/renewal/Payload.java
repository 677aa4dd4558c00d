// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.TypeVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A payload that was written once, in a file that is named after its type and version: {@code
 * price.changed.v1.json}, or with a label {@code take-payment.v1.before-payer.json}.
 */
record Payload(Path file) {

  /** The payloads of messages. */
  static final Path MESSAGES = Path.of("src/test/payloads");

  /** The states of the saga. */
  static final Path STATES = MESSAGES.resolve("states");

  private static final Pattern NAME = Pattern.compile("(.+)\\.v(\\d+)(\\.[^.]+)?\\.json");

  static List<Payload> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().map(Payload::new).toList();
    }
  }

  /** Returns that of a message. */
  static Payload of(String name) {
    return new Payload(MESSAGES.resolve(name));
  }

  TypeVersion type() {
    Matcher name = NAME.matcher(file.getFileName().toString());
    if (!name.matches()) {
      throw new IllegalArgumentException(file + " is not <type>.v<version>[.<label>].json");
    }
    return new TypeVersion(name.group(1), Integer.parseInt(name.group(2)));
  }

  byte[] bytes() throws IOException {
    return Files.readAllBytes(file);
  }

  @Override
  public String toString() {
    return file.getFileName().toString();
  }
}
