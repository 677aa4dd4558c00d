// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import io.outledger.chaos.roles.ConsumerMain;
import io.outledger.chaos.roles.RelayMain;
import io.outledger.chaos.roles.WriterMain;

/** What a process of the shop is for. */
enum Role {
  WRITER(WriterMain.class),
  RELAY(RelayMain.class),
  CONSUMER(ConsumerMain.class);

  private final Class<?> main;

  Role(Class<?> main) {
    this.main = main;
  }

  Class<?> main() {
    return main;
  }

  static Role of(String name) {
    if (Shop.WRITERS.contains(name)) {
      return WRITER;
    }
    return Shop.RELAYS.contains(name) ? RELAY : CONSUMER;
  }
}
