// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge sees each thing that can be wrong with an order. */
class JudgeTest {

  private static OrderTrail good(Fate fate) {
    boolean waits = fate == Fate.WAITING;
    return new OrderTrail(
        fate.key(1),
        fate.effects(),
        fate.messages(),
        waits ? OrderSaga.DELIVERING : null,
        waits ? 1 : 0,
        0);
  }

  private static <T> List<T> twice(List<T> list) {
    List<T> more = new ArrayList<>(list);
    more.add(list.get(0));
    return more;
  }

  @Test
  void ordersThatAreAsTheyMustBeAreNotBlamed() {
    for (Fate fate : Fate.values()) {
      assertThat(Judge.wrong(good(fate))).as(fate.name()).isEmpty();
    }
  }

  @Test
  void whatHappenedTwiceOrNotAtAllIsSeen() {
    for (Fate fate : Fate.values()) {
      OrderTrail is = good(fate);
      List<String> effects = is.effects();
      List<String> messages = is.messages();
      assertWrong(
          "effects",
          new OrderTrail(is.key(), twice(effects), messages, is.state(), is.scheduled(), 0));
      assertWrong(
          "effects",
          new OrderTrail(
              is.key(),
              effects.subList(1, effects.size()),
              messages,
              is.state(),
              is.scheduled(),
              0));
      assertWrong(
          "messages",
          new OrderTrail(is.key(), effects, twice(messages), is.state(), is.scheduled(), 0));
    }
  }

  @Test
  void sagasThatStandStillAreSeen() {
    for (Fate fate : Fate.values()) {
      OrderTrail is = good(fate);
      assertWrong(
          "state",
          new OrderTrail(is.key(), is.effects(), is.messages(), "paying", is.scheduled(), 0));
      assertWrong(
          "scheduled", new OrderTrail(is.key(), is.effects(), is.messages(), is.state(), 2, 0));
      assertWrong(
          "parked",
          new OrderTrail(is.key(), is.effects(), is.messages(), is.state(), is.scheduled(), 1));
    }
  }

  @Test
  void timeoutAndAnswerTogetherHaveTwoEndsAndNoThird() {
    OrderTrail is = good(Fate.RACING);
    List<String> late = new ArrayList<>(is.messages());
    late.add("PaymentMissing");
    assertThat(Judge.wrong(new OrderTrail(is.key(), is.effects(), late, null, 0, 0))).isEmpty();
    List<String> both = new ArrayList<>(is.effects());
    both.add("lapsed");
    assertThat(Judge.wrong(new OrderTrail(is.key(), both, late, null, 0, 0))).isNotEmpty();
  }

  @Test
  void missingOrdersAreSeen() {
    SagaResult result =
        new SagaResult(
            new SagaResult.Kills(1, 0, 0), List.of(good(Fate.SILENT), good(Fate.WAITING)), "18");
    assertThat(result.wrong(2)).isEmpty();
    assertThat(result.wrong(3)).containsExactly("there are 2 orders, and must be 3");
  }

  private static void assertWrong(String what, OrderTrail trail) {
    assertThat(Judge.wrong(trail)).singleElement().asString().contains(": " + what + " are ");
  }
}
