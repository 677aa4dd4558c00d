// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.UnknownName;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.jdbc.spi.Database;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * Retries and discards parked messages of a subscription: short for {@link Requests}, in the name
 * of this process, or of {@link #by somebody}. The active relay, which knows the blocked keys,
 * carries a request out. {@link Admin#parked} lists what is parked. Once the {@link Outledger} it
 * comes from is closed, everything fails with a {@link StoreException} {@code OUT-026}.
 * Thread-safe.
 */
public final class ParkedMessages {

  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private final Admin admin;
  private final Requester requester;
  private final Reader reader;

  ParkedMessages(Admin admin, Requester requester, String subscription) {
    this.admin = admin;
    this.requester = requester;
    this.reader = Reader.subscription(Name.check("subscription", subscription));
  }

  /**
   * Creates it for a subscription in a schema.
   *
   * @param dataSource is asked what database it is
   * @throws ConfigurationException {@code OUT-006} if a name is not valid, {@code OUT-020} if no
   *     module on the class path supports the database
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  public static ParkedMessages of(DataSource dataSource, String schema, String subscription) {
    Require.nonNull("schema", schema);
    Name.check("subscription", subscription);
    Database database = Databases.find(dataSource, schema);
    OpenState openState = new OpenState();
    return new ParkedMessages(
        new Admin(database.adminReads(dataSource), openState),
        Requester.of(database, dataSource, openState),
        subscription);
  }

  /**
   * Returns the same, which asks in somebody's name and not in that of this process: the audit then
   * says who and why.
   *
   * @param who 1 to {@value Request#ASKED_BY_CHARS_MAX} characters
   * @param reason 1 to {@value Request#REASON_CHARS_MAX} characters; what asks refuses others with
   *     {@code OUT-021}
   */
  public ParkedMessages by(String who, String reason) {
    Require.nonNull("who", who);
    Require.nonNull("reason", reason);
    return new ParkedMessages(admin, requester.by(who, reason), reader.name());
  }

  /**
   * Requests an immediate retry of a dead or retrying message. A held message cannot be retried:
   * retry the message that it is held behind.
   *
   * @return whether there was one
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription, the position
   *     is parked in other routes only, or the route is not known: nothing is parked in it, and no
   *     instance has declared it; {@code OUT-021} if two messages are parked there, because the
   *     ledger was emptied meanwhile: name one by its place
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public boolean retry(long position, String route) {
    return request(ParkedRequest.RETRY, position, route);
  }

  /**
   * Requests an immediate retry of a message that is parked in one route, whichever that is;
   * otherwise like {@link #retry(long, String)}.
   *
   * @throws ConfigurationException {@code OUT-025} also if it is parked in several routes: name one
   */
  public boolean retry(long position) {
    return request(ParkedRequest.RETRY, position);
  }

  /**
   * Requests an immediate retry of one that was listed; otherwise like {@link #retry(long,
   * String)}.
   *
   * @param place such as {@link ParkedPoint#ofSubscription()} of a listed one
   */
  public boolean retry(ParkedPlace place) {
    return request(ParkedRequest.RETRY, place);
  }

  /**
   * Requests a retry of every dead letter, as {@link #retry(ParkedSelection)} does.
   *
   * @return the number of requests recorded
   */
  public int retryAll() {
    return retry(ParkedSelection.of(ParkedState.DEAD));
  }

  /**
   * Requests an immediate retry of all selected messages that are dead or retrying, a thousand in
   * each transaction.
   *
   * @return the number of messages for which it was noted, without those that the relay was just
   *     changing
   * @throws ConfigurationException {@code OUT-021} if held messages are selected (select those that
   *     they are held behind); {@code OUT-025} if there is no such subscription, or the selected
   *     route is not known: nothing is parked in it, and no instance has declared it
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public int retry(ParkedSelection selection) {
    return count(ParkedRequest.RETRY, new Which.Selected(selection));
  }

  /**
   * Requests that a dead or retrying message be discarded permanently; otherwise like {@link
   * #retry(long, String)}. A running attempt finishes first; if it succeeds, the message is
   * published.
   */
  public boolean discard(long position, String route) {
    return request(ParkedRequest.DISCARD, position, route);
  }

  /**
   * Requests that a message that is parked in one route be discarded permanently, as {@link
   * #discard(long, String)} does.
   *
   * @throws ConfigurationException {@code OUT-025} also if it is parked in several routes: name one
   */
  public boolean discard(long position) {
    return request(ParkedRequest.DISCARD, position);
  }

  /**
   * Requests that one that was listed be discarded permanently; otherwise like {@link
   * #discard(long, String)}.
   *
   * @param place such as {@link ParkedPoint#ofSubscription()} of a listed one
   */
  public boolean discard(ParkedPlace place) {
    return request(ParkedRequest.DISCARD, place);
  }

  /**
   * Requests that all selected messages that are dead or retrying be discarded permanently;
   * otherwise like {@link #retry(ParkedSelection)}.
   */
  public int discard(ParkedSelection selection) {
    return count(ParkedRequest.DISCARD, new Which.Selected(selection));
  }

  private boolean request(ParkedRequest request, long position) {
    List<ParkedPlace> all = placesAt(position);
    List<String> routes = all.stream().map(ParkedPlace::route).distinct().toList();
    // Where several have parked it, or none, it is meant as of a relay without routes.
    return request(request, position, routes.size() == 1 ? routes.get(0) : "", all);
  }

  private boolean request(ParkedRequest request, long position, String route) {
    Require.nonNull("route", route);
    return request(request, position, route, placesAt(position));
  }

  private boolean request(
      ParkedRequest request, long position, String route, List<ParkedPlace> all) {
    Predicate<ParkedPlace> isThere = place -> place.route().equals(route);
    List<ParkedPlace> places = all.stream().filter(isThere).toList();
    if (places.size() > 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          """
          several messages are parked at position %s of subscription "%s", %s: the ledger was \
          emptied meanwhile. Name one by the place that the list returns\
          """
              .formatted(position, reader.name(), places.stream().map(ParkedPlace::id).toList()));
    }
    if (places.isEmpty() && !all.isEmpty()) {
      throw UnknownName.route(
          route,
          "position " + position + " of subscription \"" + reader.name() + '"',
          all.stream().map(ParkedPlace::route).distinct().toList());
    }
    if (places.isEmpty()) {
      requireRoute(route);
      return false;
    }
    return request(request, places.get(0));
  }

  /** Fails where no instance has that route; a relay without routes has the one without a name. */
  private void requireRoute(String route) {
    if (!route.isEmpty()) {
      admin.parked(ParkedQuery.of(reader).with(ParkedSelection.ALL.withRoute(route)).withLimit(1));
    }
  }

  /** Returns the places at which a position is parked, in any state. */
  private List<ParkedPlace> placesAt(long position) {
    List<ParkedPlace> places = new ArrayList<>();
    ParkedPoint next = new ParkedPoint(position, "", BEFORE_ALL);
    while (next != null && next.number() == position) {
      Listing<Parked, ParkedPoint> page = admin.parked(ParkedQuery.of(reader).after(next));
      page.rows().stream()
          .map(row -> row.place().ofSubscription())
          .filter(place -> place.position() == position)
          .forEach(places::add);
      next = page.next();
    }
    return places;
  }

  private boolean request(ParkedRequest request, ParkedPlace place) {
    return count(request, new Which.Place(place)) > 0;
  }

  private int count(ParkedRequest request, Which which) {
    Verb verb =
        request == ParkedRequest.RETRY
            ? new Verb.Retry(reader, which, Pace.UNLIMITED)
            : new Verb.Discard(reader, which, Pace.UNLIMITED);
    return Math.toIntExact(requester.count(verb));
  }
}
