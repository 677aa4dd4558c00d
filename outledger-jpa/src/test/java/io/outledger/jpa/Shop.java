// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with the shop's tables and the ledger. */
final class Shop {

  private static @Nullable Shop shared;

  private final PGSimpleDataSource dataSource = ofNewDatabase();
  final EntityManagerFactory factory =
      factory("shop", Map.of("jakarta.persistence.schema-generation.database.action", "create"));
  final Outledger outledger;
  final JpaOutbox outbox;

  private Shop() {
    PostgreSql.schema().apply(dataSource);
    outledger =
        Outledger.builder(dataSource)
            .serializer(new Text())
            .events(Shop::types)
            .withoutRetention()
            .build();
    outbox = JpaOutbox.install(factory, outledger);
  }

  /** Returns the one shop of this JVM, emptied, whose entities' events are captured. */
  static synchronized Shop emptied() {
    if (shared == null) {
      shared = new Shop();
    }
    shared.empty();
    return shared;
  }

  private static void types(EventTypes.Builder types) {
    types
        .register(
            ShopEvent.Happened.class,
            t -> t.name("happened").topic("shop").key(ShopEvent.Happened::key))
        .register(
            ShopEvent.Other.class, t -> t.name("other").topic("shop").key(ShopEvent.Other::key))
        .register(
            ShopEvent.Doubled.class,
            t ->
                t.map(
                    (doubled, context) ->
                        List.of(
                            new ShopEvent.Happened(doubled.key(), "first"),
                            new ShopEvent.Other(doubled.key(), "second"))))
        .register(ShopEvent.Internal.class, t -> t.map((internal, context) -> List.of()))
        .register(
            ShopEvent.Refused.class,
            t ->
                t.name("refused")
                    .topic("shop")
                    .key(ShopEvent.Refused::key)
                    .guard((refused, context) -> Optional.of("as the test wants")));
  }

  /** Payloads are an event's key and what happened. */
  static final class Text implements PayloadSerializer {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      ShopEvent happened = (ShopEvent) event;
      String what =
          happened instanceof ShopEvent.Happened here
              ? here.what()
              : happened instanceof ShopEvent.Other there ? there.what() : "?";
      return (happened.key() + " " + what).getBytes(UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      throw new IllegalStateException("nothing is read here");
    }
  }

  /** Returns another factory on the same tables, without a capture. */
  EntityManagerFactory factory(String unit) {
    return factory(unit, Map.of());
  }

  /** Returns another factory on the same tables, with further properties, without a capture. */
  EntityManagerFactory factory(String unit, Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("jakarta.persistence.nonJtaDataSource", dataSource);
    return Persistence.createEntityManagerFactory(unit, properties);
  }

  /** Runs work in a transaction of a new entity manager, and commits. */
  void inTransaction(Consumer<EntityManager> work) {
    try (EntityManager entityManager = factory.createEntityManager()) {
      inTransaction(entityManager, work);
    }
  }

  static void inTransaction(EntityManager entityManager, Consumer<EntityManager> work) {
    entityManager.getTransaction().begin();
    try {
      work.accept(entityManager);
      entityManager.getTransaction().commit();
    } finally {
      if (entityManager.getTransaction().isActive()) {
        entityManager.getTransaction().rollback();
      }
    }
  }

  /** Returns the payloads of all messages in order of position. */
  List<String> messages() {
    return query("SELECT convert_from(payload, 'UTF8') FROM outledger_message ORDER BY position");
  }

  /** Returns with how many statements the messages were inserted. */
  int statements() {
    return query("SELECT DISTINCT xmin::text || ':' || cmin::text FROM outledger_message").size();
  }

  void empty() {
    execute(
        "TRUNCATE shop_order_line, shop_order, shop_invoice, shop_basket, shop_box, shop_quote,"
            + " parcel, visit");
    execute("DELETE FROM outledger_message");
  }

  void execute(String sql) {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  DataSource dataSource() {
    return dataSource;
  }

  Connection connection() throws SQLException {
    return dataSource.getConnection();
  }

  /** Returns the first column of each row as text. */
  List<String> query(String sql) {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
      return texts;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static PGSimpleDataSource ofNewDatabase() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    return source;
  }
}
