// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.SqlScript;
import io.outledger.examples.contract.Contract;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlaceOrderIT {

  private final HikariDataSource database = new HikariDataSource();
  private final PlaceOrder placeOrder = newPlaceOrder();

  @AfterEach
  void disconnect() {
    database.close();
  }

  @Test
  void aRequestThatIsSentAgainMakesOneOrderAndGetsTheSameAnswer() throws Exception {
    OrderRequest request = new OrderRequest("customer-1", "product-3", 2);

    Order first = placeOrder.place("key-1", request);
    Order again = placeOrder.place("key-1", request);

    assertThat(again).isEqualTo(first);
    assertThat(first.total()).isEqualByComparingTo("60");
    assertThat(count("orders")).isEqualTo(1);
    assertThat(count("outledger_message")).isEqualTo(1);
  }

  @Test
  void aRefusedOrderLeavesNothingBehind() throws Exception {
    OrderRequest request = new OrderRequest("customer-1", "product-20", 9);

    for (int time = 0; time < 2; time++) {
      assertThatThrownBy(() -> placeOrder.place("key-1", request))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("1800.00");
    }

    assertThat(count("orders")).isZero();
    assertThat(count("outledger_message")).isZero();
    assertThat(count("outledger_inbox")).isZero();
  }

  @Test
  void aKeyThatIsUsedForAnotherOrderIsRefused() throws Exception {
    placeOrder.place("key-1", new OrderRequest("customer-1", "product-3", 2));

    assertThatThrownBy(
            () -> placeOrder.place("key-1", new OrderRequest("customer-2", "product-3", 2)))
        .isInstanceOf(RefusedException.class);
    assertThat(count("orders")).isEqualTo(1);
  }

  private PlaceOrder newPlaceOrder() {
    Postgres server = Postgres.shared();
    database.setJdbcUrl(server.jdbcUrl(server.createDatabase()));
    try {
      SqlScript.run(database, OrderService.class, "orders.sql");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    PostgreSql.schema().apply(database);
    Outledger outledger =
        Outledger.builder(database)
            .events(Contract::register)
            .serializer(JacksonSerializer.create())
            .build();
    return new PlaceOrder(outledger, new OrderTable());
  }

  private long count(String table) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }
}
