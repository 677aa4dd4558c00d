// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.append;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs transactions of both ways on one thread, in short blocks that take turns, so that whatever
 * else the machine does slows both down. It prints {@code append RATE} and {@code update RATE}:
 * transactions a second, of the median block.
 */
@SpringBootApplication
public class AppendApplication {

  private static final int BLOCK = 50;

  /** Takes the milliseconds of a warm-up, and those that are measured. */
  public static void main(String[] arguments) {
    try (ConfigurableApplicationContext context = SpringApplication.run(AppendApplication.class)) {
      Orders orders = context.getBean(Orders.class);
      run(orders, Duration.ofMillis(Long.parseLong(arguments[0])));
      Rates rates = run(orders, Duration.ofMillis(Long.parseLong(arguments[1])));
      System.out.printf(Locale.ROOT, "append %.1f%n", median(rates.appends()));
      System.out.printf(Locale.ROOT, "update %.1f%n", median(rates.updates()));
    }
  }

  /** Transactions a second of each block. */
  private record Rates(List<Double> appends, List<Double> updates) {}

  private static Rates run(Orders orders, Duration duration) {
    Rates rates = new Rates(new ArrayList<>(), new ArrayList<>());
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      rates.appends().add(perSecond(orders::append));
      rates.updates().add(perSecond(orders::update));
      rates.updates().add(perSecond(orders::update));
      rates.appends().add(perSecond(orders::append));
    }
    return rates;
  }

  private static double perSecond(Runnable transaction) {
    long start = System.nanoTime();
    for (int i = 0; i < BLOCK; i++) {
      transaction.run();
    }
    return BLOCK * 1e9 / (System.nanoTime() - start);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
