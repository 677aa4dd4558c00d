// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.append;

import io.outledger.springbenchmark.ProcessorTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs transactions of both ways on one thread, in short blocks that take turns, so that whatever
 * else the machine does slows both down. It prints {@code append RATE MICROS} and {@code update
 * RATE MICROS}: transactions a second, and this thread's processor time for each, of the median
 * block.
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
      print("append", rates.appends());
      print("update", rates.updates());
    }
  }

  /** Transactions a second of a block, and microseconds of this thread's processor for each. */
  private record Block(double perSecond, double processorMicros) {}

  private record Rates(List<Block> appends, List<Block> updates) {}

  private static Rates run(Orders orders, Duration duration) {
    Rates rates = new Rates(new ArrayList<>(), new ArrayList<>());
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      rates.appends().add(block(orders::append));
      rates.updates().add(block(orders::update));
      rates.updates().add(block(orders::update));
      rates.appends().add(block(orders::append));
    }
    return rates;
  }

  private static Block block(Runnable transaction) {
    long start = System.nanoTime();
    long processor = ProcessorTime.ofThread();
    for (int i = 0; i < BLOCK; i++) {
      transaction.run();
    }
    return new Block(
        BLOCK * 1e9 / (System.nanoTime() - start),
        (ProcessorTime.ofThread() - processor) / 1e3 / BLOCK);
  }

  private static void print(String name, List<Block> blocks) {
    System.out.printf(
        Locale.ROOT,
        "%s %.1f %.1f%n",
        name,
        median(blocks, Block::perSecond),
        median(blocks, Block::processorMicros));
  }

  private static double median(List<Block> blocks, ToDoubleFunction<Block> value) {
    return blocks.stream().mapToDouble(value).sorted().toArray()[blocks.size() / 2];
  }
}
