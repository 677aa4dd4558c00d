// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

/**
 * A process of several messages: started by one, moved by others, and ended. Its instances are told
 * apart by a key, which each message has for it, and each has a state. A class of the application
 * implements this interface; its steps are methods of that class. One object serves all instances,
 * so it has no state of its own, and is thread-safe.
 *
 * <pre>{@code
 * final class RenewalSaga implements Saga<Renewal> {
 *
 *   @Override
 *   public void define(SagaBuilder<Renewal> saga) {
 *     saga.name("renewal")
 *         .state(Renewal.class, t -> t.name("renewal.state"))
 *         .startedBy(RenewalDue.class, RenewalDue::subscription, this::charge)
 *         .on(PaymentTaken.class, PaymentTaken::subscription, this::provision)
 *         .onTimeout(PaymentMissing.class, this::giveUp);
 *   }
 *
 *   private void charge(RenewalDue due, SagaStep<Renewal> step) {
 *     step.become(new Renewal(due.cents()));
 *     step.append(new ChargeCard(step.key(), due.cents()));
 *     step.timeoutAfter("payment", Duration.ofDays(3), new PaymentMissing(step.key()));
 *   }
 * }
 * }</pre>
 *
 * @param <S> the class of the state
 */
@FunctionalInterface
public interface Saga<S> {

  /** Says what the saga is: its name, its state, and what each message does. Called once. */
  void define(SagaBuilder<S> saga);
}
