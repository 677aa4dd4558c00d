// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;

/** A call without an id is refused before an inbox is asked, and the error says which call. */
class InboxedIdTest {

  /** What a listener is given. */
  public record Received(@Nullable String id) {}

  /** A listener. */
  public static class Bills {

    /** Is never reached. */
    @Inboxed(consumer = "billing", source = "orders", id = "#p0.id()")
    public void bill(Received message) {
      throw new AssertionError("called without an id");
    }

    /** Is never reached: the id has no length, which the expression does not expect. */
    @Inboxed(consumer = "billing", source = "orders", id = "#p0.id().length()")
    public void billByLength(Received message) {
      throw new AssertionError("called without an id");
    }
  }

  private final Bills bills = bills();

  @Test
  void anIdThatIsNullIsRefused() {
    assertThatThrownBy(() -> bills.bill(new Received(null)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("OUT-014")
        .hasMessageContaining("Bills.bill has no id: #p0.id() is null");
  }

  @Test
  void anExpressionThatFailsOnTheMessageIsRefused() {
    assertThatThrownBy(() -> bills.billByLength(new Received(null)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Bills.billByLength has no id: #p0.id().length() fails")
        .hasMessageContaining("#p0 is the first parameter");
  }

  private static Bills bills() {
    ProxyFactory factory = new ProxyFactory(new Bills());
    factory.addAdvice(
        new InboxedInterceptor(
            () -> {
              throw new AssertionError("the inbox was asked");
            }));
    return (Bills) factory.getProxy();
  }
}
