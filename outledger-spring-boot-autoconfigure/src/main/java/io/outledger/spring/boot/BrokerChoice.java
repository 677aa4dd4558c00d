// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of a broker, for a publisher or a receiver. */
interface BrokerChoice {

  /** Says whether the broker is used. */
  boolean enabled();

  /** Adds a broker to others if it is there and enabled. */
  static <T extends BrokerChoice> void add(
      String name, @Nullable T choice, Map<String, T> enabled) {
    if (choice != null && choice.enabled()) {
      enabled.put(name, choice);
    }
  }
}
