// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import io.outledger.parking.Suspects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Processes the deliveries of a source and acknowledges them. If the handler is a {@link
 * ParkingHandler}, a message that fails is parked and holds its key. A delivery that cannot or must
 * not be parked is given back and pauses its stream. Messages that a {@link ParkingHandler}'s
 * consumer has parked before are retried in any case, and hold their keys. Starts no thread: each
 * call of {@link #step} is one step. For one thread; another thread may step {@link #retries}.
 *
 * @param <P> the broker's places
 */
public final class Receiver<P> {

  private static final String UNPROCESSED = "unprocessed";

  /** After a failure a stream comes back, unless it moved to another instance or ended. */
  private static final Duration IDLE_MAX = Duration.ofHours(1);

  private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

  private final ReceiverContext context;
  private final QuietLog log;
  private final ReceiverLog events;
  private final Intake intake;
  private final @Nullable ParkedRetries retries;
  private final @Nullable InboxRetention retention;
  private final Set<String> told = new HashSet<>();
  private final Map<Object, StreamState> streams = new HashMap<>();
  private long lookedAt;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private boolean isAway;
  private boolean standsBy;

  /**
   * Creates it.
   *
   * @param handler what makes messages take effect
   */
  public Receiver(BatchHandler handler, ReceiverContext given) {
    this(handler, Require.nonNull("given", given), log(Require.nonNull("handler", handler), given));
  }

  Receiver(BatchHandler handler, ReceiverContext given, QuietLog log) {
    this.log = log;
    this.events = new ReceiverLog(log, given.listener());
    this.context = given.withListener(events);
    if (handler instanceof ParkingHandler parking) {
      ReceiverStore store = parking.store();
      ReceiverBreakers breakers = new ReceiverBreakers(context);
      ReceiverSuspects suspects = new ReceiverSuspects();
      this.intake = new ParkingIntake(store, context, breakers, suspects, log);
      this.retries = new ParkedRetries(store, context, breakers, suspects, log);
      this.retention = store.retention();
    } else {
      this.intake = new HandlerIntake(handler);
      this.retries = null;
      this.retention = null;
    }
    this.lookedAt = given.time().nanoTime();
  }

  private static QuietLog log(BatchHandler handler, ReceiverContext given) {
    String subject =
        handler instanceof ParkingHandler parking
            ? "receiver " + parking.store().consumer() + " (" + given.name() + ")"
            : "receiver " + given.name();
    return new QuietLog(Receiver.class, subject, given.time());
  }

  /** Returns this receiver's log, whose lines name it: for its broker's module. */
  public QuietLog log() {
    return log;
  }

  /**
   * Tells that not all can be received, since the broker cannot be reached or refuses, or a topic
   * is missing.
   *
   * @param reason what happened, printable
   * @param delay when it is tried again
   */
  public void cannotReceive(String reason, Duration delay) {
    Require.nonNull("reason", reason);
    Require.nonNull("delay", delay);
    isAway = true;
    context.tell(new ReceiverEvent.CannotReceive(reason, delay));
  }

  /**
   * Tells that another instance receives; once, until this one does.
   *
   * @param reason which one, as far as that is known, printable
   */
  public void standsBy(String reason) {
    Require.nonNull("reason", reason);
    if (!standsBy) {
      context.tell(new ReceiverEvent.StandsBy(reason));
    }
    isAway = true;
    standsBy = true;
  }

  /** Tells that the broker has answered this instance, where it had not or another one received. */
  public void receives() {
    if (isAway) {
      isAway = false;
      standsBy = false;
      context.tell(new ReceiverEvent.ReceivesAgain());
    }
  }

  /**
   * Tells that it receives nothing more until it is started again.
   *
   * @param reason what ended it, printable
   */
  public void ended(String reason) {
    context.tell(new ReceiverEvent.Ended(Require.nonNull("reason", reason)));
  }

  /** Tells, once, that it was closed; after the last step, by any thread. */
  public void closed() {
    if (isClosed.compareAndSet(false, true)) {
      context.tell(new ReceiverEvent.Closed());
    }
  }

  /**
   * Returns what retries this consumer's parked messages, also those of a time when failures were
   * parked; empty where the handler has no database for them.
   */
  public Optional<ParkedRetries> retries() {
    return Optional.ofNullable(retries);
  }

  /**
   * Checks that the consumer remembers a message for longer than the broker may deliver it again.
   * If not, the log says so, once, with what to do; or it is an error, if that is the choice. Does
   * nothing where the handler has no database.
   *
   * @return whether the consumer remembers for long enough, as far as anybody knows
   * @throws ConfigurationException {@code OUT-018} if it does not, and {@link
   *     ReceiverOptions#requiresRetention}
   */
  public boolean check(Redelivery redelivery) {
    Require.nonNull("redelivery", redelivery);
    if (retention == null) {
      return true;
    }
    try {
      redelivery.check(retention);
      return true;
    } catch (ConfigurationException e) {
      if (context.options().requiresRetention()) {
        throw e;
      }
      tellOnce("retention", String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Has the log say, once, that the broker gives up a message after few deliveries, if it does. */
  public void tell(DeliveryLimit limit) {
    Require.nonNull("limit", limit);
    if (limit.isFew()) {
      tellOnce("limit", ErrorCode.DELIVERIES_LIMITED.code() + " " + limit.words());
    }
  }

  private void tellOnce(String kind, String text) {
    if (told.add(text)) {
      log.fails(Level.WARN, kind, text, () -> text);
    }
  }

  /**
   * Receives once and processes the deliveries. Exceptions of the source pass through; the next
   * step continues.
   */
  public void step(Source<P> source) {
    Require.nonNull("source", source);
    process(source, source.receive());
  }

  /** Processes deliveries that were received before, and acknowledges them. */
  public void process(Source<P> source, List<Batch<P>> batches) {
    Require.nonNull("source", source);
    Require.nonNull("batches", batches);
    long receivedAt = context.time().nanoTime();
    for (Batch<P> batch : batches) {
      if (!source.isStopping()) {
        events.about(batch.arrivals());
        receive(source, batch, receivedAt);
        events.about(List.of());
      }
    }
    source.commit();
    forgetIdle();
  }

  /** Forgets streams that have delivered nothing for longer than any of them waits. */
  private void forgetIdle() {
    long now = context.time().nanoTime();
    if (!streams.isEmpty() && now - lookedAt > LOOK_EVERY.toNanos()) {
      lookedAt = now;
      Duration backoff = context.options().backoff().max();
      Duration longest = backoff.compareTo(IDLE_MAX) > 0 ? backoff : IDLE_MAX;
      streams
          .values()
          .removeIf(state -> Duration.ofNanos(now - state.usedAt()).compareTo(longest) > 0);
    }
  }

  /** Forgets streams that this instance receives no longer. */
  public void forget(Collection<?> lost) {
    Require.nonNull("lost", lost);
    streams.keySet().removeAll(lost);
  }

  /** Returns how many streams it remembers a failure of. */
  int troubledStreams() {
    return streams.size();
  }

  private void receive(Source<P> source, Batch<P> batch, long receivedAt) {
    StreamState state = streams.computeIfAbsent(batch.stream(), stream -> new StreamState());
    state.used(context.time().nanoTime());
    List<Arrival<P>> all = batch.arrivals();
    int done = 0;
    while (done < all.size() && !source.isStopping()) {
      int end = (int) Math.min(all.size(), (long) done + state.batchMax());
      Intake.Taken taken = take(source, state, all.subList(done, all.size()), end - done);
      if (taken.count() > 0) {
        source.acknowledge(all.subList(done, done + taken.count()));
        Duration took = Duration.ofNanos(context.time().nanoTime() - receivedAt);
        context.tell(new ReceiverEvent.Acknowledged(taken.count(), took));
        if (state.succeeded() > 0) {
          troubleIsOver();
        }
      }
      done += taken.count();
      Throwable failure = taken.failure();
      if (failure != null) {
        if (!source.isStopping() || !(failure instanceof InterruptedException)) {
          Duration given = taken.delay();
          Duration delay = given == null ? backOff(state, all.get(done), taken) : given;
          List<Arrival<P>> rest = all.subList(done, all.size());
          boolean wantsMore = intake.wantsMore(messages(rest), taken.behind());
          source.giveBack(new Batch<>(batch.stream(), rest), delay, wantsMore);
        }
        return;
      }
    }
    if (state.isWell(all.size())) { // streams may be as many as there are keys
      streams.remove(batch.stream());
    }
  }

  /** Has the next failure told within a second, however rarely this one was told at last. */
  private void troubleIsOver() {
    log.over(ReceiverLog.kind(ReceiverEvent.Unavailable.class));
    log.over(UNPROCESSED);
  }

  private Duration backOff(StreamState state, Arrival<P> arrival, Intake.Taken taken) {
    Throwable failure = Objects.requireNonNull(taken.failure(), "it failed");
    int failures = state.failed();
    Duration delay =
        context.options().backoff().delay(taken.behind().isNews() ? 1 : failures, context.random());
    Received message = arrival.message();
    boolean parks = retries != null && context.options().parks();
    if (parks && message != null && !(failure instanceof Error)) {
      String reason = Printable.text(failure);
      context.tell(new ReceiverEvent.Unavailable(ParkedReceived.of(message), reason, delay));
      log.fails(Level.DEBUG, "stopped", () -> "stopped at " + place(arrival), failure);
      return delay;
    }
    String subject =
        message == null ? "an unreadable delivery" : ParkedReceived.withoutKey(message).toString();
    log.fails(
        Level.ERROR,
        UNPROCESSED,
        () ->
            "could not process %s at %s (failure %s in a row); its stream pauses for %s"
                .formatted(subject, place(arrival), failures, Printable.about(delay)),
        failure);
    return delay;
  }

  private static String place(Arrival<?> arrival) {
    return Printable.value(arrival.place());
  }

  /** Takes the messages at the start of a list, or its first delivery where that is none. */
  private Intake.Taken take(
      Source<P> source, StreamState state, List<Arrival<P>> waiting, int batchMax) {
    List<Received> messages = messages(waiting);
    if (messages.isEmpty()) {
      return takeUnread(source, state, waiting.get(0));
    }
    int end = Math.min(batchMax, messages.size());
    boolean mayCompare = state.failures() >= Suspects.FAILURES_MAX;
    List<Received> behind = mayCompare ? messages.subList(end, messages.size()) : List.of();
    return intake.take(new Intake.Waiting(messages.subList(0, end), behind), source::isStopping);
  }

  /** Returns the messages at the start of a list: what cannot be read may be of any key. */
  private static List<Received> messages(List<? extends Arrival<?>> arrivals) {
    List<Received> messages = new ArrayList<>(arrivals.size());
    for (Arrival<?> arrival : arrivals) {
      if (arrival.message() == null) {
        break;
      }
      messages.add(arrival.message());
    }
    return messages;
  }

  private static String reason(Arrival<?> unreadable) {
    InvalidMessageException problem = unreadable.problem();
    return problem == null ? "unreadable" : String.valueOf(problem.getMessage());
  }

  /** Reads a delivery again if its problem may pass, and sets it aside if that does not help. */
  private Intake.Taken takeUnread(Source<P> source, StreamState state, Arrival<P> unread) {
    Arrival<P> arrival = unread.readAgain();
    Received message = arrival.message();
    if (message != null) {
      return intake.take(new Intake.Waiting(List.of(message), List.of()), source::isStopping);
    }
    boolean mayPass =
        arrival.again() != null && state.failures() + 1 < context.options().retry().attemptsMax();
    return mayPass
        ? Intake.Taken.stopped(0, Objects.requireNonNull(arrival.problem(), "no message"))
        : setAside(source, arrival);
  }

  private Intake.Taken setAside(Source<P> source, Arrival<P> unreadable) {
    try {
      source.setAside(unreadable);
      context.tell(new ReceiverEvent.SetAside(place(unreadable), reason(unreadable)));
      return Intake.Taken.all(1);
    } catch (Throwable e) { // of user code
      return Intake.Taken.stopped(0, e);
    } finally {
      Thread.interrupted();
    }
  }
}
