// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.handler;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.relay.listener.Subject;
import org.slf4j.event.Level;

/**
 * Runs a handler. Should the transaction of a handler that still runs when the relay closes its
 * client commit all the same, its inbox row makes the next delivery a duplicate.
 */
final class HandlerCall implements BlockingClient.Call {

  private final String name;
  private final PositionedHandler handler;
  private final Outcomes outcomes;
  private final QuietLog log;

  HandlerCall(String name, PositionedHandler handler, Outcomes outcomes, QuietLog log) {
    this.name = name;
    this.handler = handler;
    this.outcomes = outcomes;
    this.log = log;
  }

  @Override
  public Outcome send(long position, int attempt, Message message) {
    outcomes.begins(position);
    try {
      handler.handle(position, attempt, message);
      return Outcome.PUBLISHED;
    } catch (InvalidMessageException e) {
      String reason = String.valueOf(e.getMessage());
      return e.isForGood() ? Outcome.refused(reason) : Outcome.suspect(reason);
    } catch (Throwable e) {
      if (e instanceof OutledgerException ours && ours.code().isOutage()) {
        return Outcome.unavailable(String.valueOf(e.getMessage()));
      }
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      Subject subject = new Subject(message.id(), message.key(), position, name);
      // The relay tells what comes of each message, with the failure's text.
      log.firstFails(Level.ERROR, "handling", () -> "could not handle " + subject, e);
      if (e instanceof OutledgerException ours && ours.code().isNotYet()) {
        return Outcome.notYet(Printable.text(e));
      }
      boolean isItsOwn = e instanceof OutledgerException ours && ours.code().isUnreadable();
      return isItsOwn ? Outcome.rejected(Printable.text(e)) : Outcome.suspect(Printable.text(e));
    }
  }
}
