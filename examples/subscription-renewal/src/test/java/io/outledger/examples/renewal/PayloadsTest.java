// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static io.outledger.junit.OutledgerAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.StateFormat;
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
import io.outledger.saga.SagaDefinition;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every payload that was ever written is read by today's classes. A file is only ever added, and
 * never changed, renamed or removed: such payloads may still be in a ledger or among dead letters.
 */
class PayloadsTest {

  /** A line for each file, as {@code sha256sum} prints it. */
  private static final Path KEPT = Path.of("src/test/payloads.sha256");

  private static final String ID = "s-1/1";
  private static final Payment PAYMENT = new Payment("s-1", 6000, "EUR");
  private static final StateFormat<Fulfilment.Open> STATES =
      SagaDefinition.of(new Fulfilment()).state().in(events(), 1000);

  private static Events events() {
    EventTypes.Builder types = EventTypes.builder();
    Contract.register(types);
    return Events.builder().types(types).serializer(JacksonSerializer.create()).build();
  }

  private static Object read(Payload payload) throws IOException {
    return events().read(payload.type().name(), payload.type().version(), payload.bytes());
  }

  @Test
  void whatWasEverWrittenIsRead() {
    assertThat(events())
        .writesPayloadsUnder(Payload.MESSAGES, samples())
        .readsPayloadsUnder(Payload.MESSAGES);
  }

  @Test
  void whatWasEverWrittenIsKept() throws Exception {
    List<String> kept = Files.readAllLines(KEPT);
    List<String> found = hashes();
    assertThat(kept)
        .filteredOn(line -> !found.contains(line))
        .as(
            "These files were changed, renamed or removed. Restore them. Give the type that has"
                + " changed the next version, with a file of its own and an upcast; one that has"
                + " another name gets formerly(...)")
        .isEmpty();
    assertThat(found)
        .filteredOn(line -> !kept.contains(line))
        .as("These files are new. Add their lines to %s", KEPT)
        .isEmpty();
  }

  private static List<String> hashes() throws Exception {
    List<String> lines = new ArrayList<>();
    for (Path folder : List.of(Payload.MESSAGES, Payload.STATES)) {
      for (Payload payload : Payload.in(folder)) {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(payload.bytes());
        Path name = Payload.MESSAGES.relativize(payload.file());
        lines.add(HexFormat.of().formatHex(hash) + "  " + name);
      }
    }
    return lines;
  }

  @Test
  void whatIsReadIsComplete() throws Exception {
    for (Payload payload : Payload.in(Payload.MESSAGES)) {
      assertThat(missing((Record) read(payload))).as("%s", payload).isEmpty();
    }
  }

  @Test
  void stateThatWasEverWrittenIsReadAndComplete() throws Exception {
    for (Payload state : Payload.in(Payload.STATES)) {
      assertThat(missing(STATES.read(state.type(), state.bytes()))).as("%s", state).isEmpty();
    }
  }

  @Test
  void stateIsWrittenAsItsFileSays() throws Exception {
    String name = "fulfilment.open.v" + STATES.type().version() + ".json";
    assertThat(new String(STATES.write(new Fulfilment.Open("s-1", "basic", PAYMENT)), UTF_8))
        .isEqualTo(Files.readString(Payload.STATES.resolve(name)));
  }

  /** An older payload is read as one that has what it lacks. */
  @ParameterizedTest
  @MethodSource
  void olderPayloadIsReadAsToday(String file, Object event) throws IOException {
    assertThat(read(Payload.of(file))).isEqualTo(event);
  }

  static Stream<Arguments> olderPayloadIsReadAsToday() {
    Object confirmed = new RenewalConfirmed("s-1", "extended", 12, 6000, "EUR");
    return Stream.of(
        arguments("renewal.confirmed.v1.json", confirmed),
        arguments("renewal.confirmed.v2.before-way.json", confirmed),
        arguments("price-list.published.v1.json", new PriceChanged("basic", 500, "EUR")),
        arguments("take-payment.v1.before-payer.json", new TakePayment("s-1", PAYMENT)),
        arguments(
            "take-payment.v1.before-renewal.json",
            new TakePayment("s-1", new Payment("grace", 6000, "EUR"))),
        arguments("payment.taken.v1.before-renewal.json", new PaymentTaken("s-1")),
        arguments("payment.refused.v1.before-renewal.json", new PaymentRefused("s-1")),
        arguments("renewal.fulfilled.v1.json", new RenewalFulfilled(ID, "s-1", null)),
        arguments(
            "renewal.fulfilled.v1.with-payment.json", new RenewalFulfilled(ID, "s-1", PAYMENT)));
  }

  /** Returns the fields that are null, and not {@link Nullable}. */
  private static List<String> missing(Record read) throws ReflectiveOperationException {
    List<String> missing = new ArrayList<>();
    for (RecordComponent field : read.getClass().getRecordComponents()) {
      Object value = field.getAccessor().invoke(read);
      if (value instanceof Record part) {
        missing.addAll(missing(part));
      } else if (value == null && !field.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        missing.add(field.getName());
      }
    }
    return missing;
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
