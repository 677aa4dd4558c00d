// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.event.TypeVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A stored payload, in a file that is named after its type and version, such as {@code
 * order.placed.v1.json}, or with a label {@code order.placed.v1.gift.json}; {@code .bin} if it is
 * no JSON. What a file's name may not contain is encoded as in a URL.
 */
record PayloadFile(Path path, String type, int version) {

  static final String NAMES = "<type>.v<version>.json or <type>.v<version>.<label>.json, or .bin";

  static final String JSON = ".json";
  static final String BINARY = ".bin";

  private static final Pattern NAME =
      Pattern.compile("(.+)\\.v(\\d{1,9})(\\.[^.]+)?(\\.json|\\.bin)");

  /** Returns the paths of the files in a folder, and in no folder below it, by name. */
  static List<Path> under(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what a path is named after; empty if it is named in another way. */
  static Optional<PayloadFile> of(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new PayloadFile(
                path, URLDecoder.decode(name.group(1), UTF_8), Integer.parseInt(name.group(2))))
        : Optional.empty();
  }

  /** Returns the name of the file of a type and version. */
  static String name(String type, int version, String ending) {
    return URLEncoder.encode(type, UTF_8) + ".v" + version + ending;
  }

  boolean isBinary() {
    return path.toString().endsWith(BINARY);
  }

  TypeVersion typeVersion() {
    return new TypeVersion(type, version);
  }

  byte[] read() {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
