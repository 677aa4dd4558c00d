// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import java.util.List;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Places the orders of the command line, such as {@code --order=o-1,1990,Harbour Street 1}. */
@Component
class CommandLineOrders implements ApplicationRunner {

  private final OrderService orders;

  CommandLineOrders(OrderService orders) {
    this.orders = orders;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    List<String> values = arguments.getOptionValues("order");
    if (values != null) {
      values.forEach(this::place);
    }
  }

  private void place(String value) {
    String[] parts = value.split(",", 3);
    if (parts.length < 3) {
      throw new IllegalArgumentException("--order takes ID,CENTS,ADDRESS, not " + value);
    }
    orders.place(parts[0], parts[2], Integer.parseInt(parts[1]));
  }
}
