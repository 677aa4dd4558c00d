// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.languages;

import java.time.LocalDate;
import java.util.List;
import lombok.Value;

/** An event with Lombok. */
@Value
public class KeyHandedOver {
  String flatId;
  List<Key> keys;
  LocalDate day;

  /** A value inside it. */
  @Value
  public static class Key {
    int number;
  }
}
