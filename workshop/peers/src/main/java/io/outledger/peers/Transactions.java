// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;

/** One message after the other, each in a transaction; now and then one that is rolled back. */
final class Transactions {

  /** Of ten transactions one is lost. */
  private static final int COMMITTED_FOR_EACH_LOST = 9;

  private final Application application;
  private final Business business;
  private final Losses losses;
  private int committed;

  /**
   * Makes it.
   *
   * @param business of those that commit
   * @param losses what is done between them
   */
  Transactions(Application application, Business business, Losses losses) {
    this.application = application;
    this.business = business;
    this.losses = losses;
  }

  /** How one is rolled back. */
  @FunctionalInterface
  interface Losses {

    /** None is. */
    Losses NONE = application -> {};

    void lose(Application application) throws Exception;
  }

  /** Loses one where it is time for that; to be called before each that commits. */
  void loseSome() throws Exception {
    if (committed % COMMITTED_FOR_EACH_LOST == 0) {
      losses.lose(application);
    }
  }

  void commit(NumberedMessage message) throws Exception {
    application.commit(business, List.of(message));
    committed++;
  }
}
