// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Spring Boot application that contains only what the quick start of docs/spring.md says
 * publishes its message, with the versions that Boot's own parent chooses. {@code
 * proof/fresh-project} installs, and starts this.
 */
@Tag("long")
class FreshSpringProjectIT {
  private static final int READS_MAX = 60;
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>org.springframework.boot</groupId>
          <artifactId>spring-boot-starter-parent</artifactId>
          <version>%s</version>
          <relativePath/>
        </parent>
        <groupId>com.example</groupId>
        <artifactId>shop</artifactId>
        <version>1</version>
        <dependencies>
      %s  </dependencies>
      </project>
      """;

  private static final String EVENT =
      """
      package com.example.shop;

      import io.outledger.spring.boot.OutboxEvent;

      %s\
      """;

  private static final String SERVICE =
      """
      package com.example.shop;

      import io.outledger.Outbox;
      import org.springframework.jdbc.core.simple.JdbcClient;
      import org.springframework.stereotype.Service;
      import org.springframework.transaction.annotation.Transactional;

      @Service
      public class Orders {
        private final JdbcClient jdbc;
        private final Outbox outbox;

        Orders(JdbcClient jdbc, Outbox outbox) {
          this.jdbc = jdbc;
          this.outbox = outbox;
        }

      %s}
      """;

  private static final String APPLICATION =
      """
      package com.example.shop;

      import org.springframework.boot.SpringApplication;
      import org.springframework.boot.autoconfigure.SpringBootApplication;

      @SpringBootApplication
      public class Shop {
        public static void main(String[] arguments) {
          SpringApplication.run(Shop.class, arguments).getBean(Orders.class).place("o-1", 1990);
        }
      }
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void quickStartIsEnoughForAMessageOnKafka(int line) throws Exception {
    Markdown page = Markdown.at(Path.of("docs", "spring.md"));
    String starter = "outledger-spring-boot-%d-starter";
    assertThat(page.text()).contains(starter.formatted(3), starter.formatted(4));
    write(
        "pom.xml",
        POM.formatted(
            version("spring-boot-" + line),
            page.blocks("xml").get(0).replace(starter.formatted(4), starter.formatted(line))));
    write("src/main/resources/application.properties", page.blocks("properties").get(0));
    write(
        "src/main/java/com/example/shop/OrderPlaced.java",
        EVENT.formatted(page.blocks("java").get(0)));
    write(
        "src/main/java/com/example/shop/Orders.java",
        SERVICE.formatted(page.blocks("java").get(1)));
    write("src/main/java/com/example/shop/Shop.java", APPLICATION);

    String classPath = new FreshBuild(folder).classPath();

    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("orders", 1, Map.of());
      Process shop = start(classPath, broker.bootstrapServers());
      try {
        ConsumerRecord<String, String> message = first(shop, broker.bootstrapServers());
        assertThat(message.key()).isEqualTo("o-1");
        assertThat(message.value()).isEqualTo("{\"orderId\":\"o-1\",\"cents\":1990}");
      } finally {
        shop.destroyForcibly();
      }
    }
  }

  private static String version(String line) {
    Matcher version =
        Pattern.compile("<" + line + ".version>(.*)</")
            .matcher(ProjectFiles.read(Path.of("pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Starts it with the addresses of our servers in place of the page's. */
  private Process start(String classPath, String kafka) throws IOException, SQLException {
    Postgres postgres = Postgres.shared();
    String database = postgres.createDatabase();
    try (Connection connection = postgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id text PRIMARY KEY, cents int NOT NULL)");
    }
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                "com.example.shop.Shop",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:%d/%s"
                    .formatted(postgres.port(), database),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.kafka.bootstrap-servers=" + kafka)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("shop.out").toFile());
    builder.environment().put("SPRING_DATASOURCE_PASSWORD", postgres.password());
    return builder.start();
  }

  private ConsumerRecord<String, String> first(Process shop, String kafka) throws IOException {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka, "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(new TopicPartition("orders", 0)));
      ConsumerRecords<String, String> records = ConsumerRecords.empty();
      for (int reads = 0; records.isEmpty() && shop.isAlive() && reads < READS_MAX; reads++) {
        records = consumer.poll(Duration.ofSeconds(1));
      }
      assertThat(records.count()).as(Files.readString(folder.resolve("shop.out"))).isEqualTo(1);
      return records.iterator().next();
    }
  }
}
