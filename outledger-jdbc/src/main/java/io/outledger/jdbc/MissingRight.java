// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a purge says where its role may not do what it has to. */
final class MissingRight {

  /** The rights of whoever purges, as docs/schema.md lists them. */
  static final String GRANT =
      "GRANT SELECT, DELETE ON outledger_message, outledger_inbox, outledger_late TO role;"
          + " GRANT SELECT, UPDATE ON outledger_retention TO role;"
          + " GRANT SELECT ON outledger_hole, outledger_subscription, outledger_schema TO role;"
          + " GRANT SELECT ON SEQUENCE outledger_message_position TO role";

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private MissingRight() {}

  /** Returns whether a failure is that of a role without a right. */
  static boolean isIn(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }
}
