// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErasureRows;
import io.outledger.jdbc.spi.ErasureRows.Receipt;
import io.outledger.jdbc.spi.ErasureRows.Withdrawn;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Erases messages: walks along the ledger, and looks through what is parked, batch by batch.
 *
 * <p>A relay that had read a message before may park it after, out of its memory. It does so in the
 * save that settles the message. So what is parked is looked through once more whenever another
 * subscription has settled the last message that was erased, in a transaction that began after
 * that, and only when all have does the request end.
 */
final class ErasureWork implements RequestWork {

  private static final int BATCH_MAX = 1_000;
  private static final int RECEIPTS_MAX = 200;

  /** A step looks at so many positions at most, however few of them fit. */
  private static final long SCANNED_MAX = 20_000;

  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Database database;
  private final SubscriptionStore subscriptions;
  private final OperatorTransactions transactions;
  private final ErasureRows rows;
  private final Verb.Erase verb;
  private List<SubscriptionStatus> read = List.of();

  ErasureWork(
      Database database,
      SubscriptionStore subscriptions,
      OperatorTransactions transactions,
      Verb.Erase verb) {
    this.database = database;
    this.subscriptions = subscriptions;
    this.transactions = transactions;
    this.rows = database.erasures();
    this.verb = verb;
  }

  /**
   * Where the work stands.
   *
   * @param to everything up to this position of the ledger was looked at
   * @param end the last position
   * @param last the last position that was erased; 0 for none
   * @param erased how many were erased in the ledger
   * @param parked how many that subscriptions had parked
   * @param received how many that consumers had parked
   * @param behind how many subscriptions had not passed the last position when what is parked was
   *     looked through; 0 where it is to be looked through in any case
   * @param attempts how many attempts at what subscriptions had parked
   */
  private record Stand(
      long to,
      long end,
      long last,
      long erased,
      long parked,
      long received,
      long behind,
      long attempts) {

    /** An instance of an earlier build has left out the last number. */
    static Stand read(String place) {
      long[] n = NumbersText.read(place, 8);
      return new Stand(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    }

    String text() {
      return NumbersText.write(to, end, last, erased, parked, received, behind, attempts);
    }

    boolean isWalking() {
      return to < end;
    }

    long done() {
      return erased + parked + received;
    }
  }

  /** The subscriptions as they are before the transaction that looks through what is parked. */
  @Override
  public void prepare(RequestRow row) {
    read =
        transactions.run(
            OperatorTransactions.Kind.READS,
            "reading the subscriptions",
            connection -> {
              List<SubscriptionStatus> all = new ArrayList<>();
              for (CursorKey key : rows.subscriptions(connection)) {
                status(connection, key).ifPresent(all::add);
              }
              return all;
            });
  }

  /** Returns how it stands; empty where it was deleted or renamed a moment ago. */
  private Optional<SubscriptionStatus> status(Connection connection, CursorKey key)
      throws SQLException {
    try {
      return Optional.of(subscriptions.requireThere(connection, key));
    } catch (ConfigurationException e) {
      if (e.code() == ErrorCode.UNKNOWN_SUBSCRIPTION) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    String place = row.place();
    Stand stand = place == null ? first(transaction) : Stand.read(place);
    if (stand.isWalking()) {
      stand = walk(transaction, stand);
    }
    if (stand.isWalking()) {
      String where = "looked at the ledger up to position " + stand.to();
      return Optional.of(goesOn(stand, where, Duration.ZERO));
    }
    long last = stand.last();
    List<SubscriptionStatus> behind = read.stream().filter(each -> each.lowest() <= last).toList();
    return Optional.of(
        !behind.isEmpty() && behind.size() == stand.behind()
            ? goesOn(stand, waitsFor(behind.get(0), last, row.now()), LOOK)
            : lookThrough(transaction, row, stand, behind));
  }

  /** Whoever copies messages is done, and who comes later sees that an erasure goes on. */
  private Stand first(Connection transaction) throws SQLException {
    rows.lock(transaction);
    return new Stand(0, rows.last(transaction), 0, 0, 0, 0, 0, 0);
  }

  private Stand walk(Connection transaction, Stand stand) throws SQLException {
    rows.lock(transaction);
    OptionalLong next = rows.next(transaction, stand.to());
    long above = next.isEmpty() ? stand.end() : Math.min(stand.end(), next.getAsLong() - 1);
    long upTo = Math.min(stand.end(), above + SCANNED_MAX);
    List<Long> positions = rows.fitting(transaction, verb, above, upTo, BATCH_MAX);
    int erased = rows.erase(transaction, positions);
    long last = positions.isEmpty() ? stand.last() : positions.get(positions.size() - 1);
    return new Stand(
        positions.size() < BATCH_MAX ? upTo : last,
        stand.end(),
        last,
        stand.erased() + erased,
        stand.parked(),
        stand.received(),
        0,
        stand.attempts());
  }

  private RequestStep lookThrough(
      Connection transaction, RequestRow row, Stand stand, List<SubscriptionStatus> behind)
      throws SQLException {
    Withdrawn withdrawn = rows.withdraw(transaction, verb, BATCH_MAX);
    List<Receipt> receipts = rows.receipts(transaction, verb, RECEIPTS_MAX);
    for (Receipt each : receipts) {
      remember(transaction, each);
      database.received().remove(transaction, each.consumer(), each.number());
    }
    boolean isAnyLeft = rows.isAnyLeft(transaction, verb);
    Stand now =
        new Stand(
            stand.to(),
            stand.end(),
            stand.last(),
            stand.erased(),
            stand.parked() + withdrawn.messages(),
            stand.received() + receipts.size(),
            isAnyLeft ? 0 : behind.size(),
            stand.attempts() + withdrawn.attempts());
    if (isAnyLeft) {
      boolean isFull = withdrawn.messages() == BATCH_MAX || receipts.size() == RECEIPTS_MAX;
      return goesOn(now, "more is parked", isFull ? Duration.ZERO : SOON);
    }
    if (!behind.isEmpty()) {
      return goesOn(now, waitsFor(behind.get(0), stand.last(), row.now()), LOOK);
    }
    return rows.owned(transaction, verb)
        .map(owner -> goesOn(now, waitsFor(owner, row.now()), LOOK))
        .orElseGet(() -> ended(now));
  }

  /** The broker could deliver it once more, to a consumer that may be called otherwise by now. */
  private void remember(Connection transaction, Receipt receipt) throws SQLException {
    Reader reader = new Reader(Reader.Kind.CONSUMER, receipt.consumer(), 0);
    String now = new PresentNames(database).name(transaction, reader);
    database.inbox().insert(transaction, now, Set.of(receipt.id()));
  }

  private static String waitsFor(SubscriptionStatus behind, long last, Instant now) {
    return ("subscription %s has not passed position %s, so its relay may still park it out of its"
                + " memory")
            .formatted(Printable.value(new CursorKey(behind.name(), behind.partition())), last)
        + Awaited.unlessRunning(behind, now);
  }

  private String waitsFor(CursorKey owner, Instant now) {
    return "the relay of subscription %s has not discarded yet what it had parked"
            .formatted(Printable.value(owner))
        + read.stream()
            .filter(each -> owner.equals(new CursorKey(each.name(), each.partition())))
            .map(each -> Awaited.unlessRunning(each, now))
            .findFirst()
            .orElse("");
  }

  private static RequestStep goesOn(Stand now, String what, Duration next) {
    return new RequestStep(
        RequestState.RUNNING, now.done(), null, now.text(), counts(now) + "; " + what, null, next);
  }

  private static RequestStep ended(Stand now) {
    return now.done() == 0
        ? RequestStep.nothing("nothing to erase: no such message is kept, or it was erased before")
        : new RequestStep(
            RequestState.DONE, now.done(), now.done(), null, counts(now), null, Duration.ZERO);
  }

  private static String counts(Stand now) {
    return ("erased %s in the ledger, %s parked by subscriptions with %s attempts, %s parked by"
            + " consumers with all their attempts")
        .formatted(now.erased(), now.parked(), now.attempts(), now.received());
  }
}
