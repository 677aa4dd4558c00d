// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.ApplicationJsonContract;
import io.outledger.spring.contract.Jackson2OfTheTeam;
import io.outledger.spring.contract.RunningShop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jackson.JsonComponent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** On this line of Spring Boot, which has Jackson 2 itself. */
class ApplicationJson35IT extends ApplicationJsonContract {

  ApplicationJson35IT() {
    super(Jackson2OfTheTeam.WithModule.class, Jackson2OfTheTeam.WithMapper.class);
  }

  /** As teams say it with Boot 3. */
  @JsonComponent
  static class MoneyJson {

    static class Writer extends Jackson2OfTheTeam.MoneyWriter {

      private static final long serialVersionUID = 1L;
    }

    static class Reader extends Jackson2OfTheTeam.MoneyReader {

      private static final long serialVersionUID = 1L;
    }
  }

  /** With it. */
  @Configuration(proxyBeanMethods = false)
  @Import(MoneyJson.class)
  static class WithComponent {}

  @Test
  void whatAJsonComponentWritesAndReadsIsHandled() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(Flats.class, WithComponent.class), "outledger.schema-initialization=always")) {
      RentCharged rent = new RentCharged("f-1", Money.parse("10.50 EUR"));
      append(shop, rent);
      areHandled(shop, List.of(rent));
    }
  }
}
