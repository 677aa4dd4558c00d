// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The database of a run, in which the services {@code orders} and {@code inventory} have one each.
 */
interface DemoDatabase extends AutoCloseable {

  /** Returns its name and version for people. */
  String title();

  /** Returns what was made in it for the shop, in a few words. */
  String details();

  /** Returns the settings by which a service finds one of the two. */
  Map<String, String> settings(String name);

  /** Connects to one of the two, from outside of all services. */
  Connection connect(String name) throws SQLException;

  /** Returns how the ledger's tables are read. */
  Columns columns();

  /** Returns the processes of the services on it, which are not started yet. */
  Services services(Wiring wiring);

  /** Returns the processes of its own that are killed; none where it lives in a service's. */
  List<Role> roles(Ledger orders, Ledger inventory);

  /** Returns how people can ask one of the two, as a line for a terminal. */
  String command(String name, String sql);

  /** Returns the server that the quick starts are made for; empty where it is another database. */
  default Optional<Postgres> postgres() {
    return Optional.empty();
  }

  /** Ends what runs of it and deletes its data. */
  @Override
  void close();
}
