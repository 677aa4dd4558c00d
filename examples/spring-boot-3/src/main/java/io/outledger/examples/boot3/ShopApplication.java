// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.boot3;

import java.util.UUID;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Places one order, and runs until it is stopped. */
@SpringBootApplication
public class ShopApplication {

  /** Starts it. */
  public static void main(String[] arguments) {
    OrderService orders =
        SpringApplication.run(ShopApplication.class, arguments).getBean(OrderService.class);
    orders.place(UUID.randomUUID().toString(), 1990);
  }
}
