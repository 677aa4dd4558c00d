// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RevisionRows;
import io.outledger.jdbc.spi.RevisionRows.Row;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Appends a message in the place of a parked one, and takes that one back, in one transaction. Its
 * owner reads no row that is withdrawn as one to be tried; what it has read before may be at work,
 * and so a row that is due, or will be soon, is refused.
 */
final class RevisionWork implements RequestWork {

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration AGAIN = Duration.ofMillis(200);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Database database;
  private final SubscriptionStore subscriptions;
  private final Verb.Revise verb;

  RevisionWork(Database database, SubscriptionStore subscriptions, Verb.Revise verb) {
    this.database = database;
    this.subscriptions = subscriptions;
    this.verb = verb;
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    List<CursorKey> keys = subscriptions.cursors(transaction, verb.subscription());
    subscriptions.requireThere(transaction, keys.get(0));
    database.erasures().lock(transaction);
    RevisionRows rows = rows(transaction, keys);
    Optional<Row> parked = rows.lock(transaction, verb.place());
    if (parked.isEmpty()) {
      if (rows.isThere(transaction, verb.place())) {
        return Optional.of(waits("its owner is just changing it", AGAIN));
      }
      throw refused("is not parked any more; look for it with why(id)");
    }
    requireIdle(parked.get(), row.now());
    requireNotAwaited(transaction, rows, parked.get());
    Optional<RequestStep> erasure = waitsForErasure(transaction, parked.get());
    if (erasure.isPresent()) {
      return erasure;
    }
    Message revised = revised(parked.get());
    database.appender().append(transaction, List.of(revised));
    rows.withdraw(transaction, verb.place());
    return Optional.of(
        RequestStep.done(
            "appended message %s in the place of %s, which its owner discards"
                .formatted(revised.id(), verb.place().id())));
  }

  /** Returns the rows of the partition that has parked it, or of any where none has. */
  private RevisionRows rows(Connection transaction, List<CursorKey> keys) throws SQLException {
    RevisionRows rows = database.revisions(keys.get(0));
    for (CursorKey key : keys.subList(1, keys.size())) {
      RevisionRows next = database.revisions(key);
      rows = next.isThere(transaction, verb.place()) ? next : rows;
    }
    return rows;
  }

  /** An erasure would not look at what is appended behind its end. */
  private Optional<RequestStep> waitsForErasure(Connection transaction, Row parked)
      throws SQLException {
    return database
        .requests()
        .openErasure(transaction, verb.place().id(), parked.message().build().key())
        .map(
            erasure ->
                waits(
                    "waits for the end of erasure "
                        + erasure
                        + " of the same message or key; see what that waits for, or stop it",
                    LOOK));
  }

  private static RequestStep waits(String why, Duration next) {
    return new RequestStep(RequestState.RUNNING, 0, 1L, null, why, null, next);
  }

  private void requireIdle(Row parked, Instant now) {
    if (parked.isReplay()) {
      throw refused("is the copy that a replay has made of a published one; discard it instead");
    }
    if (parked.withdrawn()) {
      throw refused("was erased or revised before, and is being discarded");
    }
    if (parked.state() == ParkedState.HELD) {
      throw refused("is held behind another one of its key; revise it when it is tried and fails");
    }
    if (parked.requested() != null) {
      throw refused("is to be tried again or discarded, as somebody has asked for");
    }
    Instant next = parked.nextAttemptAt();
    if (parked.state() == ParkedState.RETRYING && next != null && next.isBefore(now.plus(SOON))) {
      throw refused(
          "is being tried, or will be within %s s; ask again when its attempt has failed"
              .formatted(SOON.toSeconds()));
    }
  }

  /** Its owner may be at it until it has failed, or another has taken over, or there is none. */
  private void requireNotAwaited(Connection transaction, RevisionRows rows, Row parked)
      throws SQLException {
    Instant since = parked.awaitedSince();
    if (since != null && rows.isOwnedSince(transaction, since)) {
      throw refused(
          "may be at work, since somebody has asked for it; ask again when it has failed, or when"
              + " another relay owns the subscription: stop the one that owned it then, or start"
              + " it again");
    }
  }

  private Message revised(Row parked) {
    Message before = parked.message().build();
    Revision revision = verb.to();
    Map<String, String> headers =
        new TreeMap<>(revision.headers() == null ? before.headers() : revision.headers());
    headers.put(Revision.REVISES_HEADER, verb.place().id().toString());
    Message.Builder message =
        Message.to(before.topic(), before.type())
            .version(before.version())
            .payload(revision.payload() == null ? before.payload() : revision.payload());
    String messageKey = before.key();
    if (messageKey != null) {
      message.key(messageKey);
    }
    headers.forEach(message::header);
    return message.build();
  }

  private ConfigurationException refused(String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "message " + verb.place().id() + " " + why + "; nothing was appended");
  }
}
