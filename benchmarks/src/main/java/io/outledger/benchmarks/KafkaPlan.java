// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

/**
 * What the Kafka benchmark measures.
 *
 * @param messages how many messages wait in the ledger
 * @param rounds how often each side is measured
 * @param warmUps how many rounds go before that are not counted, since the JVMs compile then: this
 *     one and the broker's
 * @param sampled how many of the relay's records the bare producer sends again and again
 * @param isApart whether both servers have one core together, and this JVM another
 */
record KafkaPlan(int messages, int rounds, int warmUps, int sampled, boolean isApart) {

  static final int PARTITIONS = 6;

  private static final int MESSAGES = 300_000;
  private static final int ROUNDS = 7;
  private static final int WARM_UPS = 3;
  private static final int SAMPLED = 20_000;

  static KafkaPlan of(Wish wish) {
    return new KafkaPlan(
        wish.messages(MESSAGES), wish.rounds(ROUNDS), WARM_UPS, SAMPLED, wish.has("apart"));
  }
}
