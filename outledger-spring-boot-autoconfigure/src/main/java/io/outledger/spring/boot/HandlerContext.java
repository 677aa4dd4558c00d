// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Outbox;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import java.sql.Connection;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a handler's method is told beside the event. */
record HandlerContext(HandlerRoute.Parts parts, Received message, long place, int number)
    implements EventContext {

  @Override
  public Connection connection() {
    return parts.transactions().connection();
  }

  @Override
  public Outbox outbox() {
    return parts.outbox();
  }

  @Override
  public OptionalLong position() {
    return OptionalLong.of(place);
  }

  @Override
  public OptionalInt attempt() {
    return OptionalInt.of(number);
  }
}
