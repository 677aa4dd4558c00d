// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.Product;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What is done to a running shop. */
public enum Fault {
  /** The relay that owns the subscription is killed, and started again. */
  RELAY_KILLED(60),
  /** A relay that stands by is killed, and started again. */
  STANDBY_KILLED(4),
  /** A writer is killed, and started again. */
  WRITER_KILLED(10),
  /** A consumer is killed, and started again. */
  CONSUMER_KILLED(10),
  /** The operator is killed in the midst of what it does, and started again. */
  OPERATOR_KILLED(6),
  /** The database server is killed, and started again. */
  DATABASE_KILLED(40),
  /** The broker is killed, and started again. */
  BROKER_KILLED(6),
  /** The owner is frozen for two to three leases, and goes on as if nothing had happened. */
  OWNER_FROZEN(12),
  /** A relay that stands by is frozen as long. */
  STANDBY_FROZEN(2),
  /** A writer is frozen as long, with transactions open. */
  WRITER_FROZEN(4),
  /** A consumer is frozen as long, with messages in its hands. */
  CONSUMER_FROZEN(4),
  /** The database server is frozen as long. */
  DATABASE_FROZEN(4),
  /** The broker is frozen as long. */
  BROKER_FROZEN(4),
  /** The owner is asked to stop, and hands over; it is started again. */
  OWNER_STOPPED(20),
  /** A new version is rolled out, with a type of messages that the old one does not know. */
  ROLLED_OUT(6),
  /** A new version is rolled out, taken back while it has messages waiting, and comes again. */
  ROLLED_BACK(3),
  /** A role's connections to the database are cut. */
  CONNECTION_CUT(8),
  /** What a role says to the database is lost for a moment. */
  REQUESTS_LOST(6),
  /** The database's replies to a role are lost for a moment. */
  REPLIES_LOST(6),
  /** What the owner says to the database is lost for longer than its lease. */
  REQUESTS_LOST_LONG(2),
  /** The database's replies to the owner are lost for longer than its lease. */
  REPLIES_LOST_LONG(2),
  /** A role's line to the database is slow, up to a lease for each piece of data. */
  LINE_SLOW(4),
  /** All connections to the broker are cut. */
  BROKER_CUT(4),
  /** What is said to the broker is lost for a while. */
  BROKER_REQUESTS_LOST(4),
  /** The broker's replies, acknowledgements among them, are lost for a while. */
  BROKER_REPLIES_LOST(4),
  /** A role's sessions are ended by the database server, now and then several times in a row. */
  SESSIONS_ENDED(10),
  /** A transaction has appended and stays open for a good while; others commit beyond it. */
  TRANSACTION_HELD(4),
  /** The same transaction is prepared by XA and left by its session. MariaDB's and MySQL's. */
  TRANSACTION_PREPARED(12),
  /** A snapshot is held for a good while. */
  SNAPSHOT_HELD(3),
  /** The database's disk is full for a while. */
  DISK_FULL(3),
  /** The database is dumped, with holes open, and restored into a new server. */
  RESTORED(1),
  /** The database is restored to a moment of a while ago, and what was committed since is gone. */
  POINT_IN_TIME_RESTORED(1),
  /** The database server is killed, and its synchronous standby takes its place. */
  FAILED_OVER(1),
  /** A relay's line leads to a replica of the database for a while. MariaDB's and MySQL's. */
  LED_TO_REPLICA(2),
  /** A replica takes the place of its server once it has everything. MariaDB's and MySQL's. */
  REPLICA_PROMOTED(1);

  /** What needs something that only PostgreSQL has, or that is only done to it so far. */
  private static final Set<Fault> OF_POSTGRESQL =
      EnumSet.of(SESSIONS_ENDED, SNAPSHOT_HELD, DISK_FULL, POINT_IN_TIME_RESTORED, FAILED_OVER);

  private static final Set<Fault> OF_MYSQL =
      EnumSet.of(TRANSACTION_PREPARED, LED_TO_REPLICA, REPLICA_PROMOTED);

  private final int weight;

  Fault(int weight) {
    this.weight = weight;
  }

  /** Returns how often it comes, beside the others, in a random run. */
  public int weight() {
    return weight;
  }

  /** Returns what can be done to a shop on a database. */
  public static Set<Fault> on(Product product) {
    Set<Fault> others = product == Product.POSTGRESQL ? OF_MYSQL : OF_POSTGRESQL;
    return EnumSet.complementOf(EnumSet.copyOf(others));
  }

  /** Returns its name on a command line, such as {@code relay-killed}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the fault of that name. */
  public static Optional<Fault> of(String word) {
    return Arrays.stream(values()).filter(fault -> fault.word().equals(word)).findFirst();
  }

  /** Returns all names. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Fault::word).toList();
  }
}
