// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import org.junit.jupiter.api.Test;

class KeyGateTest {

  private final KeyGate gate = new KeyGate(KeyOrder.ONE_AT_A_TIME);
  private final Delivery first = delivery(1, "k");
  private final Delivery second = delivery(2, "k");
  private final Delivery third = delivery(3, "k");

  @Test
  void letsOneOfAKeyPassAtATimeInOrder() {
    assertThat(gate.enter(first)).isTrue();
    assertThat(gate.enter(second)).isFalse();
    assertThat(gate.enter(third)).isFalse();
    assertThat(gate.enter(delivery(4, "other"))).isTrue();
    assertThat(gate.leave(first)).isSameAs(second);
    assertThat(gate.leave(second)).isSameAs(third);
    assertThat(gate.leave(third)).isNull();
    assertThat(gate.enter(first)).isTrue();
  }

  @Test
  void messagesWithoutAKeyAllPass() {
    Delivery keyless = delivery(1, null);
    assertThat(gate.enter(keyless)).isTrue();
    assertThat(gate.enter(keyless)).isTrue();
    assertThat(gate.leave(keyless)).isNull();
    assertThat(gate.dissolve(keyless)).isEmpty();
  }

  @Test
  void dissolvedItReturnsThoseBehind() {
    gate.enter(first);
    gate.enter(second);
    gate.enter(third);
    assertThat(gate.dissolve(first)).containsExactly(second, third);
    assertThat(gate.dissolve(first)).isEmpty();
    assertThat(gate.enter(second)).isTrue();
  }

  @Test
  void clearedItReturnsAllThatQueued() {
    gate.enter(first);
    gate.enter(second);
    gate.enter(third);
    assertThat(gate.clear()).containsExactly(second, third);
    assertThat(gate.clear()).isEmpty();
    assertThat(gate.enter(first)).isTrue();
  }

  @Test
  void allOfAKeyPassWhereThePublisherKeepsTheirOrder() {
    KeyGate open = new KeyGate(KeyOrder.PIPELINED);
    assertThat(open.isOpen()).isTrue();
    assertThat(gate.isOpen()).isFalse();
    assertThat(open.enter(first)).isTrue();
    assertThat(open.enter(second)).isTrue();
    assertThat(open.leave(first)).isNull();
    assertThat(open.dissolve(second)).isEmpty();
    assertThat(open.clear()).isEmpty();
  }
}
