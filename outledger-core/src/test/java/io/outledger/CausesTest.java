// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CausesTest {

  @Test
  void failureIsFirstAndItsRootCauseIsLast() {
    Exception root = new Exception("root");
    Exception between = new Exception("between", root);
    Exception failure = new Exception("failure", between);
    assertThat(Causes.of(failure)).containsExactly(failure, between, root);
    assertThat(Causes.of(root)).containsExactly(root);
    assertThat(Causes.root(failure)).isSameAs(root);
    assertThat(Causes.root(root)).isSameAs(root);
  }

  @Test
  void causesThatLeadInACircleAreReturnedOnce() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);
    assertThat(Causes.of(second)).containsExactly(second, first);
    assertThat(Causes.root(second)).isSameAs(first);
  }
}
