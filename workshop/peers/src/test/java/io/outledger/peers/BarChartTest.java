// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class BarChartTest {

  private final BarChart chart =
      new BarChart("messages < a second", "%,.0f")
          .add("slow & steady", new Spread(List.of(10.0, 20.0, 30.0)), false)
          .add("ours", new Spread(List.of(1_000.0, 2_000.0, 3_000.0)), true);

  @Test
  void isWellFormedAndTellsItsValues() throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(chart.svg())));

    assertThat(document.getDocumentElement().getTextContent())
        .contains("messages < a second", "slow & steady", "20", "2,000");
  }

  @Test
  void largerValueHasALongerBar() throws Exception {
    NodeList bars =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(chart.svg())))
            .getElementsByTagName("rect");

    assertThat(width(bars, 0)).isPositive().isLessThan(width(bars, 1));
  }

  private static int width(NodeList bars, int index) {
    return Integer.parseInt(((Element) bars.item(index)).getAttribute("width"));
  }
}
