// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;

/** Reads what is left of the orders from the tables, and from nothing else. Used by one thread. */
final class SagaTrails {

  private static final String WAITING = "waiting-";

  private final DataSource dataSource;

  SagaTrails(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Makes the table of effects. It has no key: what happens twice is there twice. */
  void createEffects() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE saga_effect (saga_key TEXT NOT NULL, what TEXT NOT NULL)");
    }
  }

  /** Returns the database's version. */
  String version() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return connection.getMetaData().getDatabaseProductVersion();
    }
  }

  /** Returns how many sagas have a row and do not wait for the delivery. */
  int underWay() throws SQLException {
    Map<String, List<String>> states = states();
    states
        .entrySet()
        .removeIf(
            each ->
                each.getKey().startsWith(WAITING)
                    && each.getValue().equals(List.of(OrderSaga.DELIVERING)));
    return states.size();
  }

  /** Returns what is left of each order that the ledger knows. */
  List<OrderTrail> all() throws SQLException {
    Map<String, List<String>> effects = lines("SELECT saga_key, what FROM saga_effect");
    Map<String, List<String>> messages = lines("SELECT message_key, type FROM outledger_message");
    Map<String, List<String>> scheduled =
        lines("SELECT message_key, type FROM outledger_scheduled");
    Map<String, List<String>> parked = lines("SELECT message_key, type FROM outledger_parked");
    Map<String, List<String>> states = states();
    List<OrderTrail> all = new ArrayList<>();
    for (String key : new TreeSet<>(messages.keySet())) {
      List<String> state = states.getOrDefault(key, List.of());
      all.add(
          new OrderTrail(
              key,
              effects.getOrDefault(key, List.of()),
              messages.getOrDefault(key, List.of()),
              state.isEmpty() ? null : state.get(0),
              scheduled.getOrDefault(key, List.of()).size(),
              parked.getOrDefault(key, List.of()).size()));
    }
    return all;
  }

  private Map<String, List<String>> states() throws SQLException {
    return lines("SELECT saga_key, payload FROM outledger_saga");
  }

  private Map<String, List<String>> lines(String sql) throws SQLException {
    Map<String, List<String>> lines = new HashMap<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        String value =
            row.getObject(2) instanceof byte[] bytes ? new String(bytes, UTF_8) : row.getString(2);
        lines.computeIfAbsent(row.getString(1), key -> new ArrayList<>()).add(value);
      }
    }
    return lines;
  }
}
