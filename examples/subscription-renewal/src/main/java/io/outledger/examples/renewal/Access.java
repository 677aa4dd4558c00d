// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.examples.renewal.FulfilmentMessages.AccessRefused;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.RevokeAccess;
import io.outledger.jdbc.EventContext;
import java.sql.SQLException;

/** Provides what was paid for, the other partner of the saga. */
final class Access {

  /** A plan that is still sold, and cannot be provided any more. */
  static final String SOLD_OUT = "sold-out";

  private Access() {}

  static void handle(EventHandlers.Builder<EventContext> commands) {
    commands.on(GrantAccess.class, Access::grant).on(RevokeAccess.class, Access::revoke);
  }

  private static void grant(GrantAccess command, EventContext context) throws SQLException {
    if (command.plan().equals(SOLD_OUT)) {
      context.outbox().append(new AccessRefused(command.renewalId()));
      return;
    }
    Sql.update(
        context.connection(),
        "INSERT INTO access_granted (renewal_id) VALUES (?)",
        command.renewalId());
    context.outbox().append(new AccessGranted(command.renewalId()));
  }

  private static void revoke(RevokeAccess command, EventContext context) throws SQLException {
    Sql.update(
        context.connection(),
        "DELETE FROM access_granted WHERE renewal_id = ?",
        command.renewalId());
  }
}
