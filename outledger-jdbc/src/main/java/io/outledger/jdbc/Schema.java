// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Require;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.Start;
import javax.sql.DataSource;

/**
 * The tables of Outledger: print them for a migration tool, apply them, or check them. At run time
 * no right to change the schema is needed.
 *
 * <p>Thread-safe.
 */
public final class Schema {

  private final Database database;

  private Schema(Database database) {
    this.database = database;
  }

  /** Returns the tables of a database, without I/O. */
  public static Schema of(Database database) {
    return new Schema(Require.nonNull("database", database));
  }

  /**
   * Returns the tables in the schema in which a connection finds them, else in its current one: as
   * a rule {@code public} on PostgreSQL.
   *
   * @param dataSource is asked what database it is
   * @throws io.outledger.ConfigurationException {@code OUT-020} if no module on the class path
   *     supports it
   * @throws io.outledger.StoreException {@code OUT-016} if the database cannot be reached
   */
  public static Schema of(DataSource dataSource) {
    return new Schema(Databases.find(dataSource, null));
  }

  /**
   * Returns the tables in a schema of the given name.
   *
   * @param dataSource is asked what database it is
   * @param name a letter or {@code _}, then up to 62 letters, digits or {@code _}; used as it is
   *     written, upper and lower case apart
   * @throws io.outledger.ConfigurationException {@code OUT-006} if it is not a valid name, {@code
   *     OUT-020} if no module on the class path supports the database
   * @throws io.outledger.StoreException {@code OUT-016} if the database cannot be reached
   */
  public static Schema of(DataSource dataSource, String name) {
    Require.nonNull("name", name);
    return new Schema(Databases.find(dataSource, name));
  }

  /** Returns the SQL that makes an empty database ready, for a migration tool or a person. */
  public String print() {
    return database.schema().print();
  }

  /**
   * Makes or upgrades the tables, and puts back rows of theirs that somebody has removed. Does
   * nothing where they are up to date; two that apply at the same time wait for each other. After a
   * failure nothing has changed, where the database can change tables in a transaction, as
   * PostgreSQL can; elsewhere apply again.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-005} if the tables are newer than this
   *     release
   * @throws io.outledger.StoreException if the database failed or refused
   */
  public void apply(DataSource dataSource) {
    Require.nonNull("dataSource", dataSource);
    database.schema().apply(dataSource);
  }

  /**
   * Empties the tables between two tests: removes every message, and all that is parked and
   * remembered, and moves every subscription to what comes next. Relays may run; they take their
   * leases again within a second. What their handlers are at work on may still take effect, so let
   * a test wait for what it has appended. A {@code TRUNCATE} of all tables instead removes rows
   * without which relays do not work.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if the tables are missing
   * @throws io.outledger.StoreException if the database failed or refused
   */
  public void emptyForTests(DataSource dataSource) {
    apply(dataSource);
    database.schema().empty(dataSource);
    AdminReads reads = database.adminReads(dataSource);
    SubscriptionStore subscriptions = database.subscriptions();
    OperatorTransactions transactions = database.transactions(dataSource);
    for (SubscriptionState each : new Admin(reads, new OpenState()).subscriptions()) {
      moveToNow(
          transactions, new MoveWork(subscriptions, transactions, toNow(each), Fenced.NOTHING));
    }
  }

  private static Skip toNow(SubscriptionState subscription) {
    return new Skip(subscription.name(), Start.NOW);
  }

  /** Without a request: what is kept of those was just removed, too. */
  private static void moveToNow(OperatorTransactions transactions, MoveWork move) {
    boolean isPlaced;
    do {
      move.walk();
      isPlaced =
          transactions.run(
              OperatorTransactions.Kind.CHANGES,
              move.doing(),
              transaction -> move.place(transaction).isPresent());
    } while (!isPlaced);
  }

  /**
   * Checks that the tables are there, in the version that this release needs.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if they are missing, {@code
   *     OUT-004} if they are older, {@code OUT-005} if they are newer, {@code OUT-020} if the
   *     database is set up in a way that is not supported
   * @throws io.outledger.StoreException if the database failed
   */
  public void check(DataSource dataSource) {
    Require.nonNull("dataSource", dataSource);
    database.schema().check(dataSource);
  }
}
