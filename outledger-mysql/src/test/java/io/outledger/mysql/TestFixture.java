// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.DatabaseFixture;
import io.outledger.jdbc.spi.Database;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** An empty database for the contracts. */
record TestFixture(TestDatabase test) implements DatabaseFixture {

  @Override
  public Database database() {
    return test.database();
  }

  @Override
  public DataSource dataSource() {
    return test.dataSource();
  }

  @Override
  public void letPass(Duration time) {
    Instant end = test.now().plus(time);
    Await.until(() -> "time passes", Duration.ofMinutes(1), () -> test.now().isAfter(end));
  }

  @Override
  public void run(String script) throws SQLException {
    try (Connection connection = test.connect();
        Statement statement = connection.createStatement()) {
      for (String each : MySqlSchema.statements(script)) {
        statement.execute(each);
      }
    }
  }

  @Override
  public String renumbering() {
    return "ALTER TABLE outledger_message AUTO_INCREMENT = 1";
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void close() {
    test.close();
  }
}
