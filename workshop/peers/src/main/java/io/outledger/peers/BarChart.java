// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A chart of horizontal bars on a logarithmic scale, as SVG that is readable on a light and on a
 * dark page.
 */
final class BarChart {

  private static final int WIDTH = 820;
  private static final int LABELS = 310;
  private static final int VALUES = 110;
  private static final int ROW = 24;
  private static final int HEAD = 44;

  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #1f2328; }
        .title { font-weight: 600; }
        .bar { fill: #8c959f; }
        .ours { fill: #0969da; }
        .range { stroke: #1f2328; stroke-width: 1.5; }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3; }
          .bar { fill: #6e7681; }
          .ours { fill: #4493f8; }
          .range { stroke: #e6edf3; }
        }
      </style>
      """;

  private final String title;
  private final String format;
  private final List<Bar> bars = new ArrayList<>();

  /**
   * Makes one without bars.
   *
   * @param format of a value beside its bar
   */
  BarChart(String title, String format) {
    this.title = title;
    this.format = format;
  }

  private record Bar(String label, Spread spread, boolean isOurs) {}

  /** Adds a bar, whose line runs from the lowest to the highest. */
  BarChart add(String label, Spread spread, boolean isOurs) {
    bars.add(new Bar(label, spread, isOurs));
    return this;
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    int height = HEAD + ROW * bars.size() + 8;
    svg.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n",
            WIDTH, height));
    svg.append(format("<title>%s</title>%n", escaped(title)));
    svg.append(STYLE);
    svg.append(format("<text class=\"title\" x=\"8\" y=\"24\">%s</text>%n", escaped(title)));
    for (int i = 0; i < bars.size(); i++) {
      svg.append(row(bars.get(i), HEAD + ROW * i));
    }
    return svg.append("</svg>\n").toString();
  }

  private String row(Bar bar, int top) {
    int end = x(bar.spread().median());
    int middle = top + ROW / 2;
    return format(
        """
        <text x="%d" y="%d" text-anchor="end">%s</text>
        <rect class="bar%s" x="%d" y="%d" width="%d" height="%d" rx="2"/>
        <line class="range" x1="%d" x2="%d" y1="%d" y2="%d"/>
        <text x="%d" y="%d">%s</text>
        """,
        LABELS - 8,
        middle + 5,
        escaped(bar.label()),
        bar.isOurs() ? " ours" : "",
        LABELS,
        top + 4,
        end - LABELS,
        ROW - 8,
        x(bar.spread().min()),
        x(bar.spread().max()),
        middle,
        middle,
        Math.max(end, x(bar.spread().max())) + 8,
        middle + 5,
        format(format, bar.spread().median()));
  }

  /** The shortest bar has a fifth of a decade, so that it can be seen. */
  private int x(double value) {
    double low = bars.stream().mapToDouble(bar -> bar.spread().min()).min().orElse(1);
    double high = bars.stream().mapToDouble(bar -> bar.spread().max()).max().orElse(1);
    double decades = Math.log10(high / low) + 0.2;
    double share = (Math.log10(value / low) + 0.2) / decades;
    return LABELS + (int) Math.round(share * (WIDTH - LABELS - VALUES));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
