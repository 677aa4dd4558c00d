// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static io.outledger.junit.OutledgerAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.examples.renewal.FulfilmentMessages.AccessGranted;
import io.outledger.examples.renewal.FulfilmentMessages.AccessOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.AccessRefused;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentOverdue;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentRefused;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RefundPayment;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.examples.renewal.FulfilmentMessages.RevokeAccess;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;
import io.outledger.examples.renewal.Messages.PlanChanged;
import io.outledger.examples.renewal.Messages.PriceChanged;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.jackson.JacksonSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every payload of a message that was ever written is read by today's classes. */
class PayloadsTest {

  private static final Path PAYLOADS = Path.of("src/test/payloads");
  private static final String ID = "s-1/1";
  private static final Payment PAYMENT = new Payment("s-1", 6000, "EUR");

  private static Events events() {
    EventTypes.Builder types = EventTypes.builder();
    Contract.register(types);
    return Events.builder().types(types).serializer(JacksonSerializer.create()).build();
  }

  @Test
  void whatWasEverWrittenIsRead() {
    assertThat(events()).writesPayloadsUnder(PAYLOADS, samples()).readsPayloadsUnder(PAYLOADS);
  }

  /** What they lack was so for all of them. */
  @ParameterizedTest
  @CsvSource({"1, renewal.confirmed.v1.json", "2, renewal.confirmed.v2.before-way.json"})
  void renewalsOfOldWereExtendedInEuros(int version, String file) throws IOException {
    byte[] payload = Files.readAllBytes(PAYLOADS.resolve(file));
    assertEquals(
        new RenewalConfirmed("s-1", "extended", 12, 6000, "EUR"),
        events().read("renewal.confirmed", version, payload));
  }

  private static Object[] samples() {
    return new Object[] {
      new RenewalConfirmed("s-1", "extended", 12, 6000, "EUR"),
      new PlanChanged("s-1", "basic", "plus"),
      new PriceChanged("basic", 500, "EUR"),
      new FulfilRenewal(ID, "s-1", "basic", PAYMENT),
      new TakePayment(ID, PAYMENT),
      new PaymentTaken(ID),
      new PaymentRefused(ID),
      new PaymentOverdue(ID),
      new RefundPayment(ID),
      new GrantAccess(ID, "basic"),
      new RevokeAccess(ID),
      new AccessOverdue(ID),
      new AccessGranted(ID),
      new AccessRefused(ID),
      new RenewalFulfilled(ID, "s-1", PAYMENT),
      new RenewalFailed(ID, "s-1")
    };
  }
}
