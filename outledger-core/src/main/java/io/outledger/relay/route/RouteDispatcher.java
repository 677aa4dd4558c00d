// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Suspects;
import io.outledger.publish.Outcome;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A route at work: it hands messages to its publisher in the order of their keys, and takes each to
 * its end, published or parked. It lives as long as a lease is held.
 */
final class RouteDispatcher {

  private final Route route;
  private final RelayContext context;
  private final PendingSave pendingSave;
  private final LackedDeclarations lacked;
  private final BooleanSupplier mayPublish;
  private final RouteClient client;
  private final Breakers breakers;
  private final Outage outage;
  private final Suspects<Delivery> suspects = Suspects.ofRoute();
  private final RouteParking parking;
  private final KeyBlocks blocks;
  private final ReturningRows rows;
  private final OutcomeOrder order;
  private final KeyedSending sending;
  private final LongDeliveries longOnes;
  private final RouteQueue waiting = new RouteQueue();
  private final WaitingRows waitingRows;
  private final RoutePressure pressure;

  RouteDispatcher(Route route, RelayContext context, SharedByRoutes shared) {
    RelayOptions options = context.options();
    this.route = route;
    this.context = context;
    this.pendingSave = shared.pendingSave();
    this.lacked = shared.lacked();
    this.outage = new Outage(options.outage().probes(), context.random());
    this.mayPublish = () -> !outage.isPaused() && shared.mayPublish().getAsBoolean();
    this.client = RouteClient.of(route, context);
    this.breakers =
        new Breakers(
            route.name(), options.breaker(), context.random(), context.listener(), suspects);
    this.longOnes = new LongDeliveries(route.name(), context);
    this.parking = new RouteParking(route.name(), context, shared);
    this.blocks = parking.keys();
    this.rows = parking.rows().returning();
    this.order = new OutcomeOrder(route.name(), context.listener(), client);
    KeyGate gate = new KeyGate(route.publisher().keyOrder());
    this.sending = new KeyedSending(client, gate, order, breakers, parking);
    this.waitingRows = new WaitingRows(waiting, breakers, suspects, parking);
    this.pressure = new RoutePressure(context, shared, waiting, breakers, parking);
  }

  String name() {
    return route.name();
  }

  /** Takes up to the given number of keys whose held rows may be tried now. */
  List<String> takeReleasable(int limit) {
    boolean isFree = isDown() ? wantsRows() : waiting.isEmpty();
    if (!isFree || !blocks.hasReleasable()) {
      return List.of();
    }
    Set<String> underway = client.keysInFlight();
    waiting.forEach(delivery -> underway.add(String.valueOf(delivery.key())));
    return blocks.takeReleasable(limit, key -> underway.contains(key) || breakers.keepsKey(key));
  }

  RouteParking parking() {
    return parking;
  }

  boolean isDown() {
    return outage.isDown();
  }

  /** Takes what is paused: a paused route counts as one whose destination is away. */
  void pause(KnownPauses pauses, long now) {
    outage.pause(pauses.ofRoute(route.name()), now);
    if (outage.isPaused()) {
      waitingRows.haveWaited();
    }
  }

  /** Returns the rows that were brought back and merely wait. */
  WaitingRows waitingRows() {
    return waitingRows;
  }

  /** Returns whether messages that were read now could be of use: to send, or to compare with. */
  boolean wantsMore() {
    return !isDown() || (!outage.isPaused() && !suspects.hasOthers(waiting));
  }

  /** Returns how many parked rows may be brought back now. */
  int roomForRows() {
    return wantsRows() ? rows.room(breakers) : 0;
  }

  /** While the route is down, rows are of use where all that waits is suspected. */
  private boolean wantsRows() {
    boolean isOwed = !waitingRows.letGo().isEmpty();
    return !isDown() || (!outage.isPaused() && (isOwed || suspects.isAllOf(waiting)));
  }

  /** Returns whether the route's parked rows go before what could be read now. */
  boolean rowsGoFirst() {
    return !isDown() && rows.goFirst();
  }

  int inFlightCount() {
    return client.inFlightCount();
  }

  Preparation prepare(Preparation prepared, LedgerMessage origin) {
    Preparation own = prepared.in(route, origin);
    return lacked.isEmpty() ? own : lacked.prepared(route, origin, prepared, own);
  }

  /** Takes a message from the ledger; what it does not want, or has parked, is settled for it. */
  void enqueue(LedgerMessage origin, Preparation prepared) {
    if (prepared.isSkipped() || parking.hasRow(origin)) {
      pendingSave.settledByRoute(origin);
    } else {
      waiting.add(Delivery.of(origin, null, prepared));
    }
  }

  /** Takes a parked message whose time has come. */
  void enqueueParked(Delivery delivery) {
    parking.rows().bringBack(delivery);
    if (isDown()) {
      waiting.addInOrder(List.of(delivery)); // where it waited before: who is first probes
    } else {
      waiting.add(delivery);
    }
  }

  void publish() {
    collect();
    rows.review(blocks.freeRows());
    long now = context.time().nanoTime();
    if (outage.isDown()) {
      probe(now);
    } else {
      while (!waiting.isEmpty() && outage.hasRoom(inFlightCount()) && mayPublish.getAsBoolean()) {
        sending.send(waiting.takeFirst());
      }
      publishKeptBack(now);
    }
    client.flush();
    collect();
  }

  /** Takes back what was handed to the client and has not begun, as if it had not been sent. */
  void recall() {
    if (!outage.isUnreachable()) { // a probe is one message, whose outcome is awaited
      requeue(sending.recall());
    }
  }

  /** Closes the client; what is in flight will be published again by the next owner. */
  void close() {
    client.close();
    order.end();
  }

  void abort() {
    client.abort();
  }

  /** Returns how long until the route has something to do by itself. */
  Duration nextIn(long now, Duration idle) {
    if (!outage.isDown()) {
      return waiting.isEmpty() || !outage.hasRoom(inFlightCount()) ? idle : Duration.ZERO;
    }
    Duration left = Duration.ofNanos(Math.max(0, outage.probeAtNanos() - now));
    return outage.isPaused() || outage.isProbing() || left.compareTo(idle) > 0 ? idle : left;
  }

  /**
   * Parks what waits too long for a destination that is down, so that other routes continue.
   *
   * @param othersGoOn whether one does; else a window more is read, to compare with
   */
  void makeRoom(boolean othersGoOn) {
    if (client.inFlightCount() == 0) {
      pressure.parkForOutage(outage, blocks.keys(), othersGoOn).forEach(suspects::forget);
    }
  }

  /** Parks what the next owner must not read again. Nothing is in flight any more. */
  void parkForSuccessor() {
    pressure.parkForSuccessor();
  }

  void lookForLongDeliveries(long now) {
    longOnes.look(now, client.inFlight());
  }

  private void probe(long now) {
    if (!outage.probeIsDue(now)) {
      return;
    }
    List<Delivery> released = suspects.isAllOf(waiting) ? breakers.release(now) : List.of();
    waiting.addInOrder(released); // to compare with, since nothing else waits
    waiting.removeIf(
        one -> pendingSave.room() > 0 && !breakers.keepsKeyOf(one) && parking.parkBehindKey(one));
    Delivery next = suspects.next(waiting);
    while (next != null && client.inFlightCount() == 0 && mayPublish.getAsBoolean()) {
      waiting.take(next.place());
      if (breakers.keepsKeyOf(next)) {
        sending.send(next);
      } else {
        sending.sendReleased(next); // a breaker's, too: it may be what has cut the line
      }
      next = suspects.next(waiting);
    }
    for (Delivery probe : released) {
      if (!client.isUnderway(probe)) {
        breakers.probeEnded(probe);
      }
    }
    if (client.inFlightCount() > 0) {
      outage.probeSent();
      return;
    }
    if (waiting.isEmpty() && waitingRows.letGo().isEmpty()) {
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
    waiting.addInOrder(inOrder);
  }

  private void collect() {
    List<Delivery> returned = new ArrayList<>();
    Outcome.Unavailable met = collectInto(returned, this::settle);
    if (met != null) {
      beginOutage(returned, met);
    } else {
      requeue(order.takeFreed()); // a rejection that is decided now may stand behind one of them
      order.takeDecided().forEach(this::settle);
      requeue(order.takeFreed());
    }
  }

  /**
   * Settles what has arrived, and returns the first sign of an outage; null where there is none.
   * What follows may have failed only because the client was closed.
   */
  private Outcome.@Nullable Unavailable collectInto(
      List<Delivery> returned, Consumer<RouteClient.Arrived> settling) {
    Outcome.Unavailable met = null;
    RouteClient.Arrived arrived = next();
    while (arrived != null) {
      Delivery delivery = arrived.delivery();
      if (arrived.outcome() instanceof Outcome.Unavailable unavailable) {
        breakers.probeEnded(delivery);
        returned.add(delivery);
        met = met == null ? unavailable : met;
      } else if (!order.postpone(arrived, returned)) {
        settling.accept(arrived);
      }
      arrived = next();
    }
    return met;
  }

  private RouteClient.@Nullable Arrived next() {
    RouteClient.Arrived arrived = client.next();
    longOnes.arrived(arrived);
    return arrived == null || outage.isUnreachable() ? arrived : breakers.judge(arrived);
  }

  private void settle(RouteClient.Arrived arrived) {
    decide(arrived);
    if (sending.queuesNothing()) {
      return; // to ask whether more may be sent is to read the clock
    }
    Delivery delivery = arrived.delivery();
    requeue(
        arrived.isBehind()
            ? sending.takeQueuedBehind(delivery)
            : sending.sendNext(delivery, mayPublish));
  }

  /** Takes a message to its end, or parks it; what is queued behind it stays there. */
  private void decide(RouteClient.Arrived arrived) {
    Delivery delivery = arrived.delivery();
    outage.answered(context.time());
    if (arrived.outcome() instanceof Outcome.Rejected rejected) {
      rejected(delivery, rejected, new FailedAttempt(Duration.ofNanos(arrived.tookNanos())));
    } else {
      longOnes.delivered(delivery, arrived.tookNanos());
      published(delivery);
    }
    if (outage.isUnreachable() && !suspects.containsAnyOf(waiting)) {
      endOutage();
    }
  }

  private void published(Delivery delivery) {
    order.published(delivery);
    // After an outage earlier ones of their keys may wait already.
    waiting.addInOrder(waitingRows.withoutRows(breakers.succeeded(delivery)));
    if (delivery.parked() == null) {
      pendingSave.settledByRoute(delivery.origin());
    } else {
      parking.recovered(delivery);
    }
    pendingSave.published(delivery.origin());
    suspects.published(delivery).forEach(this::judged);
  }

  private void judged(Suspects.Verdict<Delivery> verdict) {
    Delivery delivery = waiting.take(verdict.message().place());
    if (delivery != null) {
      rejected(delivery, verdict.rejected(), FailedAttempt.UNTIMED);
    }
  }

  private void rejected(Delivery delivery, Outcome.Rejected rejected, FailedAttempt attempt) {
    if (rejected.kind() == Outcome.Rejected.Kind.BEHIND) {
      order.free(delivery);
    } else if (sending.joinsEarlier(delivery, waiting)) {
      suspects.forget(delivery);
    } else if (!breakers.rejected(delivery, rejected, context.time().nanoTime())) {
      breakers.probeEnded(delivery);
      suspects.forget(delivery);
      parking.reject(delivery, rejected, attempt);
    }
  }

  private void beginOutage(List<Delivery> returned, Outcome.Unavailable met) {
    client.closeUnlessIntact();
    order.outageBegins();
    while (collectInto(returned, this::decide) != null) {
      // Each may have made room for another to arrive.
    }
    returned.addAll(client.takeUnanswered());
    Suspects.Verdict<Delivery> verdict = suspects.unanswered(returned, met);
    returned.addAll(order.takeFreed());
    order.takeNotBehind(returned).forEach(this::decide);
    returned.addAll(order.clear());
    returned.addAll(sending.takeQueued());
    returned.forEach(breakers::probeEnded);
    waiting.addInOrder(returned);
    Duration nextProbe = outage.met(context.time().nanoTime());
    context
        .listener()
        .on(new RelayEvent.OutageBegan(route.name(), met.reason(), outage.failures(), nextProbe));
    if (verdict != null) {
      judged(verdict);
    }
    waitingRows.haveWaited();
  }

  private void endOutage() {
    outage.over(context.time().nanoTime());
    waitingRows.haveWaited();
    suspects.retain(breakers::keeps);
    context.listener().on(new RelayEvent.OutageOver(route.name()));
  }
}
