// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the proofs of dead holes rest on, and says what to do where it does not hold.
 * Thread-safe.
 */
public abstract class LedgerChecks {

  private final LedgerTables tables;
  private final CursorKey key;
  private final Ledger ledger;

  /** For the database's own checks. Creates it, without I/O. */
  protected LedgerChecks(LedgerTables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.ledger = new Ledger(tables);
  }

  /** Checks all. */
  public final void check(Connection connection, long high) throws SQLException {
    checkServer(connection);
    checkLedger(connection, high);
  }

  /** Checks that the server and the user are such that the proof of dead holes holds. */
  public abstract void checkServer(Connection connection) throws SQLException;

  /** Checks that the ledger's table is as it was made, and has no trigger that drops rows. */
  protected abstract void checkTables(Connection connection) throws SQLException;

  /** Returns the statement after which the numbers continue above one of them. */
  protected abstract String continueAbove(long number);

  /** Checks the ledger's table, and that its numbers are not behind. */
  public final void checkLedger(Connection connection, long high) throws SQLException {
    checkTables(connection);
    checkNumbers(ledger.lastNumber(connection), ledger.highest(connection), high);
  }

  /**
   * Checks, before a cursor is gone on from, that the message it knows is still there, or was
   * removed by retention.
   */
  public final void checkKnown(Connection connection, @Nullable KnownMessage known)
      throws SQLException {
    if (ledger.isGone(connection, known)) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          """
          %s is not the ledger that subscription %s has read: the last message that it read is \
          gone, or another message has its position. The ledger was emptied, restored or \
          renumbered. The relay publishes nothing until you move the subscription to EARLIEST, to \
          publish everything that is there, or skip to the position where it should continue. What \
          is parked of the earlier ledger stays parked\
          """
              .formatted(tables.in("{schema}.outledger_message"), key));
    }
  }

  /** Checks that the ledger is the one that was read up to a position. */
  public final void checkRead(Connection connection, long high, @Nullable KnownMessage known)
      throws SQLException {
    checkNumbers(ledger.lastNumber(connection), 0, high);
    checkKnown(connection, known);
  }

  private void checkNumbers(long lastNumber, long highestPosition, long high) {
    if (lastNumber >= high && lastNumber >= highestPosition) {
      return;
    }
    throw new ConfigurationException(
        ErrorCode.LEDGER_BEHIND_CURSOR,
        """
        the numbers of %s are at %s, below its highest position %s or below %s, which \
        subscription %s has already read, so new messages would be skipped. If the ledger was \
        emptied or restored, execute %s and start again; if it was restored without its cursor, \
        also move the subscription\
        """
            .formatted(
                tables.in("{schema}.outledger_message"),
                lastNumber,
                highestPosition,
                high,
                key,
                continueAbove(Math.max(high, highestPosition))));
  }

  /** Returns the failure where the ledger's table is not as it was made. */
  protected final ConfigurationException altered(String problem) {
    return new ConfigurationException(
        ErrorCode.LEDGER_ALTERED,
        tables.in("{schema}.outledger_message")
            + " differs from the schema, and messages could be lost: "
            + problem
            + ". Restore it to what Schema.print() shows");
  }
}
