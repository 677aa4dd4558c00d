// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.roles.ConsumerMain;
import io.outledger.chaos.roles.OperatorMain;
import io.outledger.chaos.roles.RelayMain;
import io.outledger.chaos.roles.WriterMain;
import java.util.Locale;

/** What a process of the shop is for. */
public enum Role {
  /** Appends. */
  WRITER(WriterMain.class),
  /** Publishes, or stands by. */
  RELAY(RelayMain.class),
  /** Receives through an inbox. */
  CONSUMER(ConsumerMain.class),
  /** Moves, purges, retries, discards, deletes. */
  OPERATOR(OperatorMain.class);

  private final Class<?> main;

  Role(Class<?> main) {
    this.main = main;
  }

  Class<?> main() {
    return main;
  }

  /** Returns the role of a process by its name, such as {@code relay-2}. */
  public static Role of(String name) {
    return valueOf(name.substring(0, name.indexOf('-')).toUpperCase(Locale.ROOT));
  }
}
