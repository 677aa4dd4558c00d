// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

/**
 * How a subscription is renewed. The set is closed: whoever reads these three has seen all, and a
 * fourth has to answer the same questions.
 */
sealed interface Renewal {

  /** Returns for how many months. */
  int months();

  /** Returns the plan that it is renewed in. */
  String planAfter(String plan);

  /** Returns who pays. */
  String payer(String subscriber);

  /** Returns what others call it. */
  String way();

  /** It goes on as it is. */
  record Extended(int months) implements Renewal {

    @Override
    public String planAfter(String plan) {
      return plan;
    }

    @Override
    public String payer(String subscriber) {
      return subscriber;
    }

    @Override
    public String way() {
      return "extended";
    }
  }

  /** It goes on in another plan. */
  record Upgraded(String plan, int months) implements Renewal {

    @Override
    public String planAfter(String before) {
      return plan;
    }

    @Override
    public String payer(String subscriber) {
      return subscriber;
    }

    @Override
    public String way() {
      return "upgraded";
    }
  }

  /** It goes on, and somebody else pays. */
  record Gifted(String giver, int months) implements Renewal {

    @Override
    public String planAfter(String plan) {
      return plan;
    }

    @Override
    public String payer(String subscriber) {
      return giver;
    }

    @Override
    public String way() {
      return "gifted";
    }
  }
}
