// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Where no schema is configured, the tables are in the connection's current one. */
class CurrentSchemaIT {

  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

  private DataSource in(String more) {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL(url + more);
    dataSource.setUser("sa");
    return dataSource;
  }

  @Test
  void theTablesAreMadeAndFoundInTheSchemaThatTheUrlNames() throws SQLException {
    count("CREATE SCHEMA IMMIGRATION");
    DataSource immigration = in(";SCHEMA=IMMIGRATION");
    Schema.of(immigration).apply(immigration);
    try (Outledger outledger = Outledger.builder(immigration).build()) {
      outledger.outbox().inNewTransaction(Message.to("a", "b").build());
    }
    assertThat(count("INSERT INTO IMMIGRATION.outledger_key_lock (slot) VALUES (1000)")).isOne();
  }

  @Test
  void tablesInTheDefaultSchemaBesideAnotherCurrentOneAreNotGuessed() throws SQLException {
    Schema.of(in("")).apply(in(""));
    count("CREATE SCHEMA IMMIGRATION");
    DataSource immigration = in(";SCHEMA=IMMIGRATION");
    assertThatThrownBy(() -> Schema.of(immigration))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.schema: IMMIGRATION for tables of its own, or PUBLIC for");
    Outledger.builder(immigration).schema("PUBLIC").build().close();
  }

  private int count(String sql) throws SQLException {
    try (var connection = in("").getConnection();
        var statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }
}
