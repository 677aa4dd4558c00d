// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.sql.BatchUpdateException;
import java.sql.SQLException;

/**
 * What a database adds to the first line of its errors: further lines quote rows, and the error of
 * a batch its statement with the values. Neither belongs into logs, where payloads never are.
 */
final class SqlDetails {

  private SqlDetails() {}

  /** Cuts the details from a failure's text, also where it quotes one of its causes. */
  static String cut(String text, Throwable failure) {
    String safe = text;
    for (Throwable cause : Causes.of(failure)) {
      if (cause instanceof SQLException answer) {
        String whole = answer.getMessage();
        String line = firstLine(answer);
        if (whole != null && !whole.equals(line)) {
          safe = safe.replace(whole, line);
        }
      }
    }
    return safe;
  }

  private static String firstLine(SQLException answer) {
    SQLException next = answer.getNextException();
    SQLException first = answer instanceof BatchUpdateException && next != null ? next : answer;
    String message = String.valueOf(first.getMessage());
    return message.lines().findFirst().orElse(message);
  }
}
