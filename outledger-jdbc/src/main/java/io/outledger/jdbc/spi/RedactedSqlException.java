// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Causes;
import io.outledger.Require;
import java.net.UnknownHostException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;

/**
 * A failure without what quotes rows, and so payloads: the server's details, and the statement of a
 * batch with its values. Its text and its cause end up in logs.
 */
public final class RedactedSqlException {

  private RedactedSqlException() {}

  /** Returns the failure where it has no details, else one with its first line, state and trace. */
  public static SQLException of(SQLException failure) {
    Require.nonNull("failure", failure);
    SQLException first = ofBatch(failure);
    String line = firstLine(first);
    if (first == failure && line.equals(first.getMessage()) && first.getNextException() == null) {
      return failure;
    }
    SQLException plain = new SQLException(line, first.getSQLState(), first.getErrorCode());
    plain.setStackTrace(failure.getStackTrace());
    return plain;
  }

  /**
   * Returns the first line of what the server said. A pool that timed out, since no connection
   * could be opened, says why in a cause alone, and so does a driver whose host name is not known:
   * then the line has both.
   */
  public static String firstLine(SQLException failure) {
    Require.nonNull("failure", failure);
    String message = String.valueOf(ofBatch(failure).getMessage());
    String line = message.lines().findFirst().orElse(message);
    Optional<SQLException> refused = behindPool(failure);
    if (refused.isPresent()) {
      return line + ": " + firstLine(refused.get());
    }
    return Causes.of(failure).stream()
        .filter(UnknownHostException.class::isInstance)
        .findFirst()
        .map(unknown -> line + " The host name is not known: " + unknown.getMessage())
        .orElse(line);
  }

  /** Returns why a pool that timed out could open no connection. */
  private static Optional<SQLException> behindPool(SQLException failure) {
    if (!(failure instanceof SQLTransientConnectionException)) {
      return Optional.empty();
    }
    return Causes.of(failure).stream()
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .filter(cause -> !(cause instanceof SQLTransientConnectionException))
        .findFirst();
  }

  private static SQLException ofBatch(SQLException failure) {
    SQLException next = failure.getNextException();
    return failure instanceof BatchUpdateException && next != null ? next : failure;
  }
}
