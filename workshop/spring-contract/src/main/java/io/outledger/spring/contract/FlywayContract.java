// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Outbox;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The configuration that docs/spring.md shows has Flyway make Outledger's tables. */
public abstract class FlywayContract {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final Class<?> documented;
  private final Class<?> afterQuickStart;

  /**
   * Creates it.
   *
   * @param documented the configuration, as the document has it
   * @param afterQuickStart the same with the baseline that the document names for a database whose
   *     tables Outledger has made itself
   */
  protected FlywayContract(Class<?> documented, Class<?> afterQuickStart) {
    this.documented = documented;
    this.afterQuickStart = afterQuickStart;
  }

  /** What the application needs before it has Outledger. */
  @Configuration(proxyBeanMethods = false)
  static class OwnOutbox {

    @Bean
    Outbox own() {
      return events -> List.of();
    }
  }

  @Test
  void onAnEmptyDatabase() throws SQLException {
    String database = Postgres.shared().createDatabase();
    startsTwice(database);
    assertThat(schemas(database, "outledger_message")).containsExactly("public");
    assertThat(schemas(database, "orders")).containsExactly("public");
  }

  @Test
  void onADatabaseThatTheApplicationsOwnMigrationsHaveMade() throws SQLException {
    String database = Postgres.shared().createDatabase();
    start(List.of(OwnOutbox.class), database, "outledger.enabled=false").close();
    startsTwice(database);
    assertThat(schemas(database, "outledger_message")).containsExactly("public");
  }

  @Test
  void onADatabaseThatBeganWithTheQuickStart() throws SQLException {
    String database = Postgres.shared().createDatabase();
    start(List.of(RecordingConfiguration.class), database, "outledger.schema-initialization=always")
        .close();
    start(List.of(RecordingConfiguration.class, afterQuickStart), database).close();
    startsTwice(database);
    assertThat(schemas(database, "outledger_history")).containsExactly("public");
  }

  @Test
  void inASchemaOfTheApplicationsWhereNobodyMayWriteToPublic() throws SQLException {
    String database = Postgres.shared().createDatabase();
    String role = "migrates_" + database;
    try (Connection connection = Postgres.shared().connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
      statement.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'p'");
      statement.execute("GRANT CREATE ON DATABASE " + database + " TO " + role);
    }
    startsTwice(
        database,
        "spring.datasource.username=" + role,
        "spring.datasource.password=p",
        "spring.flyway.default-schema=shop",
        "outledger.schema=shop");
    assertThat(schemas(database, "outledger_message")).containsExactly("shop");
    assertThat(schemas(database, "orders")).containsExactly("shop");
  }

  private void startsTwice(String database, String... properties) {
    for (String order : List.of("o-1", "o-2")) {
      try (RunningShop shop =
          start(List.of(RecordingConfiguration.class, documented), database, properties)) {
        new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
            .executeWithoutResult(
                status -> shop.bean(Outbox.class).append(new OrderPlaced(order, 1)));
        RecordingPublisher published = shop.bean(RecordingPublisher.class);
        Await.until(
            order + " is published",
            SOON,
            () ->
                published.arrivals().stream().anyMatch(each -> order.equals(each.message().key())));
      }
    }
  }

  private static RunningShop start(
      List<Class<?>> configuration, String database, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    Postgres server = Postgres.shared();
    all.add("spring.datasource.url=jdbc:postgresql://127.0.0.1:" + server.port() + "/" + database);
    if (all.stream().noneMatch(each -> each.startsWith("spring.datasource.username="))) {
      all.add("spring.datasource.username=" + server.user());
      all.add("spring.datasource.password=" + server.password());
    }
    all.add("spring.flyway.enabled=true");
    all.add("spring.flyway.locations=classpath:migrations");
    return RunningShop.start(configuration, all.toArray(String[]::new));
  }

  private static List<String> schemas(String database, String table) throws SQLException {
    List<String> schemas = new ArrayList<>();
    try (Connection connection = Postgres.shared().connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT schemaname FROM pg_tables WHERE tablename = '" + table + "'")) {
      while (rows.next()) {
        schemas.add(rows.getString(1));
      }
    }
    return schemas;
  }
}
