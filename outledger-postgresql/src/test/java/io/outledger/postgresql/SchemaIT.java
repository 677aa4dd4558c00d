// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaIT {

  @Test
  void applyingAtTheSameTimeAndAgainChangesNothing() throws Exception {
    StoreDatabase database = StoreDatabase.empty();
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> appliers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        appliers.add(pool.submit(() -> PostgreSql.schema("Mixed_1").apply(database.dataSource())));
      }
      for (Future<?> applier : appliers) {
        applier.get();
      }
    } finally {
      pool.shutdownNow();
    }
    PostgreSql.schema("Mixed_1").check(database.dataSource());
    assertThat(database.number("SELECT count(*) FROM \"Mixed_1\".outledger_schema")).isEqualTo(1);
  }

  @Test
  void printedSqlMakesWhatApplyMakes() throws SQLException {
    StoreDatabase printed = StoreDatabase.empty();
    printed.execute(PostgreSql.schema("app").print());
    PostgreSql.schema("app").check(printed.dataSource());
    StoreDatabase applied = StoreDatabase.empty();
    PostgreSql.schema("app").apply(applied.dataSource());
    String columns =
        """
        SELECT table_name, column_name, data_type, column_default FROM information_schema.columns
         WHERE table_schema = 'app' ORDER BY 1, 2\
        """;
    assertThat(printed.query(columns)).isEqualTo(applied.query(columns)).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "topic=''",
        "topic=repeat('x', 601)",
        "type=''",
        "message_key=repeat('x', 1501)",
        "version=0",
        "headers=repeat('x', 180225)",
        "time='infinity'"
      })
  void whatNoRelayCanCarryIsRefusedByItsColumnWhoeverInsertsIt(String bad) throws SQLException {
    StoreDatabase database = StoreDatabase.empty();
    PostgreSql.schema().apply(database.dataSource());
    Map<String, String> row = new TreeMap<>();
    row.put("time", "clock_timestamp()");
    row.put("id", "gen_random_uuid()");
    row.put("version", "1");
    row.put("topic", "'t'");
    row.put("type", "'t'");
    row.put("payload", "''");
    database.execute(insert(row));
    String column = bad.substring(0, bad.indexOf('='));
    row.put(column, bad.substring(column.length() + 1));
    assertThatThrownBy(() -> database.execute(insert(row)))
        .hasMessageContaining(
            "violates check constraint \"outledger_message_%s\"", column.replace("message_", ""));
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isOne();
  }

  private static String insert(Map<String, String> row) {
    return "INSERT INTO outledger_message (%s) VALUES (%s)"
        .formatted(String.join(", ", row.keySet()), String.join(", ", row.values()));
  }

  @Test
  void missingOlderAndNewerTablesAreRefused() throws SQLException {
    StoreDatabase database = StoreDatabase.empty();
    assertThat(refusal(database)).isEqualTo(ErrorCode.SCHEMA_MISSING);
    PostgreSql.schema().apply(database.dataSource());
    assertThat(refusal(database)).isNull();
    database.execute("UPDATE outledger_schema SET version = 0");
    assertThat(refusal(database)).isEqualTo(ErrorCode.SCHEMA_OLDER);
    database.execute("UPDATE outledger_schema SET version = 99");
    assertThat(refusal(database)).isEqualTo(ErrorCode.SCHEMA_NEWER);
    assertThatThrownBy(() -> PostgreSql.schema().apply(database.dataSource()))
        .hasMessageContaining("OUT-005");
  }

  @Test
  void invalidNameIsRefused() {
    for (String name : new String[] {"", "a b", "a\"b", "1a", "a;b", "ä", "a".repeat(64)}) {
      assertThatThrownBy(() -> PostgreSql.schema(name))
          .as(name)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("OUT-006");
    }
  }

  private static @org.jspecify.annotations.Nullable ErrorCode refusal(StoreDatabase database) {
    try {
      PostgreSql.schema().check(database.dataSource());
      return null;
    } catch (ConfigurationException e) {
      return e.code();
    }
  }
}
