// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.junit.TestRelays;
import io.outledger.spring.boot.test.OutledgerTest;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/** Handlers, tested as an application tests them. */
@OutledgerTest
@Import({OrderService.class, Mails.class})
class MailsTest {

  @Autowired OrderService orders;
  @Autowired Mails mails;
  @Autowired TestRelays outledger;

  @Test
  void anOrderIsMailed() throws Exception {
    outledger
        .when(() -> orders.place("o-1", 1990))
        .until("the mail is queued", () -> mails.queued("o-1") == 1);

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class, MailQueued.class);
  }

  @Test
  void aMailThatFailsIsTriedAgain() throws Exception {
    mails.failNext(2);

    outledger
        .when(() -> orders.place("o-2", 1990))
        .untilPublished(MailQueued.class, mail -> mail.orderId().equals("o-2"));

    assertThat(mails.queued("o-2")).isOne();
  }
}
