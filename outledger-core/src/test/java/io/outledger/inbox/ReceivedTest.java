// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
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
  void positionIsTheSameIdInEveryLocale(String locale) {
    Locale.setDefault(Locale.forLanguageTag(locale));
    Message message = Message.to("orders", "order.placed").build();

    assertThat(Received.ofLedger("app", 7, message).inboxId())
        .isEqualTo(new InboxId("ledger/app", "0000000000000000007"));
    assertThat(Received.ofLedger("app", Long.MAX_VALUE, message).id())
        .isEqualTo("9223372036854775807");
  }
}
