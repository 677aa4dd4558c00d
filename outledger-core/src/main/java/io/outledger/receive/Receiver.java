// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Given;
import io.outledger.Printable;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what a source delivers, has it take effect, and acknowledges it. A message that fails is
 * parked, if the handler is a {@link ParkingHandler}: then it holds its key. What cannot be parked
 * is given back and holds its stream. Starts no thread: each call of {@link #step} is one step. For
 * one thread, while {@link #retries} may be stepped by another one.
 *
 * @param <P> the broker's places
 */
public final class Receiver<P> {

  private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

  private final ReceiverContext context;
  private final Intake intake;
  private final @Nullable ParkedRetries retries;
  private final Map<Object, StreamState> streams = new HashMap<>();

  /**
   * Creates it.
   *
   * @param handler what makes messages take effect
   */
  public Receiver(BatchHandler handler, ReceiverContext given) {
    Given.check("given", given);
    Given.check("handler", handler);
    if (handler instanceof ParkingHandler parking && given.options().parks()) {
      ReceiverStore store = parking.store();
      this.context = logging(given, store.consumer());
      ReceiverBreakers breakers = new ReceiverBreakers(context);
      this.intake = new ParkingIntake(store, context, breakers);
      this.retries = new ParkedRetries(store, context, breakers);
    } else {
      this.context = given;
      this.intake = new HandlerIntake(handler);
      this.retries = null;
    }
  }

  private static ReceiverContext logging(ReceiverContext given, String consumer) {
    return new ReceiverContext(
        given.name(),
        given.options(),
        new ReceiverLog(consumer, given.time()).and(given.listener()),
        given.time(),
        given.random());
  }

  /** Returns what retries this consumer's parked messages; empty where nothing is parked. */
  public Optional<ParkedRetries> retries() {
    return Optional.ofNullable(retries);
  }

  /**
   * Receives once, and has it take effect. What the source throws passes through; the next step
   * continues.
   */
  public void step(Source<P> source) {
    Given.check("source", source);
    handOn(source, source.receive());
  }

  /** Has deliveries take effect that were received before, and acknowledges them. */
  public void handOn(Source<P> source, List<Batch<P>> batches) {
    Given.check("source", source);
    Given.check("batches", batches);
    for (Batch<P> batch : batches) {
      if (!source.isStopping()) {
        receive(source, batch);
      }
    }
    source.commit();
  }

  /** Forgets streams that this instance receives no longer. */
  public void forget(Collection<?> lost) {
    Given.check("lost", lost);
    streams.keySet().removeAll(lost);
  }

  /** Returns how many streams it remembers a failure of. */
  int troubledStreams() {
    return streams.size();
  }

  private void receive(Source<P> source, Batch<P> batch) {
    StreamState state = streams.computeIfAbsent(batch.stream(), stream -> new StreamState());
    List<Arrival<P>> all = batch.arrivals();
    int done = 0;
    while (done < all.size() && !source.isStopping()) {
      int end = (int) Math.min(all.size(), (long) done + state.batchMax());
      Intake.Taken taken = take(source, all.subList(done, end));
      if (taken.count() > 0) {
        source.acknowledge(all.subList(done, done + taken.count()));
        state.succeeded();
      }
      done += taken.count();
      Throwable failure = taken.failure();
      if (failure != null) {
        if (!source.isStopping() || !(failure instanceof InterruptedException)) {
          Duration given = taken.delay();
          Duration delay = given == null ? backOff(state, all.get(done), failure) : given;
          source.giveBack(new Batch<>(batch.stream(), all.subList(done, all.size())), delay);
        }
        return;
      }
    }
    if (state.isWell(all.size())) { // streams may be as many as there are keys
      streams.remove(batch.stream());
    }
  }

  private Duration backOff(StreamState state, Arrival<P> arrival, Throwable failure) {
    int failures = state.failed();
    Duration delay = context.options().backoff().delay(failures, context.random());
    Received message = arrival.message();
    if (retries != null && message != null && !(failure instanceof Error)) {
      String reason = Failure.describe(failure);
      context.tell(new ReceiverEvent.Unavailable(ParkedReceived.of(message), reason, delay));
      LOG.debug("{}: stopped at {}", context.name(), arrival.place(), Printable.trace(failure));
      return delay;
    }
    LOG.error(
        "{}: could not process {} (failure {} in a row): {}; pausing its stream for {}",
        context.name(),
        Printable.value(arrival.place()),
        failures,
        message == null ? "unreadable" : message,
        delay,
        Printable.trace(failure));
    return delay;
  }

  /** Takes the messages at the start of a list, or sets aside its first delivery. */
  private Intake.Taken take(Source<P> source, List<Arrival<P>> arrivals) {
    List<Received> batch = new ArrayList<>(arrivals.size());
    for (Arrival<P> arrival : arrivals) {
      if (arrival.message() == null) {
        break;
      }
      batch.add(arrival.message());
    }
    return batch.isEmpty()
        ? setAside(source, arrivals.get(0))
        : intake.take(batch, source::isStopping);
  }

  private static <P> Intake.Taken setAside(Source<P> source, Arrival<P> unreadable) {
    try {
      source.setAside(unreadable);
      return Intake.Taken.all(1);
    } catch (Throwable e) { // of user code
      return Intake.Taken.stopped(0, e);
    } finally {
      Thread.interrupted();
    }
  }
}
