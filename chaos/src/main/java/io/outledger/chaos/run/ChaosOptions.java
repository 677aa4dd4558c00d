// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.database.Product;
import io.outledger.chaos.fault.Fault;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for on the command line.
 *
 * @param product the database
 * @param minutes how long faults are done
 * @param seed decides which fault comes when, to whom
 * @param faults which; every one that there is on the database means a run of random faults
 * @param json where the result is written as JSON; null for nowhere
 * @param record what is written into the project's own record
 */
public record ChaosOptions(
    Product product,
    int minutes,
    long seed,
    Set<Fault> faults,
    @Nullable Path json,
    Recording record) {

  /** What is written into the project's own record. */
  public enum Recording {
    /** Nothing. */
    NOTHING,
    /** This run. */
    RUN,
    /** The page again, from what is recorded already, without a run. */
    PAGE_ALONE
  }

  /** What {@code --help} says. */
  public static final String USAGE =
      """
      Usage: ./outledger chaos [options]

      Starts PostgreSQL (or --db), Kafka, two writers, three relays and three consumers, and
      breaks them, each time with work in flight, while an operator pauses, resumes, moves, replays,
      purges, retries, discards and deletes. At the end everything is counted again in the database,
      in Kafka, in the effects and in the audit, and every promise is judged.

        --minutes N   how long faults are done, 1 to 600; default 5. A run also ends when there are
                      three million messages, which is what its memory holds
        --db NAME     postgresql, mariadb or mysql; default postgresql
        --seed S      a whole number that decides which fault comes when, and to whom;
                      default: a new one each time
        --faults A,B  only these; default: all, each as often as its weight
        --json FILE   the result is also written to a file
        --record      the result is added to docs/reliability/runs.jsonl, and docs/reliability.md
                      is written again
        --page        only that page is written again; nothing is run
        --help        this text

      Faults:
      %s
      disk-full needs root, who can mount a small disk. MariaDB and MySQL alone have
      transaction-prepared, led-to-replica and replica-promoted, and have no sessions-ended,
      snapshot-held, disk-full, point-in-time-restored and failed-over.
      Exit code: 0 if every promise held, 1 if not, 2 if the options are wrong.
      A run that fails keeps its folder: histories, outputs, and the seed.
      """
          .formatted(words());

  private static final int MINUTES_MAX = 600;
  private static final int WORDS_A_LINE = 4;

  /** Copies the faults. */
  public ChaosOptions {
    faults = Collections.unmodifiableSet(EnumSet.copyOf(faults));
  }

  /** Says whether every fault may come. */
  public boolean isRandom() {
    return faults.equals(Fault.on(product));
  }

  /** Returns the command that does the same again. */
  public String command() {
    String some =
        isRandom()
            ? ""
            : " --faults " + faults.stream().map(Fault::word).collect(Collectors.joining(","));
    String db = product == Product.POSTGRESQL ? "" : " --db " + product.word();
    return "./outledger chaos%s --minutes %d --seed %d%s".formatted(db, minutes, seed, some);
  }

  /**
   * Reads a command line.
   *
   * @param args the words after {@code chaos}
   * @param newSeed the seed where none is given
   */
  public static ChaosOptions parse(List<String> args, long newSeed) throws BadOptionException {
    int minutes = 5;
    long seed = newSeed;
    Product product = Product.POSTGRESQL;
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    Path json = null;
    Recording record = Recording.NOTHING;
    CommandWords words = new CommandWords(args);
    while (!words.isEmpty()) {
      String option = words.option();
      switch (option) {
        case "--db" -> product = product(words.value(option));
        case "--minutes" -> minutes = (int) words.number(option, 1, MINUTES_MAX);
        case "--seed" -> seed = words.number(option, Long.MIN_VALUE, Long.MAX_VALUE);
        case "--faults" -> faults = faults(words.value(option));
        case "--json" -> json = words.file(option);
        case "--record" -> record = Recording.RUN;
        case "--page" -> record = Recording.PAGE_ALONE;
        default -> throw new BadOptionException("there is no option " + option);
      }
    }
    Set<Fault> chosen = faults.isEmpty() ? Fault.on(product) : possible(faults, product);
    return new ChaosOptions(product, minutes, seed, chosen, json, record);
  }

  private static String words() {
    StringBuilder lines = new StringBuilder();
    List<String> words = Fault.words();
    for (int i = 0; i < words.size(); i++) {
      lines.append(i % WORDS_A_LINE == 0 ? "  " : " ").append(words.get(i));
      lines.append(i % WORDS_A_LINE == WORDS_A_LINE - 1 ? "\n" : "");
    }
    return lines.append('\n').toString();
  }

  private static Product product(String word) throws BadOptionException {
    return Product.of(word)
        .orElseThrow(
            () ->
                new BadOptionException(
                    "there is no database '" + word + "'; there are " + Product.words()));
  }

  private static Set<Fault> possible(Set<Fault> faults, Product product) throws BadOptionException {
    for (Fault fault : faults) {
      if (!Fault.on(product).contains(fault)) {
        throw new BadOptionException(
            "the fault " + fault.word() + " is not done on " + product.word());
      }
    }
    return faults;
  }

  private static Set<Fault> faults(String words) throws BadOptionException {
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    for (String word : words.split(",", -1)) {
      faults.add(
          Fault.of(word)
              .orElseThrow(
                  () ->
                      new BadOptionException(
                          "there is no fault '" + word + "'; there are " + Fault.words())));
    }
    return faults;
  }
}
