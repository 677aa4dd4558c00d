// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import java.sql.BatchUpdateException;
import java.sql.SQLException;

/**
 * A failure without what quotes rows, and so payloads: the server's details, and the statement of a
 * batch with its values. Its text and its cause end up in logs.
 */
public final class RedactedSqlException {

  private RedactedSqlException() {}

  /** Returns the failure where it has no details, else one with its first line, state and trace. */
  public static SQLException of(SQLException failure) {
    Given.check("failure", failure);
    SQLException first = ofBatch(failure);
    String line = firstLine(first);
    if (first == failure && line.equals(first.getMessage()) && first.getNextException() == null) {
      return failure;
    }
    SQLException plain = new SQLException(line, first.getSQLState(), first.getErrorCode());
    plain.setStackTrace(failure.getStackTrace());
    return plain;
  }

  /** Returns the first line of what the server said. */
  public static String firstLine(SQLException failure) {
    Given.check("failure", failure);
    String message = String.valueOf(ofBatch(failure).getMessage());
    return message.lines().findFirst().orElse(message);
  }

  private static SQLException ofBatch(SQLException failure) {
    SQLException next = failure.getNextException();
    return failure instanceof BatchUpdateException && next != null ? next : failure;
  }
}
