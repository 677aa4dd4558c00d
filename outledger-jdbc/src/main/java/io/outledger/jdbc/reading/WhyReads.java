// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Name;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.UnknownName;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.MessageSearch;
import io.outledger.jdbc.admin.MessageState;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Reader.Kind;
import io.outledger.jdbc.admin.Reason;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.Why;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a message, or the messages of a key, are not published: found out step by step. */
public final class WhyReads {

  private static final int SENTENCES_MAX = 5;

  private final AdminReads reads;
  private final StandingReads standings;
  private final SubscriptionReads subscriptions;
  private final ParkedPages parked;
  private final LedgerPages pages;
  private final MissingReads missing;
  private final ScheduledReads scheduled;

  /** Makes it, without I/O. */
  public WhyReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.standings = new StandingReads(reads);
    this.subscriptions = new SubscriptionReads(reads);
    this.parked = new ParkedPages(reads);
    this.pages = new LedgerPages(reads);
    this.missing = new MissingReads(reads);
    this.scheduled = new ScheduledReads(reads);
  }

  /**
   * Returns why a message is not published, or by when it was.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Why of(UUID id) {
    Require.nonNull("id", id);
    return reads.read("looking for the reasons of message " + id, connection -> of(connection, id));
  }

  private Why of(Connection connection, UUID id) throws SQLException {
    MessageSearch search = standings.find(connection, id, 0);
    MessageState found = search.found();
    if (found != null) {
      return found(connection, found, search.from(), search.to());
    }
    Optional<Reason> scheduled = this.scheduled.waiting(connection, id);
    if (scheduled.isPresent()) {
      List<Reason> only = List.of(scheduled.get());
      return new Why(sentence(only), null, only, search.from(), search.to());
    }
    List<Reason> reasons = new ArrayList<>();
    reasons.add(missing.id(connection, id, search));
    reasons.addAll(stillParked(connection, missing.parkedWith(connection, id)));
    reasons.addAll(stillParked(connection, missing.receivedWith(connection, id.toString())));
    return new Why(sentence(reasons), null, reasons, search.from(), search.to());
  }

  /**
   * Returns why the message at a position is not published, or by when it was.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Why of(long position) {
    return reads.read(
        "looking for the reasons of position " + position,
        connection -> {
          Optional<MessageState> found = standings.at(connection, position, 0);
          if (found.isPresent()) {
            return found(connection, found.get(), position, position);
          }
          List<Reason> reasons = new ArrayList<>();
          reasons.add(
              missing.position(
                  connection, position, subscriptions.subscriptions(connection, null)));
          reasons.addAll(stillParked(connection, missing.parkedAt(connection, position)));
          return new Why(sentence(reasons), null, reasons, position, position);
        });
  }

  private Why found(Connection connection, MessageState message, long from, long to)
      throws SQLException {
    List<Reason> reasons = new ArrayList<>();
    List<SubscriptionState> states =
        message.standings().stream().allMatch(WhyReads::isOver)
            ? List.of()
            : subscriptions.subscriptions(connection, null);
    for (Standing standing : message.standings()) {
      if (standing.parked().isEmpty()) {
        reasons.add(notParked(connection, message.entry(), standing, state(states, standing)));
      }
      reasons.addAll(stillParked(connection, standing.parked()));
    }
    if (reasons.isEmpty()) {
      reasons.add(Reasons.unread());
    }
    String id = message.entry().message().id();
    reasons.addAll(stillParked(connection, missing.receivedWith(connection, id)));
    return new Why(sentence(reasons), message, reasons, from, to);
  }

  private Reason notParked(
      Connection connection,
      LedgerEntry entry,
      Standing standing,
      Optional<SubscriptionState> state)
      throws SQLException {
    if (isOver(standing)) {
      return Reasons.settled(entry, standing);
    }
    TakingRoutes routes = TakingRoutes.of(reads, connection, standing.subscription());
    Optional<Paused> pause =
        pauses(connection, standing.subscription())
            .filter(each -> concerns(each.scope(), entry.message(), routes))
            .findFirst();
    return pause.isPresent()
        ? Reasons.paused(standing, pause.get())
        : Reasons.open(entry, standing, state, routes);
  }

  private Stream<Paused> pauses(Connection connection, String subscription) throws SQLException {
    return new PauseTable(reads)
        .current(connection, subscription).current().values().stream()
            .sorted(Comparator.comparing(each -> each.scope().kind()));
  }

  private static boolean concerns(PauseScope scope, MessageInfo message, TakingRoutes routes) {
    return scope.kind() == PauseScope.Kind.ROUTE
        ? routes.mayTake(scope.name(), message)
        : concerns(scope, message);
  }

  /** Returns whether a pause of something else than a route keeps a message back. */
  private static boolean concerns(PauseScope scope, MessageInfo message) {
    return switch (scope.kind()) {
      case SUBSCRIPTION, ROUTE -> true;
      case TOPIC -> scope.name().equals(message.topic());
      case KEY -> scope.name().equals(message.key());
    };
  }

  private static boolean isOver(Standing standing) {
    return standing.state() != Standing.State.WAITING
        && standing.state() != Standing.State.IN_FLIGHT
        && standing.state() != Standing.State.PAUSED;
  }

  private static Optional<SubscriptionState> state(
      List<SubscriptionState> states, Standing standing) {
    return states.stream()
        .filter(
            each ->
                each.name().equals(standing.subscription())
                    && each.cursor().partition() == standing.partition())
        .findFirst();
  }

  private List<Reason> stillParked(Connection connection, List<Parked> rows) throws SQLException {
    List<Reason> reasons = new ArrayList<>();
    for (Parked row : rows) {
      reasons.add(parked(connection, row));
    }
    return reasons;
  }

  private Reason parked(Connection connection, Parked row) throws SQLException {
    if (row.state() == ParkedState.RETRYING && !row.withdrawn() && !row.owner().isConsumer()) {
      Optional<Paused> pause =
          pauses(connection, row.owner().name())
              .filter(each -> concerns(each.scope(), row))
              .findFirst();
      if (pause.isPresent()) {
        return Reasons.paused(row, pause.get());
      }
    }
    Optional<Parked> head = head(connection, row);
    return keptBack(connection, row, head).orElseGet(() -> Reasons.of(row, head));
  }

  /** Returns what the owner says of a message that it tries again, and may not try when due. */
  private Optional<Reason> keptBack(Connection connection, Parked row, Optional<Parked> head)
      throws SQLException {
    Parked tried = head.orElse(row);
    if (tried.state() != ParkedState.RETRYING || row.withdrawn() || row.owner().isConsumer()) {
      return Optional.empty();
    }
    return subscriptions.subscriptions(connection, row.owner().name()).stream()
        .filter(each -> each.cursor().partition() == row.owner().partition() && each.isRunning())
        .flatMap(each -> Optional.ofNullable(each.relay()).stream())
        .flatMap(relay -> Reasons.keptBack(row, head, relay).stream())
        .findFirst();
  }

  private static boolean concerns(PauseScope scope, Parked row) {
    return scope.kind() == PauseScope.Kind.ROUTE
        ? scope.name().equals(row.place().route())
        : concerns(scope, row.message());
  }

  /** Returns the row that a held one waits for. */
  private Optional<Parked> head(Connection connection, Parked row) throws SQLException {
    return row.state() == ParkedState.HELD && row.message().key() != null
        ? parked.head(connection, row)
        : Optional.empty();
  }

  /**
   * Returns why messages of a key wait in a subscription.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription
   * @throws io.outledger.StoreException if the database failed
   */
  public Why of(String subscription, String key) {
    Name.check("subscription", subscription);
    Require.text("key", key);
    return reads.read(
        "looking for the reasons of a key in subscription " + subscription,
        connection -> of(connection, subscription, key));
  }

  private Why of(Connection connection, String subscription, String key) throws SQLException {
    List<SubscriptionState> states = subscriptions.subscriptions(connection, subscription);
    if (states.isEmpty()) {
      throw UnknownName.subscription(
          subscription,
          subscriptions.subscriptions(connection, null).stream()
              .map(SubscriptionState::name)
              .toList());
    }
    List<Reason> reasons = new ArrayList<>();
    long from = 0;
    long to = 0;
    for (SubscriptionState state : states) {
      reasons.addAll(parkedOfKey(connection, state, key));
      from = state.cursor().lowest();
      MessageQuery query = MessageQuery.ALL.withKey(key).withLimit(1).after(from - 1);
      Listing<LedgerEntry, Long> waiting = pages.list(connection, query);
      to = waiting.next() == null ? from + LedgerPages.SCANNED - 1 : waiting.next();
      for (LedgerEntry entry : waiting.rows()) {
        for (Standing standing : standings.standings(connection, entry)) {
          if (standing.subscription().equals(subscription)
              && standing.partition() == state.cursor().partition()
              && !isOver(standing)
              && reasons.isEmpty()) {
            reasons.add(notParked(connection, entry, standing, Optional.of(state)));
          }
        }
      }
    }
    if (reasons.isEmpty()) {
      reasons.add(Reasons.nothingWaits(subscription, Printable.value(key), from, to));
    }
    return new Why(sentence(reasons), null, reasons, from, to);
  }

  /** Returns a reason for each route that has parked something of the key. */
  private List<Reason> parkedOfKey(Connection connection, SubscriptionState state, String key)
      throws SQLException {
    Reader owner = new Reader(Kind.SUBSCRIPTION, state.name(), state.cursor().partition());
    ParkedQuery query =
        ParkedQuery.of(owner).with(ParkedSelection.ALL.withKey(key)).withLimit(Count.MAX / 10);
    Listing<Parked, ParkedPoint> rows = parked.list(connection, query);
    List<Reason> reasons = new ArrayList<>();
    for (String route :
        rows.rows().stream()
            .map(row -> row.place().route())
            .collect(Collectors.toCollection(LinkedHashSet::new))) {
      List<Parked> ofRoute =
          rows.rows().stream().filter(row -> row.place().route().equals(route)).toList();
      Parked head =
          ofRoute.stream()
              .filter(row -> row.state() != ParkedState.HELD)
              .findFirst()
              .orElse(ofRoute.get(0));
      Reason reason = parked(connection, head);
      reasons.add(
          reason.kind() == Reason.Kind.PAUSED || reason.kind() == Reason.Kind.KEPT_BACK
              ? reason
              : Reasons.ofKey(ofRoute, rows.isMore()));
    }
    return reasons;
  }

  private static String sentence(List<Reason> reasons) {
    String first =
        reasons.stream()
            .limit(SENTENCES_MAX)
            .map(Reason::sentence)
            .collect(Collectors.joining("; "));
    int more = reasons.size() - SENTENCES_MAX;
    return more > 0 ? first + "; and " + more + " more" : first;
  }
}
