// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.jdbc.EventContext;
import java.sql.SQLException;

/** Writes a letter for each renewal. */
final class Letters {

  private Letters() {}

  static void handle(EventHandlers.Builder<EventContext> events) {
    events.on(RenewalConfirmed.class, Letters::write);
  }

  private static void write(RenewalConfirmed renewal, EventContext context) throws SQLException {
    Sql.update(
        context.connection(),
        "INSERT INTO letter (text) VALUES (?)",
        renewal.subscriptionId()
            + " "
            + renewal.way()
            + ": "
            + renewal.months()
            + " months for "
            + renewal.cents()
            + " "
            + renewal.currency());
  }
}
