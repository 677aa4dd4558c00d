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
 *         .startedBy(RenewalDue.class, RenewalDue::renewal, this::charge)
 *         .on(PaymentTaken.class, PaymentTaken::renewal, this::provision)
 *         .onTimeout(PaymentMissing.class, this::giveUp);
 *   }
 *
 *   private void charge(RenewalDue due, SagaStep<Renewal> step) {
 *     if (!step.isNew()) {
 *       return; // asked for twice: it is under way
 *     }
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

  /**
   * Says what the saga is: its name, its state, and what each message does. May be called more than
   * once, also by tests and by the check of what is stored; it has no effect but on its argument.
   */
  void define(SagaBuilder<S> saga);
}
