// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.TripSaga.Expired;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.SagaState;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaRow;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The trips of a saga over the database. */
abstract class TripContractTests extends DatabaseContractTests {

  static final SagaId TRIP = new SagaId(TripSaga.NAME, "t-1");
  final TripSaga saga = new TripSaga();
  private Outledger app;
  private BatchHandler trips;
  private long position;

  /** Returns a process that has the trips. */
  final Outledger app() {
    return app;
  }

  /** Returns what handles their messages that a broker brings. */
  final BatchHandler trips() {
    return trips;
  }

  @BeforeEach
  final void build() {
    execute("CREATE TABLE contract_trip (what VARCHAR(100))");
    app = newApp();
    trips = app.sagas().receiver(saga);
  }

  final Outledger newApp() {
    return Outledger.builder(dataSource())
        .serializer(TripSaga.TEXTS)
        .withoutRetention()
        .events(TripSaga::register)
        .build();
  }

  @AfterEach
  final void closeApp() {
    app.close();
  }

  final Received received(Object event) {
    return Received.of("travel", app.events().message(event));
  }

  final void receive(Object event) throws Exception {
    trips.handle(List.of(received(event)));
  }

  /** Hands over a time-out, as a relay does. */
  final void relayed(Message message) throws Exception {
    position++;
    app.inbox(SUBSCRIPTION + "/" + TripSaga.NAME)
        .handler(SUBSCRIPTION, app.sagas().timeoutHandlers(saga))
        .handle(position, 1, message);
  }

  /** Returns the message of a time-out, as it comes. */
  final Message timeout(UUID token) {
    return app()
        .events()
        .message(new Expired("t-1"))
        .copy()
        .id(token)
        .header("saga", TripSaga.NAME)
        .header("saga-key", "t-1")
        .header("saga-timeout", "bookings")
        .header("saga-token", token.toString())
        .build();
  }

  /** Returns the trip as it is stored. */
  final SagaRow row() {
    Optional<SagaRow> row = inTransactionOf(c -> database().sagas().find(c, TRIP));
    return row.orElseThrow();
  }

  /** Returns the trip after the step of another build, which leaves this state. */
  final SagaRow newer(String state) {
    SagaRow row = row();
    return new SagaRow(
        TRIP,
        row.version() + 1,
        row.phase(),
        row.progress(),
        row.type(),
        state.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the trip as another build has left it. */
  final void write(SagaRow row) {
    boolean isWritten = inTransactionOf(c -> database().sagas().update(c, row));
    assertThat(isWritten).isTrue();
  }

  final SagaState trip() {
    return app.admin().sagas().find(TRIP, 100).orElseThrow();
  }

  final String state() {
    return new String(Objects.requireNonNull(trip().state()), StandardCharsets.UTF_8);
  }

  final List<String> types() {
    return messages().stream().map(Message::type).toList();
  }

  final long effects() {
    return count("SELECT COUNT(*) FROM contract_trip");
  }

  final long scheduled() {
    return count("SELECT COUNT(*) FROM {schema}.outledger_scheduled");
  }

  final void await(BooleanSupplier holds) {
    until("the end of the trips", holds);
  }

  /** Returns which sagas are listed as stuck. */
  final List<SagaId> stuckOnes() {
    return app().admin().sagas().list(SagaQuery.ALL).rows().stream()
        .filter(SagaInfo::isStuck)
        .map(SagaInfo::id)
        .toList();
  }
}
