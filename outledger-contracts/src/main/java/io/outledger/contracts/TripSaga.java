// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A trip: a hotel and a flight are booked, and cancelled again in reverse order if it falls
 * through. Its events are one text each, the trip's.
 */
final class TripSaga implements Saga<TripSaga.Trip> {

  static final String NAME = "trip";
  static final Duration LATE = Duration.ofDays(1);

  /** An event or state, as a text. */
  interface Text {
    String text();
  }

  record Planned(String text) implements Text {}

  record Booked(String text) implements Text {}

  record Over(String text) implements Text {}

  record Failed(String text) implements Text {}

  record Noted(String text) implements Text {}

  record Expired(String text) implements Text {}

  record CancelFlight(String text) implements Text {}

  record CancelHotel(String text) implements Text {}

  record Cancelled(String text) implements Text {}

  record Trip(String text) implements Text {}

  /** What a test has a booking do before anything else; null for nothing. */
  volatile @Nullable Runnable before;

  /** What a test has a step do at its end; null for nothing. */
  volatile @Nullable Consumer<SagaStep<Trip>> beside;

  /** Whether the cancellation of a flight waits for its answer. */
  volatile boolean isFlightAwaited;

  /** How long the time-out takes. */
  volatile Duration timeout = LATE;

  @Override
  public void define(SagaBuilder<Trip> saga) {
    saga.name(NAME)
        .state(Trip.class, t -> t.name("trip.state"))
        .startedBy(Planned.class, Planned::text, this::plan)
        .on(Booked.class, Booked::text, this::book)
        .on(Over.class, Over::text, (event, step) -> step.end())
        .onMissing(Over.class, (event, context) -> context.append(new Noted(event.text())))
        .on(Failed.class, Failed::text, this::fail)
        .on(Cancelled.class, Cancelled::text, (event, step) -> step.compensate())
        .onTimeout(Expired.class, this::expire)
        .compensation("flight", this::cancelFlight, Cancelled.class)
        .compensation("hotel", this::cancelHotel);
  }

  private void plan(Planned planned, SagaStep<Trip> step) {
    step.become(new Trip("0"));
    step.done("hotel");
    step.done("flight");
    step.waitFor("the bookings");
    step.timeoutAfter("bookings", timeout, new Expired(planned.text()));
    beside(step);
  }

  private void book(Booked booked, SagaStep<Trip> step) throws SQLException {
    Runnable first = before;
    if (first != null) {
      first.run();
    }
    step.become(new Trip(String.valueOf(Integer.parseInt(step.state().text()) + 1)));
    step.cancelTimeout("bookings");
    step.append(new Noted(booked.text()));
    effect(step.resource(Connection.class), booked.text());
    beside(step);
  }

  private void fail(Failed failed, SagaStep<Trip> step) throws Exception {
    step.compensate();
  }

  private void cancelFlight(SagaStep<Trip> step) {
    step.append(new CancelFlight(step.key()));
    if (isFlightAwaited) {
      step.waitFor("the airline");
    }
  }

  private void cancelHotel(SagaStep<Trip> step) {
    step.append(new CancelHotel(step.key()));
    beside(step);
  }

  private void expire(Expired expired, SagaStep<Trip> step) {
    step.become(new Trip("expired"));
    step.append(new Noted(expired.text()));
  }

  private void beside(SagaStep<Trip> step) {
    Consumer<SagaStep<Trip>> more = beside;
    if (more != null) {
      more.accept(step);
    }
  }

  private static void effect(Connection connection, String what) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO contract_trip (what) VALUES (?)")) {
      statement.setString(1, what);
      statement.executeUpdate();
    }
  }

  static void register(EventTypes.Builder types) {
    register(types, Planned.class);
    register(types, Booked.class);
    register(types, Over.class);
    register(types, Failed.class);
    register(types, Noted.class);
    register(types, Expired.class);
    register(types, CancelFlight.class);
    register(types, CancelHotel.class);
    register(types, Cancelled.class);
  }

  private static <E extends Text> void register(EventTypes.Builder types, Class<E> type) {
    types.register(type, t -> t.name(type.getSimpleName()).topic("trips").key(Text::text));
  }

  /** Between the text of a trip and the name of a field that a newer build has added to it. */
  static final String ADDED = "&";

  /** Writes and reads them. */
  static final PayloadSerializer TEXTS =
      new PayloadSerializer() {

        private static final Map<Class<?>, Function<String, Object>> READERS =
            Map.of(
                Planned.class, Planned::new,
                Booked.class, Booked::new,
                Over.class, Over::new,
                Failed.class, Failed::new,
                Noted.class, Noted::new,
                Expired.class, Expired::new,
                CancelFlight.class, CancelFlight::new,
                CancelHotel.class, CancelHotel::new,
                Cancelled.class, Cancelled::new,
                Trip.class, Trip::new);

        @Override
        public String contentType() {
          return "text/plain";
        }

        @Override
        public byte[] write(Object event) {
          return ((Text) event).text().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void check(Class<?> type) {}

        @Override
        public void checkTree(Class<?> tree) {}

        @Override
        public <E> E readExactly(byte[] payload, Class<E> type) {
          return read(payload, type);
        }

        @Override
        public <E> E read(byte[] payload, Class<E> type, Consumer<String> unknownFields) {
          Function<String, Object> reader = READERS.getOrDefault(type, text -> text);
          String[] texts = new String(payload, StandardCharsets.UTF_8).split(ADDED);
          Arrays.stream(texts).skip(1).forEach(unknownFields);
          return type.cast(reader.apply(texts[0]));
        }
      };
}
