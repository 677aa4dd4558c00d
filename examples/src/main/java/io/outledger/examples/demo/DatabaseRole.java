// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.util.List;

/** PostgreSQL: what it has in flight are transactions that have written and not committed. */
record DatabaseRole(Postgres server, Ledger orders, Ledger inventory) implements Role {

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public long inFlight() throws SQLException {
    return orders
        .database()
        .number(
            """
            SELECT count(*) FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND backend_xid IS NOT NULL
            """);
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "transaction") + " half done";
  }

  @Override
  public List<Ledger> interrupts() {
    return List.of(orders, inventory);
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }
}
