// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import java.util.Arrays;
import java.util.List;
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

  /** Methods whose id no message could have, and some whose id it could. */
  @SuppressWarnings("unused")
  static class Ids {

    @Inboxed(consumer = "a", source = "s", id = "#p0.")
    public void unfinished(String id) {}

    @Inboxed(consumer = "b", source = "s", id = "")
    public void empty(String id) {}

    @Inboxed(consumer = "c", source = "s", id = "#order.id() + #p0")
    public void unknown(Received message) {}

    @Inboxed(consumer = "d", source = "s", id = "#p1")
    public void second(Received message) {}

    @Inboxed(consumer = "e", source = "s", id = "message.id()")
    public void withoutHash(Received message) {}

    @Inboxed(consumer = "f", source = "s", id = "#p0.id()?:#p1.?[#this != ' '].toString()")
    public void several(Received message, String other) {}

    @Inboxed(consumer = "g", source = "s", id = "T(java.lang.Thread).currentThread().getName()")
    public void fromElsewhere(Received message) {}
  }

  @Test
  void expressionsThatCannotGiveAnIdAreKnownWithoutAMessage() {
    assertThat(problem("unfinished"))
        .contains("Ids.unfinished: the id of its @Inboxed, #p0., is no SpEL expression: ");
    assertThat(problem("empty")).contains("Ids.empty: the id of its @Inboxed is empty");
    assertThat(problem("unknown")).contains("uses #order, and its parameters are [#p0, #a0");
    assertThat(problem("second")).contains("uses #p1, and its parameters are [#p0, #a0");
    assertThat(problem("withoutHash")).contains("uses no parameter", "written with #");
    assertThat(problem("several")).isEmpty();
    assertThat(problem("fromElsewhere")).isEmpty();
  }

  private static String problem(String name) {
    return Arrays.stream(Ids.class.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .flatMap(method -> InboxedMethod.problem(method, List.of()))
        .orElse("");
  }

  private static Bills bills() {
    ProxyFactory factory = new ProxyFactory(new Bills());
    factory.addAdvice(
        new InboxedInterceptor(
            () -> {
              throw new AssertionError("the inbox was asked");
            },
            List.of()));
    return (Bills) factory.getProxy();
  }
}
