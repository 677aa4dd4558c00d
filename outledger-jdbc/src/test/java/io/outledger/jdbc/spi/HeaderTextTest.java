// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeaderTextTest {

  private static final String ASCII =
      IntStream.range(0, 128).mapToObj(Character::toString).collect(Collectors.joining());

  @Test
  void textIsFormEncodedAsByTheJdk() {
    for (String value : new String[] {ASCII, "", "application/json", "\u00e4\u20ac\ud83d\ude00"}) {
      assertThat(HeaderText.encode(Map.of("name", value)))
          .isEqualTo("name=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
  }

  @Test
  void headersAreReadAsTheyWereWritten() {
    Map<String, String> headers = new TreeMap<>(Map.of("a", "", "b", "1=2&3 +%", "c", ASCII));

    assertThat(HeaderText.encode(headers)).startsWith("a=&b=1%3D2%263+%2B%25&c=%00");
    assertThat(HeaderText.decode(HeaderText.encode(headers))).isEqualTo(headers);
    assertThat(HeaderText.encode(Map.of())).isNull();
  }
}
