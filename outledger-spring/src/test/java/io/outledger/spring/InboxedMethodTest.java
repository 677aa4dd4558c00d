// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;

/** Methods whose message has another identity when it comes from a topic of retries. */
class InboxedMethodTest {

  private static final MessageIdentity KAFKA =
      new MessageIdentity() {
        @Override
        public boolean knows(Class<?> parameter) {
          return parameter == ConsumerRecord.class;
        }

        @Override
        public Received of(Object message) {
          throw new UnsupportedOperationException("no message comes");
        }
      };

  static class Methods {

    @KafkaListener(topics = "orders")
    @Inboxed(consumer = "billing")
    public void plain(ConsumerRecord<String, String> order) {}

    @RetryableTopic
    @KafkaListener(topics = "orders")
    @Inboxed(consumer = "billing")
    public void retried(ConsumerRecord<String, String> order) {}

    @RetryableTopic
    @KafkaListener(topics = "orders")
    @Inboxed(consumer = "billing", source = "orders", id = "#p0.key()")
    public void named(ConsumerRecord<String, String> order) {}
  }

  @RetryableTopic
  @KafkaListener(topics = "orders")
  static class AllRetried {

    @Inboxed(consumer = "billing")
    public void retried(ConsumerRecord<String, String> order) {}
  }

  @Test
  void aMethodWithTopicsOfRetriesHasToNameItsSource() {
    assertThat(problem(Methods.class, "retried").orElse(""))
        .contains("Methods.retried", "@RetryableTopic", "take effect twice", "Name the source");
    assertThat(problem(AllRetried.class, "retried").orElse("")).contains("@RetryableTopic");
  }

  @Test
  void oneThatNamesItAndOneWithoutSuchTopicsAreGood() {
    assertThat(problem(Methods.class, "named")).isEmpty();
    assertThat(problem(Methods.class, "plain")).isEmpty();
  }

  private static Optional<String> problem(Class<?> type, String name) {
    Method method =
        Arrays.stream(type.getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return InboxedMethod.problem(method, List.of(KAFKA));
  }
}
