// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.log.QuietLog;
import io.outledger.publish.Outcome;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A route at work: it hands messages to its publisher in the order of their keys, and takes each to
 * its end, published or parked. It lives as long as a lease is held.
 */
final class RouteDispatcher {

  private final Route route;
  private final RelayContext context;
  private final PendingSave pendingSave;
  private final BooleanSupplier mayPublish;
  private final RouteClient client;
  private final KeyBlocks blocks = new KeyBlocks();
  private final Breakers breakers;
  private final Outage outage;
  private final ReturningRows rows;
  private final RouteParking parking;
  private final OutcomeOrder order;
  private final KeyedSending sending;
  private final LongDeliveries longOnes;
  private final RouteQueue waiting = new RouteQueue();
  private final RoutePressure pressure;
  private boolean outageBegins;

  RouteDispatcher(
      Route route,
      RelayContext context,
      PendingSave pendingSave,
      BooleanSupplier mayPublish,
      RouteShare share) {
    RelayOptions options = context.options();
    this.route = route;
    this.context = context;
    this.pendingSave = pendingSave;
    this.mayPublish = mayPublish;
    this.client =
        new RouteClient(
            route.publisher(),
            options.lease().dividedBy(2),
            context.wakeup(),
            new QuietLog(RouteClient.class, "relay, " + named(route), context.time()));
    this.breakers =
        new Breakers(route.name(), options.breaker(), context.random(), context.listener());
    this.outage = new Outage(options.outage().probes(), context.random());
    this.longOnes = new LongDeliveries(route.name(), context);
    this.rows = new ReturningRows(share, context.time());
    this.parking = new RouteParking(route.name(), context, pendingSave, blocks, rows);
    this.order = new OutcomeOrder(route.name(), context.listener(), client);
    KeyGate gate = KeyGate.of(route.publisher().keyOrder());
    this.sending = new KeyedSending(client, gate, order, breakers, parking);
    this.pressure = new RoutePressure(context, share, waiting, breakers, parking);
  }

  private static String named(Route route) {
    return route.name().isEmpty() ? "its only route" : "route " + route.name();
  }

  String name() {
    return route.name();
  }

  KeyBlocks blocks() {
    return blocks;
  }

  /** Takes up to the given number of keys whose held rows may be tried now. */
  List<String> takeReleasable(int limit) {
    if (isDown() || !waiting.isEmpty() || !blocks.hasReleasable()) {
      return List.of();
    }
    Set<String> inFlight = client.keysInFlight();
    return blocks.takeReleasable(limit, key -> inFlight.contains(key) || breakers.keepsKey(key));
  }

  RouteParking parking() {
    return parking;
  }

  boolean isDown() {
    return outage.isDown();
  }

  /** Returns whether parked rows may be brought back now. */
  boolean hasRoomForRows() {
    return !isDown() && rows.hasRoom(breakers);
  }

  /** Returns whether the route's parked rows go before what could be read now. */
  boolean rowsGoFirst() {
    return !isDown() && rows.goFirst();
  }

  int inFlightCount() {
    return client.inFlightCount();
  }

  Preparation prepare(Preparation prepared, LedgerMessage origin) {
    return prepared.in(route, origin);
  }

  /** Takes a message from the ledger; what it does not want, or has parked, is settled for it. */
  void enqueue(LedgerMessage origin, Preparation prepared) {
    if (prepared.isSkipped() || parking.hasRow(origin)) {
      pendingSave.settledByRoute(origin.position());
    } else {
      waiting.add(Delivery.of(origin, null, prepared));
    }
  }

  /** Takes a parked message whose time has come. */
  void enqueueParked(Delivery delivery) {
    parking.broughtBack(delivery);
    waiting.add(delivery);
  }

  /** Ends a parked message that the transforms' filter, or the route, does not want any more. */
  void passOver(Delivery delivery) {
    parking.broughtBack(delivery);
    parking.recovered(delivery);
  }

  /** Collects outcomes, and sends what may be sent. */
  void publish() {
    collect();
    rows.review(blocks.freeRows());
    long now = context.time().nanoTime();
    if (outage.isDown()) {
      probe(now);
    } else {
      while (!waiting.isEmpty() && mayPublish.getAsBoolean()) {
        sending.send(waiting.takeFirst());
      }
      publishKeptBack(now);
    }
    client.flush();
    collect();
  }

  /** Closes the client; what is in flight will be published again by the next owner. */
  void close() {
    client.close();
    order.end();
  }

  /** Ends all sending, from any thread. */
  void abort() {
    client.abort();
  }

  /** Returns how long until the route has something to do by itself. */
  Duration nextIn(long now, Duration idle) {
    if (!outage.isDown()) {
      return waiting.isEmpty() ? idle : Duration.ZERO;
    }
    Duration left = Duration.ofNanos(Math.max(0, outage.probeAtNanos() - now));
    return outage.isProbing() || left.compareTo(idle) > 0 ? idle : left;
  }

  /** Parks what waits too long for a destination that is down, so that other routes continue. */
  void makeRoom() {
    pressure.parkForOutage(outage, client.inFlightCount(), blocks.keys());
  }

  /** Parks what the next owner must not read again. Nothing is in flight any more. */
  void parkForSuccessor() {
    pressure.parkForSuccessor();
  }

  /** Tells of what has been on its way for long. */
  void lookForLongDeliveries(long now) {
    longOnes.look(now, client.inFlight());
  }

  private void probe(long now) {
    if (!outage.probeIsDue(now)) {
      return;
    }
    while (!waiting.isEmpty() && mayPublish.getAsBoolean()) {
      sending.send(waiting.takeFirst());
      if (client.inFlightCount() > 0) {
        outage.probeSent();
        return;
      }
    }
    if (waiting.isEmpty()) {
      endOutage();
    }
  }

  /** The queue comes first: it may contain earlier messages of a key than those kept back. */
  private void publishKeptBack(long now) {
    if (!waiting.isEmpty() || !mayPublish.getAsBoolean()) {
      return;
    }
    List<Delivery> released = breakers.release(now);
    for (int i = 0; i < released.size(); i++) {
      if (!mayPublish.getAsBoolean()) { // the deadline may pass in any publish before
        requeue(released.subList(i, released.size()));
        return;
      }
      sending.sendReleased(released.get(i));
    }
    pressure.parkKeptBack(client);
  }

  /** Queues again what was released, not sent. A probe among it is none: no outcome would come. */
  private void requeue(List<Delivery> inOrder) {
    inOrder.forEach(breakers::probeEnded);
    waiting.addFirst(inOrder);
  }

  private void collect() {
    List<Delivery> returned = new ArrayList<>();
    String reason = collectInto(returned);
    if (reason != null) {
      beginOutage(returned, reason);
    } else {
      order.takeDecided().forEach(this::settle);
      requeue(order.takeFreed());
    }
  }

  /**
   * Settles what has arrived, and returns the first reason for an outage; null where there is none.
   * What follows may have failed only because the client was closed.
   */
  private @Nullable String collectInto(List<Delivery> returned) {
    String reason = null;
    RouteClient.Arrived arrived = client.next();
    while (arrived != null) {
      Delivery delivery = arrived.delivery();
      if (arrived.outcome() instanceof Outcome.Unavailable unavailable) {
        breakers.probeEnded(delivery);
        returned.add(delivery);
        reason = reason == null ? unavailable.reason() : reason;
      } else if (!order.postpone(arrived, returned)) {
        settle(arrived);
      }
      arrived = client.next();
    }
    return reason;
  }

  private void settle(RouteClient.Arrived arrived) {
    Delivery delivery = arrived.delivery();
    if (outage.isDown()) {
      endOutage();
    }
    if (arrived.outcome() instanceof Outcome.Rejected rejected) {
      rejected(delivery, rejected);
    } else {
      published(delivery);
    }
    if (sending.queuesNothing()) {
      return; // to ask whether more may be sent is to read the clock
    }
    if (outageBegins || isBehind(arrived.outcome()) || !mayPublish.getAsBoolean()) {
      requeue(sending.takeQueuedBehind(delivery));
    } else {
      sending.sendNext(delivery);
    }
  }

  private static boolean isBehind(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.BEHIND;
  }

  private void published(Delivery delivery) {
    order.published(delivery);
    waiting.addFirst(breakers.succeeded(delivery));
    if (delivery.parked() == null) {
      pendingSave.settledByRoute(delivery.position());
    } else {
      parking.recovered(delivery);
    }
    pendingSave.published(delivery.position());
  }

  private void rejected(Delivery delivery, Outcome.Rejected rejected) {
    if (isBehind(rejected)) {
      order.free(delivery);
    } else if (!breakers.rejected(delivery, rejected, context.time().nanoTime())) {
      breakers.probeEnded(delivery);
      parking.reject(delivery, rejected);
    }
  }

  private void beginOutage(List<Delivery> returned, String reason) {
    outageBegins = true;
    client.closeUnlessIntact();
    order.outageBegins();
    while (collectInto(returned) != null) {
      // Each may have made room for another to arrive.
    }
    returned.addAll(client.takeUnanswered());
    order.takeNotBehind(returned).forEach(this::settle);
    returned.addAll(order.clear());
    returned.addAll(sending.takeQueued());
    returned.forEach(breakers::probeEnded);
    waiting.addInOrder(returned);
    outageBegins = false;
    Duration nextProbe = outage.met(context.time().nanoTime());
    context
        .listener()
        .on(new RelayEvent.OutageMet(route.name(), reason, outage.failures(), nextProbe));
  }

  private void endOutage() {
    outage.over(context.time().nanoTime());
    context.listener().on(new RelayEvent.OutageOver(route.name()));
  }
}
