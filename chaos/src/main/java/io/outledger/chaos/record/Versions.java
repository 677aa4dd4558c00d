// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import io.outledger.chaos.shop.Shop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * What a run ran on.
 *
 * @param names a version or a name by what it is of
 */
public record Versions(Map<String, String> names) {

  /** Looks, where there are no servers. */
  public static Versions here() {
    return with(Map.of());
  }

  /** Looks, at servers that run. */
  public static Versions of(Shop shop) throws SQLException {
    Map<String, String> servers = new LinkedHashMap<>();
    try (Connection connection = shop.connect()) {
      servers.put(
          shop.database().product().word(), connection.getMetaData().getDatabaseProductVersion());
    }
    servers.put("kafka", AppInfoParser.getVersion());
    return with(servers);
  }

  /** Looks, beside servers whose versions are known. */
  public static Versions with(Map<String, String> servers) {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("outledger", System.getProperty("outledger.commit", "unknown"));
    names.put("jdk", System.getProperty("java.vm.version"));
    names.putAll(servers);
    names.put("os", operatingSystem());
    names.put("cpu", Runtime.getRuntime().availableProcessors() + " × " + processor());
    return new Versions(names);
  }

  private static String operatingSystem() {
    return first(Path.of("/etc/os-release"), "PRETTY_NAME=").replace("\"", "")
        + " "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version");
  }

  private static String processor() {
    String name = first(Path.of("/proc/cpuinfo"), "model name");
    return name.isEmpty() ? System.getProperty("os.arch") : name.replaceFirst("^[\\s:]+", "");
  }

  /** Returns what follows these words in the first line that begins with them. */
  private static String first(Path file, String words) {
    if (!Files.isReadable(file)) {
      return "";
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(words))
          .map(line -> line.substring(words.length()).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
