// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.contracts.DatabaseContract;
import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.HostileSettings;
import io.outledger.jdbc.spi.Database;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

final class H2DatabaseIT extends DatabaseContract {

  @Override
  protected DatabaseFixture openFixture() {
    return new Fixture(TestH2.empty());
  }

  record Fixture(TestH2 server) implements DatabaseFixture {

    @Override
    public Database database() {
      return new H2Database(new Tables(Tables.DEFAULT_SCHEMA));
    }

    @Override
    public DataSource dataSource() {
      return server.dataSource();
    }

    @Override
    public void letPass(Duration time) {
      Instant end = server.now().plus(time);
      Await.until(() -> "time passes", Duration.ofMinutes(1), () -> server.now().isAfter(end));
    }

    @Override
    public Optional<Connection> readOnly() {
      return Optional.empty(); // it takes the mode for a hint, and writes
    }

    @Override
    public HostileSettings hostileSettings() {
      return new HostileSettings(List.of("SET LOCK_TIMEOUT 1"), "SELECT LOCK_TIMEOUT()");
    }

    @Override
    public List<String> logOf(Runnable work) {
      return CapturedLog.during(work);
    }

    @Override
    public void close() throws SQLException {
      server.close();
    }
  }
}
