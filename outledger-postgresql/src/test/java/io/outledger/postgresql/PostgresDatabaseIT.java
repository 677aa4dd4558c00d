// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.DatabaseContract;
import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.HostileSettings;
import io.outledger.jdbc.spi.Database;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

final class PostgresDatabaseIT extends DatabaseContract {

  @Override
  protected DatabaseFixture openFixture() {
    return new Fixture(TestDatabase.empty());
  }

  record Fixture(TestDatabase server) implements DatabaseFixture {

    @Override
    public Database database() {
      return new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA));
    }

    @Override
    public DataSource dataSource() {
      return server.dataSource();
    }

    @Override
    public void letPass(Duration time) {
      server.execute("SELECT pg_sleep(" + time.toMillis() / 1000.0 + ")");
    }

    @Override
    public HostileSettings hostileSettings() {
      return new HostileSettings(
          List.of("SET default_transaction_deferrable = on", "SET synchronous_commit = off"),
          """
          SELECT string_agg(name || '=' || setting, ', ' ORDER BY name) FROM pg_settings
           WHERE name IN ('default_transaction_deferrable', 'synchronous_commit', 'lock_timeout',
                          'statement_timeout', 'search_path', 'row_security')\
          """);
    }

    @Override
    public List<String> logOf(Runnable work) {
      return CapturedLog.during(work);
    }

    @Override
    public void close() {
      // The shared server's databases go with it.
    }
  }
}
