// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says whether an order is as it must be: each step once, each message once, and a row only where
 * it still waits.
 */
final class Judge {

  private static final String LATE = "PaymentMissing";
  private static final List<String> LAPSED =
      List.of("placed", "reserved", "lapsed", "paid too late");
  private static final List<String> LAPSED_MESSAGES =
      List.of(
          "OrderPlaced",
          "ReserveStock",
          "StockReserved",
          "TakePayment",
          LATE,
          "ReleaseStock",
          "PaymentTaken",
          "RefundPayment",
          "PaymentRefunded");

  private Judge() {}

  /** Returns what is wrong with an order; nothing where it is as it must be. */
  static List<String> wrong(OrderTrail trail) {
    Fate fate = Fate.of(trail.key());
    List<String> effects = fate.effects();
    List<String> messages = fate.messages();
    if (fate == Fate.RACING && trail.effects().contains("lapsed")) {
      effects = LAPSED;
      messages = LAPSED_MESSAGES;
    } else if (fate == Fate.RACING && trail.messages().contains(LATE)) {
      messages = with(messages, LATE); // on its way when it was cancelled: it had no effect
    }
    boolean isWaiting = fate == Fate.WAITING;
    List<String> wrong = new ArrayList<>();
    compare(trail, "effects", effects, trail.effects(), wrong);
    compare(trail, "messages", messages, trail.messages(), wrong);
    compare(trail, "state", isWaiting ? OrderSaga.DELIVERING : null, trail.state(), wrong);
    compare(trail, "scheduled", isWaiting ? 1 : 0, trail.scheduled(), wrong);
    compare(trail, "parked", 0, trail.parked(), wrong);
    return wrong;
  }

  private static List<String> with(List<String> messages, String another) {
    List<String> more = new ArrayList<>(messages);
    more.add(another);
    return more;
  }

  private static void compare(
      OrderTrail trail, String what, List<String> wanted, List<String> found, List<String> wrong) {
    compare(
        trail,
        what,
        (Object) wanted.stream().sorted().toList(),
        found.stream().sorted().toList(),
        wrong);
  }

  private static void compare(
      OrderTrail trail,
      String what,
      @Nullable Object wanted,
      @Nullable Object found,
      List<String> wrong) {
    if (!Objects.equals(wanted, found)) {
      wrong.add("order %s: %s are %s, and must be %s".formatted(trail.key(), what, found, wanted));
    }
  }
}
