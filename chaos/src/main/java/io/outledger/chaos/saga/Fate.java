// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What becomes of an order. Its key tells its fate, so that the services around the saga know what
 * to answer, and the judge knows what must have happened.
 */
enum Fate {
  /** Paid and shipped. */
  COMPLETED(
      Words.LONG,
      List.of("placed", "reserved", "paid", "shipped"),
      List.of(Words.TO_PAYMENT, "PaymentTaken", "ShipParcel", "ParcelShipped", "OrderCompleted")),
  /** The bank refuses: the reservation is given back. */
  REFUSED(
      Words.LONG,
      List.of("placed", "reserved", "refused"),
      List.of(Words.TO_PAYMENT, "PaymentRefused", "ReleaseStock")),
  /** The parcel comes back: first the payment, then the reservation is given back. */
  RETURNED(
      Words.LONG,
      List.of("placed", "reserved", "paid", "returned", "refunded"),
      List.of(
          Words.TO_PAYMENT,
          "PaymentTaken",
          "ShipParcel",
          "ParcelRefused",
          "RefundPayment",
          "PaymentRefunded",
          "ReleaseStock")),
  /** The bank never answers: the time-out gives the reservation back. */
  SILENT(
      Duration.ofSeconds(2),
      List.of("placed", "reserved", "lapsed"),
      List.of(Words.TO_PAYMENT, "PaymentMissing", "ReleaseStock")),
  /** The time-out comes at about the time of the answer; see {@link Judge} for its two ends. */
  RACING(Duration.ofMillis(40), COMPLETED.effects, COMPLETED.messages),
  /** Shipped, and waits for a month: its row and its time-out are still there at the end. */
  WAITING(
      Words.LONG,
      List.of("placed", "reserved", "paid", "shipped"),
      List.of(Words.TO_PAYMENT, "PaymentTaken", "ShipParcel", "ParcelShipped"));

  private final Duration patience;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> effects;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> messages;

  Fate(Duration patience, List<String> effects, List<String> messages) {
    this.patience = patience;
    this.effects = effects;
    this.messages = messages;
  }

  /** Returns the key of an order that has this fate. */
  String key(int number) {
    return name().toLowerCase(Locale.ROOT) + "-" + number;
  }

  /** Returns the fate of an order. */
  static Fate of(String key) {
    return valueOf(key.substring(0, key.indexOf('-')).toUpperCase(Locale.ROOT));
  }

  /** Returns the fate of the order of a number: each comes up in turn. */
  static Fate of(int number) {
    return values()[number % values().length];
  }

  /** Returns how long the saga waits for the bank. */
  Duration patience() {
    return patience;
  }

  /** Returns the steps that have an effect, each once. */
  List<String> effects() {
    return effects;
  }

  /** Returns the types of its messages, each of which is in the ledger once. */
  List<String> messages() {
    return messages.stream().flatMap(each -> List.of(each.split(" ")).stream()).toList();
  }

  /** What several fates have; an enum's constants cannot name its own later fields. */
  private static final class Words {
    static final String TO_PAYMENT = "OrderPlaced ReserveStock StockReserved TakePayment";
    static final Duration LONG = Duration.ofDays(30);

    private Words() {}
  }
}
