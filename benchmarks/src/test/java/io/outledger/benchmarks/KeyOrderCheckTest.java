// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyOrderCheckTest {

  private final KeyOrderCheck check = new KeyOrderCheck();

  @Test
  void whatComesAgainOrAfterALaterOneOfItsKeyIsNotInOrder() {
    check.take(1, 10);
    check.take(2, 5);
    check.take(1, 12);
    check.take(1, 12);
    check.take(1, 11);

    assertThat(check.came()).isEqualTo(new Broker.Came(3, 2));
  }
}
