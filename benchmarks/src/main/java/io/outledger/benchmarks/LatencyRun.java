// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.store.Start;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Times messages from the moment their commit has returned to the moment the publisher is handed
 * them, or its broker has acknowledged them, at a rate that leaves everything idle in between. The
 * first seconds are not counted.
 */
final class LatencyRun {

  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final WaitingLedger ledger;
  private final int warmUp = messages(WARM_UP);
  private final int count;

  LatencyRun(WaitingLedger ledger, Duration measured) {
    this.ledger = ledger;
    this.count = warmUp + messages(measured);
  }

  /** The writer and the relay are in this JVM: each commit wakes the relay. */
  Sample sameJvm() throws SQLException, InterruptedException {
    ArrivalTimes arrivals = new ArrivalTimes();
    return measure("same-jvm", arrivals, arrivals.publisher(), this::writeHere);
  }

  /** The writer is in another JVM: the relay finds each message by polling. */
  Sample otherProcess() throws SQLException, InterruptedException {
    ArrivalTimes arrivals = new ArrivalTimes();
    return measure("other-process", arrivals, arrivals.publisher(), ignored -> writeInChild());
  }

  /** The same as {@link #sameJvm}, until the publisher's broker has acknowledged each message. */
  Sample acknowledged(String subscription, Publisher publisher)
      throws SQLException, InterruptedException {
    ArrivalTimes arrivals = new ArrivalTimes();
    return measure(subscription, arrivals, arrivals.acknowledged(publisher), this::writeHere);
  }

  /** Writes all messages, from wherever it is. */
  private interface Writer {
    List<SteadyWriter.Commit> write(Outledger outledger) throws InterruptedException;
  }

  private Sample measure(
      String subscription, ArrivalTimes arrivals, Publisher publisher, Writer writer)
      throws SQLException, InterruptedException {
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger =
            Outledger.builder(pool).relayDataSource(ledger.dataSource()).build()) {
      RunningRelay relay = outledger.relay(subscription).from(Start.NOW).to(publisher).start();
      Await.until(
          "the relay owns its subscription",
          PATIENCE,
          () -> relay.state() == StepReport.State.OWNER);
      List<SteadyWriter.Commit> commits = writer.write(outledger);
      Await.until("all messages arrive", PATIENCE, () -> arrivals.have(commits));
      return arrivals.millisSince(commits.subList(warmUp, commits.size()));
    }
  }

  private List<SteadyWriter.Commit> writeHere(Outledger outledger) throws InterruptedException {
    return new SteadyWriter(outledger).writeAll(count);
  }

  private List<SteadyWriter.Commit> writeInChild() {
    List<SteadyWriter.Commit> commits = new CopyOnWriteArrayList<>();
    Path url = secretFile(ledger.jdbcUrl());
    try (ChildJvm child =
        ChildJvm.of(WriterMain.class)
            .args(url.toString(), Integer.toString(count))
            .onLine(line -> SteadyWriter.Commit.ofLine(line).ifPresent(commits::add))
            .start()) {
      int exit = child.awaitExit(PATIENCE.plusSeconds(count / SteadyWriter.PER_SECOND));
      if (exit != 0 || commits.size() != count) {
        throw new IllegalStateException("the writer failed:\n" + child.outputTail());
      }
      return List.copyOf(commits);
    } finally {
      delete(url);
    }
  }

  /** Hands the password on in a file of our own, since everybody can read a command line. */
  private static Path secretFile(String text) {
    try {
      return Files.writeString(Files.createTempFile("outledger-benchmark", ".url"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int messages(Duration duration) {
    return Math.toIntExact(duration.toMillis() * SteadyWriter.PER_SECOND / 1_000);
  }
}
