// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.event.Events;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaOutcome;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRoom;
import io.outledger.saga.SagaRow;
import io.outledger.saga.SagaTimeout;
import io.outledger.saga.SagaWork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Drives a saga step by step, without a database: hand it events, let time pass, and look at the
 * state, at what was appended and at the time-outs. Each step is a transaction: one that throws
 * leaves everything as it was. States and events pass the application's serializer, so that what it
 * cannot write fails here. Not thread-safe.
 *
 * <pre>{@code
 * SagaScenario<Renewal> renewal = SagaScenario.of(new RenewalSaga(), events);
 * renewal.receive(new RenewalDue("s-1/2026-03", 990));
 * renewal.pass(Duration.ofDays(3));
 * assertThat(renewal.state("s-1/2026-03")).isEmpty();
 * assertThat(renewal.outbox().events(RenewalFailed.class)).hasSize(1);
 * }</pre>
 *
 * @param <S> the class of the saga's state
 */
public final class SagaScenario<S> {

  private final SagaWork<S> work;
  private final Events events;
  private final SettableClock clock = new SettableClock();
  private final InMemoryOutbox outbox;
  private final Map<Class<?>, Object> resources = new HashMap<>();
  private InMemorySagas sagas = new InMemorySagas();
  private List<Waiting> waiting = new ArrayList<>();

  private SagaScenario(SagaWork<S> work, Events events) {
    this.work = work;
    this.events = events;
    this.outbox = new InMemoryOutbox(events, clock);
  }

  /** A time-out that is not delivered yet. */
  private record Waiting(Message message, Instant due) {}

  /**
   * Makes a scenario without any saga, at the first instant of a {@link SettableClock}.
   *
   * @param saga what is driven
   * @param events the application's types and serializer
   * @throws io.outledger.ConfigurationException as {@link SagaWork#of} does
   */
  public static <S> SagaScenario<S> of(Saga<S> saga, Events events) {
    return new SagaScenario<>(SagaWork.of(saga, events), Require.nonNull("events", events));
  }

  /**
   * Gives something to the steps, such as a {@code java.sql.Connection}, and to what the types of
   * events do while they are appended.
   *
   * @param type the type under which they ask for it
   */
  public <T> SagaScenario<S> with(Class<T> type, T resource) {
    resources.put(Require.nonNull("type", type), Require.nonNull("resource", resource));
    outbox.with(type, resource);
    return this;
  }

  /**
   * Hands over an event, as the ledger or a broker would.
   *
   * @param event of a registered class
   * @return what it did
   * @throws Exception what the step throws; it has had no effect
   */
  public SagaOutcome receive(Object event) throws Exception {
    return receive(events.message(Require.nonNull("event", event)));
  }

  /**
   * Hands over a message, such as a time-out that comes late: one of {@link #scheduled()} that was
   * kept from before. Nothing remembers its id here: a second delivery has effect, unlike behind an
   * inbox.
   *
   * @return what it did
   * @throws Exception what the step throws; it has had no effect
   */
  public SagaOutcome receive(Message message) throws Exception {
    Object event = events.read(Require.nonNull("message", message));
    Transaction transaction = new Transaction();
    SagaOutcome outcome =
        work.handle(
            event,
            message.headers(),
            new SagaRoom(transaction.sagas, transaction, resources::get, clock));
    transaction.commit();
    return outcome;
  }

  /**
   * Lets time pass, and delivers each time-out at its time, in order, also those that a step
   * schedules meanwhile.
   *
   * @param time how long; not negative
   * @return what each time-out did
   * @throws Exception what a step throws; its time-out is delivered again at the next call
   */
  public List<SagaOutcome> pass(Duration time) throws Exception {
    Instant end = clock.now().plus(Require.nonNull("time", time));
    List<SagaOutcome> outcomes = new ArrayList<>();
    for (Optional<Waiting> next = next(end); next.isPresent(); next = next(end)) {
      Waiting due = next.get();
      if (due.due().isAfter(clock.now())) {
        clock.advance(Duration.between(clock.now(), due.due()));
      }
      outcomes.add(receive(due.message()));
      waiting.remove(due);
    }
    clock.advance(Duration.between(clock.now(), end));
    return outcomes;
  }

  private Optional<Waiting> next(Instant end) {
    return waiting.stream()
        .filter(each -> !each.due().isAfter(end))
        .min(Comparator.comparing(Waiting::due));
  }

  /** Returns the state of a saga; empty where it has ended, or has not started. */
  public Optional<S> state(String key) {
    return row(key).map(work::state);
  }

  /** Returns what a saga is doing; empty where it has ended, or has not started. */
  public Optional<SagaPhase> phase(String key) {
    return row(key).map(SagaRow::phase);
  }

  /** Returns the time-outs that a saga waits for, by name, each with its time. */
  public Map<String, Instant> timeouts(String key) {
    Map<String, Instant> timeouts = new TreeMap<>();
    for (SagaTimeout each : progress(key).timeouts()) {
      timeouts.put(each.name(), each.due());
    }
    return timeouts;
  }

  /**
   * Returns what a saga waits for, as its last step that said so has told operators; empty where
   * none has, or there is no saga.
   */
  public Optional<String> waitsFor(String key) {
    return Optional.ofNullable(progress(key).waitsFor());
  }

  /** Returns the compensations of what a saga has done, the oldest first. */
  public List<String> done(String key) {
    return progress(key).done();
  }

  private SagaRow.Progress progress(String key) {
    return row(key)
        .map(SagaRow::progress)
        .orElseGet(() -> new SagaRow.Progress(null, List.of(), List.of()));
  }

  private Optional<SagaRow> row(String key) {
    return sagas.find(new SagaId(work.name(), key));
  }

  /** Returns the messages of the time-outs that are not delivered yet, in order of their times. */
  public List<Message> scheduled() {
    return waiting.stream()
        .sorted(Comparator.comparing(Waiting::due))
        .map(Waiting::message)
        .toList();
  }

  /**
   * Returns what the steps have appended. What they schedule beside time-outs waits in it until its
   * time has passed; what of it the saga takes, hand over by {@link #receive(Object)}.
   */
  public InMemoryOutbox outbox() {
    return outbox;
  }

  /** Returns the clock, which {@link #pass} moves. */
  public SettableClock clock() {
    return clock;
  }

  /** What a step does, before it is known whether that takes effect. */
  private final class Transaction implements Outbox {

    private final InMemorySagas sagas = SagaScenario.this.sagas.copy();
    private final InMemoryOutbox appended = outbox.begin();
    private final List<Waiting> scheduled = new ArrayList<>(waiting);

    @Override
    public List<UUID> append(Collection<?> eventsOrMessages) {
      return appended.append(eventsOrMessages);
    }

    @Override
    public UUID append(Object event, Delivery when) {
      if (event instanceof Message message && work.isTimeout(message)) {
        scheduled.add(new Waiting(message, when.due(clock.now())));
        return message.id();
      }
      return appended.append(event, when);
    }

    @Override
    public boolean cancel(UUID id) {
      return scheduled.removeIf(each -> each.message().id().equals(id)) || appended.cancel(id);
    }

    @Override
    public boolean cancel(String name) {
      return appended.cancel(name);
    }

    void commit() {
      SagaScenario.this.sagas = sagas;
      waiting = scheduled;
      outbox.commit(appended);
    }
  }
}
