// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** A subscription is charged and provisioned; what was done is undone if one of them fails. */
final class RenewalSaga implements Saga<RenewalSaga.Renewal> {

  static final Duration PAYMENT = Duration.ofDays(3);
  static final Duration PROVISION = Duration.ofHours(1);

  record Due(String text) implements TextEvents {}

  record Charge(String text) implements TextEvents {}

  record Paid(String text) implements TextEvents {}

  record Provision(String text) implements TextEvents {}

  record Provisioned(String text) implements TextEvents {}

  record Refused(String text) implements TextEvents {}

  record Refund(String text) implements TextEvents {}

  record Refunded(String text) implements TextEvents {}

  record Withdraw(String text) implements TextEvents {}

  record Late(String text) implements TextEvents {}

  record Failed(String text) implements TextEvents {}

  record Renewal(String text) implements TextEvents {}

  boolean isRefundBroken;
  boolean isFailureCaught;
  boolean goesOn;
  boolean ends;

  static final Events EVENTS = events(late -> {});

  /** Returns its events, with more to say of its time-out. */
  static Events events(Consumer<EventType.Builder<Late>> late) {
    return Events.builder()
        .types(types(late))
        .serializer(
            new TextEvents.Serializer(
                Map.ofEntries(
                    Map.entry(Due.class, Due::new),
                    Map.entry(Charge.class, Charge::new),
                    Map.entry(Paid.class, Paid::new),
                    Map.entry(Provision.class, Provision::new),
                    Map.entry(Provisioned.class, Provisioned::new),
                    Map.entry(Refused.class, Refused::new),
                    Map.entry(Refund.class, Refund::new),
                    Map.entry(Refunded.class, Refunded::new),
                    Map.entry(Withdraw.class, Withdraw::new),
                    Map.entry(Late.class, Late::new),
                    Map.entry(Failed.class, Failed::new),
                    Map.entry(Renewal.class, Renewal::new))))
        .build();
  }

  private static EventTypes.Builder types(Consumer<EventType.Builder<Late>> late) {
    EventTypes.Builder types = EventTypes.builder();
    add(types, Due.class);
    add(types, Charge.class);
    add(types, Paid.class);
    add(types, Provision.class);
    add(types, Provisioned.class);
    add(types, Refused.class);
    add(types, Refund.class);
    add(types, Refunded.class);
    add(types, Withdraw.class);
    types.register(
        Late.class,
        t -> {
          t.name("Late").topic("renewal").key(TextEvents::text);
          late.accept(t);
        });
    add(types, Failed.class);
    return types;
  }

  private static <E extends TextEvents> void add(EventTypes.Builder types, Class<E> type) {
    types.register(type, t -> t.name(type.getSimpleName()).topic("renewal").key(TextEvents::text));
  }

  @Override
  public void define(SagaBuilder<Renewal> saga) {
    saga.name("renewal")
        .state(
            Renewal.class,
            t ->
                t.name("renewal.state")
                    .version(2)
                    .upcast(1, 2, String.class, old -> old + " (of version 1)"))
        .stateBytesMax(30)
        .startedBy(Due.class, Due::text, this::charge)
        .on(Paid.class, Paid::text, this::provision)
        .on(Provisioned.class, Provisioned::text, (event, step) -> step.end())
        .on(Refused.class, Refused::text, (event, step) -> undo(step))
        .on(Refunded.class, Refunded::text, (event, step) -> step.compensate())
        .onMissing(Refused.class, (event, context) -> context.append(new Failed(context.key())))
        .onTimeout(Late.class, this::giveUp)
        .compensation("charge", this::refund, Refunded.class)
        .compensation("provision", step -> step.append(new Withdraw(step.key())));
  }

  private void charge(Due due, SagaStep<Renewal> step) {
    if (!step.isNew()) {
      return;
    }
    step.become(new Renewal("charging"));
    step.append(new Charge(due.text()));
    step.done("charge");
    step.waitFor("the payment");
    step.timeoutAfter("payment", PAYMENT, new Late(due.text()));
  }

  private void provision(Paid paid, SagaStep<Renewal> step) {
    step.cancelTimeout("payment");
    step.become(new Renewal(step.state().text() + ", provisioning"));
    step.append(new Provision(paid.text()));
    step.done("provision");
    step.timeoutAfter("provision", PROVISION, new Late(paid.text()));
  }

  private void undo(SagaStep<Renewal> step) throws Exception {
    step.waitFor("the end of this step"); // what is said before counts for no compensation
    try {
      step.compensate();
    } catch (IllegalStateException e) {
      if (!isFailureCaught) {
        throw e;
      }
      step.waitFor("somebody");
      if (goesOn) {
        step.compensate();
      }
    }
    if (ends) {
      step.end();
    }
  }

  private void refund(SagaStep<Renewal> step) {
    if (isRefundBroken) {
      throw new IllegalStateException("the bank does not answer");
    }
    step.append(new Refund(step.key()));
    step.waitFor("the refund");
  }

  private void giveUp(Late late, SagaStep<Renewal> step) {
    step.append(new Failed(late.text()));
    step.end();
  }
}
