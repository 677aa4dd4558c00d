// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.publish.Publisher;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.boot.test.TestReceivers;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.ShopApplication;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

/** A slice on H2 in memory, on every line of Boot. */
@ContextConfiguration(classes = ShopApplication.class)
@Import(OutledgerTestContract.Welcome.class)
@TestPropertySource(properties = "spring.sql.init.schema-locations=classpath:mails.sql")
public abstract class OutledgerTestContract extends MailsTest {

  @Autowired private ApplicationContext context;
  @Autowired private TestReceivers receivers;

  /** Creates it. */
  protected OutledgerTestContract() {}

  @Test
  void aSliceHasADatabaseInMemoryAndNoRelayInTheBackground() {
    assertThat(context.getBean(DataSource.class)).isInstanceOf(EmbeddedDatabase.class);
    assertThat(context.containsBean("outledgerRelays")).isFalse();
    assertThat(context.getBeansOfType(Publisher.class)).isEmpty();
    assertThat(context.getBeansWithAnnotation(SpringBootApplication.class)).hasSize(1);
  }

  @Test
  void aDeliveredMessageReachesItsListenerOnce() throws Exception {
    Message delivered = receivers.deliver("welcome", new OrderPlaced("o-w", 1));
    receivers.deliver("welcome", delivered);
    assertThat(mails.queued("o-w")).isOne();
  }

  @Test
  void whatAListenerThrowsReachesTheTestAndIsUndone() {
    assertThatThrownBy(() -> receivers.deliver("welcome", new OrderPlaced("o-x", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no order");
    assertThat(mails.queued("o-x")).isZero();
    assertThatThrownBy(() -> receivers.deliver("wellcome", new OrderPlaced("o-x", 1)))
        .hasMessageContaining("there are listeners of [welcome]");
  }

  /** Welcomes customers of another service's orders. */
  static class Welcome {

    private final JdbcClient jdbc;

    Welcome(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    /** Queues a mail. */
    @InboxListener("welcome")
    void welcome(OrderPlaced order) {
      jdbc.sql("INSERT INTO mail (order_id) VALUES (?)").param(order.orderId()).update();
      if (order.cents() < 0) {
        throw new IllegalArgumentException("no order");
      }
    }
  }
}
