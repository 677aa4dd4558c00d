// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Draws what was measured. */
final class CompareCharts {

  private static final int LATENCY_RATE = 50;

  private final Path folder;

  CompareCharts(Path folder) {
    this.folder = folder;
  }

  void drain(DrainTable drain, Collection<Entrant> entrants) throws IOException {
    BarChart chart = new BarChart("Waiting messages published a second (logarithmic)", "%,.0f");
    for (Entrant entrant : entrants) {
      chart.add(label(entrant), drain.perSecond(entrant), isOurs(entrant));
    }
    save("drain.svg", chart);
  }

  void write(WriteTable write, Collection<Entrant> entrants) throws IOException {
    BarChart chart =
        new BarChart(
            "Transactions a second: an order and a message, 4 threads (logarithmic)", "%,.0f");
    for (Entrant entrant : entrants) {
      chart.add(
          WriteTable.title(entrant), write.perSecond(entrant, new Load(4, 1)), isOurs(entrant));
    }
    save("write.svg", chart);
  }

  void latency(LatencyTable latency, String name) throws IOException {
    BarChart chart =
        new BarChart(
            "Milliseconds from commit to publisher"
                + latency.where()
                + ", median, 50 a second (logarithmic)",
            "%,.1f");
    for (Entrant entrant : latency.entrants()) {
      List<Latency> measured = latency.of(entrant, LATENCY_RATE);
      chart.add(label(entrant), Spread.of(measured, Latency::p50), isOurs(entrant));
    }
    save(name, chart);
  }

  void ageing(AgeingTable ageing) throws IOException {
    BarChart chart =
        new BarChart("Waiting messages published a second, fresh and not (logarithmic)", "%,.0f");
    for (Entrant entrant : ageing.entrants()) {
      for (EntrantBurden burden : EntrantBurden.values()) {
        if (!ageing.of(entrant, burden).isEmpty()) {
          chart.add(
              brief(entrant) + burden.brief(), ageing.perSecond(entrant, burden), isOurs(entrant));
        }
      }
    }
    save("ageing.svg", chart);
  }

  private static String label(Entrant entrant) {
    return switch (entrant) {
      case BARE_READ, OUTLEDGER -> entrant.title();
      case OUTLEDGER_MILLION -> "Outledger, a million waiting";
      default -> brief(entrant) + entrant.settings();
    };
  }

  private static String brief(Entrant entrant) {
    return entrant.title().replaceAll(" [0-9.]+$", "") + ", ";
  }

  private static boolean isOurs(Entrant entrant) {
    return entrant.product() == Product.OUTLEDGER && entrant != Entrant.BARE_READ;
  }

  private void save(String name, BarChart chart) throws IOException {
    Files.writeString(folder.resolve(name), chart.svg());
  }
}
