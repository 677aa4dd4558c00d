// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DivisionStep;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.TakenBack;
import io.outledger.relay.Slots;
import io.outledger.store.Division;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Divides a subscription into another number of partitions: notes up to where the old ones are to
 * be read, which their owners see as they see pauses, waits until nobody owns one, and divides. The
 * note alone makes that it comes to an end; that it is right rests on the transaction that divides.
 */
record DivideWork(SubscriptionStore store, PauseTable pauses, Divide verb) implements RequestWork {

  private static final Duration SOON = Duration.ofMillis(200);
  private static final String WAITING = "waiting";
  private static final String DIVIDED = "divided ";

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    String place = row.place();
    if (place == null) {
      return Optional.of(begin(transaction, row));
    }
    if (place.startsWith(DIVIDED)) {
      String after = place.substring(DIVIDED.length());
      return Optional.of(history(transaction, after, row.status().result()));
    }
    try {
      return Optional.of(divide(transaction, row));
    } catch (ConfigurationException e) {
      forget(transaction, row.status());
      String prefix = e.code().code() + " ";
      String text = String.valueOf(e.getMessage());
      String why = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
      return Optional.of(RequestStep.refused(e.code().code(), why));
    }
  }

  private RequestStep begin(Connection transaction, RequestRow row) throws SQLException {
    List<CursorKey> keys = store.cursors(transaction, verb.subscription());
    store.requireThere(transaction, keys.get(0));
    Optional<Division> other = pauses.division(transaction, verb.subscription());
    if (other.isPresent()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          ("another request divides subscription \"%s\" into %s partitions; nothing was changed."
                  + " Wait for its end, or stop it")
              .formatted(verb.subscription(), other.get().partitions()));
    }
    return keys.size() == verb.partitions()
        ? RequestStep.nothing("the subscription has that number of partitions")
        : divide(transaction, row);
  }

  private RequestStep divide(Connection transaction, RequestRow row) throws SQLException {
    Slots slots = new Slots(verb.partitions());
    DivisionStep step = store.divide(transaction, verb.subscription(), slots);
    if (step instanceof DivisionStep.Waits waits) {
      note(transaction, row.status(), new Division(verb.partitions(), waits.upTo()));
      return new RequestStep(
          RequestState.RUNNING,
          waits.ready(),
          (long) waits.before(),
          WAITING,
          waits.why(),
          null,
          SOON);
    }
    DivisionStep.Done done = (DivisionStep.Done) step;
    forget(transaction, row.status());
    return history(
        transaction,
        "",
        "divided into %s in place of %s at position %s; parked messages that changed theirs: %s"
            .formatted(verb.partitions(), done.before(), done.at(), done.moved()));
  }

  /** What was settled late says when, and is read by people alone: it follows in steps. */
  private RequestStep history(Connection transaction, String after, String result)
      throws SQLException {
    Slots slots = new Slots(verb.partitions());
    Optional<String> next = store.divideLate(transaction, verb.subscription(), slots, after);
    return next.isEmpty()
        ? RequestStep.done(result)
        : new RequestStep(
            RequestState.RUNNING, 0, null, DIVIDED + next.get(), result, null, Duration.ZERO);
  }

  private void note(Connection transaction, RequestStatus asked, Division division)
      throws SQLException {
    String name = verb.subscription();
    if (pauses.division(transaction, name).filter(division::equals).isEmpty()) {
      store.lockPlace(transaction, store.cursors(transaction, name).get(0)); // none renames it
      pauses.divide(transaction, name, division, asked.askedBy(), asked.reason());
    }
  }

  private void forget(Connection transaction, RequestStatus asked) throws SQLException {
    String name = verb.subscription();
    if (pauses.division(transaction, name).isPresent()) {
      pauses.divide(transaction, name, null, asked.askedBy(), asked.reason());
    }
  }

  /** Lets the old partitions go on. One that has not begun has noted nothing. */
  @Override
  public TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    if (WAITING.equals(row.place())) {
      forget(transaction, row.status());
    }
    return TakenBack.NOTHING;
  }
}
