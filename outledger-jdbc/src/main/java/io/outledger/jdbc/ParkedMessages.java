// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.Name;
import io.outledger.StoreException;
import io.outledger.UnknownName;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.jdbc.spi.ParkedStore.Requested;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Administers the parked messages of a subscription: list, retry, discard. This class only records
 * a request; the active relay, which knows the blocked keys, carries it out. Once the {@link
 * Outledger} it comes from is closed, everything fails with a {@link StoreException} {@code
 * OUT-026}. Thread-safe.
 */
public final class ParkedMessages {

  private static final String USE = "administer parked messages";
  private static final int REQUESTS_A_STEP = 1000;

  private final ParkedStore store;
  private final String subscription;
  private final Life life;
  private final Supplier<Set<String>> ownRoutes;

  /**
   * Creates it.
   *
   * @param ownRoutes returns the routes that this process's relays of the subscription have
   */
  ParkedMessages(
      ParkedStore store, String subscription, Life life, Supplier<Set<String>> ownRoutes) {
    this.store = store;
    this.life = life;
    this.ownRoutes = ownRoutes;
    this.subscription = Name.check("subscription", subscription);
  }

  /**
   * Creates it for a subscription in a schema.
   *
   * @param dataSource is asked what database it is
   * @throws io.outledger.ConfigurationException {@code OUT-006} if a name is not valid, {@code
   *     OUT-020} if no module on the class path supports the database
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  public static ParkedMessages of(DataSource dataSource, String schema, String subscription) {
    Given.check("schema", schema);
    Name.check("subscription", subscription);
    return new ParkedMessages(
        Databases.find(dataSource, schema).parked(dataSource), subscription, new Life(), Set::of);
  }

  /**
   * Returns parked messages in order of position, and of route where several have parked one. Two
   * messages of one position and route are there where the ledger was emptied while the first was
   * parked; their ids differ.
   *
   * @param state only those in this state
   * @param after only those after this place: {@link ParkedPlace#FIRST} at first, and for the next
   *     page {@link ParkedStatus#place()} of the last one
   * @param limit at most this many; 1 or more
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the limit is below 1, {@code
   *     OUT-025} if there is no such subscription, or the first page of a selected route is asked
   *     for that is not known: nothing is parked in it, and no relay that this process has built
   *     has it
   * @throws StoreException if the database failed
   */
  public List<ParkedStatus> list(ParkedState state, ParkedPlace after, int limit) {
    return list(ParkedSelection.of(state), after, limit);
  }

  /**
   * Returns the selected parked messages; otherwise like {@link #list(ParkedState, ParkedPlace,
   * int)}.
   *
   * @throws io.outledger.ConfigurationException as that does
   * @throws StoreException as that does
   */
  public List<ParkedStatus> list(ParkedSelection selection, ParkedPlace after, int limit) {
    Given.check("selection", selection);
    Given.check("after", after);
    if (limit < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "limit is " + limit + " but must be 1 or more");
    }
    life.require(USE);
    List<ParkedStatus> found = store.list(subscription, selection, after, limit);
    if (found.isEmpty()) {
      requireKnown();
      if (after.equals(ParkedPlace.FIRST)) { // later, the rows of a known route may have recovered
        requireRoute(selection);
      }
    }
    return found;
  }

  /**
   * Requests an immediate retry of a dead or retrying message. A held message cannot be retried:
   * retry the message that it is held behind.
   *
   * @return whether there was one
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     or the position is parked in other routes only; {@code OUT-021} if two messages are parked
   *     there, because the ledger was emptied meanwhile: name one by its place
   * @throws StoreException if the database failed
   */
  public boolean retry(long position, String route) {
    return request(ParkedRequest.RETRY, position, route);
  }

  /**
   * Requests an immediate retry of one that was listed; otherwise like {@link #retry(long,
   * String)}.
   *
   * @param place {@link ParkedStatus#place()}
   */
  public boolean retry(ParkedPlace place) {
    return request(ParkedRequest.RETRY, place);
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
   * Requests that one that was listed be discarded permanently; otherwise like {@link
   * #discard(long, String)}.
   *
   * @param place {@link ParkedStatus#place()}
   */
  public boolean discard(ParkedPlace place) {
    return request(ParkedRequest.DISCARD, place);
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
   * @return the number of requests recorded, without messages that the relay was just changing
   * @throws io.outledger.ConfigurationException {@code OUT-021} if held messages are selected
   *     (select those that they are held behind); {@code OUT-025} if there is no such subscription,
   *     or the selected route is not known: nothing is parked in it, and no relay that this process
   *     has built has it
   * @throws StoreException if the database failed; some requests may have been recorded
   */
  public int retry(ParkedSelection selection) {
    return request(ParkedRequest.RETRY, selection);
  }

  /**
   * Requests that all selected messages that are dead or retrying be discarded permanently;
   * otherwise like {@link #retry(ParkedSelection)}.
   */
  public int discard(ParkedSelection selection) {
    return request(ParkedRequest.DISCARD, selection);
  }

  private boolean request(ParkedRequest request, long position, String route) {
    Given.check("route", route);
    life.require(USE);
    List<ParkedPlace> all = store.placesAt(subscription, position);
    List<ParkedPlace> places = all.stream().filter(place -> place.route().equals(route)).toList();
    if (places.size() > 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          """
          several messages are parked at position %s of subscription "%s", %s: the ledger was \
          emptied meanwhile. Name one by the place() that the list returns\
          """
              .formatted(position, subscription, places.stream().map(ParkedPlace::id).toList()));
    }
    if (places.isEmpty()) {
      requireKnown();
      requireRoute(position, route, all);
    }
    return !places.isEmpty() && store.request(subscription, request, places.get(0));
  }

  private boolean request(ParkedRequest request, ParkedPlace place) {
    Given.check("place", place);
    life.require(USE);
    boolean isThere = store.request(subscription, request, place);
    if (!isThere) {
      requireKnown();
    }
    return isThere;
  }

  private int request(ParkedRequest request, ParkedSelection selection) {
    if (Given.check("selection", selection).state() == ParkedState.HELD) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "held messages cannot be retried or discarded: each is released when the parked message"
              + " ahead of it is published or discarded; select dead or retrying messages");
    }
    life.require(USE);
    int count = 0;
    Requested step = new Requested(0, 0, ParkedPlace.FIRST);
    do {
      step = store.requestNext(subscription, request, selection, step.last(), REQUESTS_A_STEP);
      count += step.asked();
    } while (step.found() == REQUESTS_A_STEP);
    if (count == 0) {
      requireKnown();
      requireRoute(selection);
    }
    return count;
  }

  private void requireKnown() {
    Set<String> known = store.subscriptions();
    if (!known.contains(subscription)) {
      throw UnknownName.subscription(subscription, known);
    }
  }

  private void requireRoute(ParkedSelection selection) {
    String route = selection.route();
    if (route == null) {
      return;
    }
    // A handler that was removed from the code is known by its rows, one without rows by its relay.
    Set<String> known = new HashSet<>(ownRoutes.get());
    known.addAll(store.routes(subscription));
    if (!known.isEmpty() && !known.contains(route)) {
      throw UnknownName.selectedRoute(route, subscription, known);
    }
  }

  private void requireRoute(long position, String route, List<ParkedPlace> parked) {
    if (!parked.isEmpty()) {
      throw UnknownName.route(
          route,
          "position " + position + " of subscription \"" + subscription + '"',
          parked.stream().map(ParkedPlace::route).distinct().toList());
    }
  }
}
