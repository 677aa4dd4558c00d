// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceivedTest {

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "ar-EG-u-nu-arab", "fa-IR", "bn-BD", "mr-IN", "my-MM"})
  void messageOfTheLedgerHasTheSameIdInEveryLocale(String locale) {
    Locale.setDefault(Locale.forLanguageTag(locale));
    Message message = Message.to("orders", "order.placed").id(new UUID(1, 2)).build();

    assertThat(Received.ofLedger("app", 7, message).inboxId())
        .isEqualTo(
            new InboxId("ledger/app", "0000000000000000007/00000000-0000-0001-0000-000000000002"));
    assertThat(Received.ofLedger("app", Long.MAX_VALUE, message).id())
        .isEqualTo("9223372036854775807/00000000-0000-0001-0000-000000000002");
  }

  @Test
  void messagesThatSharePositionOrIdAreDifferentOnes() {
    Message one = Message.to("orders", "order.placed").id(new UUID(1, 2)).build();
    Message other = one.copy().id(new UUID(1, 3)).build();

    assertThat(
            Set.of(
                Received.ofLedger("app", 7, one).inboxId(),
                Received.ofLedger("app", 8, one).inboxId(),
                Received.ofLedger("app", 7, other).inboxId(),
                Received.ofLedger("app2", 7, one).inboxId()))
        .hasSize(4);
  }
}
