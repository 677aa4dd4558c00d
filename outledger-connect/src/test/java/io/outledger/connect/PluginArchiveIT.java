// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin's archive, unpacked below the plugin path of a worker that knows nothing of us. */
final class PluginArchiveIT {

  private final KafkaBroker kafka = KafkaBroker.shared();
  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(kafka, shop);
  private final String topic = "orders-" + UUID.randomUUID();

  @TempDir private Path plugins;

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  @Test
  void aWorkerFindsTheConnectorInTheArchive() throws Exception {
    List<String> jars = unpack(archive());
    assertThat(jars)
        .anyMatch(jar -> jar.startsWith("outledger-connect-"))
        .anyMatch(jar -> jar.startsWith("outledger-postgresql-"))
        .anyMatch(jar -> jar.startsWith("outledger-mysql-"))
        .noneMatch(jar -> jar.startsWith("slf4j") || jar.startsWith("kafka"));
    kafka.createTopic(topic, 1, Map.of());

    ConnectWorker worker =
        connectors.worker(
            Map.of("plugin.path", plugins.toString(), "plugin.discovery", "only_scan"),
            workersOwn());
    assertThat(worker.get("/connector-plugins"))
        .containsPattern("OutledgerSourceConnector\",\"type\":\"source\",\"version\":\"\\d+\\.");
    connectors.put(worker, Map.of("topic", topic));

    shop.write(1, "orders", 1);
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), topic)) {
      Await.until(
          () -> "messages arrive; " + connectors.status(worker) + "\n" + worker.output(),
          Duration.ofSeconds(60),
          () -> consumed.read() >= 50);
      assertThat(consumed.wrong()).isEmpty();
    }
  }

  private static Path archive() throws IOException {
    try (Stream<Path> built = Files.list(Path.of("target"))) {
      return built
          .filter(file -> file.toString().endsWith("-plugin.zip"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("mvn package makes the archive first"));
    }
  }

  private List<String> unpack(Path archive) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        Path target = plugins.resolve(entry.getName()).normalize();
        assertThat(target).startsWithRaw(plugins.resolve("outledger-connect"));
        if (!entry.isDirectory()) {
          Files.createDirectories(target.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, target);
          }
        }
      }
    }
    try (Stream<Path> files = Files.list(plugins.resolve("outledger-connect"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Our class path without what is ours and without the driver: Connect's own jars. */
  private static String workersOwn() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(File::new)
        .filter(entry -> !entry.isDirectory() && !entry.getName().startsWith("outledger-"))
        .filter(entry -> !entry.getName().startsWith("postgresql-"))
        .map(File::getPath)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
