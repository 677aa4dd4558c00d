// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Where no schema is configured, the tables are where the connection finds or would make them. */
class CurrentSchemaIT {

  private final StoreDatabase database = StoreDatabase.empty();

  private DataSource withParameter(String parameter) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(database.server().jdbcUrl(database.name()) + "&" + parameter);
    return dataSource;
  }

  @Test
  void theTablesAreMadeInTheSchemaThatTheUrlNames() throws SQLException {
    database.execute("CREATE SCHEMA immigration");
    works(withParameter("currentSchema=immigration"));
    assertThat(schemas()).containsExactly("immigration");
  }

  @Test
  void theTablesAreMadeInTheFirstSchemaOfTheRolesSearchPath() throws SQLException {
    String role = "clerk_" + database.name();
    database.execute("CREATE ROLE " + role + "; CREATE SCHEMA immigration AUTHORIZATION " + role);
    works(withParameter("options=-c%20role=" + role + "%20-c%20search_path=immigration,public"));
    assertThat(schemas()).containsExactly("immigration");
    database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
  }

  @Test
  void tablesFurtherDownTheSearchPathAreFound() throws SQLException {
    works(database.dataSource());
    database.execute("CREATE SCHEMA immigration");
    works(withParameter("currentSchema=immigration,public"));
    assertThat(schemas()).containsExactly("public");
  }

  @Test
  void tablesInPublicBesideAnotherCurrentSchemaAreNotGuessed() throws SQLException {
    works(database.dataSource());
    database.execute("CREATE SCHEMA immigration");
    DataSource immigration = withParameter("currentSchema=immigration");
    assertThatThrownBy(() -> Schema.of(immigration))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.schema: immigration for tables of its own, or public for");
    Outledger.builder(immigration).schema("public").build().close();
    Schema.of(immigration, "immigration").apply(immigration);
    works(immigration);
    assertThat(schemas()).containsExactly("immigration", "public");
  }

  private static void works(DataSource dataSource) {
    Schema.of(dataSource).apply(dataSource);
    try (Outledger outledger = Outledger.builder(dataSource).withoutRetention().build()) {
      outledger.outbox().inNewTransaction(Message.to("a", "b").build());
    }
  }

  private List<String> schemas() throws SQLException {
    return database.query(
        "SELECT schemaname FROM pg_tables WHERE tablename = 'outledger_message' ORDER BY 1");
  }
}
