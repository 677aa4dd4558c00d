// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Which methods leave the transaction that they are called in. */
class OtherTransactionTest {

  @SuppressWarnings("unused")
  private static class Methods {

    void silent() {}

    @Transactional
    void joins() {}

    @Transactional(propagation = Propagation.NESTED)
    void nests() {}

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    void begins() {}

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void suspends() {}

    @jakarta.transaction.Transactional
    void joinsToo() {}

    @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
    void beginsToo() {}
  }

  @SuppressWarnings("unused")
  @Transactional(propagation = Propagation.REQUIRES_NEW)
  private static class AllBegin {

    void silent() {}

    @Transactional
    void joins() {}
  }

  @Test
  void aMethodThatJoinsOrSaysNothingStays() {
    assertThat(leaves(Methods.class, "silent")).isFalse();
    assertThat(leaves(Methods.class, "joins")).isFalse();
    assertThat(leaves(Methods.class, "nests")).isFalse();
    assertThat(leaves(Methods.class, "joinsToo")).isFalse();
  }

  @Test
  void aMethodThatBeginsOrSuspendsATransactionLeaves() {
    assertThat(leaves(Methods.class, "begins")).isTrue();
    assertThat(leaves(Methods.class, "suspends")).isTrue();
    assertThat(leaves(Methods.class, "beginsToo")).isTrue();
  }

  @Test
  void whatAClassSaysCountsForMethodsThatSayNothing() {
    assertThat(leaves(AllBegin.class, "silent")).isTrue();
    assertThat(leaves(AllBegin.class, "joins")).isFalse();
  }

  private static boolean leaves(Class<?> type, String name) {
    Method method =
        Arrays.stream(type.getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return OtherTransaction.isUsedBy(method);
  }
}
