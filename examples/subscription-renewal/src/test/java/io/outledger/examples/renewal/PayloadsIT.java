// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.DomainEvents.RenewalRequested;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.junit.OutledgerExtension;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every payload that was ever written is handled by today's handlers. */
class PayloadsIT {

  private final DataSource database = Databases.empty();

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(() -> database)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Contract::register))
          .relay("background", relay -> application().handlers(relay));

  private Application application() {
    return new Application(outledger.outledger(), outledger.clock());
  }

  /** Requests and pays the renewal that the payloads are about. */
  @BeforeEach
  void requestRenewal() throws SQLException {
    outledger.clock().setNow(Instant.parse("2026-03-01T12:00:00Z"));
    application().mediator().send(new BeginSubscription("s-1", "basic"));
    outledger
        .outledger()
        .transactions()
        .run(
            connection -> {
              Renewals.add(
                  connection,
                  new RenewalRequested("s-1/1", "s-1", "basic", new Renewal.Extended(12), null));
              Sql.update(
                  connection,
                  "INSERT INTO payment (renewal_id, payer, cents, currency)"
                      + " VALUES ('s-1/1', 's-1', 6000, 'EUR')");
            });
  }

  static List<Payload> payloadIsHandled() throws IOException {
    return Payload.in(Payload.MESSAGES);
  }

  @ParameterizedTest
  @MethodSource
  void payloadIsHandled(Payload payload) throws Exception {
    deliver(payload);

    assertThat(
            outledger
                .outledger()
                .admin()
                .parked(ParkedQuery.of(Reader.subscription("background")))
                .rows())
        .isEmpty();
  }

  @Test
  void renewalThatDoesNotSayWhatWasPaidIsConfirmedByThePayment() throws Exception {
    deliver(Payload.of("renewal.fulfilled.v1.json"));

    assertThat(Demo.lines(database))
        .contains(
            "subscription s-1, basic until 2027-03-01",
            "letter, s-1 extended: 12 months for 6000 EUR");
  }

  @Test
  void paymentForNoRenewalGoesBack() throws Exception {
    deliver(Payload.of("take-payment.v1.before-payer.json"));

    assertThat(Demo.lines(database))
        .contains("payment of 6000 EUR by s-1 for s-1", "payment of -6000 EUR by s-1 for s-1");
  }

  private void deliver(Payload payload) throws IOException {
    Message message =
        Message.to("replayed", payload.type().name())
            .version(payload.type().version())
            .key("s-1")
            .payload(payload.bytes())
            .build();
    outledger.outledger().outbox().inNewTransaction(message);
    outledger.settle();
  }
}
