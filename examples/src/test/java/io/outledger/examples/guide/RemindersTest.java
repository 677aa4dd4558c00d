// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.examples.guide.Reminders.PaymentReminder;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RemindersTest {

  private final Events events =
      Events.builder()
          .types(
              EventTypes.builder()
                  .register(
                      OrderPlaced.class,
                      t ->
                          t.name("order.placed")
                              .version(1)
                              .topic("orders")
                              .key(OrderPlaced::orderId))
                  .register(
                      PaymentReminder.class,
                      t ->
                          t.name("payment.reminder")
                              .version(1)
                              .topic("mails")
                              .key(PaymentReminder::orderId))
                  .build())
          .serializer(JacksonSerializer.create())
          .build();

  @Test
  void customerIsRemindedAfterThreeDays() {
    SettableClock clock = new SettableClock();
    InMemoryOutbox outbox = new InMemoryOutbox(events, clock);
    new Reminders(outbox).placed("o-1");

    clock.advance(Duration.ofDays(3));

    assertThat(outbox.events(PaymentReminder.class)).hasSize(1);
  }

  @Test
  void paymentCancelsTheReminder() {
    SettableClock clock = new SettableClock();
    InMemoryOutbox outbox = new InMemoryOutbox(events, clock);
    new Reminders(outbox).placed("o-1");
    new Reminders(outbox).paid("o-1");

    clock.advance(Duration.ofDays(3));

    assertThat(outbox.events(PaymentReminder.class)).isEmpty();
  }
}
