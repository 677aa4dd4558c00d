// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Positions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What a ledger's tables hold, read from outside. */
record LedgerTables(Database database) {

  private static final String OF_THE_RELAY = " WHERE subscription = '" + Ledger.SUBSCRIPTION + "'";

  /**
   * A message.
   *
   * @param id its id
   * @param position its position
   * @param time when it was made, by its writer's clock
   * @param payload its bytes
   */
  record Stored(
      UUID id,
      long position,
      Instant time,
      @SuppressWarnings("ArrayRecordComponent") byte[] payload) {}

  /**
   * How far the relay had come at a save.
   *
   * @param n the number of the save
   * @param owner who saved
   * @param savedAt when
   * @param high the highest position that it had seen
   * @param open what it had seen and not settled
   */
  record Saved(long n, UUID owner, Instant savedAt, long high, Positions open) {

    /** Returns whether a message was not settled then. */
    boolean leaves(Stored message) {
      return message.position() > high || open.contains(message.position());
    }
  }

  List<Stored> messages() throws SQLException {
    Columns columns = database.columns();
    return database.rows(
        "SELECT id, position, time, payload FROM outledger_message ORDER BY position",
        row ->
            new Stored(
                columns.id(row, "id"),
                row.getLong("position"),
                columns.time(row, "time"),
                row.getBytes("payload")));
  }

  /** Returns the saves that are kept, in order. */
  List<Saved> saves() throws SQLException {
    Columns columns = database.columns();
    return database.rows(
        "SELECT * FROM outledger_cursor" + OF_THE_RELAY + " ORDER BY n",
        row ->
            new Saved(
                row.getLong("n"),
                columns.id(row, "incarnation"),
                columns.time(row, "saved_at"),
                row.getLong("high"),
                columns.open(row)));
  }

  /** Returns how many positions are open now, those included at which no message will come. */
  long open() throws SQLException {
    return database
        .rows("SELECT * FROM outledger_subscription" + OF_THE_RELAY, database.columns()::open)
        .stream()
        .mapToLong(Positions::size)
        .sum();
  }

  List<Entry.Parked> parked() throws SQLException {
    Columns columns = database.columns();
    return database.rows(
        "SELECT id, state, blocks FROM outledger_parked" + OF_THE_RELAY,
        row ->
            new Entry.Parked(
                columns.id(row, "id"),
                row.getString("state").equals("dead"),
                row.getBoolean("blocks")));
  }
}
