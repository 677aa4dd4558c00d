// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.RenewSubscription;
import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.junit.OutledgerExtension;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The saga on a database. It waits for the access, which nobody but the test grants. */
class FulfilmentIT {

  private final DataSource database = Databases.empty();

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(() -> database)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Contract::register))
          .relay("background", this::withoutAccess);

  private void withoutAccess(RelayBuilder relay) {
    Subscriptions subscriptions =
        new Subscriptions(outledger.outledger().outbox(), outledger.clock());
    relay
        .saga(new Fulfilment())
        .handler("payments", Payments::handle)
        .handler("subscriptions", subscriptions::handle)
        .handler("letters", Letters::handle);
  }

  @BeforeEach
  void requestRenewal() throws Exception {
    outledger.clock().setNow(Instant.parse("2026-03-01T12:00:00Z"));
    Application application = new Application(outledger.outledger(), outledger.clock());
    application.prices().set("basic", new Prices.Price(500, "EUR"));
    application.mediator().send(new BeginSubscription("s-1", "basic"));
    application.mediator().send(new RenewSubscription("s-1/1", "s-1", new Renewal.Extended(12)));
    outledger.settle();
    assertThat(Demo.lines(database))
        .contains("renewal s-1/1, requested", "payment of 6000 EUR by s-1 for s-1/1");
  }

  @Test
  void renewalThatIsNotProvidedInTimeFailsAndIsPaidBack() throws Exception {
    assertThat(outledger.deliverNextScheduled()).isTrue();

    assertThat(Demo.lines(database))
        .containsExactlyInAnyOrder(
            "subscription s-1, basic until 2026-03-01",
            "renewal s-1/1, failed",
            "payment of 6000 EUR by s-1 for s-1/1",
            "payment of -6000 EUR by s-1 for s-1/1");
  }

  static List<Payload> sagaOfAnyReleaseGoesOn() throws IOException {
    return Payload.in(Payload.STATES);
  }

  @ParameterizedTest
  @MethodSource
  void sagaOfAnyReleaseGoesOn(Payload state) throws Exception {
    byte[] payload = state.bytes(); // what an older release has left in the row
    outledger
        .outledger()
        .transactions()
        .run(
            connection ->
                Sql.update(
                    connection,
                    "UPDATE outledger_saga SET state_type = ?, state_version = ?, payload = ?",
                    state.type().name(),
                    state.type().version(),
                    payload));
    outledger.outledger().outbox().inNewTransaction(new AccessGranted("s-1/1"));
    outledger.settle();

    assertThat(Demo.lines(database))
        .contains(
            "renewal s-1/1, fulfilled",
            "subscription s-1, basic until 2027-03-01",
            "letter, s-1 extended: 12 months for 6000 EUR");
  }
}
