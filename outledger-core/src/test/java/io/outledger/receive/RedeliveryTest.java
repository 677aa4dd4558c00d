// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.InboxRetention;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedeliveryTest {

  private static InboxRetention days(int days) {
    return new InboxRetention(Duration.ofDays(days));
  }

  @Test
  void inboxThatRemembersAsLongAsTheBrokerDoesIsAllRight() {
    Redelivery month = new Redelivery("topic orders (retention.ms)", Duration.ofDays(30));
    assertThatCode(() -> month.check(days(30))).doesNotThrowAnyException();
    assertThatThrownBy(() -> month.check(days(29)))
        .hasMessage(
            "OUT-018 the inbox forgets ids after 29 days, but topic orders (retention.ms) may"
                + " deliver a message again for 30 days; raise the inbox retention to at least"
                + " that: inboxRetention(…), or in Spring outledger.retention.inbox");
  }

  @Test
  void onlyWhatIsRememberedForGoodCoversABrokerWithoutALimit() {
    Redelivery always = new Redelivery("stream SHOP (max_age)", null);
    assertThatCode(() -> always.check(days(36_500))).doesNotThrowAnyException();
    assertThatThrownBy(() -> always.check(days(1_000)))
        .hasMessageStartingWith(
            "OUT-018 the inbox forgets ids after 1000 days, but stream SHOP (max_age) may deliver"
                + " a message again without limit; ");
  }
}
